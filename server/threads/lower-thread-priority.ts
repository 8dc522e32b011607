import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { basename } from 'node:path'

/**
 * This thread takes the time that others leave: `niceness` from 1, a little, to 19, only what nobody wants. Linux has a
 * priority for each thread; in a process that may not change its own, or elsewhere, all are equal.
 */
export function lowerThreadPriority(niceness: number): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), niceness)
  } catch {
    return
  }
}
