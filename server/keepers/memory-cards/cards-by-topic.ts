import { sql } from 'kysely'
import type { MemoryCard } from '#contract/keepers/memory-cards.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { type KeeperRow, requireKeeperFor } from '../keeper-access.ts'
import { cardColumns, cardView } from './card-view.ts'
import { embeddingModelFor } from './embedding-model.ts'

/** All groups together hold the newest so many; the counts are of all. */
const mostCards = 1000

/** Every topic with its cards, the fullest first. @throws Problem 404 */
export async function cardsByTopic(
  services: Services,
  person: Person,
  keeperId: string,
): Promise<{ topic: string | null; count: number; cards: MemoryCard[] }[]> {
  const keeper = await requireKeeperFor(services, person, keeperId)
  const { db } = services
  const [topics, rows, model] = await Promise.all([
    topicsOfCards(services, keeper),
    db.longRead(
      db
        .selectFrom('memory_cards')
        .select(cardColumns)
        .select(presentTopic.as('present_topic'))
        .where('keeper_id', '=', keeper.id)
        .where('owner_id', '=', keeper.owner_id)
        .where('deleted_at', 'is', null)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(mostCards),
    ),
    embeddingModelFor(services, person.id),
  ])
  return topics.map(({ topic, count }) => ({
    topic,
    count,
    cards: rows.filter((row) => row.present_topic === topic).map((row) => cardView(row, model.name)),
  }))
}

/** The topics of a keeper's cards under their present names, the fullest first; `null` for those without one. */
export async function topicsOfCards(
  { db }: Services,
  keeper: Pick<KeeperRow, 'id' | 'owner_id'>,
): Promise<{ topic: string | null; count: number }[]> {
  const rows = await db.longRead(
    db
      .selectFrom(
        db
          .selectFrom('memory_cards')
          .select(presentTopic.as('topic'))
          .where('keeper_id', '=', keeper.id)
          .where('owner_id', '=', keeper.owner_id)
          .where('deleted_at', 'is', null)
          .as('said'),
      )
      .select(['said.topic', sql<number>`count(*)`.as('count')])
      .groupBy('said.topic'),
  )
  return rows
    .map(({ topic, count }) => ({ topic, count: Number(count) }))
    .sort((a, b) => b.count - a.count || ((a.topic ?? '\uffff') < (b.topic ?? '\uffff') ? -1 : 1))
}

/** What the topic a card was put under is called now; as it was said where nothing links it. */
const presentTopic = sql<string | null>`coalesce(
  (select topics.name from entry_topics join topics on topics.id = entry_topics.topic_id
    where entry_topics.entity = 'card' and entry_topics.entity_id = memory_cards.id
      and topics.deleted_at is null
    order by topics.id limit 1),
  memory_cards.topic)`
