import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'
import type { LibraryDocument } from '../documents.ts'
import { getArchiveNames, metadataName } from './archive-names.ts'

/** Larger archives need zip64, which not every tool can open. */
const maxZipBytes = 4_000_000_000

/** Streams the documents plus documents.json with their metadata. @throws if bytes are missing or exceed the zip limit */
export async function zipDocuments(
  documents: readonly LibraryDocument[],
  readBytes: (document: LibraryDocument) => Promise<Blob>,
  { exportedAt, onProgress }: { exportedAt: string; onProgress?: (done: number) => void },
): Promise<Blob> {
  if (documents.reduce((total, { size }) => total + size, 0) > maxZipBytes) {
    throw new RangeError('Together, the documents exceed 4 GB. Select fewer and export them in batches.')
  }
  const parts: Blob[] = []
  let failure: Error | undefined
  const zip = new Zip((error, chunk) => {
    if (error) failure = error
    // Copied into a Blob, out of the page's memory.
    else parts.push(new Blob([chunk as Uint8Array<ArrayBuffer>]))
  })
  const names = getArchiveNames(documents)
  const metadata = documents.map(({ id, name, type, size, uploadedAt, description, tags, sha256 }, index) => ({
    ...{ file: names[index], id, name, type, size, uploadedAt, description, tags, sha256 },
  }))
  await addEntry(
    zip,
    metadataName,
    new Blob([JSON.stringify({ exportedAt, documents: metadata }, null, 2)]),
    exportedAt,
  )
  for (const [index, document] of documents.entries()) {
    const isCompressed = document.format === 'pdf'
    await addEntry(zip, names[index] ?? document.id, await readBytes(document), document.uploadedAt, isCompressed)
    onProgress?.(index + 1)
    if (failure) throw failure
  }
  zip.end()
  if (failure) throw failure
  return new Blob(parts, { type: 'application/zip' })
}

async function addEntry(zip: Zip, name: string, blob: Blob, mtime: string, isCompressed = false): Promise<void> {
  const entry = isCompressed ? new ZipPassThrough(name) : new ZipDeflate(name, { level: 6 })
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
