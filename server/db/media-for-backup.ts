import { link, rm, stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { copyWithSum, type Sum, sumOf } from './backup-archive.ts'
import { DiskFull } from './database-errors.ts'

export type BringMedia = (from: string, to: string) => Promise<Sum>

export type KnownSum = (from: string, sha256: string) => Promise<Sum | undefined>

const noneKnown: KnownSum = async () => undefined

export const copied: BringMedia = copyWithSum

export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** Content-addressed files of FolderMedia are never rewritten. */
const neverChanged = /[/\\]([0-9a-f]{64})$/

/** Hard-links content-addressed files, so that backups share their bytes, and copies elsewhere. `reserve`: bytes that copies leave free on the disk. */
export function linkedElseCopied(
  reserve: number,
  { linkFile = link, freeOf = freeBytes, knownSum = noneKnown } = {},
): BringMedia {
  return async (from, to) => {
    const [, sha256] = neverChanged.exec(from) ?? []
    if (sha256 !== undefined && (await isLinked(linkFile, from, to)))
      return (await knownSum(from, sha256)) ?? (await sumOf(to))
    const { size } = await stat(from)
    if ((await freeOf(dirname(to))) - size < reserve)
      throw new DiskFull('There is no space for copies of pictures and recordings.')
    return copyWithSum(from, to)
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
