import { builtInModel, type CardState } from '#contract/keepers/memory-cards.ts'
import { retryWhileBusy } from '#server/agents/usage/settlement.ts'
import type { Database, Write } from '#server/db/database.ts'
import { maxBatchSize } from '#server/models/embed.ts'
import type { Services } from '#server/services.ts'
import { isOwnedIn, type KeeperRow } from '../keeper-access.ts'
import { computeBuiltInEmbedding } from './built-in-embedding.ts'
import type { EmbeddingModel } from './embedding-model.ts'
import { createVectorWrite } from './index-cards.ts'
import { requestEmbeddings } from './request-embeddings.ts'
import type { Vector } from './vectors.ts'

/** Per request. Providers count tokens, and some scripts need one per character. */
const maxRequestCharacters = 200_000
const maxRetries = 3

interface PendingCard {
  id: string
  content: string
  ai_visible: boolean
  state: CardState
}

/** Embeds the next batch of cards after an id. `lastId` is null when nothing is pending. @throws ModelFailure, Problem */
export async function embedBatch(
  services: Services,
  job: { id: string; keeper_id: string; owner_id: string },
  { model, afterId, signal }: { model: EmbeddingModel; afterId: string; signal: AbortSignal },
): Promise<{ count: number; lastId: string | null }> {
  const { db } = services
  const keeper = { id: job.keeper_id, owner_id: job.owner_id }
  const rows = await db.longRead(
    queryPendingCards(db, keeper, model.name)
      .select(['id', 'content', 'ai_visible', 'state'])
      .where('id', '>', afterId)
      .orderBy('id')
      .limit(maxBatchSize),
  )
  const cards = limitToOneRequest(rows)
  const { providerChoice } = model
  const sendableCards = providerChoice ? cards.filter(canSend) : []
  const vectors = new Map<string, { model: string; vector: Vector | undefined }>()
  for (const card of cards) vectors.set(card.id, { model: builtInModel, vector: undefined })
  if (providerChoice && sendableCards.length > 0) {
    const texts = sendableCards.map(({ content }) => content)
    const embeddings = await requestEmbeddings(services, {
      personId: job.owner_id,
      runId: job.id,
      choice: providerChoice,
      texts,
      signal,
      retries: maxRetries,
    })
    for (const [index, card] of sendableCards.entries())
      vectors.set(card.id, { model: model.name, vector: embeddings[index] })
  }
  const writes = cards.flatMap((card) => createWrites(services, card, vectors.get(card.id)))
  await retryWhileBusy(services, () => db.batch(writes))
  return { count: cards.length, lastId: cards.at(-1)?.id ?? null }
}

function limitToOneRequest(cards: PendingCard[]): PendingCard[] {
  let characters = 0
  const cutIndex = cards.findIndex(({ content }) => {
    characters += content.length
    return characters > maxRequestCharacters
  })
  // A single card is always sent, as the model's limit truncates it.
  return cutIndex === -1 ? cards : cards.slice(0, Math.max(1, cutIndex))
}

/** Applies only if text and consent are unchanged since the text was read; otherwise the card stays pending. */
function createWrites(
  services: Services,
  card: PendingCard,
  embedding: { model: string; vector: Vector | undefined } | undefined,
): Write[] {
  if (!embedding) return []
  const now = services.now().getTime()
  const vector =
    embedding.vector ?? (embedding.model === builtInModel ? computeBuiltInEmbedding(card.content) : undefined)
  const statusWrite = services.db
    .updateTable('memory_cards')
    .set({ embedded_with: embedding.model, embedded_at: now })
    .where('id', '=', card.id)
    .where('content', '=', card.content)
    .where('ai_visible', '=', card.ai_visible)
    .where('state', '=', card.state)
  return vector
    ? [createVectorWrite(services, card, { model: embedding.model, vector }, now), statusWrite]
    : [statusWrite]
}

export function queryPendingCards(db: Database, keeper: Pick<KeeperRow, 'id' | 'owner_id'>, model: string) {
  return (
    db
      .selectFrom('memory_cards')
      .where(isOwnedIn(keeper))
      // Nothing of a deleted keeper is sent to a provider.
      .where(({ exists, selectFrom }) =>
        exists(selectFrom('keepers').select('id').where('id', '=', keeper.id).where('deleted_at', 'is', null)),
      )
      .where((where) => {
        const lacksVector = (name: string) =>
          where.or([where('embedded_with', 'is', null), where('embedded_with', '!=', name)])
        return where.or([
          where.and([where('ai_visible', '=', true), where('state', '=', 'active'), lacksVector(model)]),
          where.and([
            where.or([where('ai_visible', '=', false), where('state', '=', 'draft')]),
            lacksVector(builtInModel),
          ]),
        ])
      })
  )
}

export function canSend(card: { ai_visible: boolean; state: string }): boolean {
  return card.ai_visible && card.state === 'active'
}
