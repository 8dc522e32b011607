import type * as z from 'zod/mini'
import type { Echo, echoes } from '#contract/keepers/echoes.ts'
import { defaultAgentId } from '#contract/keepers/keeper-words.ts'
import type { Person } from '#server/accounts/person.ts'
import { json, type Write } from '#server/db/database.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { withoutWords } from '../entries/history-states.ts'
import { makeEntry } from '../entries/make-entry.ts'
import { type EntryChanges, saveEntry } from '../entries/save-entry.ts'
import { requireKeeperToWriteIn } from '../keeper-access.ts'
import { filledConditions, requireOwnJourney, triggerInstant, zoneOf } from './echo-triggers.ts'
import { type EchoRow, echoView } from './echo-view.ts'

type NewEcho = z.output<typeof echoes.create.body & {}>
type ChangedEcho = z.output<typeof echoes.update.body & {}>

export async function createEcho(services: Services, person: Person, keeperId: string, given: NewEcho): Promise<Echo> {
  const keeper = await requireKeeperToWriteIn(services, person, keeperId, given.keeperId)
  const conditions = filledConditions(given.triggerConditions ?? null)
  await requireOwnJourney(services, keeper, conditions)
  const row = await makeEntry(services, keeper, {
    entity: 'echo',
    id: given.id,
    ...(given.createdAt && { createdAt: Date.parse(given.createdAt) }),
    values: {
      agent_id: given.agentId || defaultAgentId,
      message: given.message,
      sealed: given.sealed ?? false,
      trigger_at: given.triggerDate ? triggerInstant(given.triggerDate, given.triggerTimezone ?? 'UTC') : null,
      trigger_timezone: given.triggerTimezone ?? null,
      trigger_conditions: conditions && json(conditions),
      ready_at: null,
      ready_because: null,
      mailed_at: null,
      delivered_at: null,
      source_kind: null,
      source_id: null,
    },
  })
  return echoView(row, services.now().getTime())
}

/** @throws Problem 404; 409 for a delivered echo, and for unsealing without a new text; `stale` */
export async function updateEcho(
  services: Services,
  person: Person,
  id: string,
  given: ChangedEcho,
  ifMatch: number | null,
): Promise<Echo> {
  const now = services.now().getTime()
  const seals = given.sealed === true
  const row = await saveEntry(services, person, {
    entity: 'echo',
    id,
    ifMatch,
    changes: (present) => changesOf(services, present, given),
    // Sealing also removes the text from history.
    view: (present) => ({ ...echoView({ ...present, sealed: present.sealed || seals }, now), sealed: present.sealed }),
    along: (present) => (seals && !present.sealed ? withoutText(services, present) : []),
  })
  return echoView(row, services.now().getTime())
}

async function changesOf(services: Services, row: EchoRow, given: ChangedEcho): Promise<EntryChanges<'echo'>> {
  if (row.delivered_at !== null)
    throw new Problem('conflict', { message: "This echo has been delivered, so it can't be edited." })
  if (row.sealed && given.sealed === false && given.message === undefined) {
    const message = 'A sealed echo stays closed until it is delivered. To open it now, rewrite its text.'
    throw new Problem('conflict', { message, fields: { sealed: message } })
  }
  const changes: EntryChanges<'echo'> = {}
  if (given.message !== undefined) changes.message = given.message
  if (given.sealed !== undefined) changes.sealed = given.sealed
  const at = given.triggerDate ? triggerInstant(given.triggerDate, given.triggerTimezone ?? zoneOf(row)) : null
  const conditions = filledConditions(given.triggerConditions ?? null)
  const otherDate = given.triggerDate !== undefined && at !== row.trigger_at
  const otherConditions = given.triggerConditions !== undefined && sorted(conditions) !== sorted(row.trigger_conditions)
  if (otherConditions) await requireOwnJourney(services, { id: row.keeper_id, owner_id: row.owner_id }, conditions)
  if (otherDate) changes.trigger_at = at
  if (given.triggerTimezone !== undefined) changes.trigger_timezone = given.triggerTimezone
  if (otherConditions) changes.trigger_conditions = conditions && json(conditions)
  // New conditions only count from now on.
  if (otherDate || otherConditions)
    Object.assign(changes, {
      armed_at: services.now().getTime(),
      ready_at: null,
      ready_because: null,
      mailed_at: null,
    } satisfies EntryChanges<'echo'>)
  return changes
}

/** jsonb changes the order of keys. */
function sorted(value: object | null): string {
  return JSON.stringify(value && Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

async function withoutText({ db }: Services, echo: EchoRow): Promise<Write[]> {
  const states = await db
    .selectFrom('entry_history')
    .select(['id', 'snapshot'])
    .where('entity', '=', 'echo')
    .where('entity_id', '=', echo.id)
    .execute()
  return states.map(({ id, snapshot }) =>
    db
      .updateTable('entry_history')
      .set({ snapshot: json(withoutWords(snapshot, 'message')) })
      .where('id', '=', id),
  )
}
