import { mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
const prefix = 'keeper-test-run-'
/** A whole run holds a few hundred MB at once. */
const roomBytes = 4 * 1024 ** 3

/**
 * Where tests write: a folder in memory when the machine has room there, gone when this process ends; else the usual
 * temporary folder stays. A fresh PostgreSQL database is a thousand files: 12 ms in memory, 300 to 600 on a disk.
 * Processes started from here inherit it and leave it in place.
 */
export function writeInMemory(): void {
  if (tmpdir().startsWith(join(memory, prefix)) || roomIn(memory) < roomBytes) return
  removeLeftovers()
  const folder = join(memory, `${prefix}${process.pid}`)
  // Others may pass through but not look around: PostgreSQL runs as a user of its own when the tests run as root.
  mkdirSync(folder, { recursive: true, mode: 0o711 })
  process.env.TMPDIR = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
}

function roomIn(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return 0
  }
}

/** Of runs that were killed: memory that nobody would give back. */
function removeLeftovers(): void {
  for (const name of readdirSync(memory)) {
    if (!name.startsWith(prefix) || isRunning(Number(name.slice(prefix.length)))) continue
    try {
      rmSync(join(memory, name), { recursive: true, force: true })
    } catch {
      // A process that it began still writes there; the next run takes it away.
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
