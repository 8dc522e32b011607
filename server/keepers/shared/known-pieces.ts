import type { MediaStore } from '#server/media/media-store.ts'
import type { Piece } from '#server/media/send-media.ts'
import { withoutMetadata } from './without-metadata.ts'

const maxPictures = 1000

/** By store, checksum and type, least recently used first. */
const cachedPieces = new WeakMap<object, Map<string, Promise<Piece[] | undefined>>>()

/** Cached {@link removeMetadata}: content never changes under its checksum, and reading a large file from a bucket
 * takes
 * dozens of requests. */
export async function piecesWithoutMetadata(
  store: Pick<MediaStore, 'size' | 'read'>,
  sha256: string,
  mime: string,
): Promise<Piece[] | undefined> {
  const ofStore = cachedPieces.get(store) ?? new Map<string, Promise<Piece[] | undefined>>()
  cachedPieces.set(store, ofStore)
  const key = `${sha256} ${mime}`
  const reading = ofStore.get(key) ?? withoutMetadata(store, sha256, mime)
  ofStore.delete(key)
  ofStore.set(key, reading)
  for (const oldest of ofStore.keys()) {
    if (ofStore.size <= maxPictures) break
    ofStore.delete(oldest)
  }
  const pieces = await reading.catch((error: unknown) => {
    if (ofStore.get(key) === reading) ofStore.delete(key)
    throw error
  })
  // Not cached: the file can still arrive, or its type has nothing to remove.
  if (!pieces?.length && ofStore.get(key) === reading) ofStore.delete(key)
  return pieces
}
