import type * as z from 'zod/mini'
import type { entryVersion, memoryRead } from '#contract/keepers/entries.ts'
import type { Entity } from '#contract/keepers/keeper-fields.ts'
import type { Person } from '#server/accounts/person.ts'
import { orderByColumns, parseCursor, readPage } from '#server/http/pages.ts'
import { badField } from '#server/http/problem.ts'
import { Reply } from '#server/http/serve-area.ts'
import { formatTimeCursor, parseTimeCursor } from '#server/http/time-cursor.ts'
import type { Services } from '#server/services.ts'
import { requireKeeperFor } from '../keeper-access.ts'
import type { EntryRow } from './entry-tables.ts'
import { type EntryState, parseSnapshot, resolveStates } from './history-states.ts'
import { requireEntryFor } from './require-entry.ts'

interface EntryRef {
  entity: Entity
  id: string
}

const maxStates = 1000

/** Characters per page; a long text can be saved often. */
const maxPageLength = 4_000_000
const batchSize = 8

/** Newest first, without the text of a sealed echo. @throws Problem 404; 400 for an invalid cursor */
export async function listEntryHistory(
  services: Services,
  person: Pick<Person, 'id'>,
  entry: EntryRef,
  cursor: string | undefined,
): Promise<Reply<z.infer<typeof entryVersion>[]>> {
  const { row, id, isSealed } = await requireEntry(services, person, entry)
  const states: z.infer<typeof entryVersion>[] = []
  let newerState: EntryState | undefined
  let position = cursor === undefined ? undefined : parseHistoryCursor(cursor)
  let totalLength = 0
  for (;;) {
    let query = services.db
      .selectFrom('entry_history')
      .select(['id', 'rev', 'saved_at', 'snapshot'])
      .where('entity', '=', entry.entity)
      .where('entity_id', '=', id)
      .where('owner_id', '=', person.id)
    if (position) {
      const { rev, savedAt } = position
      query = query.where((where) =>
        where.or([where('rev', '<', rev), where.and([where('rev', '=', rev), where('saved_at', '<', savedAt)])]),
      )
    }
    const storedRows = await query.orderBy('rev', 'desc').orderBy('saved_at', 'desc').limit(batchSize).execute()
    const rows = storedRows.map(parseSnapshot)
    const resolvedStates = await resolveStates(services, { entity: entry.entity, id, row }, rows, newerState)
    newerState = resolvedStates.at(-1)
    for (const [index, { rev, saved_at }] of rows.entries()) {
      const state = { ...resolvedStates[index], ...(isSealed && { message: '' }) }
      states.push({ rev, savedAt: new Date(saved_at).toISOString(), snapshot: state })
      totalLength += JSON.stringify(state).length
      position = { rev, savedAt: saved_at }
    }
    if (rows.length < batchSize || !position) return new Reply(states, { extra: { next_cursor: null } })
    if (totalLength >= maxPageLength || states.length >= maxStates)
      return new Reply(states, { extra: { next_cursor: formatTimeCursor(position.rev, String(position.savedAt)) } })
  }
}

function parseHistoryCursor(cursor: string): { rev: number; savedAt: number } {
  const { at, id } = parseTimeCursor(cursor)
  const savedAt = Number(id)
  if (!Number.isSafeInteger(savedAt)) throw badField('cursor', 'Use the next_cursor of the previous page.')
  return { rev: at, savedAt }
}

const newestReadFirst = orderByColumns({ read_at: 'desc', id: 'desc' })

/** Agent runs that read the entry, newest first. @throws Problem 404; 400 for an invalid cursor */
export async function listEntryReads(
  services: Services,
  person: Pick<Person, 'id'>,
  entry: EntryRef,
  cursor?: string,
): Promise<Reply<z.infer<typeof memoryRead>[]>> {
  const { id } = await requireEntry(services, person, entry)
  const readsQuery = services.db
    .selectFrom('memory_reads')
    .selectAll()
    .where('entity', '=', entry.entity)
    .where('entity_id', '=', id)
    .where('owner_id', '=', person.id)
  const { rows, next_cursor } = await readPage(readsQuery, {
    ...newestReadFirst,
    after: parseCursor(cursor, ['number', 'string']),
  })
  const reads = rows.map((row) => ({
    id: row.id,
    agentId: row.agent_id,
    agentName: row.agent_name,
    runId: row.run_id,
    purpose: row.purpose,
    at: new Date(row.read_at).toISOString(),
  }))
  return new Reply(reads, { extra: { next_cursor } })
}

async function requireEntry(
  services: Services,
  person: Pick<Person, 'id'>,
  { entity, id }: EntryRef,
): Promise<{ row: object; id: string; isSealed: boolean }> {
  if (entity === 'keeper') {
    const keeper = await requireKeeperFor(services, person, id)
    return { row: keeper, id: keeper.id, isSealed: false }
  }
  const row = await requireEntryFor(services, person, entity, id)
  const echo = entity === 'echo' ? (row as EntryRow<'echo'>) : undefined
  return { row, id: row.id, isSealed: echo?.sealed === true && echo.delivered_at === null }
}
