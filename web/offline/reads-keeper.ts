import { noteKeptRead } from './what-is-kept.ts'

const keptReads = () => import('./kept-reads.ts')

/** Between the API and what is kept of it: the code that keeps comes when there is something to keep. */
export const readsKeeper = {
  keep(url: string, answer: unknown): void {
    keptReads().then(
      ({ keepRead }) => keepRead(url, answer),
      () => undefined,
    )
  },
  async find(url: string): Promise<{ answer: unknown } | undefined> {
    // Without the server this code itself may be out of reach.
    const kept = await keptReads()
      .then(({ findRead }) => findRead(url))
      .catch(() => undefined)
    if (kept) noteKeptRead(kept.at)
    return kept
  },
}
