import { type RawBuilder, sql } from 'kysely'
import type { SearchType } from '#contract/keepers/search.ts'
import { parseSearchQuery, type SearchQuery } from '#contract/search/search-query.ts'
import type { Engine } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { dayMs } from '#server/values/time-units.ts'
import { getQueryGrams, getScopeGram, toFirstPosition, toTokenQuery } from './grams.ts'
import { indexPending } from './index-pending.ts'

export interface IndexedMatch {
  position: number
  entity: string
  id: string
  /** Bytes of its normalized text. */
  size: number
}

export interface IndexFilter {
  ownerId?: string
  containerId?: string
  type?: SearchType
  query: SearchQuery
  /** Position of the last match of the previous page. */
  before?: number | undefined
  from?: string | undefined
  to?: string | undefined
  conditions?: RawBuilder<unknown>[]
  limit: number
}

const searchBudgetMs = 400

/**
 * Indexes the person's latest changes; call it before a search, so that new text is found. Returns whether all their
 * entries are indexed.
 */
export const indexOwn = (services: Pick<Services, 'db'>, ownerId: string) =>
  indexPending(services, { ownerId, budgetMs: searchBudgetMs })

/** Newest first. */
export function findIndexed({ db }: Pick<Services, 'db'>, filter: IndexFilter): Promise<IndexedMatch[]> {
  const { ownerId, containerId, type, query, limit } = filter
  const grams = new Set(query.required.flatMap(getQueryGrams))
  if (ownerId !== undefined) grams.add(getScopeGram('owner', ownerId))
  if (type !== undefined) grams.add(getScopeGram('type', type))
  if (containerId !== undefined) grams.add(getScopeGram('container', containerId))
  const columns = sql`entry.position, entry.entity, entry.id, octet_length(entry.text) as size`
  const conditions = [
    ...(ownerId === undefined ? [] : [sql`entry.owner_id = ${ownerId}`]),
    ...(containerId === undefined ? [] : [sql`entry.container_id = ${containerId}`]),
    ...createDayConditions(filter),
    matchText(db.engine, query),
    ...(filter.conditions ?? []),
  ]
  if (db.engine === 'postgres') {
    const { min, max } = getPositionRange(filter)
    return db.longRead<IndexedMatch>(sql`select ${columns} from search_entries as entry
      where entry.grams @> ${`{${[...grams].join(',')}}`}::integer[] and entry.position >= ${min} and entry.position < ${max}
        and ${sql.join(conditions, sql` and `)} order by entry.position desc limit ${limit}`)
  }
  const { min, max } = getPositionRange(filter)
  return db.longRead<IndexedMatch>(sql`select ${columns}
    from search_index cross join search_entries as entry on entry.position = search_index.rowid
    where search_index match ${toTokenQuery(grams)}
      and search_index.rowid >= ${min} and search_index.rowid < ${max}
      and ${sql.join(conditions, sql` and `)} order by search_index.rowid desc limit ${limit}`)
}

/** The normalized text decides; grams only find candidates. */
function matchText(engine: Engine, { required, excluded }: SearchQuery): RawBuilder<unknown> {
  const find = sql.raw(engine === 'postgres' ? 'strpos' : 'instr')
  return sql.join(
    [
      ...required.map((term) => sql`${find}(entry.text, ${term}) > 0`),
      ...excluded.map((term) => sql`${find}(entry.text, ${term}) = 0`),
    ],
    sql` and `,
  )
}

function createDayConditions({ from, to }: IndexFilter): RawBuilder<unknown>[] {
  return [
    ...(from === undefined ? [] : [sql`entry.day >= ${from}`]),
    ...(to === undefined ? [] : [sql`entry.day <= ${to}`]),
  ]
}

/** A local day differs by less than two days from UTC, and 100,000 entries of one second spread over two days. */
function getPositionRange({ before, from, to }: IndexFilter): { min: number; max: number } {
  const min = from === undefined ? Number.MIN_SAFE_INTEGER : toFirstPosition(Date.parse(from) - 2 * dayMs)
  const max = to === undefined ? Number.MAX_SAFE_INTEGER : toFirstPosition(Date.parse(to) + 4 * dayMs)
  return { min, max: before === undefined ? max : Math.min(max, before) }
}

const maxListedIds = 1_000

/**
 * A condition on entries of a keeper, for lists with their own order. Few matches are inlined as a list; many are
 * checked row by row.
 */
export async function createTextCondition(
  services: Pick<Services, 'db'>,
  keeper: { id: string; owner_id: string },
  entity: 'moment' | 'reflection' | 'source',
  q: string,
): Promise<RawBuilder<boolean> | undefined> {
  const query = parseSearchQuery(q)
  if (query.required.length === 0) return undefined
  const id = `${entity}s.id`
  await indexOwn(services, keeper.owner_id)
  const filter = { ownerId: keeper.owner_id, containerId: keeper.id, type: entity }
  const matches = await findIndexed(services, { ...filter, query, limit: maxListedIds + 1 })
  if (matches.length === 0) return sql<boolean>`1 = 0`
  if (matches.length <= maxListedIds)
    return sql<boolean>`${sql.ref(id)} in (${sql.join(matches.map((match) => match.id))})`
  return sql<boolean>`exists (select 1 from search_entries as entry
    where entry.entity = ${entity} and entry.id = ${sql.ref(id)} and ${matchText(services.db.engine, query)})`
}
