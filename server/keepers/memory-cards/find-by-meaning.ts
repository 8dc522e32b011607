import type { Services } from '#server/services.ts'
import type { EmbeddingModel } from './embedding-model.ts'
import type { Looking } from './find-cards.ts'
import { nearestCards } from './vector-sets.ts'
import { cosine, signsOf, type Vector, vectorOf } from './vectors.ts'

/** The first pass compares signs only; this multiple of the limit is then compared exactly. */
const passOver = 6
const leastFirstPass = 120
/** SQLite and PostgreSQL allow more. */
const idsAtOnce = 400

/** Nearest cards first. Widens the search when cards of the first pass turn out to be deleted. */
export async function findByMeaning(
  services: Services,
  looking: Looking,
  { model, vector }: { model: EmbeddingModel; vector: Vector },
): Promise<string[]> {
  const set = { keeperId: looking.keeper.id, model: model.name }
  let count = Math.max(leastFirstPass, looking.limit * passOver)
  for (;;) {
    const { ids, size } = await nearestCards(services, set, signsOf(vector), count)
    const living = await livingVectors(services, looking, { ids, model: model.name })
    if (living.length >= looking.limit || ids.length >= size || ids.length < count) {
      return living
        .map(({ card_id, vector: bytes }) => ({ id: card_id, likeness: cosine(vector, vectorOf(bytes)) }))
        .filter(({ likeness }) => likeness >= model.leastLikeness)
        .toSorted((a, b) => b.likeness - a.likeness)
        .map(({ id }) => id)
    }
    count *= 4
  }
}

async function livingVectors(
  { db }: Services,
  { keeper, forAi }: Looking,
  { ids, model }: { ids: string[]; model: string },
): Promise<{ card_id: string; vector: Uint8Array }[]> {
  const found: { card_id: string; vector: Uint8Array }[] = []
  for (let at = 0; at < ids.length; at += idsAtOnce) {
    let query = db
      .selectFrom('card_vectors')
      // A cross join, so that SQLite does not scan all cards of the keeper.
      .crossJoin('memory_cards')
      .whereRef('memory_cards.id', '=', 'card_vectors.card_id')
      .select(['card_vectors.card_id', 'card_vectors.vector'])
      .where('card_vectors.card_id', 'in', ids.slice(at, at + idsAtOnce))
      .where('card_vectors.model', '=', model)
      .where('memory_cards.keeper_id', '=', keeper.id)
      .where('memory_cards.owner_id', '=', keeper.owner_id)
      .where('memory_cards.deleted_at', 'is', null)
    if (forAi) query = query.where('memory_cards.ai_visible', '=', true).where('memory_cards.state', '=', 'active')
    found.push(...(await db.longRead(query)))
  }
  return found
}
