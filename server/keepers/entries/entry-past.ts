import type * as z from 'zod/mini'
import type { earlier, memoryRead } from '#contract/keepers/entries.ts'
import type { Entity } from '#contract/keepers/keeper-words.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { requireKeeperFor } from '../keeper-access.ts'
import type { EntryRow } from './entry-tables.ts'
import { jsonColumn } from './json-column.ts'
import { requireEntryFor } from './require-entry.ts'

interface Entry {
  entity: Entity
  id: string
}

const mostAtOnce = 1000

/** Earlier states, newest first. A sealed echo's words stay unread, also those of before it was sealed. @throws Problem 404 */
export async function entryHistory(
  services: Services,
  person: Pick<Person, 'id'>,
  entry: Entry,
): Promise<z.infer<typeof earlier>[]> {
  const { id, unread } = await requireWritten(services, person, entry)
  const rows = await services.db
    .selectFrom('entry_history')
    .select(['rev', 'saved_at', 'snapshot'])
    .where('entity', '=', entry.entity)
    .where('entity_id', '=', id)
    .where('owner_id', '=', person.id)
    .orderBy('rev', 'desc')
    .orderBy('saved_at', 'desc')
    .limit(mostAtOnce)
    .execute()
  return rows.map(({ rev, saved_at, snapshot }) => ({
    rev,
    savedAt: new Date(saved_at).toISOString(),
    snapshot: { ...jsonColumn(snapshot), ...(unread && { message: '' }) },
  }))
}

/** Which runs were given it, newest first. @throws Problem 404 */
export async function entryReads(
  services: Services,
  person: Pick<Person, 'id'>,
  entry: Entry,
): Promise<z.infer<typeof memoryRead>[]> {
  const { id } = await requireWritten(services, person, entry)
  const rows = await services.db
    .selectFrom('memory_reads')
    .selectAll()
    .where('entity', '=', entry.entity)
    .where('entity_id', '=', id)
    .where('owner_id', '=', person.id)
    .orderBy('read_at', 'desc')
    .orderBy('id', 'desc')
    .limit(mostAtOnce)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    agentId: row.agent_id,
    agentName: row.agent_name,
    runId: row.run_id,
    purpose: row.purpose,
    at: new Date(row.read_at).toISOString(),
  }))
}

async function requireWritten(
  services: Services,
  person: Pick<Person, 'id'>,
  { entity, id }: Entry,
): Promise<{ id: string; unread: boolean }> {
  if (entity === 'keeper') return { id: (await requireKeeperFor(services, person, id)).id, unread: false }
  const row = await requireEntryFor(services, person, entity, id)
  const echo = entity === 'echo' ? (row as EntryRow<'echo'>) : undefined
  return { id: row.id, unread: echo?.sealed === true && echo.delivered_at === null }
}
