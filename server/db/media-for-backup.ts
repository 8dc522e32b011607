import { link, rm, stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { computeChecksum, copyWithChecksum, type FileChecksum } from './backup-archive.ts'
import { DiskFull } from './database-errors.ts'

export type MediaCopier = (from: string, to: string) => Promise<FileChecksum>

export type ChecksumLookup = (from: string, sha256: string) => Promise<FileChecksum | undefined>

const findNoChecksum: ChecksumLookup = async () => undefined

export async function readFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

const contentAddressedPath = /[/\\]([0-9a-f]{64})$/

/** Hard-links content-addressed files, so that backups share their bytes, and copies the others. Copies leave `reservedBytes` free on the disk. */
export function createMediaLinker(
  reservedBytes: number,
  { linkFile = link, getFreeBytes = readFreeBytes, findChecksum = findNoChecksum } = {},
): MediaCopier {
  return async (from, to) => {
    const [, sha256] = contentAddressedPath.exec(from) ?? []
    if (sha256 !== undefined && (await isLinked(linkFile, from, to)))
      return (await findChecksum(from, sha256)) ?? (await computeChecksum(to))
    const { size } = await stat(from)
    if ((await getFreeBytes(dirname(to))) - size < reservedBytes)
      throw new DiskFull('There is no space for copies of pictures and recordings.')
    return copyWithChecksum(from, to)
  }
}

async function isLinked(linkFile: typeof link, from: string, to: string): Promise<boolean> {
  try {
    await linkFile(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error
    await rm(to, { force: true })
    return false
  }
}
