import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Memory in use after a garbage collection, including buffers. */
export function measureUsedMiB(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1024 / 1024
}

/** Repeats {@link measureUsedMiB} until it no longer shrinks: finalizers free some objects late. */
export async function measureSettledMiB(): Promise<number> {
  let lowest = measureUsedMiB()
  for (let settledReadings = 0; settledReadings < 3; ) {
    await setTimeout(20)
    const used = measureUsedMiB()
    settledReadings = used < lowest - 0.5 ? 0 : settledReadings + 1
    lowest = Math.min(lowest, used)
  }
  return lowest
}
