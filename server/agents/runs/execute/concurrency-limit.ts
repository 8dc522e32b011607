export type ConcurrencyLimit = <T>(work: () => Promise<T>) => Promise<T>

export function limitConcurrency(maxConcurrent: number): ConcurrencyLimit {
  const waitingStarts: (() => void)[] = []
  let freeSlots = maxConcurrent
  return async (work) => {
    if (freeSlots > 0) freeSlots -= 1
    else await new Promise<void>((resolve) => waitingStarts.push(resolve))
    try {
      return await work()
    } finally {
      const startNext = waitingStarts.shift()
      if (startNext) startNext()
      else freeSlots += 1
    }
  }
}
