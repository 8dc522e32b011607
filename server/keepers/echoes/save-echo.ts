import type * as z from 'zod/mini'
import { compareStrings } from '#contract/compare-strings.ts'
import type { Echo, echoes } from '#contract/keepers/echoes.ts'
import { defaultAgentId } from '#contract/keepers/keeper-fields.ts'
import type { Person } from '#server/accounts/person.ts'
import { json, type Write } from '#server/db/database.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { createEntry, noSource } from '../entries/create-entry.ts'
import { clearField } from '../entries/history-states.ts'
import { requireEntryFor, requireEntryInKeeper } from '../entries/require-entry.ts'
import { type EntryChanges, saveEntry } from '../entries/save-entry.ts'
import { requireMatchingKeeper, toKeeperRef } from '../keeper-access.ts'
import { checkTimeTriggers } from './check-time-triggers.ts'
import { getEchoTimezone, parseTriggerInstant, removeEmptyConditions } from './echo-triggers.ts'
import { type EchoRow, toEcho } from './echo-view.ts'

type NewEcho = z.output<typeof echoes.create.body & {}>
type ChangedEcho = z.output<typeof echoes.update.body & {}>

export async function createEcho(services: Services, person: Person, keeperId: string, input: NewEcho): Promise<Echo> {
  const keeper = await requireMatchingKeeper(services, person, keeperId, input.keeperId)
  const conditions = removeEmptyConditions(input.triggerConditions ?? null)
  await requireEntryInKeeper(services, keeper, 'journey', conditions?.journeyId, journeyField)
  const row = await createEntry(services, keeper, {
    entity: 'echo',
    id: input.id,
    createdAt: input.createdAt,
    values: {
      ...noSource,
      ...notReadyColumns,
      agent_id: input.agentId || defaultAgentId,
      message: input.message,
      sealed: input.sealed ?? false,
      trigger_at: input.triggerDate ? parseTriggerInstant(input.triggerDate, input.triggerTimezone ?? 'UTC') : null,
      trigger_timezone: input.triggerTimezone ?? null,
      trigger_conditions: conditions && json(conditions),
      armed_at: null,
      delivered_at: null,
    },
  })
  return toEcho(row, services.now().getTime())
}

const journeyField = 'triggerConditions.journeyId'
const notReadyColumns = { ready_at: null, ready_because: null, mailed_at: null }

/** @throws Problem 404; 409 for a delivered echo, and for unsealing without a new text; `stale` */
export async function updateEcho(
  services: Services,
  person: Person,
  id: string,
  input: ChangedEcho,
  ifMatch: number | null,
): Promise<Echo> {
  const now = services.now().getTime()
  const isSealing = input.sealed === true
  const row = await saveEntry(services, person, {
    entity: 'echo',
    id,
    ifMatch,
    getChanges: (current) => createChanges(services, current, input),
    // Sealing also removes the text from history.
    toView: (current) => ({
      ...toEcho({ ...current, sealed: current.sealed || isSealing }, now),
      sealed: current.sealed,
    }),
    extraWrites: (current) => (isSealing && !current.sealed ? createHistoryRedactions(services, current) : []),
  })
  return toEcho(row, services.now().getTime())
}

async function createChanges(services: Services, row: EchoRow, input: ChangedEcho): Promise<EntryChanges<'echo'>> {
  if (row.delivered_at !== null)
    throw new Problem('conflict', { message: 'This echo has been delivered, so it can’t be edited.' })
  if (row.sealed && input.sealed === false && input.message === undefined) {
    const message = 'A sealed echo stays closed until it is delivered. To unseal the echo now, replace its text.'
    throw new Problem('conflict', { message, fields: { sealed: message } })
  }
  const triggerAt = input.triggerDate
    ? parseTriggerInstant(input.triggerDate, input.triggerTimezone ?? getEchoTimezone(row))
    : null
  const conditions = removeEmptyConditions(input.triggerConditions ?? null)
  const hasNewDate = input.triggerDate !== undefined && triggerAt !== row.trigger_at
  const hasNewConditions =
    input.triggerConditions !== undefined && toSortedJson(conditions) !== toSortedJson(row.trigger_conditions)
  if (hasNewConditions)
    await requireEntryInKeeper(services, toKeeperRef(row), 'journey', conditions?.journeyId, journeyField)
  return {
    message: input.message,
    sealed: input.sealed,
    trigger_timezone: input.triggerTimezone,
    ...(hasNewDate && { trigger_at: triggerAt }),
    ...(hasNewConditions && { trigger_conditions: conditions && json(conditions) }),
    ...((hasNewDate || hasNewConditions) && { armed_at: services.now().getTime(), ...notReadyColumns }),
  }
}

/** jsonb changes the order of keys. */
function toSortedJson(value: object | null): string {
  return JSON.stringify(value && Object.entries(value).sort(([a], [b]) => compareStrings(a, b)))
}

async function createHistoryRedactions({ db }: Services, echo: EchoRow): Promise<Write[]> {
  const states = await db
    .selectFrom('entry_history')
    .select(['id', 'snapshot'])
    .where('entity', '=', 'echo')
    .where('entity_id', '=', echo.id)
    .execute()
  return states.map(({ id, snapshot }) =>
    db
      .updateTable('entry_history')
      .set({ snapshot: json(clearField(snapshot, 'message')) })
      .where('id', '=', id),
  )
}

/** Atomic for concurrent requests. @throws Problem 409 for an echo that is not ready or was delivered */
export async function deliverEcho(services: Services, person: Person, id: string): Promise<Echo> {
  const { keeper_id } = await requireEntryFor(services, person, 'echo', id)
  await checkTimeTriggers(services, keeper_id)
  const now = services.now().getTime()
  const row = await saveEntry(services, person, {
    entity: 'echo',
    id,
    ifMatch: null,
    getChanges(current) {
      const { state } = toEcho(current, now)
      if (state === 'delivered')
        throw new Problem('conflict', {
          message: 'This echo has already been delivered. Each echo is delivered only once.',
        })
      if (state === 'pending')
        throw new Problem('conflict', {
          message: 'This echo isn’t ready yet. You can deliver it once its date or one of its conditions is met.',
        })
      return { delivered_at: now, ready_at: current.ready_at ?? current.trigger_at }
    },
    toView: (current) => ({ ...toEcho(current, now) }),
  })
  return toEcho(row, now)
}
