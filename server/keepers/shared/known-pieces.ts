import type { MediaStore } from '#server/media/media-store.ts'
import type { Piece } from '#server/media/send-media.ts'
import { withoutMetadata } from './without-metadata.ts'

const mostPictures = 1000
/** A picture of more pieces than this is read again each time. */
const mostPieces = 200

/** Of each store by sum and type, the least lately asked first. */
const known = new WeakMap<object, Map<string, Piece[]>>()

/**
 * As {@link withoutMetadata}, and read once: a file is what its sum says, and finding the pieces of a large one in a bucket
 * takes dozens of requests.
 */
export async function piecesWithoutMetadata(
  store: Pick<MediaStore, 'size' | 'read'>,
  sha256: string,
  mime: string,
): Promise<Piece[] | undefined> {
  const ofStore = known.get(store) ?? new Map<string, Piece[]>()
  known.set(store, ofStore)
  const key = `${sha256} ${mime}`
  const pieces = ofStore.get(key) ?? (await withoutMetadata(store, sha256, mime))
  // None: the file is not there yet, or this type goes as it is.
  if (!pieces?.length || pieces.length > mostPieces) return pieces
  ofStore.delete(key)
  ofStore.set(key, pieces)
  for (const oldest of ofStore.keys()) {
    if (ofStore.size <= mostPictures) break
    ofStore.delete(oldest)
  }
  return pieces
}
