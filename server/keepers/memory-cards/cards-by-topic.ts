import { sql } from 'kysely'
import { compareStrings } from '#contract/compare-strings.ts'
import type { MemoryCard } from '#contract/keepers/memory-cards.ts'
import type { Person } from '#server/accounts/person.ts'
import { formatPosition, type PageOrder, parseCursor, readPage, takeFittingRows } from '#server/http/pages.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { isOwnedIn, type KeeperRow, requireKeeperFor } from '../keeper-access.ts'
import { chooseEmbeddingModel } from './embedding-model.ts'
import { cardColumns, toCardView } from './list-cards.ts'

type CardGroups = { topic: string | null; count: number; cards: MemoryCard[] }[]

const cardOrder: PageOrder = [
  [sql.ref('rank_in_topic'), 'asc'],
  [sql.ref('created_at'), 'desc'],
  [sql.ref('id'), 'desc'],
]

/** Largest topics first. A page takes the newest cards of all topics in turn, so later pages list fewer topics. @throws Problem 404; 400 for an invalid cursor */
export async function listCardsByTopic(
  services: Services,
  person: Person,
  keeperId: string,
  cursor?: string,
): Promise<Reply<CardGroups>> {
  const keeper = await requireKeeperFor(services, person, keeperId)
  const { db } = services
  const after = parseCursor(cursor, ['number', 'number', 'string'])
  const [topics, page, model] = await Promise.all([
    countCardsByTopic(services, keeper),
    readPage(rankCards(services, keeper), {
      order: cardOrder,
      after,
      getPosition: (row) => getPosition(row),
      read: (query) => db.longRead(query),
    }),
    chooseEmbeddingModel(services, person.id),
  ])
  const rankedCards = takeFittingRows(page.rows)
  const last = rankedCards.length < page.rows.length ? rankedCards.at(-1) : undefined
  const next_cursor = last ? formatPosition(getPosition(last)) : page.next_cursor
  const rows = rankedCards.length === 0 ? [] : await loadCards(services, rankedCards)
  const cardById = new Map(rows.map((row) => [row.id, toCardView(row, model.name)]))
  const groups = topics.map(({ topic, count }) => ({
    topic,
    count,
    cards: rankedCards.filter((card) => card.topic === topic).flatMap(({ id }) => cardById.get(id) ?? []),
  }))
  const visibleGroups = cursor === undefined ? groups : groups.filter((group) => group.cards.length > 0)
  return new Reply(visibleGroups, { extra: { next_cursor } })
}

const getPosition = ({
  rank_in_topic,
  created_at,
  id,
}: {
  rank_in_topic: number | string
  created_at: number
  id: string
}) => [Number(rank_in_topic), created_at, id] as const

function rankCards({ db }: Services, keeper: KeeperRow) {
  const cardTopics = db
    .selectFrom('memory_cards')
    .select(['id', 'created_at', currentTopic.as('topic'), sql<number>`octet_length(content)`.as('size')])
    .where(isOwnedIn(keeper))
  const rankedCards = db
    .selectFrom(cardTopics.as('card_topics'))
    .select(['id', 'created_at', 'topic', 'size'])
    .select(
      sql<number | string>`row_number() over (partition by topic order by created_at desc, id desc)`.as(
        'rank_in_topic',
      ),
    )
  return db.selectFrom(rankedCards.as('ranked')).selectAll()
}

function loadCards({ db }: Services, rankedCards: readonly { id: string }[]) {
  return db
    .selectFrom('memory_cards')
    .select(cardColumns)
    .where('deleted_at', 'is', null)
    .where(
      'id',
      'in',
      rankedCards.map(({ id }) => id),
    )
    .execute()
}

/** Card counts by current topic name, largest first; `null` for cards without a topic. */
export async function countCardsByTopic(
  { db }: Services,
  keeper: Pick<KeeperRow, 'id' | 'owner_id'>,
): Promise<{ topic: string | null; count: number }[]> {
  const rows = await db.longRead(
    db
      .selectFrom(
        db.selectFrom('memory_cards').select(currentTopic.as('topic')).where(isOwnedIn(keeper)).as('card_topics'),
      )
      .select(['card_topics.topic', sql<number>`count(*)`.as('count')])
      .groupBy('card_topics.topic'),
  )
  return rows
    .map(({ topic, count }) => ({ topic, count: Number(count) }))
    .sort((a, b) => b.count - a.count || compareStrings(a.topic ?? afterAllTopics, b.topic ?? afterAllTopics))
}

const afterAllTopics = '\uffff'

const currentTopic = sql<string | null>`coalesce(
  (select topics.name from entry_topics join topics on topics.id = entry_topics.topic_id
    where entry_topics.entity = 'card' and entry_topics.entity_id = memory_cards.id
      and topics.deleted_at is null
    order by topics.id limit 1),
  memory_cards.topic)`
