import { maxMediaBytes } from '#contract/keepers/media.ts'
import type { ZipReader } from './zip-reader.ts'

/** Per entry, for every source: an export must be importable again. */
export const maxFilesPerEntry = 200

export function isInZip(zip: ZipReader, { file }: { file: string }): boolean {
  const size = zip.getSize(file)
  return size !== undefined && size > 0 && size <= maxMediaBytes
}
