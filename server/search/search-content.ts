import { type RawBuilder, sql } from 'kysely'
import type { EndpointOutput } from '#contract/endpoint.ts'
import { getEntryPath } from '#contract/keepers/entry-address.ts'
import type { SearchHit, SearchType, search } from '#contract/keepers/search.ts'
import { normalizeTopicName } from '#contract/keepers/topics.ts'
import { createSearchExcerpt, findSearchMarks, type SearchMark } from '#contract/search/search-excerpt.ts'
import { parseSearchQuery, type SearchQuery } from '#contract/search/search-query.ts'
import type { Person } from '#server/accounts/person.ts'
import { selectGrantedRight, selectSharedBoardIds } from '#server/boards/board-access.ts'
import { formatPosition, parseCursor, takeFittingRows } from '#server/http/pages.ts'
import { createExcerpt } from '#server/keepers/excerpt.ts'
import { requireKeeperFor } from '#server/keepers/keeper-access.ts'
import { findIndexed, type IndexedMatch, type IndexFilter, indexPendingFor } from '#server/search-index/find-indexed.ts'
import { countPending } from '#server/search-index/index-pending.ts'
import { type SearchableEntry, searchableKinds } from '#server/search-index/kinds.ts'
import type { Services } from '#server/services.ts'
import { toIsoTime } from '#server/values/iso-time.ts'

interface SearchFilter {
  q: string
  type?: SearchType | undefined
  keeperId?: string | undefined
  topic?: string | undefined
  mood?: number | undefined
  from?: string | undefined
  to?: string | undefined
  hasPicture?: 'true' | undefined
  cursor?: string | undefined
  limit?: number | undefined
}
type SearchResult = EndpointOutput<typeof search.find>

const defaultPageSize = 50
/** Topics and journeys whose name or description matches come first, since there are few of them. */
const typesListedFirst = ['topic', 'journey'] as const
const maxListedFirst = 5
const maxSharedBoards = 100

/**
 * Searches what this person wrote, and boards shared with them.
 * @throws Problem 404 for the keeper; 400 for an invalid cursor
 */
export async function searchContent(services: Services, person: Person, filter: SearchFilter): Promise<SearchResult> {
  const query = parseSearchQuery(filter.q)
  if (query.required.length === 0) return { items: [], next_cursor: null, pending: 0 }
  const keeper = filter.keeperId === undefined ? undefined : await requireKeeperFor(services, person, filter.keeperId)
  const limit = filter.limit ?? defaultPageSize
  const [before] = parseCursor(filter.cursor, ['number']) ?? []
  const isIndexed = await indexPendingFor(services, person.id)
  const baseFilter: IndexFilter = {
    query,
    ownerId: person.id,
    limit: limit + 1,
    from: filter.from,
    to: filter.to,
    ...(keeper && { containerId: keeper.id }),
    ...(filter.type && { type: filter.type }),
    conditions: createConditions(filter),
  }
  const hasFirstMatches = filter.type === undefined
  const [firstMatches, ownMatches, sharedMatches] = await Promise.all([
    hasFirstMatches ? findFirstMatches(services, baseFilter) : [],
    // This list also contains the matches listed first, so it has to be longer.
    findIndexed(services, {
      ...baseFilter,
      before,
      limit: limit + 1 + (hasFirstMatches ? typesListedFirst.length * maxListedFirst : 0),
    }),
    findOnSharedBoards(services, person, { ...baseFilter, before }),
  ])
  const firstPositions = new Set(firstMatches.map(({ position }) => position))
  const matches = [...ownMatches, ...sharedMatches]
    .filter(({ position }) => !firstPositions.has(position))
    .toSorted((one, other) => other.position - one.position)
  const page = takeFittingRows(matches, limit)
  const last = matches.length > page.length ? page.at(-1) : undefined
  return {
    items: await toHits(services, person, [...(before === undefined ? firstMatches : []), ...page], query),
    next_cursor: last ? formatPosition([last.position]) : null,
    pending: isIndexed ? 0 : await countPending(services, person.id),
  }
}

async function findFirstMatches(services: Services, filter: IndexFilter): Promise<IndexedMatch[]> {
  const matches = await Promise.all(
    typesListedFirst.map((type) => findIndexed(services, { ...filter, type, limit: maxListedFirst })),
  )
  return matches.flat()
}

async function findOnSharedBoards(
  services: Services,
  person: Person,
  { ownerId: _, ...filter }: IndexFilter,
): Promise<IndexedMatch[]> {
  if (filter.containerId !== undefined || (filter.type !== undefined && filter.type !== 'board')) return []
  const boards = await services.db
    .selectFrom('boards')
    .select('boards.id')
    .where('boards.id', 'in', selectSharedBoardIds(person))
    .where('boards.owner_id', '!=', person.id)
    .where('boards.deleted_at', 'is', null)
    .where(selectGrantedRight(person), '>', 0)
    .limit(maxSharedBoards)
    .execute()
  if (boards.length === 0) return []
  const isOnSharedBoard = sql`entry.container_id in (${sql.join(boards.map(({ id }) => id))})`
  const conditions = [...(filter.conditions ?? []), isOnSharedBoard]
  return findIndexed(services, { ...filter, type: 'board', conditions })
}

