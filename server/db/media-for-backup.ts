import { link, rm, stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { copyWithSum, type Sum, sumOf } from './backup-archive.ts'
import { DiskFull } from './database-errors.ts'

/** Puts a file of the data folder at another place, where none is yet, and answers its sum. */
export type BringMedia = (from: string, to: string) => Promise<Sum>

/** The sum of a file that is named by its content, where it need not be read for it. */
export type KnownSum = (from: string, sha256: string) => Promise<Sum | undefined>

const noneKnown: KnownSum = async () => undefined

export const copied: BringMedia = copyWithSum

/** Bytes that may be written where this folder lies. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** As FolderMedia names what it keeps, by its content: never written again. */
const neverChanged = /[/\\]([0-9a-f]{64})$/

/**
 * A second name for the same bytes, which then lie on the disk once, however many backups hold them; a copy where the
 * file system has no such thing.
 * @param reserve bytes that copies leave free on the disk
 */
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
      throw new DiskFull('There is no room for copies of pictures and recordings.')
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
