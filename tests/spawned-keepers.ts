import type { ChildProcess } from 'node:child_process'
import { rmSync } from 'node:fs'

/** Ended after each test of any file, because a process that runs several files evaluates this module once. */
export const spawnedKeepers = new Set<ChildProcess>()
export const temporaryFolders = new Set<string>()

export function endSpawnedKeepers(): void {
  for (const child of spawnedKeepers) child.kill('SIGKILL')
}

export function removeTemporaryFolders(): void {
  for (const path of temporaryFolders) rmSync(path, { recursive: true, force: true })
  temporaryFolders.clear()
}
