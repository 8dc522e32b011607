import { compareStrings } from '#contract/compare-strings.ts'
import type { Dashboard } from '#contract/keepers/dashboard.ts'
import { createAscendingDayLookup, getLocalDay, getNextDay } from '#contract/keepers/local-time.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { dayMs } from '#server/values/time-units.ts'
import { listEchoes } from '../echoes/echo-view.ts'
import { isActiveIn, type KeeperRow, requireKeeperFor } from '../keeper-access.ts'
import { listMoments } from '../moments/list-moments.ts'
import { listMomentsOnThisDay } from '../moments/moment-days.ts'
import { suggestReflections } from '../reflections/list-reflections.ts'
import { findVersion } from '../sole/sole-rows.ts'
import { toSoleVersion } from '../sole/sole-versions.ts'
import { listRecentEvents } from './recent-events.ts'

/** `kept`: at least one entry was kept; `mood`: the mean. */
interface WrittenDay {
  date: string
  count: number
  kept: boolean
  mood: number | null
}

interface Streak {
  /** Consecutive days up to today, which may still be missing. */
  current: number
  longest: number
  graceUsed: boolean
}

/** One missed day in this many days is forgiven. */
const graceIntervalDays = 7

export function subtractDays(date: string, days: number): string {
  return new Date(Date.parse(date) - days * dayMs).toISOString().slice(0, 10)
}

/** Forgives a single missed day if none was forgiven in the week before. Counts tomorrow, which other time zones reach first. */
export function calculateStreak(dates: Iterable<string>, today: string): Streak {
  const tomorrow = getNextDay(today)
  const days = [...new Set(dates)].filter((date) => date <= tomorrow).sort()
  const lastDate = days.at(-1)
  if (lastDate === undefined) return { current: 0, longest: 0, graceUsed: false }
  let maxDays = 0
  let run: StreakRun = emptyRun
  let previousDay: number | null = null
  for (const date of days) {
    const dayNumber = Date.parse(date) / dayMs
    const gap = previousDay === null ? null : dayNumber - previousDay
    if (gap === 2) run = forgiveMissedDay(run, dayNumber - 1)
    else if (gap !== 1) run = emptyRun
    run = { ...run, days: run.days + 1, sinceForgiven: run.sinceForgiven + 1 }
    maxDays = Math.max(maxDays, run.days)
    previousDay = dayNumber
  }
  const daysSinceLast = Date.parse(today) / dayMs - (previousDay ?? 0)
  if (daysSinceLast === 2) run = forgiveMissedDay(run, Date.parse(today) / dayMs - 1)
  else if (daysSinceLast > 2) run = emptyRun
  return { current: run.days, longest: maxDays, graceUsed: run.days > 0 && run.forgivenAt !== null }
}

interface StreakRun {
  days: number
  /** Days since the last forgiven one. If the next day is missed too soon, the streak restarts with these. */
  sinceForgiven: number
  forgivenAt: number | null
}
const emptyRun: StreakRun = { days: 0, sinceForgiven: 0, forgivenAt: null }

function forgiveMissedDay(run: StreakRun, missedDay: number): StreakRun {
  const isTooSoon = run.forgivenAt !== null && missedDay - run.forgivenAt < graceIntervalDays
  return { days: isTooSoon ? run.sinceForgiven : run.days, sinceForgiven: 0, forgivenAt: missedDay }
}

const countedTables = {
  moments: 'moments',
  journeys: 'journeys',
  reflections: 'reflections',
  cards: 'memory_cards',
  voice: 'voice_entries',
  logbook: 'logbook_entries',
  sources: 'sources',
} as const

