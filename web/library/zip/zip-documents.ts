import { maxZipBytes, zipFiles } from '#web/files/zip-files.ts'
import type { LibraryDocument } from '../documents.ts'
import { getArchiveNames, metadataName } from './archive-names.ts'

/** Streams the documents plus documents.json with their metadata. @throws if bytes are missing or exceed the zip limit */
export async function zipDocuments(
  documents: readonly LibraryDocument[],
  readBytes: (document: LibraryDocument) => Promise<Blob>,
  exportedAt: string,
): Promise<Blob> {
  if (documents.reduce((total, { size }) => total + size, 0) > maxZipBytes) {
    throw new RangeError('Together, the documents exceed 4 GB. Select fewer and export them in batches.')
  }
  const names = getArchiveNames(documents)
  const metadata = documents.map(({ id, name, type, size, uploadedAt, description, tags, sha256 }, index) => ({
    file: names[index],
    id,
    name,
    type,
    size,
    uploadedAt,
    description,
    tags,
    sha256,
  }))
  const metadataFile = new Blob([JSON.stringify({ exportedAt, documents: metadata }, null, 2)])
  return zipFiles([
    { name: metadataName, readBytes: async () => metadataFile, modifiedAt: exportedAt },
    ...documents.map((document, index) => ({
      name: names[index] ?? document.id,
      readBytes: () => readBytes(document),
      modifiedAt: document.uploadedAt,
      isAlreadyCompressed: document.format === 'pdf',
    })),
  ])
}
