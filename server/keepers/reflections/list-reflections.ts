import { sql } from 'kysely'
import type { Reflection } from '#contract/keepers/reflections.ts'
import { foldedTopic } from '#contract/keepers/topics.ts'
import type { Person } from '#server/accounts/person.ts'
import { containsWord, wordsOf } from '#server/db/contains-word.ts'
import { readPage } from '#server/http/pages.ts'
import { Reply } from '#server/http/serve-area.ts'
import { newestFirst } from '#server/http/time-cursor.ts'
import type { Services } from '#server/services.ts'
import { type KeeperRow, requireKeeperFor } from '../keeper-access.ts'
import { reflectionView } from './reflection-view.ts'

const mostAtOnce = 1000

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
  const limit = filter.limit ?? mostAtOnce
  let query = reflectionsOf(services, keeper)
  for (const word of wordsOf(filter.q)) {
    query = query.where((where) =>
      where.or(
        ['reflections.content', 'reflections.topic'].map((column) => containsWord(services.db.engine, column, word)),
      ),
    )
  }
  if (filter.topic) query = query.where('reflections.id', 'in', sayingTopic(services, keeper, filter.topic))
  const { rows, next_cursor } = await readPage(query, {
    ...newestFirst('reflections', filter.cursor),
    most: limit,
    size: reflectionBytes,
    // A long read, because the reflections can be megabytes.
    ...(filter.limit === undefined && { read: (page) => services.db.longRead(page) }),
  })
  return new Reply(
    rows.map((row) => reflectionView(row, row.card_id)),
    { extra: { next_cursor } },
  )
}

export function reflectionsOf({ db }: Services, keeper: KeeperRow) {
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

/** By name or alias of the topic, ignoring case. */
function sayingTopic({ db }: Services, keeper: KeeperRow, topic: string) {
  const folded = foldedTopic(topic)
  const aliased = db
    .selectFrom('topic_aliases')
    .select('topic_aliases.topic_id')
    .where('topic_aliases.keeper_id', '=', keeper.id)
    .where('topic_aliases.alias_folded', '=', folded)
  return db
    .selectFrom('entry_topics')
    .innerJoin('topics', 'topics.id', 'entry_topics.topic_id')
    .select('entry_topics.entity_id')
    .where('entry_topics.entity', '=', 'reflection')
    .where('entry_topics.keeper_id', '=', keeper.id)
    .where((where) => where.or([where('topics.name_folded', '=', folded), where('topics.id', 'in', aliased)]))
}
