import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'

/** Larger archives need zip64, which not every tool can open. */
export const maxZipBytes = 4_000_000_000

export interface FileToZip {
  name: string
  readBytes: () => Promise<Blob>
  modifiedAt: string | number
  /** Pictures and PDFs gain nothing by compressing them again. */
  isAlreadyCompressed?: boolean
}

/** Streams files into a zip. @throws when bytes are missing */
export async function zipFiles(files: readonly FileToZip[], onProgress?: (done: number) => void): Promise<Blob> {
  const parts: Blob[] = []
  let failure: Error | undefined
  const zip = new Zip((error, chunk) => {
    if (error) failure = error
    // Copied into a Blob, out of the page's memory.
    else parts.push(new Blob([chunk as Uint8Array<ArrayBuffer>]))
  })
  for (const [index, file] of files.entries()) {
    await addEntry(zip, file)
    onProgress?.(index + 1)
    if (failure) throw failure
  }
  zip.end()
  if (failure) throw failure
  return new Blob(parts, { type: 'application/zip' })
}

async function addEntry(
  zip: Zip,
  { name, readBytes, modifiedAt, isAlreadyCompressed = false }: FileToZip,
): Promise<void> {
  const entry = isAlreadyCompressed ? new ZipPassThrough(name) : new ZipDeflate(name, { level: 6 })
  entry.mtime = modifiedAt
  zip.add(entry)
  const reader = (await readBytes()).stream().getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    entry.push(value)
  }
  entry.push(new Uint8Array(0), true)
}
