import { sql } from 'kysely'
import { defaultSuggestionAgeMs, type Reflection } from '#contract/keepers/reflections.ts'
import { normalizeTopicName } from '#contract/keepers/topics.ts'
import type { Person } from '#server/accounts/person.ts'
import { orderByColumns, readPage } from '#server/http/pages.ts'
import { Reply } from '#server/http/serve-area.ts'
import { getNewestFirstPage } from '#server/http/time-cursor.ts'
import { createTextCondition } from '#server/search-index/find-indexed.ts'
import type { Services } from '#server/services.ts'
import { toIsoTimeOrNull } from '#server/values/iso-time.ts'
import { hourMs } from '#server/values/time-units.ts'
import { type EntryRow, toRecordFields } from '../entries/entry-tables.ts'
import { isOwnedIn, type KeeperRow, requireKeeperFor } from '../keeper-access.ts'
import { loadCustomPatterns, type PatternRow } from '../patterns/pattern-catalog.ts'

const defaultPageSize = 1000

const reflectionBytes = sql<number>`octet_length(reflections.content)`

interface ReflectionFilter {
  q?: string | undefined
  topic?: string | undefined
  cursor?: string | undefined
  limit?: number | undefined
}

/** Newest first. @throws Problem 404; 400 for an invalid cursor */
export async function listReflections(
  services: Services,
  person: Person,
  keeperId: string,
  filter: ReflectionFilter,
): Promise<Reply<Reflection[]>> {
  const keeper = await requireKeeperFor(services, person, keeperId)
  const limit = filter.limit ?? defaultPageSize
  let query = queryReflections(services, keeper)
  const text = filter.q && (await createTextCondition(services, keeper, 'reflection', filter.q))
  if (text) query = query.where(text)
  if (filter.topic) query = query.where('reflections.id', 'in', queryByTopic(services, keeper, filter.topic))
  const { rows, next_cursor } = await readPage(query, {
    ...getNewestFirstPage('reflections', filter.cursor),
    pageSize: limit,
    size: reflectionBytes,
    ...(filter.limit === undefined && { read: (page) => services.db.longRead(page) }),
  })
  return new Reply(
    rows.map((row) => toReflection(row, row.card_id)),
    { extra: { next_cursor } },
  )
}

function queryReflections({ db }: Services, keeper: KeeperRow) {
  return db
    .selectFrom('reflections')
    .leftJoin('memory_cards', (join) =>
      join.onRef('memory_cards.reflection_id', '=', 'reflections.id').on('memory_cards.deleted_at', 'is', null),
    )
    .selectAll('reflections')
    .select('memory_cards.id as card_id')
    .where(isOwnedIn(keeper, 'reflections'))
}

function queryByTopic({ db }: Services, keeper: KeeperRow, topic: string) {
  const normalized = normalizeTopicName(topic)
  const aliasTopicIds = db
    .selectFrom('topic_aliases')
    .select('topic_aliases.topic_id')
    .where('topic_aliases.keeper_id', '=', keeper.id)
    .where('topic_aliases.alias_folded', '=', normalized)
  return db
    .selectFrom('entry_topics')
    .innerJoin('topics', 'topics.id', 'entry_topics.topic_id')
    .select('entry_topics.entity_id')
    .where('entry_topics.entity', '=', 'reflection')
    .where('entry_topics.keeper_id', '=', keeper.id)
    .where((where) => where.or([where('topics.name_folded', '=', normalized), where('topics.id', 'in', aliasTopicIds)]))
}

export type ReflectionRow = EntryRow<'reflection'>

/** `memoryCardId`: `null` without a card, or when it is in the trash. */
export function toReflection(row: ReflectionRow, memoryCardId: string | null = null): Reflection {
  return {
    ...toRecordFields(row),
    agentId: row.agent_id,
    topic: row.topic,
    content: row.content,
    aiVisible: row.ai_visible,
    promotedToMemoryCard: row.promoted_at !== null,
    promotedAt: toIsoTimeOrNull(row.promoted_at),
    memoryCardId,
    restedAt: toIsoTimeOrNull(row.rested_at),
    momentId: row.moment_id,
  }
}

export async function toReflectionWithCard({ db }: Services, row: ReflectionRow): Promise<Reflection> {
  if (row.promoted_at === null) return toReflection(row)
  const card = await db
    .selectFrom('memory_cards')
    .select('id')
    .where('reflection_id', '=', row.id)
    .where('owner_id', '=', row.owner_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return toReflection(row, card?.id)
}

const oldestFirst = orderByColumns({ created_at: 'asc', id: 'asc' }, 'reflections')

/** One page of reflections that are old enough, not promoted and not resting, oldest first. @throws Problem 404 */
export async function suggestReflections(services: Services, person: Person, keeperId: string): Promise<Reflection[]> {
  const keeper = await requireKeeperFor(services, person, keeperId)
  const minAgeMs = getSuggestionAge((await loadCustomPatterns(services, [keeper])).get(keeper.id))
  if (minAgeMs === null) return []
  const createdBefore = services.now().getTime() - minAgeMs
  const suggestedQuery = queryReflections(services, keeper)
    .where('reflections.promoted_at', 'is', null)
    .where('reflections.rested_at', 'is', null)
    .where('reflections.created_at', '<', createdBefore)
  const { rows } = await readPage(suggestedQuery, {
    ...oldestFirst,
    after: undefined,
    size: reflectionBytes,
  })
  return rows.map((row) => toReflection(row, row.card_id))
}

/** Milliseconds, from the keeper's custom pattern or the default; `null` when the pattern ignores reflections. */
export function getSuggestionAge(pattern: Pick<PatternRow, 'capture_from' | 'promote'> | undefined): number | null {
  if (!pattern) return defaultSuggestionAgeMs
  return pattern.capture_from.includes('reflection') ? pattern.promote.minAgeHours * hourMs : null
}
