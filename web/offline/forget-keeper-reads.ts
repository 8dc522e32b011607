export async function forgetKeeperReads(keeperId: string): Promise<void> {
  // If the code can't load, nothing was cached either.
  await import('./cached-reads.ts').then(
    ({ forgetKeeper }) => forgetKeeper(keeperId),
    () => undefined,
  )
}
