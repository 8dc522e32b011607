import { hash } from 'node:crypto'
import { LruMap } from '#contract/lru-map.ts'
import type { Services } from '#server/services.ts'
import { askEmbeddings } from './ask-embeddings.ts'
import { builtInEmbedding } from './built-in-embedding.ts'
import type { EmbeddingModel } from './embedding-model.ts'
import type { Vector } from './vectors.ts'

/** Someone is waiting: after this time a word search is better. */
const patienceMs = 4_000
const keptMs = 10 * 60 * 1000
const maxVectors = 500

interface Kept {
  vector: Vector
  until: number
}
/** Keyed by a hash, so that the query itself is not stored. */
const kept = new WeakMap<Services, LruMap<string, Kept>>()

/** Cached for ten minutes. Undefined for a query without words.
 * @throws ModelFailure; Problem when a budget is exhausted or the key cannot be opened */
export async function queryVector(
  services: Services,
  { personId, model, query }: { personId: string; model: EmbeddingModel; query: string },
): Promise<Vector | undefined> {
  if (!model.from) return builtInEmbedding(query)
  const known = kept.get(services) ?? new LruMap<string, Kept>(maxVectors)
  kept.set(services, known)
  const name = hash('sha256', JSON.stringify([personId, model.name, query]), 'base64url')
  const now = services.now().getTime()
  for (const [old, { until }] of known) if (until <= now) known.delete(old)
  const remembered = known.get(name)
  if (remembered) return remembered.vector
  const [vector] = await askEmbeddings(services, {
    ...{ personId, runId: services.newId(), choice: model.from, texts: [query], retries: 0 },
    signal: AbortSignal.timeout(patienceMs),
    limits: { wallMs: patienceMs, firstByteMs: patienceMs },
  })
  if (!vector) return undefined
  known.set(name, { vector, until: now + keptMs })
  return vector
}
