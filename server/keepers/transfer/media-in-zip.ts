import { mostMediaBytes } from '#contract/keepers/media.ts'
import type { ZipReader } from './zip-reader.ts'

/** Of one entry, wherever it comes from: what goes out has to come in again. */
export const mostFiles = 200

/** Whether the zip has a file and it may be kept. */
export function isInZip(zip: ZipReader, { file }: { file: string }): boolean {
  const size = zip.sizeOf(file)
  return size !== undefined && size > 0 && size <= mostMediaBytes
}
