import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Memory in use after a garbage collection, including buffers. */
export function heldMiB(): number {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1024 / 1024
}

/** Repeats {@link measureUsedMiB} until it no longer shrinks: finalizers free some objects late. */
export async function settledMiB(): Promise<number> {
  let least = heldMiB()
  for (let unchanged = 0; unchanged < 3; ) {
    await setTimeout(20)
    const held = heldMiB()
    unchanged = held < least - 0.5 ? 0 : unchanged + 1
    least = Math.min(least, held)
  }
  return least
}
