import { setImmediate } from 'node:timers/promises'
import { type TriggerConditions, triggerConditions } from '#contract/keepers/echoes.ts'
import { dayMs } from '#server/hours-and-days.ts'
import type { Services } from '#server/services.ts'
import { armedAt, nextAnniversary, zoneOf } from './echo-triggers.ts'
import { formatDueReason } from './echo-view.ts'
import { makeReady, type WaitingEcho, waitingEchoes } from './make-ready.ts'
import { saysCompleted } from './notice.ts'

/** Per batch, before other work can run. */
const echoesAtOnce = 500

interface Reason {
  because: string
  at: number
}

/** Checks dates, anniversaries, quiet days, and journey completions missed by a crash. Runs before a keeper's echoes
 * are
 * listed, and for all keepers in every sweep. */
export async function noticeTime(services: Services, keeperId: string | null): Promise<void> {
  const now = services.now().getTime()
  let after = ''
  for (;;) {
    const waiting = await waitingEchoes(services, keeperId)
      .where((where) =>
        where.or([where('echoes.trigger_at', '<=', now), where('echoes.trigger_conditions', 'is not', null)]),
      )
      .where('echoes.id', '>', after)
      .orderBy('echoes.id')
      .limit(echoesAtOnce)
      .execute()
    await noticeAmong(services, waiting, now)
    const last = waiting[echoesAtOnce - 1]
    if (!last) return
    after = last.id
    // SQLite is synchronous, so yield to other work.
    await setImmediate()
  }
}

async function noticeAmong(services: Services, waiting: WaitingEcho[], now: number): Promise<void> {
  const lastWords = new Map<string, Promise<number>>()
  const lastWord = (echo: WaitingEcho) => {
    const known = lastWords.get(echo.keeper_id) ?? lastWordIn(services, echo.keeper_id)
    lastWords.set(echo.keeper_id, known)
    return known
  }
  const told = waiting.map((echo) => ({ echo, conditions: conditionsOf(echo) }))
  const completed = await completedJourneys(
    services,
    told.flatMap(({ conditions }) => conditions.journeyId ?? []),
  )
  for (const { echo, conditions } of told) {
    const reason = await reasonOf(echo, conditions, { now, lastWord, completed })
    if (reason) await makeReady(services, echo, reason.because, reason.at)
  }
}

interface Known {
  now: number
  lastWord: (echo: WaitingEcho) => Promise<number>
  completed: ReadonlyMap<string, CompletedJourney>
}

async function reasonOf(
  echo: WaitingEcho,
  { anniversary, silentDays, journeyId }: TriggerConditions,
  { now, lastWord, completed }: Known,
): Promise<Reason | undefined> {
  if (echo.trigger_at !== null && echo.trigger_at <= now)
    return { because: formatDueReason(echo.trigger_at, zoneOf(echo)), at: echo.trigger_at }
  if (anniversary !== undefined) {
    const at = nextAnniversary(anniversary, armedAt(echo), zoneOf(echo))
    if (at <= now) return { because: 'The day of the year you chose is here.', at }
  }
  // The cheap check first, without a query.
  if (silentDays !== undefined && armedAt(echo) + silentDays * dayMs <= now) {
    const at = Math.max(armedAt(echo), await lastWord(echo)) + silentDays * dayMs
    if (at <= now)
      return { because: `${silentDays} ${silentDays === 1 ? 'day' : 'days'} passed without a word from you.`, at }
  }
  const journey = journeyId === undefined ? undefined : completed.get(`${echo.keeper_id} ${journeyId}`)
  if (journey && journey.at >= armedAt(echo)) return { because: saysCompleted(journey.title), at: journey.at }
  return undefined
}

/** An invalid stored condition is ignored, so that it cannot block other echoes. */
function conditionsOf({ trigger_conditions }: WaitingEcho): TriggerConditions {
  const read = triggerConditions.safeParse(trigger_conditions)
  return read.success ? read.data : {}
}

interface CompletedJourney {
  title: string
  at: number
}

/** Keyed by keeper, so that an echo only reacts to journeys of its own keeper. */
async function completedJourneys({ db }: Services, named: string[]): Promise<Map<string, CompletedJourney>> {
  const completed = new Map<string, CompletedJourney>()
  if (named.length === 0) return completed
  const rows = await db
    .selectFrom('journeys')
    .select(['id', 'keeper_id', 'title', 'completed_at'])
    .where('id', 'in', [...new Set(named)])
    .where('completed_at', 'is not', null)
    .execute()
  for (const { id, keeper_id, title, completed_at: at } of rows)
    if (at !== null) completed.set(`${keeper_id} ${id}`, { title, at })
  return completed
}

/** Latest moment or reflection including deleted ones, in milliseconds; 0 without any. */
async function lastWordIn({ db }: Services, keeperId: string): Promise<number> {
  const last = (table: 'moments' | 'reflections') =>
    db
      .selectFrom(table)
      .select(({ fn }) => fn.max('created_at').as('at'))
      .where('keeper_id', '=', keeperId)
      .executeTakeFirst()
  const [moment, reflection] = await Promise.all([last('moments'), last('reflections')])
  return Math.max(Number(moment?.at ?? 0), Number(reflection?.at ?? 0))
}
