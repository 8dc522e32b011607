import { recordCachedRead } from './storage-status.ts'

const loadCachedReads = () => import('./cached-reads.ts')

/** Loads the cache code on first use. */
export const readCache = {
  store(url: string, answer: unknown): void {
    loadCachedReads().then(
      ({ cacheRead }) => cacheRead(url, answer),
      () => undefined,
    )
  },
  async find(url: string): Promise<{ answer: unknown } | undefined> {
    // Offline, the chunk itself may fail to load.
    const cached = await loadCachedReads()
      .then(({ findCachedRead }) => findCachedRead(url))
      .catch(() => undefined)
    if (cached) recordCachedRead(cached.at)
    return cached
  },
}
