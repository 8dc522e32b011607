import { sql } from 'kysely'
import type { Moment, MomentYear } from '#contract/keepers/moments.ts'
import type { Person } from '#server/accounts/person.ts'
import { badField } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { dayMs } from '#server/values/time-units.ts'
import { isActiveIn, requireKeeperFor } from '../keeper-access.ts'
import { toMoments } from './moment-view.ts'

const maxDays = 400
const maxMomentsOnThisDay = 100

/** Days with moments, their counts and mean moods (two decimals). @throws Problem 404; 400 for an invalid range */
export async function loadCalendar(
  services: Services,
  person: Pick<Person, 'id'>,
  keeperId: string,
  { from, to }: { from: string; to: string },
): Promise<{ date: string; count: number; mood: number | null }[]> {
  const keeper = await requireKeeperFor(services, person, keeperId)
  const dayCount = (Date.parse(to) - Date.parse(from)) / dayMs + 1
  if (dayCount < 1) throw badField('to', 'Choose a day on or after "from".')
  if (dayCount > maxDays) throw badField('to', `Request at most ${maxDays} days at a time.`)
  const rows = await services.db
    .selectFrom('moments')
    .select(({ fn }) => [
      'local_date as date',
      fn.countAll<number>().as('count'),
      fn.avg<number | null>('mood_score').as('mood'),
    ])
    .where(isActiveIn(keeper.id))
    .where('local_date', '>=', from)
    .where('local_date', '<=', to)
    .groupBy('local_date')
    .orderBy('local_date')
    .execute()
  return rows.map(({ date, count, mood }) => ({
    date,
    count: Number(count),
    mood: mood === null ? null : Math.round(Number(mood) * 100) / 100,
  }))
}

/** Oldest first, on one page: there are at most 9,999 years. @throws Problem 404 */
export async function listYears(
  services: Services,
  person: Pick<Person, 'id'>,
  keeperId: string,
): Promise<MomentYear[]> {
  const keeper = await requireKeeperFor(services, person, keeperId)
  const year = sql<string>`substr(local_date, 1, 4)`
  const rows = await services.db.longRead(
    services.db
      .selectFrom('moments')
      .select(({ fn }) => [year.as('year'), fn.countAll<number>().as('count'), fn.min('local_date').as('first')])
      .where(isActiveIn(keeper.id))
      .groupBy(year)
      .orderBy(year),
  )
  return rows.map(({ count, ...row }) => ({ ...row, count: Number(count) }))
}

/** Oldest first. Moments of Feb 29 return on Feb 28 of common years. @throws Problem 404 */
export async function listMomentsOnThisDay(
  services: Services,
  person: Pick<Person, 'id'>,
  keeperId: string,
  date: string,
): Promise<Moment[]> {
  const { db } = services
  const keeper = await requireKeeperFor(services, person, keeperId)
  const activeMoments = db.selectFrom('moments').where(isActiveIn(keeper.id))
  const oldest = await activeMoments.select('local_date').orderBy('local_date').limit(1).executeTakeFirst()
  const days = oldest ? listEarlierDays(date, Number(oldest.local_date.slice(0, 4))) : []
  if (days.length === 0) return []
  const rows = await activeMoments
    .selectAll()
    .where('local_date', 'in', days)
    .orderBy('local_date')
    .orderBy('occurred_at')
    .orderBy('id')
    .limit(maxMomentsOnThisDay)
    .execute()
  return toMoments(services, rows)
}

function listEarlierDays(date: string, firstYear: number): string[] {
  const year = Number(date.slice(0, 4))
  const day = date.slice(4)
  const days: string[] = []
  for (let earlierYear = firstYear; earlierYear < year; earlierYear++) {
    const yearText = String(earlierYear).padStart(4, '0')
    if (day !== '-02-29' || isLeapYear(earlierYear)) days.push(yearText + day)
    if (day === '-02-28' && !isLeapYear(year) && isLeapYear(earlierYear)) days.push(`${yearText}-02-29`)
  }
  return days
}

const isLeapYear = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
