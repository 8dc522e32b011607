import { sql } from 'kysely'
import type * as z from 'zod/mini'
import type { earlier, memoryRead } from '#contract/keepers/entries.ts'
import type { Entity } from '#contract/keepers/keeper-words.ts'
import type { Person } from '#server/accounts/person.ts'
import { type Order, placeIn, readPage } from '#server/http/pages.ts'
import { badField } from '#server/http/problem.ts'
import { Reply } from '#server/http/serve-area.ts'
import { cursorAfter, placeOf } from '#server/http/time-cursor.ts'
import type { Services } from '#server/services.ts'
import { requireKeeperFor } from '../keeper-access.ts'
import type { EntryRow } from './entry-tables.ts'
import { type EntryState, parsed, wholeStates } from './history-states.ts'
import { requireEntryFor } from './require-entry.ts'

interface Entry {
  entity: Entity
  id: string
}

const mostAtOnce = 1000

/** Characters per page; a long text can be saved often. */
const longestPage = 4_000_000
const statesAtOnce = 8

/**
 * Earlier states, newest first, without the text of a sealed echo.
 * @throws Problem 404; 400 for an invalid cursor
 */
export async function entryHistory(
  services: Services,
  person: Pick<Person, 'id'>,
  entry: Entry,
  cursor: string | undefined,
): Promise<Reply<z.infer<typeof earlier>[]>> {
  const { row, id, unread } = await requireWritten(services, person, entry)
  const states: z.infer<typeof earlier>[] = []
  let newer: EntryState | undefined
  let after = cursor === undefined ? undefined : placeInHistory(cursor)
  let length = 0
  for (;;) {
    let query = services.db
      .selectFrom('entry_history')
      .select(['id', 'rev', 'saved_at', 'snapshot'])
      .where('entity', '=', entry.entity)
      .where('entity_id', '=', id)
      .where('owner_id', '=', person.id)
    if (after) {
      const { rev, savedAt } = after
      query = query.where((where) =>
        where.or([where('rev', '<', rev), where.and([where('rev', '=', rev), where('saved_at', '<', savedAt)])]),
      )
    }
    const stored = await query.orderBy('rev', 'desc').orderBy('saved_at', 'desc').limit(statesAtOnce).execute()
    const rows = stored.map(parsed)
    const whole = await wholeStates(services, { entity: entry.entity, id, row }, rows, newer)
    newer = whole.at(-1)
    for (const [index, { rev, saved_at }] of rows.entries()) {
      const state = { ...whole[index], ...(unread && { message: '' }) }
      states.push({ rev, savedAt: new Date(saved_at).toISOString(), snapshot: state })
      length += JSON.stringify(state).length
      after = { rev, savedAt: saved_at }
    }
    if (rows.length < statesAtOnce || !after) return new Reply(states, { extra: { next_cursor: null } })
    if (length >= longestPage || states.length >= mostAtOnce)
      return new Reply(states, { extra: { next_cursor: cursorAfter(after.rev, String(after.savedAt)) } })
  }
}

function placeInHistory(cursor: string): { rev: number; savedAt: number } {
  const { at, id } = placeOf(cursor)
  const savedAt = Number(id)
  if (!Number.isSafeInteger(savedAt)) throw badField('cursor', 'Use the next_cursor of the previous page.')
  return { rev: at, savedAt }
}

const latestRead: Order = [
  [sql.ref('read_at'), 'desc'],
  [sql.ref('id'), 'desc'],
]

/** Agent runs that read the entry, newest first. @throws Problem 404; 400 for an invalid cursor */
export async function entryReads(
  services: Services,
  person: Pick<Person, 'id'>,
  entry: Entry,
  cursor?: string,
): Promise<Reply<z.infer<typeof memoryRead>[]>> {
  const { id } = await requireWritten(services, person, entry)
  const all = services.db
    .selectFrom('memory_reads')
    .selectAll()
    .where('entity', '=', entry.entity)
    .where('entity_id', '=', id)
    .where('owner_id', '=', person.id)
  const { rows, next_cursor } = await readPage(all, {
    order: latestRead,
    after: placeIn(cursor, [0, '']),
    placeOf: (row) => [row.read_at, row.id],
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

async function requireWritten(
  services: Services,
  person: Pick<Person, 'id'>,
  { entity, id }: Entry,
): Promise<{ row: object; id: string; unread: boolean }> {
  if (entity === 'keeper') {
    const keeper = await requireKeeperFor(services, person, id)
    return { row: keeper, id: keeper.id, unread: false }
  }
  const row = await requireEntryFor(services, person, entity, id)
  const echo = entity === 'echo' ? (row as EntryRow<'echo'>) : undefined
  return { row, id: row.id, unread: echo?.sealed === true && echo.delivered_at === null }
}