function createConditions({ topic, mood, hasPicture }: SearchFilter): RawBuilder<unknown>[] {
  const normalizedTopic = topic === undefined ? undefined : normalizeTopicName(topic)
  return [
    sql`not exists (select 1 from keepers where keepers.id = entry.container_id and keepers.deleted_at is not null)`,
    sql`not exists (select 1 from boards where boards.id = entry.container_id and boards.deleted_at is not null)`,
    ...(mood === undefined
      ? []
      : [
          sql`entry.entity = 'moment'
            and exists (select 1 from moments where moments.id = entry.id and moments.mood_score = ${mood})`,
        ]),
    ...(hasPicture === undefined
      ? []
      : [
          sql`exists (select 1 from media
            where media.entity_id = entry.id and media.entity = entry.entity and media.mime like 'image/%')`,
        ]),
    ...(normalizedTopic === undefined
      ? []
      : [
          sql`exists (select 1 from entry_topics join topics on topics.id = entry_topics.topic_id
            where entry_topics.entity = entry.entity and entry_topics.entity_id = entry.id and topics.deleted_at is null
              and (topics.name_folded = ${normalizedTopic} or topics.id = ${topic} or exists
                (select 1 from topic_aliases where topic_aliases.topic_id = topics.id
                  and topic_aliases.alias_folded = ${normalizedTopic})))`,
        ]),
  ]
}

/** Reads the texts again, so that nothing deleted since it was indexed is shown. */
async function toHits(
  services: Services,
  person: Person,
  matches: readonly IndexedMatch[],
  query: SearchQuery,
): Promise<SearchHit[]> {
  const entries = await loadEntries(services, matches)
  const containerIds = [...new Set([...entries.values()].map(({ containerId }) => containerId))]
  const containers = await loadContainers(services, person, containerIds)
  return matches.flatMap(({ entity, id }): SearchHit[] => {
    const entry = entries.get(`${entity} ${id}`)
    const type = searchableKinds[entity]?.type
    const container = entry && containers.get(entry.containerId)
    if (!entry || !type || !container) return []
    const title = entry.title || (type === 'chat' ? container.title : '')
    return [
      {
        type,
        id,
        title,
        titleMarks: findSearchMarks(title, query.required),
        ...chooseExcerpt(entry, query),
        at: toIsoTime(entry.at),
        day: entry.day,
        keeperId: container.keeperId,
        place: container.name,
        link: toLink(type, { id, containerId: entry.containerId, agentSlug: container.agentSlug }),
      },
    ]
  })
}

async function loadEntries({ db }: Services, matches: readonly IndexedMatch[]): Promise<Map<string, SearchableEntry>> {
  const keyedEntries = await Promise.all(
    [...Map.groupBy(matches, ({ entity }) => entity)].map(async ([entity, matchesOfKind]) => {
      const entries = await searchableKinds[entity]?.load(
        db,
        matchesOfKind.map(({ id }) => id),
      )
      return [...(entries ?? [])].map(([id, entry]): [string, SearchableEntry] => [`${entity} ${id}`, entry])
    }),
  )
  return new Map(keyedEntries.flat())
}

/** Excerpt of the first matching text, or of the first text if only the title matches. */
function chooseExcerpt(
  { texts }: SearchableEntry,
  { required }: SearchQuery,
): { excerpt: string; marks: SearchMark[] } {
  for (const text of texts) {
    const match = createSearchExcerpt(text, required)
    if (match) return match
  }
  return { excerpt: createExcerpt((texts.find((text) => text.trim() !== '') ?? '').slice(0, 1_000)), marks: [] }
}

interface HitContainer {
  name: string
  /** Name of the chat for chat messages, which have no title. */
  title: string
  keeperId: string | null
  agentSlug: string
}

async function loadContainers(
  { db }: Services,
  person: Person,
  ids: readonly string[],
): Promise<Map<string, HitContainer>> {
  if (ids.length === 0) return new Map()
  const [keepers, boards, chats] = await Promise.all([
    db.selectFrom('keepers').select(['id', 'title']).where('id', 'in', ids).where('owner_id', '=', person.id).execute(),
    db.selectFrom('boards').select(['id', 'name']).where('id', 'in', ids).execute(),
    db
      .selectFrom('chat_sessions')
      .leftJoin('runs', (join) =>
        join.on('runs.id', '=', (where) =>
          where
            .selectFrom('runs as last')
            .select('last.id')
            .whereRef('last.session_id', '=', 'chat_sessions.id')
            .orderBy('last.created_at', 'desc')
            .limit(1),
        ),
      )
      .select(['chat_sessions.id', 'chat_sessions.name', 'runs.agent_name', 'runs.agent_slug'])
      .where('chat_sessions.id', 'in', ids)
      .where('chat_sessions.person_id', '=', person.id)
      .execute(),
  ])
  const emptyContainer = { title: '', keeperId: null, agentSlug: '' }
  return new Map<string, HitContainer>([
    ...keepers.map(({ id, title }): [string, HitContainer] => [id, { ...emptyContainer, name: title, keeperId: id }]),
    ...boards.map(({ id, name }): [string, HitContainer] => [id, { ...emptyContainer, name }]),
    ...chats.map(({ id, name, agent_name, agent_slug }): [string, HitContainer] => [
      id,
      { ...emptyContainer, name: agent_name ?? '', title: name, agentSlug: agent_slug ?? '' },
    ]),
  ])
}

interface LinkedHit {
  id: string
  containerId: string
  agentSlug: string
}

function toLink(type: SearchType, { id, containerId, agentSlug }: LinkedHit): string {
  if (type === 'board') return `/studio/board-studio?board=${encodeURIComponent(containerId)}`
  if (type === 'chat') return `/${agentSlug}?sessionId=${encodeURIComponent(containerId)}`
  return getEntryPath({ entity: type, keeperId: containerId, id })
}
