import { hash } from 'node:crypto'
import { LruMap } from '#contract/lru-map.ts'
import type { Services } from '#server/services.ts'
import { computeBuiltInEmbedding } from './built-in-embedding.ts'
import type { EmbeddingModel } from './embedding-model.ts'
import { requestEmbeddings } from './request-embeddings.ts'
import type { Vector } from './vectors.ts'

/** Someone is waiting: after this time a word search is better. */
const timeoutMs = 4_000
const cacheTtlMs = 10 * 60 * 1000
const maxVectors = 500

interface CachedVector {
  vector: Vector
  expiresAt: number
}
/** Keyed by a hash, so that the query itself is not stored. */
const vectorCache = new WeakMap<Services, LruMap<string, CachedVector>>()

/** Undefined without words. @throws ModelFailure; Problem when a budget is exhausted or the key cannot be opened */
export async function getQueryVector(
  services: Services,
  { personId, model, query }: { personId: string; model: EmbeddingModel; query: string },
): Promise<Vector | undefined> {
  if (!model.providerChoice) return computeBuiltInEmbedding(query)
  const cache = vectorCache.get(services) ?? new LruMap<string, CachedVector>(maxVectors)
  vectorCache.set(services, cache)
  const cacheKey = hash('sha256', JSON.stringify([personId, model.name, query]), 'base64url')
  const now = services.now().getTime()
  for (const [cachedKey, { expiresAt }] of cache) if (expiresAt <= now) cache.delete(cachedKey)
  const cached = cache.get(cacheKey)
  if (cached) return cached.vector
  const [vector] = await requestEmbeddings(services, {
    personId,
    runId: services.newId(),
    choice: model.providerChoice,
    texts: [query],
    retries: 0,
    signal: AbortSignal.timeout(timeoutMs),
    limits: { wallMs: timeoutMs, firstByteMs: timeoutMs },
  })
  if (!vector) return undefined
  cache.set(cacheKey, { vector, expiresAt: now + cacheTtlMs })
  return vector
}
