export interface Paced {
  left: number
}

/** Starts work `perSecond` times per second, regardless of unfinished work, then waits for it. Stops early if `goesOn` returns false. */
export async function pace(
  perSecond: number,
  seconds: number,
  begin: () => Promise<unknown>,
  { patienceMs = 30_000, goesOn = () => true }: { patienceMs?: number; goesOn?(): boolean } = {},
): Promise<Paced> {
  const underWay = new Set<Promise<void>>()
  const started = performance.now()
  const total = Math.round(perSecond * seconds)
  for (let begun = 0; begun < total && goesOn(); ) {
    const due = Math.min(total, Math.floor(((performance.now() - started) / 1000) * perSecond) + 1)
    for (; begun < due; begun++) {
      const one: Promise<void> = begin().then(() => {
        underWay.delete(one)
      })
      underWay.add(one)
    }
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  const patience = new Promise((resolve) => setTimeout(resolve, patienceMs).unref())
  await Promise.race([Promise.all(underWay), patience])
  return { left: underWay.size }
}
