import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { basename } from 'node:path'

/** `niceness` from 1 to 19, which only gets idle time. Linux only; does nothing where it isn't permitted. */
export function lowerThreadPriority(niceness: number): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), niceness)
  } catch {
    return
  }
}
