import type { Services } from '#server/services.ts'
import type { EmbeddingModel } from './embedding-model.ts'
import type { CardSearch } from './find-cards.ts'
import { findNearestCards } from './vector-sets.ts'
import { cosineSimilarity, parseVectorBytes, toSigns, type Vector } from './vectors.ts'

/** The first pass compares signs only; this multiple of the limit is then compared exactly. */
const firstPassFactor = 6
const minFirstPass = 120
const batchSize = 400

export async function findByMeaning(
  services: Services,
  search: CardSearch,
  { model, vector }: { model: EmbeddingModel; vector: Vector },
): Promise<string[]> {
  const set = { keeperId: search.keeper.id, model: model.name }
  let candidateCount = Math.max(minFirstPass, search.limit * firstPassFactor)
  for (;;) {
    const { ids, size } = await findNearestCards(services, set, toSigns(vector), candidateCount)
    const vectorRows = await loadVectors(services, search, { ids, model: model.name })
    if (vectorRows.length >= search.limit || ids.length >= size || ids.length < candidateCount) {
      return vectorRows
        .map(({ card_id, vector: bytes }) => ({
          id: card_id,
          similarity: cosineSimilarity(vector, parseVectorBytes(bytes)),
        }))
        .filter(({ similarity }) => similarity >= model.minSimilarity)
        .toSorted((a, b) => b.similarity - a.similarity)
        .map(({ id }) => id)
    }
    candidateCount *= 4
  }
}

async function loadVectors(
  { db }: Services,
  { keeper, forAi }: CardSearch,
  { ids, model }: { ids: string[]; model: string },
): Promise<{ card_id: string; vector: Uint8Array }[]> {
  const vectors: { card_id: string; vector: Uint8Array }[] = []
  for (let offset = 0; offset < ids.length; offset += batchSize) {
    let query = db
      .selectFrom('card_vectors')
      // A cross join, so that SQLite does not scan all cards of the keeper.
      .crossJoin('memory_cards')
      .whereRef('memory_cards.id', '=', 'card_vectors.card_id')
      .select(['card_vectors.card_id', 'card_vectors.vector'])
      .where('card_vectors.card_id', 'in', ids.slice(offset, offset + batchSize))
      .where('card_vectors.model', '=', model)
      .where('memory_cards.keeper_id', '=', keeper.id)
      .where('memory_cards.owner_id', '=', keeper.owner_id)
      .where('memory_cards.deleted_at', 'is', null)
    if (forAi) query = query.where('memory_cards.ai_visible', '=', true).where('memory_cards.state', '=', 'active')
    vectors.push(...(await db.longRead(query)))
  }
  return vectors
}
