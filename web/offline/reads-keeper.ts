import { noteKeptRead } from './what-is-kept.ts'

const keptReads = () => import('./kept-reads.ts')

/** Loads the cache code on first use. */
export const readsKeeper = {
  keep(url: string, answer: unknown): void {
    keptReads().then(
      ({ keepRead }) => keepRead(url, answer),
      () => undefined,
    )
  },
  async find(url: string): Promise<{ answer: unknown } | undefined> {
    // Offline, the chunk itself may fail to load.
    const kept = await keptReads()
      .then(({ findRead }) => findRead(url))
      .catch(() => undefined)
    if (kept) noteKeptRead(kept.at)
    return kept
  },
}
