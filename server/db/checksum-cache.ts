import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { dayMs } from '#server/values/time-units.ts'
import { listBackups, mediaFolder } from './backup.ts'
import { type Manifest, readManifest } from './backup-archive.ts'
import type { ChecksumLookup } from './media-for-backup.ts'

const nightsToReadAll = 7

/** Returns checksums of media that the previous nightly backup read, so each file is read again only every seventh night. The file must be the same inode, unchanged in size and not written since. */
export async function createChecksumCache(dataDir: string, now: Date): Promise<ChecksumLookup> {
  const previous = await findPreviousNightly(dataDir, now)
  if (!previous) return async () => undefined
  const { folder, manifest } = previous
  const createdAt = Date.parse(manifest.madeAt)
  return async (from, sha256) => {
    const path = `${mediaFolder}/${sha256.slice(0, 2)}/${sha256}`
    const listedFile = manifest.files[path]
    if (listedFile?.sha256 !== sha256 || isRereadDue(createdAt, now.getTime(), sha256)) return undefined
    const [current, backedUp] = await Promise.all([from, join(folder, path)].map(statFile))
    if (!current || !backedUp || current.dev !== backedUp.dev || current.ino !== backedUp.ino) return undefined
    return current.size === BigInt(listedFile.bytes) && current.mtimeMs < createdAt ? listedFile : undefined
  }
}

async function findPreviousNightly(
  dataDir: string,
  now: Date,
): Promise<{ folder: string; manifest: Manifest } | undefined> {
  for (const { name, kind } of await listBackups(dataDir, now)) {
    if (kind !== 'nightly') continue
    const folder = join(dataDir, 'backups', name)
    const manifest = await readManifest(folder).catch(() => undefined)
    if (manifest) return { folder, manifest }
  }
  return undefined
}

/** The hash assigns each file to one of seven nights. Times in ms. */
function isRereadDue(previousTime: number, now: number, sha256: string): boolean {
  const [previousNight, tonight] = [previousTime, now].map((time) => Math.floor(time / dayMs)) as [number, number]
  const nightsAgo = (tonight - (Number.parseInt(sha256.slice(0, 8), 16) % nightsToReadAll)) % nightsToReadAll
  return nightsAgo < tonight - previousNight
}

// Inode numbers can exceed the exact range of a double.
const statFile = (path: string) => stat(path, { bigint: true }).catch(() => undefined)
