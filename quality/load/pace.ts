export interface PaceResult {
  unfinished: number
}

/** Starts work `perSecond` times per second, regardless of unfinished work, then waits up to `drainTimeoutMs` for it. Stops early if `shouldContinue` returns false. */
export async function pace(
  perSecond: number,
  seconds: number,
  startWork: () => Promise<unknown>,
  {
    drainTimeoutMs = 30_000,
    shouldContinue = () => true,
  }: { drainTimeoutMs?: number; shouldContinue?(): boolean } = {},
): Promise<PaceResult> {
  const running = new Set<Promise<void>>()
  const started = performance.now()
  const total = Math.round(perSecond * seconds)
  for (let startedCount = 0; startedCount < total && shouldContinue(); ) {
    const due = Math.min(total, Math.floor(((performance.now() - started) / 1000) * perSecond) + 1)
    for (; startedCount < due; startedCount++) {
      const work: Promise<void> = startWork().then(() => {
        running.delete(work)
      })
      running.add(work)
    }
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  const timeout = new Promise((resolve) => setTimeout(resolve, drainTimeoutMs).unref())
  await Promise.race([Promise.all(running), timeout])
  return { unfinished: running.size }
}
