import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { dayMs } from '#server/hours-and-days.ts'
import { backupsIn, mediaFolder } from './backup.ts'
import { type Manifest, readManifest } from './backup-archive.ts'
import type { KnownSum } from './media-for-backup.ts'

const nightsToReadAll = 7

/**
 * Sums of pictures and recordings that the nightly backup before has read, so that this one need not read all of them
 * again. Only of a file that is the very one that backup holds, as long as it was, and not written since; and not when
 * its night of the seven came since that backup, in which it is read all the same: a disk changes bytes without saying so. Who then asks is told
 * what the bytes were kept with: that they are others by now is found by a restore, and by that night.
 */
export async function knownSums(dataDir: string, now: Date): Promise<KnownSum> {
  const before = await nightBefore(dataDir, now)
  if (!before) return async () => undefined
  const { folder, manifest } = before
  const madeAt = Date.parse(manifest.madeAt)
  return async (from, sha256) => {
    const path = `${mediaFolder}/${sha256.slice(0, 2)}/${sha256}`
    const listed = manifest.files[path]
    if (listed?.sha256 !== sha256 || isReadBetween(madeAt, now.getTime(), sha256)) return undefined
    const [here, there] = await Promise.all([from, join(folder, path)].map(fileAt))
    if (!here || !there || here.dev !== there.dev || here.ino !== there.ino) return undefined
    return here.size === BigInt(listed.bytes) && here.mtimeMs < madeAt ? listed : undefined
  }
}

/** The newest one whose list is as it was written. */
async function nightBefore(dataDir: string, now: Date): Promise<{ folder: string; manifest: Manifest } | undefined> {
  for (const { name, kind } of await backupsIn(dataDir, now)) {
    if (kind !== 'nightly') continue
    const folder = join(dataDir, 'backups', name)
    const manifest = await readManifest(folder).catch(() => undefined)
    if (manifest) return { folder, manifest }
  }
  return undefined
}

/** Whether its night came since the one before, however many nights were left out. */
function isReadBetween(before: number, now: number, sha256: string): boolean {
  const [last, tonight] = [before, now].map((time) => Math.floor(time / dayMs)) as [number, number]
  const nightsAgo = (tonight - (Number.parseInt(sha256.slice(0, 8), 16) % nightsToReadAll)) % nightsToReadAll
  return nightsAgo < tonight - last
}

/** In whole numbers: numbers of files are larger than a double holds exactly on some file systems. */
const fileAt = (path: string) => stat(path, { bigint: true }).catch(() => undefined)
