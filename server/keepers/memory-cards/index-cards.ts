import { sql } from 'kysely'
import { builtInModel, type CardState } from '#contract/keepers/memory-cards.ts'
import type { Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { computeBuiltInEmbedding } from './built-in-embedding.ts'
import { getCardWords } from './card-words.ts'
import { toSignBits, toVectorBytes, type Vector } from './vectors.ts'

interface CardText {
  topic: string | null
  content: string
}

/** Search columns of a new or changed card; its vector is a separate write, see {@link createCardVectorWrites}. */
export function createSearchColumns(card: CardText, now: number) {
  return { words: getCardWords(card), embedded_with: builtInModel, embedded_at: now }
}

/** Writes the built-in vector; must follow the write of the card in its batch. */
export function createCardVectorWrites(
  services: Services,
  card: { id: string; content: string },
  now: number,
): Write[] {
  const vector = computeBuiltInEmbedding(card.content)
  if (!vector) return [services.db.deleteFrom('card_vectors').where('card_id', '=', card.id)]
  return [createVectorWrite(services, card, { model: builtInModel, vector }, now)]
}

/** Replaces the vector of a card if its text, and `ai_visible` and `state` where passed, are unchanged. */
export function createVectorWrite(
  { db }: Services,
  { id, content, ai_visible, state }: { id: string; content: string; ai_visible?: boolean; state?: CardState },
  { model, vector }: { model: string; vector: Vector },
  now: number,
): Write {
  const [text, integer, milliseconds, bytes] = castTypes[db.engine]
  const castAs = <T>(value: T, type: string) => sql<T>`cast(${value} as ${sql.raw(type)})`
  return db
    .insertInto('card_vectors')
    .columns(['card_id', 'keeper_id', 'model', 'dimensions', 'vector', 'signs', 'created_at'])
    .expression((from) => {
      let card = from
        .selectFrom('memory_cards')
        .select([
          'memory_cards.id',
          'memory_cards.keeper_id',
          castAs(model, text).as('model'),
          castAs(vector.length, integer).as('dimensions'),
          castAs(toVectorBytes(vector), bytes).as('vector'),
          castAs(toSignBits(vector), bytes).as('signs'),
          castAs(now, milliseconds).as('created_at'),
        ])
        .where('memory_cards.id', '=', id)
        .where('memory_cards.content', '=', content)
      if (ai_visible !== undefined) card = card.where('memory_cards.ai_visible', '=', ai_visible)
      if (state !== undefined) card = card.where('memory_cards.state', '=', state)
      return card
    })
    .onConflict((conflict) =>
      conflict.column('card_id').doUpdateSet((set) => ({
        keeper_id: set.ref('excluded.keeper_id'),
        model: set.ref('excluded.model'),
        dimensions: set.ref('excluded.dimensions'),
        vector: set.ref('excluded.vector'),
        signs: set.ref('excluded.signs'),
        created_at: set.ref('excluded.created_at'),
      })),
    )
}

// Selected values have no column that gives them a type.
const castTypes = {
  sqlite: ['text', 'integer', 'integer', 'blob'],
  postgres: ['text', 'integer', 'bigint', 'bytea'],
} as const

const batchSize = 200

export async function indexPendingCards(services: Services, keeperId: string): Promise<void> {
  const { db } = services
  for (;;) {
    const unindexed = await db
      .selectFrom('memory_cards')
      .select(['id', 'topic', 'content'])
      .where('keeper_id', '=', keeperId)
      .where('words', 'is', null)
      .orderBy('id')
      .limit(batchSize)
      .execute()
    if (unindexed.length === 0) return
    const now = services.now().getTime()
    await db.batch(
      unindexed.flatMap((card) => [
        db
          .updateTable('memory_cards')
          .set(createSearchColumns(card, now))
          .where('id', '=', card.id)
          .where('content', '=', card.content),
        ...createCardVectorWrites(services, card, now),
      ]),
    )
  }
}
