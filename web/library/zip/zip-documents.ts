import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'
import type { LibraryDocument } from '../documents.ts'
import { metadataName, zipNames } from './zip-names.ts'

/** Larger archives need zip64, which not every tool can open. */
const mostZipBytes = 4_000_000_000

/** Streams the documents plus documents.json with their metadata. @throws if bytes are missing or exceed the zip limit */
export async function zipDocuments(
  documents: readonly LibraryDocument[],
  bytesOf: (document: LibraryDocument) => Promise<Blob>,
  { exportedAt, onProgress }: { exportedAt: string; onProgress?: (done: number) => void },
): Promise<Blob> {
  if (documents.reduce((sum, { size }) => sum + size, 0) > mostZipBytes) {
    throw new RangeError('Together they exceed 4 GB. Select fewer and export them in parts.')
  }
  const parts: Blob[] = []
  let failure: Error | undefined
  const zip = new Zip((error, piece) => {
    if (error) failure = error
    // Copied into a Blob, out of the page's memory.
    else parts.push(new Blob([piece as Uint8Array<ArrayBuffer>]))
  })
  const names = zipNames(documents)
  const about = documents.map(({ id, name, type, size, uploadedAt, description, tags, sha256 }, at) => ({
    ...{ file: names[at], id, name, type, size, uploadedAt, description, tags, sha256 },
  }))
  await addTo(zip, metadataName, new Blob([JSON.stringify({ exportedAt, documents: about }, null, 2)]), exportedAt)
  for (const [at, document] of documents.entries()) {
    const isPacked = document.format === 'pdf'
    await addTo(zip, names[at] ?? document.id, await bytesOf(document), document.uploadedAt, isPacked)
    onProgress?.(at + 1)
    if (failure) throw failure
  }
  zip.end()
  if (failure) throw failure
  return new Blob(parts, { type: 'application/zip' })
}

async function addTo(zip: Zip, name: string, blob: Blob, mtime: string, isPacked = false): Promise<void> {
  const entry = isPacked ? new ZipPassThrough(name) : new ZipDeflate(name, { level: 6 })
  entry.mtime = mtime
  zip.add(entry)
  const reader = blob.stream().getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    entry.push(value)
  }
  entry.push(new Uint8Array(0), true)
}
