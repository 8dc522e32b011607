import { statSync, unlinkSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { mediaFolder } from '#server/db/backup.ts'
import type { Services } from '#server/services.ts'
import { mediaPath } from './media-files.ts'

/** Younger files may be waiting for their row. */
const youngestSwept = 24 * 60 * 60 * 1000
/** A whole file, or one that was never finished. Anything else was not put there by us. */
const ours = /^([0-9a-f]{64})(?:\.[0-9a-f]{12})?$/

/**
 * Deletes uploads that nothing shows any more, and the bytes that no row names any more: those of deleted agents,
 * people, runs and entries. Answers how many files went.
 */
export async function sweepMedia(services: Services): Promise<number> {
  await sweepUploads(services)
  const folder = join(services.settings.dataDir, mediaFolder)
  const before = services.now().getTime() - youngestSwept
  let swept = 0
  for (const part of await namesIn(folder)) {
    if (!/^[0-9a-f]{2}$/.test(part)) continue
    const names = (await namesIn(join(folder, part))).filter((name) => ours.test(name))
    const old = names.filter((name) => isOlder(join(folder, part, name), before))
    if (old.length === 0) continue
    const owned = await namedByRows(services, [...new Set(old.map((name) => name.slice(0, 64)))])
    for (const name of old) if (!owned.has(name)) swept += removeIfOlder(join(folder, part, name), before)
  }
  return swept
}

/**
 * Deletes these bytes, unless a row names them again. Those younger than a day are left to the sweep.
 * @param hashes SHA-256 in hexadecimal
 */
export async function removeMedia(services: Services, hashes: readonly string[]): Promise<void> {
  const before = services.now().getTime() - youngestSwept
  for (const sha256 of new Set(hashes)) {
    const named = await namedByRows(services, [sha256])
    if (!named.has(sha256)) removeIfOlder(mediaPath(services.settings.dataDir, sha256), before)
  }
}

/** Those of these files that some row names. */
async function namedByRows({ db }: Services, hashes: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('media')
    .select('sha256')
    .where('sha256', 'in', hashes)
    .union(db.selectFrom('board_pictures').select('sha256').where('sha256', 'in', hashes))
    .execute()
  return new Set(rows.map(({ sha256 }) => sha256))
}

/** Uploads whose time to be shown is over, and those of entries that left the bin for good. */
async function sweepUploads({ db, now }: Services): Promise<void> {
  await db.deleteFrom('media').where('entity', 'is', null).where('gone_at', '<', now().getTime()).execute()
  for (const [entity, table] of [
    ['moment', 'moments'],
    ['voice', 'voice_entries'],
  ] as const)
    await db
      .deleteFrom('media')
      .where('entity', '=', entity)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom(table).select('id').whereRef(`${table}.id`, '=', 'media.entity_id'))),
      )
      .execute()
}

// In one breath: a file that was wanted again since it was listed is young again.
function removeIfOlder(path: string, before: number): number {
  if (!isOlder(path, before)) return 0
  unlinkSync(path)
  return 1
}

function isOlder(path: string, before: number): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  return found !== undefined && found.mtimeMs < before
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
