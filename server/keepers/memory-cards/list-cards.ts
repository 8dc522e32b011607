import { type ExpressionBuilder, type Selectable, sql } from 'kysely'
import type * as z from 'zod/mini'
import { builtInModel, type MemoryCard, type memoryCards } from '#contract/keepers/memory-cards.ts'
import { normalizeTopicName } from '#contract/keepers/topics.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Schema } from '#server/db/schema.ts'
import { readPage } from '#server/http/pages.ts'
import { Reply } from '#server/http/serve-area.ts'
import { getNewestFirstPage } from '#server/http/time-cursor.ts'
import type { Services } from '#server/services.ts'
import { toIsoTime } from '#server/values/iso-time.ts'
import { toRecordFields } from '../entries/entry-tables.ts'
import { requireEntryFor } from '../entries/require-entry.ts'
import { isOwnedIn, type KeeperRow, requireKeeperFor } from '../keeper-access.ts'
import { findTopics } from '../topics/link-topics.ts'
import { queryPendingCards } from './embed-batch.ts'
import { chooseEmbeddingModel } from './embedding-model.ts'

const defaultPageSize = 1000

type CardListFilter = z.output<NonNullable<typeof memoryCards.list.query>>

/** Newest first. @throws Problem 404; 400 for an invalid cursor */
export async function listCards(
  services: Services,
  person: Person,
  keeperId: string,
  filter: CardListFilter,
): Promise<Reply<MemoryCard[]>> {
  const { db } = services
  const keeper = await requireKeeperFor(services, person, keeperId)
  const { name: model } = await chooseEmbeddingModel(services, person.id)
  const limit = filter.limit ?? defaultPageSize
  let query = db.selectFrom('memory_cards').where(isOwnedIn(keeper, 'memory_cards'))
  if (filter.topic) query = query.where(await createTopicFilter(services, keeper, filter.topic))
  if (filter.embedded !== undefined) {
    const pending = queryPendingCards(db, keeper, model).select('memory_cards.id')
    query = query.where('memory_cards.id', filter.embedded === 'true' ? 'not in' : 'in', pending)
  }
  const { rows, next_cursor } = await readPage(query.select(cardColumns), {
    ...getNewestFirstPage('memory_cards', filter.cursor),
    pageSize: limit,
    size: sql<number>`octet_length(memory_cards.content)`,
    ...(filter.limit === undefined && { read: (page) => db.longRead(page) }),
  })
  return new Reply(
    rows.map((row) => toCardView(row, model)),
    { extra: { next_cursor } },
  )
}

async function createTopicFilter(services: Services, keeper: KeeperRow, name: string) {
  const normalized = normalizeTopicName(name)
  const topic = (await findTopics(services, keeper.id, [normalized])).get(normalized)
  return (where: ExpressionBuilder<Schema, 'memory_cards'>) => {
    const links = where
      .selectFrom('entry_topics')
      .select('entry_topics.entity_id')
      .where('entry_topics.entity', '=', 'card')
      .where('entry_topics.keeper_id', '=', keeper.id)
    return where.or([
      ...(topic ? [where('memory_cards.id', 'in', links.where('entry_topics.topic_id', '=', topic.id))] : []),
      where.and([where('memory_cards.topic', '=', name), where('memory_cards.id', 'not in', links)]),
    ])
  }
}

export type CardRow = Omit<Selectable<Schema['memory_cards']>, 'words' | 'source_kind' | 'source_id' | 'deleted_at'>

export const cardColumns = [
  'memory_cards.id',
  'memory_cards.keeper_id',
  'memory_cards.owner_id',
  'memory_cards.created_at',
  'memory_cards.updated_at',
  'memory_cards.rev',
  'memory_cards.reflection_id',
  'memory_cards.reflection_agent_id',
  'memory_cards.reflection_created_at',
  'memory_cards.content',
  'memory_cards.topic',
  'memory_cards.ai_visible',
  'memory_cards.state',
  'memory_cards.embedded_with',
  'memory_cards.embedded_at',
] as const

export function toCardView(row: CardRow, model: string): MemoryCard {
  const { reflection_id: reflectionId } = row
  return {
    ...toRecordFields(row),
    reflectionId,
    content: row.content,
    topic: row.topic,
    aiVisible: row.ai_visible,
    state: row.state,
    embedded: isEmbedded(row, model),
    embedding: row.embedded_with,
    reflection: reflectionId
      ? {
          id: reflectionId,
          agentId: row.reflection_agent_id ?? '',
          createdAt: toIsoTime(row.reflection_created_at ?? row.created_at),
        }
      : null,
  }
}

/** Cards that no provider may receive only need the built-in vector. */
function isEmbedded(row: CardRow, model: string): boolean {
  const isPrivate = !row.ai_visible || row.state === 'draft'
  return row.embedded_with === model || (isPrivate && row.embedded_with === builtInModel)
}

export async function showCard(services: Services, personId: string, id: string): Promise<MemoryCard> {
  const [row, { name }] = await Promise.all([
    requireEntryFor(services, { id: personId }, 'card', id),
    chooseEmbeddingModel(services, personId),
  ])
  return toCardView(row, name)
}
