import { getCurrentStore } from './local-store.ts'
import { StoreClosedError } from './signed-in-user.ts'

interface CachedRead {
  url: string
  at: string
  answer: unknown
}

/** Cached for offline reading: keepers with their contents, and the account. Never files or keys. */
const cacheablePattern = /^\/api\/(keeper\/|memory-patterns|agent-classes|themes|kam\/(auth\/session|settings))/
/** Searches are private and useless offline. */
const searchPattern = /[?&](q|query)=/
const maxAnswerLength = 2_000_000
const maxCachedReads = 600

export async function cacheRead(url: string, answer: unknown): Promise<void> {
  const store = getCurrentStore()
  if (!store || !isCacheable(url)) return
  try {
    if (JSON.stringify(answer).length > maxAnswerLength) return
    await store.put('reads', url, { url, at: new Date().toISOString(), answer } satisfies CachedRead)
    if (Math.random() < 0.02) await evictOldest()
  } catch (reason) {
    // A full disk only means less to read offline.
    if (!(reason instanceof StoreClosedError || reason instanceof DOMException)) throw reason
  }
}

export async function findCachedRead(url: string): Promise<CachedRead | undefined> {
  const store = getCurrentStore()
  if (!store || !isCacheable(url)) return undefined
  try {
    return await store.get<CachedRead>('reads', url)
  } catch (reason) {
    if (reason instanceof StoreClosedError) return undefined
    throw reason
  }
}

/** Drops every cached answer about the keeper; it is removed from the cached list of keepers. */
export async function forgetKeeper(keeperId: string): Promise<void> {
  const store = getCurrentStore()
  if (!store) return
  const segment = new RegExp(`/${escapeRegExp(encodeURIComponent(keeperId))}(?=[/?]|$)`)
  try {
    for (const read of await store.getAll<CachedRead>('reads')) {
      const { url, answer } = read
      const mentionsKeeper = url.startsWith('/api/keeper/') && JSON.stringify(answer).includes(JSON.stringify(keeperId))
      if (!segment.test(url) && !mentionsKeeper) continue
      const keepers = (answer as { data?: unknown } | null)?.data
      if (url === keeperListPath && Array.isArray(keepers)) {
        const data = keepers.filter(({ id }: { id?: unknown }) => id !== keeperId)
        await store.put('reads', url, { ...read, answer: { ...(answer as object), data } })
      } else await store.remove('reads', url)
    }
  } catch (reason) {
    if (!(reason instanceof StoreClosedError || reason instanceof DOMException)) throw reason
  }
}

const keeperListPath = '/api/keeper/keepers'
const escapeRegExp = (text: string) => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')

const isCacheable = (url: string) => cacheablePattern.test(url) && !searchPattern.test(url)

async function evictOldest(): Promise<void> {
  const store = getCurrentStore()
  const cachedReads = (await store?.getAll<CachedRead>('reads')) ?? []
  const evicted = cachedReads.toSorted((a, b) => (a.at < b.at ? 1 : -1)).slice(maxCachedReads)
  for (const { url } of evicted) await store?.remove('reads', url)
}
