import { type SelectQueryBuilder, sql } from 'kysely'
import type { Agent } from '#contract/agents/agents.ts'
import type { Person } from '#server/accounts/person.ts'
import { preparedQuery } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import { takePage } from '#server/http/page-bytes.ts'
import { cursorTo, placeIn } from '#server/http/pages.ts'
import type { Services } from '#server/services.ts'
import { openAgents, type SeenAgent, sharedAgents } from './agent-access.ts'
import { agentView } from './agent-view.ts'

const pageLength = 1000
const mostAskedFor = 100

interface Wanted {
  cursor?: string | undefined
  limit?: number | undefined
}
interface Page {
  rows: SeenAgent[]
  next_cursor: string | null
}
type Asked = { person: string }
type AskedBehind = Asked & { at: number; id: string }
/** The last row of a page, and whether everything except other people's public agents was listed by then. */
type Place = readonly [at: number, id: string, isOwnTold: boolean]

export async function listAgents(
  services: Services,
  person: Person,
  wanted: Wanted = {},
): Promise<{ agents: Agent[]; next_cursor: string | null }> {
  const { rows, next_cursor } = endAtMaxBytes(await pageFor(services, person, wanted), wanted.cursor)
  return { agents: rows.map((agent) => agentView(agent, person)), next_cursor }
}

/** Short pages can't reach the byte limit, so their rows aren't measured. */
function endAtMaxBytes(page: Page, cursor: string | undefined): Page {
  if (page.rows.length <= mostAskedFor) return page
  const sized = page.rows.map(({ purpose, config }) => ({ size: Buffer.byteLength(purpose + JSON.stringify(config)) }))
  const { length } = takePage(sized, sized.length)
  if (length === page.rows.length) return page
  const rows = page.rows.slice(0, length)
  // The next page includes own agents, unless an earlier page has already listed them all.
  return { rows, next_cursor: cursorBehind(rows.at(-1), placeIn(cursor, [0, '', true])?.[2] ?? false) }
}

async function pageFor({ db }: Services, person: Person, { cursor, limit }: Wanted): Promise<Page> {
  const length = limit ?? pageLength
  const { newestOpen, newestShared, newestOwn, openBehind, sharedBehind, publicBehind } =
    limit === undefined ? wholePages : shortPages
  const asked = { person: person.id }
  const after = placeIn(cursor, [0, '', true])
  if (after) {
    const [at, id, isOwnTold] = after
    const behind = { ...asked, at, id }
    if (isOwnTold) return pageOf(await publicBehind.all(db, behind), length, true)
    const [open, shared] = await Promise.all([openBehind.all(db, behind), sharedBehind.all(db, behind)])
    return pageOf(newestFirst(shared, open), length, false)
  }
  const [open, shared] = await Promise.all([newestOpen.all(db, asked), newestShared.all(db, asked)])
  if (shared.length === 0 && open.length <= length) return { rows: open, next_cursor: null }
  const all = newestFirst(shared, open)
  if (limit !== undefined || all.length <= length) return pageOf(all, length, false)
  const own = newestFirst(await newestOwn.all(db, asked), shared)
  return own.length < length ? withAllOf(own, all, length) : pageOf(all, length, false)
}

/** For clients that read only the first page: public agents must not push out own, built-in or shared ones. */
function withAllOf(own: SeenAgent[], all: SeenAgent[], length: number): Page {
  const known = new Set(own.map(({ id }) => id))
  const others = all.filter(({ id }) => !known.has(id)).slice(0, length - own.length)
  return { rows: newestFirst(own, others), next_cursor: cursorBehind(others.at(-1), true) }
}

function pageOf(rows: SeenAgent[], length: number, isOwnTold: boolean): Page {
  const shown = rows.slice(0, length)
  return { rows: shown, next_cursor: rows.length > length ? cursorBehind(shown.at(-1), isOwnTold) : null }
}

function cursorBehind(last: SeenAgent | undefined, isOwnTold: boolean): string | null {
  return last ? cursorTo([last.created_at, last.id, isOwnTold] satisfies Place) : null
}

/** Deduplicated, because an owned agent can also be shared with its owner after a transfer. */
export function newestFirst(...lists: SeenAgent[][]): SeenAgent[] {
  const each = new Map(lists.flat().map((agent) => [agent.id, agent]))
  return [...each.values()].sort((a, b) => b.created_at - a.created_at || (a.id < b.id ? -1 : 1))
}

type Agents<Row> = SelectQueryBuilder<Schema, 'agents', Row>

/**
 * Newest first, with one extra row to detect more pages. The limit is inlined:
 * SQLite took twice as long with a bound parameter.
 */
function pagesOf(most: number) {
  const newest = <Row>(agents: Agents<Row>) =>
    agents
      .orderBy('agents.created_at', 'desc')
      .orderBy('agents.id')
      .limit(most + 1)
  const behind = <Row>(agents: Agents<Row>, { at, id }: AskedBehind) =>
    newest(agents.where(sql<boolean>`(agents.created_at < ${at} or (agents.created_at = ${at} and agents.id > ${id}))`))
  return {
    newestOpen: preparedQuery<Asked>()((db, { person }) => newest(openAgents(db, person))),
    newestShared: preparedQuery<Asked>()((db, { person }) => newest(sharedAgents(db, person))),
    newestOwn: preparedQuery<Asked>()((db, { person }) =>
      newest(
        db
          .selectFrom('agents')
          .selectAll()
          .where((where) => where.or([where('owner_id', '=', person), where('owner_id', 'is', null)])),
      ),
    ),
    openBehind: preparedQuery<AskedBehind>()((db, asked) => behind(openAgents(db, asked.person), asked)),
    sharedBehind: preparedQuery<AskedBehind>()((db, asked) => behind(sharedAgents(db, asked.person), asked)),
    publicBehind: preparedQuery<AskedBehind>()((db, asked) =>
      behind(openAgents(db, asked.person).where('agents.owner_id', '!=', asked.person), asked),
    ),
  }
}

const wholePages = pagesOf(pageLength)
const shortPages = pagesOf(mostAskedFor)
