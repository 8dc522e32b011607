import { type SelectQueryBuilder, sql } from 'kysely'
import type { Agent } from '#contract/agents/agents.ts'
import { compareStrings } from '#contract/compare-strings.ts'
import type { Person } from '#server/accounts/person.ts'
import { prepareQuery } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import { formatPosition, parseCursor, takeFittingRows } from '#server/http/pages.ts'
import type { Services } from '#server/services.ts'
import { selectOpenAgents, selectSharedAgents, type VisibleAgent } from './agent-access.ts'
import { toAgentView } from './agent-view.ts'

const defaultPageSize = 1000
const maxRequestedPageSize = 100

interface AgentListParams {
  cursor?: string | undefined
  limit?: number | undefined
}
interface AgentPage {
  rows: VisibleAgent[]
  next_cursor: string | null
}
type AgentListQuery = { personId: string }
type AgentListQueryAfter = AgentListQuery & { at: number; id: string }
/** The last row of a page, and whether everything except other people's public agents was listed by then. */
type AgentListCursor = readonly [at: number, id: string, areOwnListed: boolean]
const cursorTypes = ['number', 'string', 'boolean'] as const

export async function listAgents(
  services: Services,
  person: Person,
  params: AgentListParams = {},
): Promise<{ agents: Agent[]; next_cursor: string | null }> {
  const { rows, next_cursor } = truncateToMaxBytes(await fetchPage(services, person, params), params.cursor)
  return { agents: rows.map((agent) => toAgentView(agent, person)), next_cursor }
}

function truncateToMaxBytes(page: AgentPage, cursor: string | undefined): AgentPage {
  if (page.rows.length <= maxRequestedPageSize) return page
  const rowSizes = page.rows.map(({ purpose, config }) => ({
    size: Buffer.byteLength(purpose + JSON.stringify(config)),
  }))
  const { length } = takeFittingRows(rowSizes)
  if (length === page.rows.length) return page
  const rows = page.rows.slice(0, length)
  return { rows, next_cursor: encodeCursorAfter(rows.at(-1), parseCursor(cursor, cursorTypes)?.[2] ?? false) }
}

async function fetchPage({ db }: Services, person: Person, { cursor, limit }: AgentListParams): Promise<AgentPage> {
  const pageSize = limit ?? defaultPageSize
  const { newestOpen, newestShared, newestOwn, openAfter, sharedAfter, publicAfter } =
    limit === undefined ? defaultPageQueries : requestedPageQueries
  const query = { personId: person.id }
  const cursorPosition = parseCursor(cursor, cursorTypes)
  if (cursorPosition) {
    const [at, id, areOwnListed] = cursorPosition
    const queryAfter = { ...query, at, id }
    if (areOwnListed) return buildPage(await publicAfter.all(db, queryAfter), { pageSize, areOwnListed: true })
    const [openAgents, sharedAgents] = await Promise.all([
      openAfter.all(db, queryAfter),
      sharedAfter.all(db, queryAfter),
    ])
    return buildPage(sortNewestFirst(sharedAgents, openAgents), { pageSize, areOwnListed: false })
  }
  const [openAgents, sharedAgents] = await Promise.all([newestOpen.all(db, query), newestShared.all(db, query)])
  if (sharedAgents.length === 0 && openAgents.length <= pageSize) return { rows: openAgents, next_cursor: null }
  const allAgents = sortNewestFirst(sharedAgents, openAgents)
  const plainPage = buildPage(allAgents, { pageSize, areOwnListed: false })
  if (limit !== undefined || allAgents.length <= pageSize) return plainPage
  const ownAgents = sortNewestFirst(await newestOwn.all(db, query), sharedAgents)
  return ownAgents.length < pageSize ? buildPageWithAllOwn(ownAgents, allAgents, pageSize) : plainPage
}

/** For clients that read only the first page: public agents must not push out own, built-in or shared ones. */
function buildPageWithAllOwn(ownAgents: VisibleAgent[], allAgents: VisibleAgent[], pageSize: number): AgentPage {
  const ownIds = new Set(ownAgents.map(({ id }) => id))
  const publicAgents = allAgents.filter(({ id }) => !ownIds.has(id)).slice(0, pageSize - ownAgents.length)
  return { rows: sortNewestFirst(ownAgents, publicAgents), next_cursor: encodeCursorAfter(publicAgents.at(-1), true) }
}

function buildPage(
  rows: VisibleAgent[],
  { pageSize, areOwnListed }: { pageSize: number; areOwnListed: boolean },
): AgentPage {
  const pageRows = rows.slice(0, pageSize)
  return {
    rows: pageRows,
    next_cursor: rows.length > pageSize ? encodeCursorAfter(pageRows.at(-1), areOwnListed) : null,
  }
}

function encodeCursorAfter(last: VisibleAgent | undefined, areOwnListed: boolean): string | null {
  return last ? formatPosition([last.created_at, last.id, areOwnListed] satisfies AgentListCursor) : null
}

/** Deduplicated, because an owned agent can also be shared with its owner after a transfer. */
export function sortNewestFirst(...lists: VisibleAgent[][]): VisibleAgent[] {
  const agentsById = new Map(lists.flat().map((agent) => [agent.id, agent]))
  return [...agentsById.values()].sort((a, b) => b.created_at - a.created_at || compareStrings(a.id, b.id))
}

type AgentQuery<Row> = SelectQueryBuilder<Schema, 'agents', Row>

/** One extra row detects more pages. The limit is inlined: SQLite took twice as long with a bound parameter. */
function createPageQueries(pageSize: number) {
  const selectNewest = <Row>(agents: AgentQuery<Row>) =>
    agents
      .orderBy('agents.created_at', 'desc')
      .orderBy('agents.id')
      .limit(pageSize + 1)
  const selectAfter = <Row>(agents: AgentQuery<Row>, { at, id }: AgentListQueryAfter) =>
    selectNewest(
      agents.where(sql<boolean>`(agents.created_at < ${at} or (agents.created_at = ${at} and agents.id > ${id}))`),
    )
  return {
    newestOpen: prepareQuery<AgentListQuery>()((db, { personId }) => selectNewest(selectOpenAgents(db, personId))),
    newestShared: prepareQuery<AgentListQuery>()((db, { personId }) => selectNewest(selectSharedAgents(db, personId))),
    newestOwn: prepareQuery<AgentListQuery>()((db, { personId }) =>
      selectNewest(
        db
          .selectFrom('agents')
          .selectAll()
          .where((where) => where.or([where('owner_id', '=', personId), where('owner_id', 'is', null)])),
      ),
    ),
    openAfter: prepareQuery<AgentListQueryAfter>()((db, query) =>
      selectAfter(selectOpenAgents(db, query.personId), query),
    ),
    sharedAfter: prepareQuery<AgentListQueryAfter>()((db, query) =>
      selectAfter(selectSharedAgents(db, query.personId), query),
    ),
    publicAfter: prepareQuery<AgentListQueryAfter>()((db, query) =>
      selectAfter(selectOpenAgents(db, query.personId).where('agents.owner_id', '!=', query.personId), query),
    ),
  }
}

const defaultPageQueries = createPageQueries(defaultPageSize)
const requestedPageQueries = createPageQueries(maxRequestedPageSize)
