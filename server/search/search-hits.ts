import { getEntryPath } from '#contract/keepers/entry-address.ts'
import type { SearchHit, SearchType } from '#contract/keepers/search.ts'
import { createSearchExcerpt, findSearchMarks, type SearchMark } from '#contract/search/search-excerpt.ts'
import type { SearchQuery } from '#contract/search/search-query.ts'
import type { Person } from '#server/accounts/person.ts'
import { createExcerpt } from '#server/keepers/excerpt.ts'
import type { IndexedMatch } from '#server/search-index/find-indexed.ts'
import { type SearchableEntry, searchableKinds } from '#server/search-index/kinds.ts'
import type { Services } from '#server/services.ts'
import { toIsoTime } from '#server/values/iso-time.ts'

/** Reads the texts again, so that nothing deleted since it was indexed is shown. */
export async function toHits(
  services: Services,
  person: Person,
  matches: readonly IndexedMatch[],
  query: SearchQuery,
): Promise<SearchHit[]> {
  const entries = await loadEntries(services, matches)
  const containerIds = [...new Set([...entries.values()].map(({ containerId }) => containerId))]
  const places = await loadPlaces(services, person, containerIds)
  return matches.flatMap(({ entity, id }): SearchHit[] => {
    const entry = entries.get(`${entity} ${id}`)
    const type = searchableKinds[entity]?.type
    const place = entry && places.get(entry.containerId)
    if (!entry || !type || !place) return []
    const title = entry.title || (type === 'chat' ? place.title : '')
    return [
      {
        type,
        id,
        title,
        titleMarks: findSearchMarks(title, query.required),
        ...chooseExcerpt(entry, query),
        at: toIsoTime(entry.at),
        day: entry.day,
        keeperId: place.keeperId,
        place: place.name,
        link: toLink(type, { id, containerId: entry.containerId, agentSlug: place.agentSlug }),
      },
    ]
  })
}

async function loadEntries({ db }: Services, matches: readonly IndexedMatch[]): Promise<Map<string, SearchableEntry>> {
  const loaded = await Promise.all(
    [...Map.groupBy(matches, ({ entity }) => entity)].map(async ([entity, ofKind]) => {
      const entries = await searchableKinds[entity]?.load(
        db,
        ofKind.map(({ id }) => id),
      )
      return [...(entries ?? [])].map(([id, entry]): [string, SearchableEntry] => [`${entity} ${id}`, entry])
    }),
  )
  return new Map(loaded.flat())
}

/** The first text with a match, else the beginning: the match is in the title. */
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

interface HitPlace {
  name: string
  /** Name of a chat, whose messages have none. */
  title: string
  keeperId: string | null
  agentSlug: string
}

async function loadPlaces({ db }: Services, person: Person, ids: readonly string[]): Promise<Map<string, HitPlace>> {
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
  const none = { title: '', keeperId: null, agentSlug: '' }
  return new Map<string, HitPlace>([
    ...keepers.map(({ id, title }): [string, HitPlace] => [id, { ...none, name: title, keeperId: id }]),
    ...boards.map(({ id, name }): [string, HitPlace] => [id, { ...none, name }]),
    ...chats.map(({ id, name, agent_name, agent_slug }): [string, HitPlace] => [
      id,
      { ...none, name: agent_name ?? '', title: name, agentSlug: agent_slug ?? '' },
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
