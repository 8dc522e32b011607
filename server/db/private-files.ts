import { chmodSync, lstatSync, readdirSync, type Stats, statSync } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoreMissing, listNames } from './file-system.ts'

const groupAndOtherBits = 0o077
const stickyBit = 0o1000

const entryNamePattern =
  /^(?:data\.db(?:-wal|-shm|-journal)?|keeper\.lock(?:-journal)?|master\.key(?:\..+)?|admin\.sock|restore-in-progress|media|imports|backups|(?:restoring|before-restore)-\w+)$/
const backupNamePattern = /^(?:nightly|keeper|before)-/

export interface ModeRepair {
  wasFolderOpen: boolean
  restrictedCount: number
  unrestricted: { path: string; reason: string }[]
}

/** Sets the umask for new files, which only the main thread can do. */
export function restrictNewFiles(): void {
  process.umask(groupAndOtherBits)
}

/** Closes the data folder and its direct entries to others; `restrictFilesBelow` does the rest. Run before opening the database: closing a descriptor of it would drop SQLite's locks. */
export function restrictDataFolder(dataDir: string): ModeRepair {
  const repair: ModeRepair = { wasFolderOpen: false, restrictedCount: 0, unrestricted: [] }
  const folder = statSync(dataDir, { throwIfNoEntry: false })
  if (process.platform === 'win32' || !folder?.isDirectory()) return repair
  repair.wasFolderOpen = (folder.mode & groupAndOtherBits) !== 0
  // A folder with the sticky bit, like /tmp, is shared on purpose.
  if (repair.wasFolderOpen && folder.mode & stickyBit)
    repair.unrestricted.push({ path: dataDir, reason: 'a shared folder with the sticky bit' })
  else restrictMode(dataDir, folder, repair)
  try {
    for (const name of readdirSync(dataDir)) if (entryNamePattern.test(name)) restrictEntry(join(dataDir, name), repair)
  } catch (error) {
    repair.unrestricted.push({ path: dataDir, reason: getErrorCode(error) })
  }
  return repair
}

function restrictEntry(path: string, repair: ModeRepair): void {
  const entry = lstatSync(path, { throwIfNoEntry: false })
  if (!entry) return
  if (entry.isSymbolicLink()) {
    const target = statSync(path, { throwIfNoEntry: false })
    if (target && target.mode & groupAndOtherBits)
      repair.unrestricted.push({ path, reason: 'a link; others can read its target' })
  } else restrictMode(path, entry, repair)
}

export async function restrictFilesBelow(dataDir: string): Promise<ModeRepair> {
  const repair: ModeRepair = { wasFolderOpen: false, restrictedCount: 0, unrestricted: [] }
  if (process.platform === 'win32') return repair
  for (const name of await listNames(dataDir))
    if (entryNamePattern.test(name))
      await restrictBelow(join(dataDir, name), repair, name === 'backups' ? backupNamePattern : undefined)
  return repair
}

async function restrictBelow(folder: string, repair: ModeRepair, include?: RegExp): Promise<void> {
  if (!(await lstat(folder).catch(ignoreMissing))?.isDirectory()) return
  for (const name of await listNames(folder)) {
    if (include && !include.test(name)) continue
    const path = join(folder, name)
    const entry = await lstat(path).catch(ignoreMissing)
    if (!entry || entry.isSymbolicLink()) continue
    restrictMode(path, entry, repair)
    if (entry.isDirectory()) await restrictBelow(path, repair)
  }
}

function restrictMode(path: string, { mode }: Stats, repair: ModeRepair): void {
  if ((mode & groupAndOtherBits) === 0) return
  try {
    chmodSync(path, mode & 0o7777 & ~groupAndOtherBits)
    // Some file systems (exFAT, SMB) accept a mode without applying it.
    if (statSync(path).mode & groupAndOtherBits)
      repair.unrestricted.push({ path, reason: 'the file system keeps its own modes' })
    else repair.restrictedCount += 1
  } catch (error) {
    if (getErrorCode(error) !== 'ENOENT') repair.unrestricted.push({ path, reason: getErrorCode(error) })
  }
}

function getErrorCode(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error)
}

export function isReadableByOthers(path: string): boolean {
  if (process.platform === 'win32') return false
  const file = statSync(path, { throwIfNoEntry: false })
  return file !== undefined && (file.mode & 0o044) !== 0
}
