import { type RawBuilder, sql } from 'kysely'
import type { SearchType } from '#contract/keepers/search.ts'
import { parseSearchQuery, type SearchQuery } from '#contract/search/search-query.ts'
import type { Database, Engine } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { dayMs } from '#server/values/time-units.ts'
import { getQueryGrams, getScopeGram, toFirstPosition, toTokenQuery } from './grams.ts'
import { indexPending } from './index-pending.ts'
import { searchableKinds } from './kinds.ts'

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
export const indexPendingFor = (services: Pick<Services, 'db'>, ownerId: string) =>
  indexPending(services, { ownerId, budgetMs: searchBudgetMs })

/** Newest first. */
export function findIndexed({ db }: Pick<Services, 'db'>, filter: IndexFilter): Promise<IndexedMatch[]> {
  const { ownerId, containerId, type, query } = filter
  const gramRuns = query.required.flatMap(getQueryGrams)
  const scopes = [
    ...(ownerId === undefined ? [] : [getScopeGram('owner', ownerId)]),
    ...(type === undefined ? [] : [getScopeGram('type', type)]),
    ...(containerId === undefined ? [] : [getScopeGram('container', containerId)]),
  ]
  const conditions = sql.join(
    [
      ...(ownerId === undefined ? [] : [sql`entry.owner_id = ${ownerId}`]),
      ...(containerId === undefined ? [] : [sql`entry.container_id = ${containerId}`]),
      ...(type === undefined ? [] : [sql`entry.entity in (${sql.join(getKinds(type))})`]),
      ...createDayConditions(filter),
      matchText(db.engine, query),
      ...(filter.conditions ?? []),
    ],
    sql` and `,
  )
  const search = { gramRuns, scopes, conditions, ...getPositionRange(filter), limit: filter.limit }
  return db.engine === 'postgres' ? findInPostgres(db, search) : findInSqlite(db, search)
}

const getKinds = (type: SearchType) =>
  Object.keys(searchableKinds).filter((entity) => searchableKinds[entity]?.type === type)

interface IndexSearch {
  /** Grams of each run of characters in the terms. */
  gramRuns: number[][]
  scopes: number[]
  conditions: RawBuilder<unknown>
  min: number
  max: number
  limit: number
}

const matchColumns = sql`entry.position, entry.entity, entry.id, octet_length(entry.text) as size`

function findInPostgres(db: Database, { gramRuns, scopes, conditions, min, max, limit }: IndexSearch) {
  const grams = [...new Set([...gramRuns.flat(), ...scopes])]
  return db.longRead<IndexedMatch>(sql`select ${matchColumns} from search_entries as entry
    where entry.grams @> ${`{${grams.join(',')}}`}::integer[] and entry.position >= ${min} and entry.position < ${max}
      and ${conditions} order by entry.position desc limit ${limit}`)
}

const maxCandidates = 800

/** FTS5 reads the whole list of each gram, so a few rare grams choose the candidates; all scopes only if those are many. */
async function findInSqlite(db: Database, search: IndexSearch): Promise<IndexedMatch[]> {
  const { scopes, conditions, min, max, limit } = search
  const grams = await chooseGrams(db, search)
  const selectCandidates = (chosen: Iterable<number>, before: number) => sql`from search_index
    where search_index match ${toTokenQuery(chosen)} and search_index.rowid >= ${min} and search_index.rowid < ${before}`
  const candidates = await db.longRead<
    { candidate: number } & { [Key in keyof IndexedMatch]: IndexedMatch[Key] | null }
  >(
    sql`select candidate.rowid as candidate, ${matchColumns}
      from (select rowid ${selectCandidates(grams, max)} order by rowid desc limit ${maxCandidates}) as candidate
      left join search_entries as entry on entry.position = candidate.rowid and ${conditions}
      order by candidate.rowid desc`,
  )
  const matches = candidates.filter((row): row is typeof row & IndexedMatch => row.position !== null).slice(0, limit)
  const last = candidates.at(-1)
  if (candidates.length < maxCandidates || matches.length === limit || last === undefined) return matches
  const olderMatches = await db.longRead<IndexedMatch>(sql`select ${matchColumns}
    from (select rowid ${selectCandidates(new Set([...grams, ...scopes]), last.candidate)} order by rowid desc) as candidate
    cross join search_entries as entry on entry.position = candidate.rowid and ${conditions}
    order by candidate.rowid desc limit ${limit - matches.length}`)
  return [...matches, ...olderMatches]
}

const maxChosenGrams = 4
const maxRankedGrams = 40
/** A gram is rarer if this many of its newest entries reach further back. */
const rankedEntries = 32

/** The rarest gram of each run of characters, then the rarest others, and scopes that are rarer than all of these. */
async function chooseGrams(db: Database, { gramRuns, scopes, min, max }: IndexSearch): Promise<Set<number>> {
  const candidateGrams = [...new Set([...gramRuns.flat().slice(0, maxRankedGrams), ...scopes])]
  const [row = {}] = await db.longRead<Record<string, number | null>>(
    sql`select ${sql.join(
      candidateGrams.map(
        (gram, index) => sql`(select rowid from search_index where search_index match ${toTokenQuery([gram])}
          and rowid >= ${min} and rowid < ${max} order by rowid desc limit 1 offset ${rankedEntries}) as ${sql.ref(`gram${index}`)}`,
      ),
    )}`,
  )
  const reach = new Map(candidateGrams.map((gram, index) => [gram, row[`gram${index}`] ?? Number.NEGATIVE_INFINITY]))
  const getReach = (gram: number) => reach.get(gram) ?? Number.POSITIVE_INFINITY
  const sortByReach = (grams: number[]) => grams.toSorted((one, other) => getReach(one) - getReach(other))
  const sortedRuns = gramRuns.map(sortByReach)
  const firsts = sortByReach(sortedRuns.flatMap((grams) => grams.slice(0, 1)))
  const others = sortByReach(sortedRuns.flatMap((grams) => grams.slice(1)))
  const chosen = [...new Set([...firsts, ...others])].slice(0, maxChosenGrams)
  const rarest = Math.min(...chosen.map(getReach))
  return new Set([...chosen, ...scopes.filter((gram) => getReach(gram) < rarest)])
}

/** The normalized text decides; grams only find candidates. */
function matchText(engine: Engine, { required, excluded }: SearchQuery): RawBuilder<unknown> {
  const positionFunction = sql.raw(engine === 'postgres' ? 'strpos' : 'instr')
  return sql.join(
    [
      ...required.map((term) => sql`${positionFunction}(entry.text, ${term}) > 0`),
      ...excluded.map((term) => sql`${positionFunction}(entry.text, ${term}) = 0`),
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
  await indexPendingFor(services, keeper.owner_id)
  const filter = { ownerId: keeper.owner_id, containerId: keeper.id, type: entity }
  const matches = await findIndexed(services, { ...filter, query, limit: maxListedIds + 1 })
  if (matches.length === 0) return sql<boolean>`1 = 0`
  if (matches.length <= maxListedIds)
    return sql<boolean>`${sql.ref(id)} in (${sql.join(matches.map((match) => match.id))})`
  return sql<boolean>`exists (select 1 from search_entries as entry
    where entry.entity = ${entity} and entry.id = ${sql.ref(id)} and ${matchText(services.db.engine, query)})`
}