async function countEntries({ db, now }: Services, keeper: KeeperRow): Promise<Dashboard['counts']> {
  const countActive = (table: (typeof countedTables)[keyof typeof countedTables]) =>
    db
      .selectFrom(table as 'reflections')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where(isActiveIn(keeper.id))
  const paths = db
    .selectFrom('paths')
    .innerJoin('journeys', 'journeys.id', 'paths.journey_id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(isActiveIn(keeper.id, 'paths'))
    .where('journeys.deleted_at', 'is', null)
  const topics = db
    .selectFrom('topics')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(isActiveIn(keeper.id))
    .where('merged_into', 'is', null)
  const readyEchoes = db
    .selectFrom('echoes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(isActiveIn(keeper.id))
    .where('delivered_at', 'is', null)
    .where((where) => where.or([where('ready_at', 'is not', null), where('trigger_at', '<=', now().getTime())]))
  const [counts] = await db.longRead<Dashboard['counts']>(
    db.selectNoFrom([
      ...Object.entries(countedTables).map(([name, table]) => countActive(table).as(name)),
      paths.as('paths'),
      countActive('memory_cards')
        .where('embedded_with' as 'id', 'is not', null)
        .as('cardsEmbedded'),
      topics.as('topics'),
      readyEchoes.as('echoesReady'),
    ]),
  )
  return Object.fromEntries(
    Object.entries(counts ?? {}).map(([name, count]) => [name, Number(count)]),
  ) as Dashboard['counts']
}

/** The id is stored with the moment that answers a prompt. */
const dayPrompts: [id: string, prompt: string][] = [
  ['worth-keeping', 'What is worth keeping from today?'],
  ['small-thing', 'What small thing would you have missed a year ago?'],
  ['who', 'Who was in your day, and what did they say?'],
  ['heard', 'What did today sound like?'],
  ['hands', 'What did your hands do today?'],
  ['changed-mind', 'What did you change your mind about?'],
  ['left-undone', 'What did you leave undone, and is that all right?'],
  ['light', 'Where was the light good today?'],
  ['kindness', 'What kindness came your way, or went out from you?'],
  ['harder', 'What was harder than it should have been?'],
  ['tell', 'What would you tell someone who knows you well?'],
  ['again', 'What would you like to happen again?'],
  ['learned', 'What do you know tonight that you did not know this morning?'],
  ['body', 'How did your body carry you today?'],
]

function getDayPrompt(date: string): { promptId: string; prompt: string } {
  const day = Math.floor(Date.parse(date) / dayMs)
  // Also for days before 1970, whose number is negative.
  const index = ((day % dayPrompts.length) + dayPrompts.length) % dayPrompts.length
  const [promptId, prompt] = dayPrompts[index] as [string, string]
  return { promptId, prompt }
}

/** Six weeks. */
const stripDayCount = 42
const maxEvents = 12
const maxSuggestions = 20
const maxMomentsToday = 100

/** `date` and `timezone` are the reader's. @throws Problem 404 */
export async function showDashboard(
  services: Services,
  person: Person,
  keeperId: string,
  { date, timezone = 'UTC' }: { date?: string | undefined; timezone?: string | undefined },
): Promise<Dashboard> {
  const keeper = await requireKeeperFor(services, person, keeperId)
  const today = date ?? getLocalDay(timezone, services.now().getTime())
  const [counts, moments, onThisDay, days, echoes, suggestions, pendingSole, activeSole, recentEvents] =
    await Promise.all([
      countEntries(services, keeper),
      listMoments(services, person, keeper.id, { from: today, to: today, limit: maxMomentsToday }),
      listMomentsOnThisDay(services, person, keeper.id, today),
      loadWrittenDays(services, keeper, timezone),
      listEchoes(services, person, keeper.id),
      suggestReflections(services, person, keeper.id),
      loadSole(services, keeper, 'draft'),
      loadSole(services, keeper, 'active'),
      listRecentEvents(services, keeper, maxEvents),
    ])
  const dayByDate = new Map(days.map((day) => [day.date, day]))
  const stripDays = Array.from({ length: stripDayCount }, (_, index) => {
    const visibleDate = subtractDays(today, stripDayCount - 1 - index)
    return dayByDate.get(visibleDate) ?? { date: visibleDate, count: 0, kept: false, mood: null }
  })
  return {
    counts,
    today: { date: today, ...getDayPrompt(today), moments: moments.items },
    onThisDay,
    streak: { ...calculateStreak(dayByDate.keys(), today), days: stripDays },
    echoesReady: echoes.data.filter(({ state }) => state === 'ready'),
    pendingSole,
    activeSole,
    suggestions: suggestions.slice(0, maxSuggestions),
    recent: recentEvents,
  }
}

async function loadSole(services: Services, keeper: KeeperRow, status: 'draft' | 'active') {
  const row = await findVersion(services, keeper.id, status)
  return row ? toSoleVersion(services, row) : null
}

interface MomentDay {
  date: string
  count: number
  kept: number
  mood: number | null
}

/** Days with entries, earliest first: moments by local date, reflections by their date in `timezone`. */
async function loadWrittenDays(services: Services, keeper: KeeperRow, timezone: string): Promise<WrittenDay[]> {
  const { db } = services
  const [moments, reflections] = await Promise.all([
    db.longRead<MomentDay>(
      db
        .selectFrom('moments')
        .select(({ fn, eb }) => [
          'local_date as date',
          fn.countAll<number>().as('count'),
          fn.avg<number | null>('mood_score').as('mood'),
          fn.sum<number>(eb.case().when('pinned', '=', true).then(1).else(0).end()).as('kept'),
        ])
        .where(isActiveIn(keeper.id))
        .groupBy('local_date'),
    ),
    db.longRead<{ created_at: number; promoted_at: number | null }>(
      db
        .selectFrom('reflections')
        .select(['created_at', 'promoted_at'])
        .where(isActiveIn(keeper.id))
        .orderBy('created_at'),
    ),
  ])
  const days = new Map<string, WrittenDay>(
    moments.map(({ date, count, mood, kept: pinnedCount }) => [
      date,
      { date, count: Number(count), mood: mood === null ? null : Number(mood), kept: Number(pinnedCount) > 0 },
    ]),
  )
  const toDate = createAscendingDayLookup(timezone)
  for (const { created_at, promoted_at } of reflections) {
    const date = toDate(created_at)
    const day = days.get(date) ?? { date, count: 0, kept: false, mood: null }
    day.count += 1
    day.kept ||= promoted_at !== null
    days.set(date, day)
  }
  return [...days.values()].sort((a, b) => compareStrings(a.date, b.date))
}
