import { createHash } from 'node:crypto'
import { LruMap } from '#contract/lru-map.ts'
import { requireAttempt } from '#server/http/throttle.ts'
import { ProcessBus } from '#server/live/process-bus.ts'
import type { ModelFailure } from '#server/models/model-failure.ts'
import type { Services } from '#server/services.ts'
import { hourMs } from '#server/values/time-units.ts'

const cacheTtlMs = hourMs
const failureCacheTtlMs = 60 * 1000
const maxLists = 1000
const maxAddresses = 200

export interface ListKey {
  kind: 'models' | 'voices'
  provider: string
  /** The owner of the key: a person's id, `platform`, or `null` for none. */
  payer: string | null
  key: string | null
  baseUrl: string | null
}

export type ListResult<Item> =
  | { items: Item[]; problem: null }
  | { items: null; problem: string; failure?: Pick<ModelFailure, 'code' | 'status'> }

interface CachedList {
  result: ListResult<unknown>
  fetchedAt: number
  ownerKey: string
}

/** Caches lists for an hour by provider and key, without storing keys. */
export class ListCache {
  readonly #cached = new LruMap<string, CachedList>(maxLists)
  readonly #latest = new LruMap<string, readonly unknown[]>(maxAddresses)
  readonly #pending = new Map<string, Promise<CachedList>>()
  readonly #bus: ProcessBus

  constructor(bus = new ProcessBus()) {
    this.#bus = bus
    bus.on('lists-forgotten', ({ owner, provider }) => this.#forget(owner, provider))
    bus.onMissed(() => this.#cached.clear())
  }

  async get<Item>(
    key: ListKey,
    { fresh, now, fetchList }: { fresh: boolean; now: () => number; fetchList: () => Promise<ListResult<Item>> },
  ): Promise<{ result: ListResult<Item>; fetchedAt: number }> {
    const cacheKey = toCacheKey(key)
    const cached = this.#cached.get(cacheKey)
    const ttlMs = cached?.result.problem === null ? cacheTtlMs : failureCacheTtlMs
    if (cached && !fresh && now() - cached.fetchedAt < ttlMs) return cached as CachedList & { result: ListResult<Item> }
    let pending = this.#pending.get(cacheKey)
    if (!pending) {
      pending = fetchList()
        .then((result) => {
          const list = { result, fetchedAt: now(), ownerKey: toOwnerKey(key.payer, key.provider) }
          if (result.items) this.#latest.set(toAddressKey(key), result.items)
          this.#cached.set(cacheKey, list)
          return list
        })
        .finally(() => this.#pending.delete(cacheKey))
      this.#pending.set(cacheKey, pending)
    }
    return pending as Promise<CachedList & { result: ListResult<Item> }>
  }

  /** The latest list of an address for any key, or undefined. Only for internal choices, never shown. */
  getLatest<Item>(key: Pick<ListKey, 'kind' | 'provider' | 'baseUrl'>): readonly Item[] | undefined {
    return this.#latest.get(toAddressKey(key)) as readonly Item[] | undefined
  }

  forget(owner: string, provider: string): void {
    this.#forget(owner, provider)
    this.#bus.send({ kind: 'lists-forgotten', owner, provider })
  }

  /** Forgets a provider's lists after its settings changed, in this process only. */
  forgetProvider(provider: string): void {
    for (const [cacheKey, { ownerKey }] of this.#cached)
      if (ownerKey.startsWith(`${provider} `)) this.#cached.delete(cacheKey)
  }

  #forget(owner: string, provider: string): void {
    for (const [cacheKey, { ownerKey }] of this.#cached)
      if (ownerKey === toOwnerKey(owner, provider)) this.#cached.delete(cacheKey)
  }
}

function toOwnerKey(payer: string | null, provider: string): string {
  return `${provider} ${payer ?? ''}`
}

const toAddressKey = ({ kind, provider, baseUrl }: Pick<ListKey, 'kind' | 'provider' | 'baseUrl'>) =>
  JSON.stringify([kind, provider, baseUrl])

function toCacheKey({ kind, provider, payer, key, baseUrl }: ListKey): string {
  return createHash('sha256')
    .update(JSON.stringify([kind, provider, payer, key, baseUrl]))
    .digest('base64url')
}

/** Limits how often a person bypasses the cache of provider lists. @throws Problem `too-many` */
export async function requireRefreshQuota(services: Services, person: { id: string }, kind: string): Promise<void> {
  const message = 'The lists were refreshed too often. They’re cached for an hour; wait a minute to refresh again.'
  await requireAttempt(services, { kind, limit: 6, windowMs: 60_000 }, person.id, message)
}
