import type { Person } from '#server/accounts/person.ts'
import { requireDomainTo } from '#server/domains/domain-access.ts'
import type { MediaStore } from '#server/media/media-store.ts'
import type { MediaSegment } from '#server/media/send-media.ts'
import type { Services } from '#server/services.ts'
import { createMediaNotFound } from '../media/media-view.ts'
import { type BytesRequest, sendMediaBytes } from '../media/send-bytes.ts'
import { createReadableMomentCondition } from './show-shared-keeper.ts'
import { removeMetadata } from './without-metadata.ts'

/** A file of a shared moment. Only its owner gets a picture with its camera metadata. @throws Problem 404 */
export async function sendSharedMedia(
  services: Services,
  person: Person,
  { id: domainId, mediaId }: { id: string; mediaId: string },
  request: BytesRequest,
): Promise<Response> {
  await requireDomainTo(services, person, domainId, 'see')
  const row = await services.db
    .selectFrom('media')
    .innerJoin('moments', 'moments.id', 'media.entity_id')
    .selectAll('media')
    .where('media.id', '=', mediaId)
    .where('media.entity', '=', 'moment')
    .whereRef('media.person_id', '=', 'moments.owner_id')
    .where(createReadableMomentCondition(services, person, domainId))
    .executeTakeFirst()
  if (!row) throw createMediaNotFound()
  return sendMediaBytes(services, row, request, { withoutMetadata: row.person_id !== person.id })
}

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
