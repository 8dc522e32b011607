import { mostMediaBytes } from '#contract/keepers/media.ts'
import type { ZipReader } from './zip-reader.ts'

/** Per entry, for every source: an export must be importable again. */
export const mostFiles = 200

export function isInZip(zip: ZipReader, { file }: { file: string }): boolean {
  const size = zip.sizeOf(file)
  return size !== undefined && size > 0 && size <= mostMediaBytes
}
