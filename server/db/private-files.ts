import { chmodSync, lstatSync, readdirSync, type Stats, statSync } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Every bit that lets the group or everybody else do something. */
const othersBits = 0o077
const stickyBit = 0o1000

/** Entries of the data folder that Keeper itself writes; anything else in it is left as it is. */
const ownEntry =
  /^(?:data\.db(?:-wal|-shm|-journal)?|keeper\.lock(?:-journal)?|master\.key(?:\..+)?|admin\.sock|restore-in-progress|media|imports|backups|(?:restoring|before-restore)-\w+)$/
const ownBackup = /^(?:nightly|keeper|before)-/

export interface ModeRepair {
  /** The folder itself let others in. */
  folderWasOpen: boolean
  /** How many files and folders were closed, the data folder included. */
  closed: number
  /** Paths that others can still reach, with the reason. */
  stillOpen: { path: string; reason: string }[]
}

/** Files that this process writes from now on belong to its owner alone. Only the main thread can say so, for all of them. */
export function keepNewFilesPrivate(): void {
  process.umask(othersBits)
}

/**
 * Takes the rights of others from the data folder and from Keeper's own entries directly in it. A closed folder shields
 * everything below it, so this costs the same however many files there are; `closeFilesBelow` does the rest.
 * By path only, and before the database is opened: a descriptor of it closed in this process would drop SQLite's locks.
 */
export function closeDataFolder(dataDir: string): ModeRepair {
  const repair: ModeRepair = { folderWasOpen: false, closed: 0, stillOpen: [] }
  const folder = statSync(dataDir, { throwIfNoEntry: false })
  if (process.platform === 'win32' || !folder?.isDirectory()) return repair
  repair.folderWasOpen = (folder.mode & othersBits) !== 0
  // A folder with the sticky bit is shared on purpose, as /tmp is: closing it would lock out every other program.
  if (repair.folderWasOpen && folder.mode & stickyBit)
    repair.stillOpen.push({ path: dataDir, reason: 'a shared folder with the sticky bit' })
  else close(dataDir, folder, repair)
  try {
    for (const name of readdirSync(dataDir)) if (ownEntry.test(name)) closeEntry(join(dataDir, name), repair)
  } catch (error) {
    repair.stillOpen.push({ path: dataDir, reason: reasonOf(error) })
  }
  return repair
}

function closeEntry(path: string, repair: ModeRepair): void {
  const entry = lstatSync(path, { throwIfNoEntry: false })
  if (!entry) return
  if (entry.isSymbolicLink()) {
    const target = statSync(path, { throwIfNoEntry: false })
    if (target && target.mode & othersBits) repair.stillOpen.push({ path, reason: 'a link to a place outside' })
  } else close(path, entry, repair)
}

/** Everything below media, imports and Keeper's own backups. Never throws for a file that is deleted concurrently. */
export async function closeFilesBelow(dataDir: string): Promise<ModeRepair> {
  const repair: ModeRepair = { folderWasOpen: false, closed: 0, stillOpen: [] }
  if (process.platform === 'win32') return repair
  for (const name of await namesIn(dataDir))
    if (ownEntry.test(name)) await closeBelow(join(dataDir, name), repair, name === 'backups' ? ownBackup : undefined)
  return repair
}

async function closeBelow(folder: string, repair: ModeRepair, isOwn?: RegExp): Promise<void> {
  if (!(await lstat(folder).catch(unlessMissing))?.isDirectory()) return
  for (const name of await namesIn(folder)) {
    if (isOwn && !isOwn.test(name)) continue
    const path = join(folder, name)
    const entry = await lstat(path).catch(unlessMissing)
    if (!entry || entry.isSymbolicLink()) continue
    close(path, entry, repair)
    if (entry.isDirectory()) await closeBelow(path, repair)
  }
}

function close(path: string, { mode }: Stats, repair: ModeRepair): void {
  if ((mode & othersBits) === 0) return
  try {
    chmodSync(path, mode & 0o7777 & ~othersBits)
    // Some file systems (exFAT, SMB) accept a mode and keep their own.
    if (statSync(path).mode & othersBits) repair.stillOpen.push({ path, reason: 'the file system keeps its own modes' })
    else repair.closed += 1
  } catch (error) {
    if (reasonOf(error) !== 'ENOENT') repair.stillOpen.push({ path, reason: reasonOf(error) })
  }
}

function reasonOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error)
}

export function isReadableByOthers(path: string): boolean {
  if (process.platform === 'win32') return false
  const file = statSync(path, { throwIfNoEntry: false })
  return file !== undefined && (file.mode & 0o044) !== 0
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(unlessMissing)) ?? []
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
}
