import { setImmediate } from 'node:timers/promises'
import { type TriggerConditions, triggerConditions } from '#contract/keepers/echoes.ts'
import type { Services } from '#server/services.ts'
import { dayMs } from '#server/values/time-units.ts'
import { formatCompletedReason } from './check-entry-triggers.ts'
import {
  findNextAnniversary,
  getArmedAt,
  getEchoTimezone,
  markEchoReady,
  queryWaitingEchoes,
  type WaitingEcho,
} from './echo-triggers.ts'
import { emailReadyEchoes } from './email-echoes.ts'

const batchSize = 500

interface ReadyReason {
  text: string
  readyAt: number
}

/** Includes journey completions missed by a crash. Runs before a keeper's echoes are listed, and in every sweep. */
export async function checkTimeTriggers(services: Services, keeperId: string | null): Promise<void> {
  const now = services.now().getTime()
  let lastId = ''
  for (;;) {
    const waitingEchoes = await queryWaitingEchoes(services, keeperId)
      .where((where) =>
        where.or([where('echoes.trigger_at', '<=', now), where('echoes.trigger_conditions', 'is not', null)]),
      )
      .where('echoes.id', '>', lastId)
      .orderBy('echoes.id')
      .limit(batchSize)
      .execute()
    await checkBatch(services, waitingEchoes, now)
    const lastOfFullBatch = waitingEchoes[batchSize - 1]
    if (!lastOfFullBatch) return
    lastId = lastOfFullBatch.id
    // SQLite is synchronous, so yield to other work.
    await setImmediate()
  }
}

async function checkBatch(services: Services, waitingEchoes: WaitingEcho[], now: number): Promise<void> {
  const lastEntryByKeeper = new Map<string, Promise<number>>()
  const getLastEntryAt = (echo: WaitingEcho) => {
    const pendingTime = lastEntryByKeeper.get(echo.keeper_id) ?? loadLastEntryAt(services, echo.keeper_id)
    lastEntryByKeeper.set(echo.keeper_id, pendingTime)
    return pendingTime
  }
  const echoesWithConditions = waitingEchoes.map((echo) => ({ echo, conditions: parseConditions(echo) }))
  const completedJourneys = await loadCompletedJourneys(
    services,
    echoesWithConditions.flatMap(({ conditions }) => conditions.journeyId ?? []),
  )
  for (const { echo, conditions } of echoesWithConditions) {
    const reason = await findReason(echo, conditions, { now, getLastEntryAt, completedJourneys })
    if (reason) await markEchoReady(services, echo, reason.text, reason.readyAt)
  }
}

interface TriggerContext {
  now: number
  getLastEntryAt: (echo: WaitingEcho) => Promise<number>
  completedJourneys: ReadonlyMap<string, CompletedJourney>
}

async function findReason(
  echo: WaitingEcho,
  { anniversary, silentDays, journeyId }: TriggerConditions,
  { now, getLastEntryAt, completedJourneys }: TriggerContext,
): Promise<ReadyReason | undefined> {
  if (echo.trigger_at !== null && echo.trigger_at <= now)
    return { text: formatDueReason(echo.trigger_at, getEchoTimezone(echo)), readyAt: echo.trigger_at }
  if (anniversary !== undefined) {
    const readyAt = findNextAnniversary(anniversary, getArmedAt(echo), getEchoTimezone(echo))
    if (readyAt <= now) return { text: 'It’s the day of the year you chose.', readyAt }
  }
  if (silentDays !== undefined && getArmedAt(echo) + silentDays * dayMs <= now) {
    const readyAt = Math.max(getArmedAt(echo), await getLastEntryAt(echo)) + silentDays * dayMs
    if (readyAt <= now)
      return { text: `${silentDays} ${silentDays === 1 ? 'day' : 'days'} went by without a word from you.`, readyAt }
  }
  const journey = journeyId === undefined ? undefined : completedJourneys.get(`${echo.keeper_id} ${journeyId}`)
  if (journey && journey.completedAt >= getArmedAt(echo))
    return { text: formatCompletedReason(journey.title), readyAt: journey.completedAt }
  return undefined
}

/** An invalid stored condition is ignored, so that it cannot block other echoes. */
function parseConditions({ trigger_conditions }: WaitingEcho): TriggerConditions {
  const parsed = triggerConditions.safeParse(trigger_conditions)
  return parsed.success ? parsed.data : {}
}

interface CompletedJourney {
  title: string
  completedAt: number
}

/** Keyed by keeper, so that an echo only reacts to journeys of its own keeper. */
async function loadCompletedJourneys({ db }: Services, journeyIds: string[]): Promise<Map<string, CompletedJourney>> {
  const completedJourneys = new Map<string, CompletedJourney>()
  if (journeyIds.length === 0) return completedJourneys
  const rows = await db
    .selectFrom('journeys')
    .select(['id', 'keeper_id', 'title', 'completed_at'])
    .where('id', 'in', [...new Set(journeyIds)])
    .where('completed_at', 'is not', null)
    .execute()
  for (const { id, keeper_id, title, completed_at: completedAt } of rows)
    if (completedAt !== null) completedJourneys.set(`${keeper_id} ${id}`, { title, completedAt })
  return completedJourneys
}

/** Latest moment or reflection including deleted ones, in milliseconds; 0 without any. */
async function loadLastEntryAt({ db }: Services, keeperId: string): Promise<number> {
  const queryLastCreatedAt = (table: 'moments' | 'reflections') =>
    db
      .selectFrom(table)
      .select(({ fn }) => fn.max('created_at').as('at'))
      .where('keeper_id', '=', keeperId)
      .executeTakeFirst()
  const [moment, reflection] = await Promise.all([queryLastCreatedAt('moments'), queryLastCreatedAt('reflections')])
  return Math.max(Number(moment?.at ?? 0), Number(reflection?.at ?? 0))
}

export async function sweepEchoes(services: Services, signal?: AbortSignal): Promise<void> {
  await checkTimeTriggers(services, null)
  await emailReadyEchoes(services, signal)
}

export function formatDueReason(dueAt: number, timeZone: string): string {
  return `Due since ${new Date(dueAt).toLocaleDateString('en-US', { timeZone, month: 'short', day: 'numeric' })}.`
}
