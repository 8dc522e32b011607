/** What this browser kept of a keeper that was taken away. The code comes with it: no page carries it. */
export async function forgetReadsOf(keeperId: string): Promise<void> {
  // Where even that cannot be had, nothing is kept either.
  await import('./kept-reads.ts').then(
    ({ forgetKeeper }) => forgetKeeper(keeperId),
    () => undefined,
  )
}
