import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'

/** Measured by quality/build-memory.ts: the largest step of the build, in MB. */
export const buildMegabytes = 700

interface MachineMemory {
  totalBytes: number
  swapBytes: number
  /** Memory limit of the container or service, if any. */
  limitBytes: number | undefined
}

/** A sentence for people if the machine has less memory than building the pages needs. */
export function checkBuildMemory(memory: MachineMemory = readMachineMemory()): string | undefined {
  const isLimited = memory.limitBytes !== undefined && memory.limitBytes < memory.totalBytes
  const bytes = isLimited ? (memory.limitBytes ?? 0) : memory.totalBytes + memory.swapBytes
  const megabytes = Math.round(bytes / 1024 / 1024)
  if (megabytes >= buildMegabytes) return undefined
  return (
    `Building the pages takes ${buildMegabytes} MB of memory, and ${isLimited ? 'this container or service has' : 'this machine has'} ${megabytes} MB. ` +
    'Use a release, which is already built, or add swap (README.md, “Memory”). The previous build wasn’t touched: check out its version to start it. ' +
    'To build anyway, run `npm run node -- scripts/build.ts`.'
  )
}

function readMachineMemory(): MachineMemory {
  return { totalBytes: totalmem(), swapBytes: readSwap(), limitBytes: process.constrainedMemory() || undefined }
}

function readSwap(): number {
  try {
    return Number(/^SwapTotal:\s+(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}
