import { type SelectQueryBuilder, sql } from 'kysely'
import type { Agent } from '#contract/agents/agents.ts'
import { compareStrings } from '#contract/compare-strings.ts'
import type { Person } from '#server/accounts/person.ts'
import { preparedQuery } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import { formatPosition, parseCursor, takePage } from '#server/http/pages.ts'
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
type AgentListQuery = { person: string }
type AgentListQueryAfter = AgentListQuery & { at: number; id: string }
/** The last row of a page, and whether everything except other people's public agents was listed by then. */
type AgentListCursor = readonly [at: number, id: string, areOwnListed: boolean]

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
  const { length } = takePage(rowSizes)
  if (length === page.rows.length) return page
  const rows = page.rows.slice(0, length)
  return { rows, next_cursor: encodeCursorAfter(rows.at(-1), parseCursor(cursor, [0, '', true])?.[2] ?? false) }
}

async function fetchPage({ db }: Services, person: Person, { cursor, limit }: AgentListParams): Promise<AgentPage> {
  const length = limit ?? defaultPageSize
  const { newestOpen, newestShared, newestOwn, openAfter, sharedAfter, publicAfter } =
    limit === undefined ? wholePages : shortPages
  const query = { person: person.id }
  const cursorPosition = parseCursor(cursor, [0, '', true])
  if (cursorPosition) {
    const [at, id, areOwnListed] = cursorPosition
    const queryAfter = { ...query, at, id }
    if (areOwnListed) return buildPage(await publicAfter.all(db, queryAfter), length, true)
    const [open, shared] = await Promise.all([openAfter.all(db, queryAfter), sharedAfter.all(db, queryAfter)])
    return buildPage(sortNewestFirst(shared, open), length, false)
  }
  const [open, shared] = await Promise.all([newestOpen.all(db, query), newestShared.all(db, query)])
  if (shared.length === 0 && open.length <= length) return { rows: open, next_cursor: null }
  const allAgents = sortNewestFirst(shared, open)
  if (limit !== undefined || allAgents.length <= length) return buildPage(allAgents, length, false)
  const ownAgents = sortNewestFirst(await newestOwn.all(db, query), shared)
  return ownAgents.length < length
    ? buildPageWithAllOwn(ownAgents, allAgents, length)
    : buildPage(allAgents, length, false)
}

/** For clients that read only the first page: public agents must not push out own, built-in or shared ones. */
function buildPageWithAllOwn(ownAgents: VisibleAgent[], allAgents: VisibleAgent[], length: number): AgentPage {
  const ownIds = new Set(ownAgents.map(({ id }) => id))
  const publicAgents = allAgents.filter(({ id }) => !ownIds.has(id)).slice(0, length - ownAgents.length)
  return { rows: sortNewestFirst(ownAgents, publicAgents), next_cursor: encodeCursorAfter(publicAgents.at(-1), true) }
}

function buildPage(rows: VisibleAgent[], length: number, areOwnListed: boolean): AgentPage {
  const pageRows = rows.slice(0, length)
  return { rows: pageRows, next_cursor: rows.length > length ? encodeCursorAfter(pageRows.at(-1), areOwnListed) : null }
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
    newestOpen: preparedQuery<AgentListQuery>()((db, { person }) => selectNewest(selectOpenAgents(db, person))),
    newestShared: preparedQuery<AgentListQuery>()((db, { person }) => selectNewest(selectSharedAgents(db, person))),
    newestOwn: preparedQuery<AgentListQuery>()((db, { person }) =>
      selectNewest(
        db
          .selectFrom('agents')
          .selectAll()
          .where((where) => where.or([where('owner_id', '=', person), where('owner_id', 'is', null)])),
      ),
    ),
    openAfter: preparedQuery<AgentListQueryAfter>()((db, query) =>
      selectAfter(selectOpenAgents(db, query.person), query),
    ),
    sharedAfter: preparedQuery<AgentListQueryAfter>()((db, query) =>
      selectAfter(selectSharedAgents(db, query.person), query),
    ),
    publicAfter: preparedQuery<AgentListQueryAfter>()((db, query) =>
      selectAfter(selectOpenAgents(db, query.person).where('agents.owner_id', '!=', query.person), query),
    ),
  }
}

const wholePages = createPageQueries(defaultPageSize)
const shortPages = createPageQueries(maxRequestedPageSize)
