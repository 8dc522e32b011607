import { getCurrentStore, getStorageStatus, type LocalStore, updateStorageStatus } from './local-store.ts'
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
/** Share of writes that evict old reads; counting on every write would be slow. */
const evictionProbability = 0.02

const isCacheable = (url: string) => cacheablePattern.test(url) && !searchPattern.test(url)

/** The last answers, for reading while the server can't be reached. */
export const readCache = {
  store: cacheRead,
  async find(url: string): Promise<CachedRead | undefined> {
    const cached = await findCachedRead(url)
    const { oldestReadAt } = getStorageStatus()
    if (cached && (oldestReadAt === null || cached.at < oldestReadAt)) updateStorageStatus({ oldestReadAt: cached.at })
    return cached
  },
}

export function cacheRead(url: string, answer: unknown): Promise<void> {
  return withStore(async (store) => {
    if (!isCacheable(url) || JSON.stringify(answer).length > maxAnswerLength) return
    await store.put('reads', url, { url, at: new Date().toISOString(), answer } satisfies CachedRead)
    if (Math.random() < evictionProbability) await evictOldest(store)
  })
}

export async function findCachedRead(url: string): Promise<CachedRead | undefined> {
  return isCacheable(url) ? withStore((store) => store.get<CachedRead>('reads', url)) : undefined
}

/** Drops every cached answer about the keeper; it is removed from the cached list of keepers. */
export function forgetKeeperReads(keeperId: string): Promise<void> {
  const segment = new RegExp(`/${escapeRegExp(encodeURIComponent(keeperId))}(?=[/?]|$)`)
  return withStore(async (store) => {
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
  })
}

const keeperListPath = '/api/keeper/keepers'
const escapeRegExp = (text: string) => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')

async function evictOldest(store: LocalStore): Promise<void> {
  const cachedReads = await store.getAll<CachedRead>('reads')
  const evicted = cachedReads.toSorted((a, b) => (a.at < b.at ? 1 : -1)).slice(maxCachedReads)
  for (const { url } of evicted) await store.remove('reads', url)
}

/** Ignores failures: signing out or a full disk only means less to read offline. */
async function withStore<Answer>(task: (store: LocalStore) => Promise<Answer>): Promise<Answer | undefined> {
  const store = getCurrentStore()
  if (!store) return undefined
  try {
    return await task(store)
  } catch (reason) {
    if (reason instanceof StoreClosedError || reason instanceof DOMException) return undefined
    throw reason
  }
}
