import { type SelectQueryBuilder, sql } from 'kysely'
import type { LogbookEntry } from '#contract/keepers/logbook.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Schema } from '#server/db/schema.ts'
import { type Order, placeIn, readPage } from '#server/http/pages.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { requireKeeperFor } from '../keeper-access.ts'
import { type LogbookRow, logbookView } from './logbook-view.ts'

const order: Order = [
  [sql.ref('pinned'), 'desc'],
  [sql.ref('occurred_on'), 'desc'],
  [sql.ref('created_at'), 'desc'],
  [sql.ref('id'), 'desc'],
]

/** Of these entries the pinned ones first, then the newest by the day they are about. @throws Problem 400 for a cursor that is none */
export const readLogbookPage = (
  { db }: Services,
  entries: SelectQueryBuilder<Schema, 'logbook_entries', LogbookRow>,
  cursor: string | undefined,
) =>
  readPage(entries, {
    order,
    after: placeIn(cursor, [true, '2026-11-20', 0, '']),
    placeOf: ({ pinned, occurred_on, created_at, id }) => [pinned, occurred_on, created_at, id],
    size: sql<number>`octet_length(entry)`,
    // A thousand of them are many megabytes, which everybody would wait for.
    read: (query) => db.longRead(query),
  })

/** A page, with the `next_cursor` to the next beside it. @throws Problem 404; 400 for a cursor that is none */
export async function listLogbook(
  services: Services,
  person: Person,
  keeperId: string,
  cursor?: string,
): Promise<Reply<LogbookEntry[]>> {
  const keeper = await requireKeeperFor(services, person, keeperId)
  const { rows, next_cursor } = await readLogbookPage(services, living(services, keeper.id).selectAll(), cursor)
  return new Reply(rows.map(logbookView), { extra: { next_cursor } })
}

/** Categories or tags in one answer: offered to choose from, so that more of them help nobody. */
const maxListed = 10_000

export async function listCategories(services: Services, person: Person, keeperId: string): Promise<string[]> {
  const keeper = await requireKeeperFor(services, person, keeperId)
  const rows = await living(services, keeper.id).select('category').distinct().execute()
  return rows
    .map(({ category }) => category)
    .sort(alphabetical)
    .slice(0, maxListed)
}

export async function listTags(services: Services, person: Person, keeperId: string): Promise<string[]> {
  const keeper = await requireKeeperFor(services, person, keeperId)
  const rows = await living(services, keeper.id).select('tags').execute()
  return [...new Set(rows.flatMap(({ tags }) => tags))].sort(alphabetical).slice(0, maxListed)
}

const living = ({ db }: Services, keeperId: string) =>
  db.selectFrom('logbook_entries').where('keeper_id', '=', keeperId).where('deleted_at', 'is', null)

/** As people read it, the same on every machine. */
const alphabetical = new Intl.Collator('en').compare
