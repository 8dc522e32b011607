import { sql } from 'kysely'
import type { Reflection } from '#contract/keepers/reflections.ts'
import { normalizeTopicName } from '#contract/keepers/topics.ts'
import type { Person } from '#server/accounts/person.ts'
import { readPage } from '#server/http/pages.ts'
import { Reply } from '#server/http/serve-area.ts'
import { getNewestFirstPage } from '#server/http/time-cursor.ts'
import { createTextCondition } from '#server/search-index/find-indexed.ts'
import type { Services } from '#server/services.ts'
import { type KeeperRow, requireKeeperFor } from '../keeper-access.ts'
import { toReflection } from './reflection-view.ts'

const defaultPageSize = 1000

export const reflectionBytes = sql<number>`octet_length(reflections.content)`

export interface ReflectionFilter {
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
  const text =
    filter.q &&
    (await createTextCondition(services, {
      ownerId: keeper.owner_id,
      containerId: keeper.id,
      entity: 'reflection',
      id: 'reflections.id',
      q: filter.q,
    }))
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

export function queryReflections({ db }: Services, keeper: KeeperRow) {
  return db
    .selectFrom('reflections')
    .leftJoin('memory_cards', (join) =>
      join.onRef('memory_cards.reflection_id', '=', 'reflections.id').on('memory_cards.deleted_at', 'is', null),
    )
    .selectAll('reflections')
    .select('memory_cards.id as card_id')
    .where('reflections.keeper_id', '=', keeper.id)
    .where('reflections.owner_id', '=', keeper.owner_id)
    .where('reflections.deleted_at', 'is', null)
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
