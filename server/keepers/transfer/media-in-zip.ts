import { maxMediaBytes } from '#contract/keepers/media.ts'
import type { ZipReader } from './zip-reader.ts'

/** Per entry of a Keeper archive: an export must be importable again. */
export const maxFilesPerEntry = 200

/** Why a file can't be imported. */
export function getFileProblem(zip: ZipReader, file: string): 'missingFile' | 'emptyFile' | 'largeFile' | undefined {
  const size = zip.getSize(file)
  if (size === undefined) return 'missingFile'
  if (size === 0) return 'emptyFile'
  return size > maxMediaBytes ? 'largeFile' : undefined
}

export function isInZip(zip: ZipReader, { file }: { file: string }): boolean {
  return getFileProblem(zip, file) === undefined
}
