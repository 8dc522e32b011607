import type { ConnectionRead } from '#contract/connections/connections.ts'
import { toDisplayLine } from '#contract/one-line-text.ts'
import type { Person } from '#server/accounts/person.ts'
import { orderByColumns, parseCursor, readPage } from '#server/http/pages.ts'
import { Reply } from '#server/http/serve-area.ts'
import { createPlainExcerpt, excerptSourceLength } from '#server/keepers/excerpt.ts'
import type { Services } from '#server/services.ts'
import { toIsoTime } from '#server/values/iso-time.ts'
import { requireConnection } from './manage-connections.ts'

const newestFirst = orderByColumns({ read_at: 'desc', id: 'desc' })

interface PageQuery {
  cursor?: string | undefined
  limit?: number | undefined
}

/** @throws Problem 404; 400 for an invalid cursor */
export async function listConnectionReads(
  services: Services,
  person: Pick<Person, 'id'>,
  id: string,
  { cursor, limit }: PageQuery,
): Promise<Reply<ConnectionRead[]>> {
  await requireConnection(services, person, id)
  const reads = services.db
    .selectFrom('memory_reads')
    .select(['id', 'entity', 'entity_id', 'keeper_id', 'purpose', 'read_at'])
    .where('connection_id', '=', id)
    .where('owner_id', '=', person.id)
  const { rows, next_cursor } = await readPage(reads, {
    ...newestFirst,
    after: parseCursor(cursor, ['number', 'string']),
    ...(limit !== undefined && { pageSize: limit }),
  })
  const titles = await loadTitles(services, rows)
  const items = rows.map((row) => ({
    id: row.id,
    entity: row.entity,
    entityId: row.entity_id,
    keeperId: row.keeper_id,
    title: titles.get(row.entity_id) ?? null,
    purpose: toDisplayLine(row.purpose),
    at: toIsoTime(row.read_at),
  }))
  return new Reply(items, { extra: { next_cursor } })
}

async function loadTitles(
  { db }: Services,
  rows: readonly { entity: string; entity_id: string }[],
): Promise<Map<string, string>> {
  const getIds = (entity: string) => [
    ...new Set(rows.filter((row) => row.entity === entity).map(({ entity_id }) => entity_id)),
    // SQL allows no empty list.
    '',
  ]
  const [cards, moments, keepers] = await Promise.all([
    db
      .selectFrom('memory_cards')
      .select(['id', ({ fn, val }) => fn<string>('substr', ['content', val(1), val(excerptSourceLength)]).as('text')])
      .where('id', 'in', getIds('card'))
      .where('deleted_at', 'is', null)
      .execute(),
    db
      .selectFrom('moments')
      .select([
        'id',
        ({ fn, val }) =>
          fn<string>('substr', [fn.coalesce('title', 'body'), val(1), val(excerptSourceLength)]).as('text'),
      ])
      .where('id', 'in', getIds('moment'))
      .where('deleted_at', 'is', null)
      .execute(),
    db
      .selectFrom('keepers')
      .select(['id', 'title as text'])
      .where('id', 'in', getIds('keeper'))
      .where('deleted_at', 'is', null)
      .execute(),
  ])
  return new Map([...cards, ...moments, ...keepers].map(({ id, text }) => [id, createPlainExcerpt(text)]))
}
