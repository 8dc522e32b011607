import type { MediaStore } from '#server/media/media-store.ts'
import type { MediaSegment } from '#server/media/send-media.ts'
import { removeMetadata } from './without-metadata.ts'

const maxPictures = 1000

const chunkCaches = new WeakMap<object, Map<string, Promise<MediaSegment[] | undefined>>>()

/** Content never changes under its checksum, and reading a large file from a bucket takes dozens of requests. */
export async function loadChunksWithoutMetadata(
  store: Pick<MediaStore, 'getSize' | 'read'>,
  sha256: string,
  mime: string,
): Promise<MediaSegment[] | undefined> {
  const storeCache = chunkCaches.get(store) ?? new Map<string, Promise<MediaSegment[] | undefined>>()
  chunkCaches.set(store, storeCache)
  const key = `${sha256} ${mime}`
  const pendingChunks = storeCache.get(key) ?? removeMetadata(store, sha256, mime)
  storeCache.delete(key)
  storeCache.set(key, pendingChunks)
  for (const oldest of storeCache.keys()) {
    if (storeCache.size <= maxPictures) break
    storeCache.delete(oldest)
  }
  const chunks = await pendingChunks.catch((error: unknown) => {
    if (storeCache.get(key) === pendingChunks) storeCache.delete(key)
    throw error
  })
  // Not cached: the file can still arrive, or its type has nothing to remove.
  if (!chunks?.length && storeCache.get(key) === pendingChunks) storeCache.delete(key)
  return chunks
}
