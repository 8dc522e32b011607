import { getMediaKind } from '#contract/keepers/media.ts'
import type { MediaSize } from '#contract/keepers/small-version.ts'
import { trimEndMatching } from '#contract/trim-end.ts'
import type { Person } from '#server/accounts/person.ts'
import type { MediaStore } from '#server/media/media-store.ts'
import { type MediaSegment, sendMedia } from '#server/media/send-media.ts'
import type { Services } from '#server/services.ts'
import { removeMetadata } from '../shared/without-metadata.ts'
import { createMediaNotFound, type MediaRow, requireMediaFor } from './media-view.ts'
import { selectSize } from './small-versions.ts'

const extensionByMime: Record<string, string> = {
  'image/jpeg': 'jpg',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'video/quicktime': 'mov',
  'text/plain': 'txt',
  'audio/x-caf': 'caf',
  'video/3gpp': '3gp',
  'video/x-matroska': 'mkv',
  'video/x-msvideo': 'avi',
}

/** Text formats that browsers display as text; web pages are excluded. */
const textExtension = /\.(?:md|markdown|csv|tsv|json|xml|rtf|log)$/i

export interface BytesRequest {
  size?: MediaSize
  range: string | null
}

/** @throws Problem 404 */
export async function sendBytes(
  services: Services,
  person: Pick<Person, 'id'>,
  id: string,
  request: BytesRequest,
): Promise<Response> {
  return sendMediaBytes(services, await requireMediaFor(services, person, id), request)
}

/**
 * For a reader with access; `withoutMetadata` for anyone but the owner.
 * @throws Problem 404 when the bytes are missing
 */
export async function sendMediaBytes(
  services: Services,
  row: MediaRow,
  { size, range }: BytesRequest,
  { withoutMetadata = false } = {},
): Promise<Response> {
  const { sha256, mime } = await selectSize(services, 'media', row, size)
  const segments = withoutMetadata ? await loadChunksWithoutMetadata(services.media, sha256, mime) : undefined
  const filename = getFileName({ ...row, mime })
  const response = await sendMedia(services.media, { sha256, mime, filename, range, segments })
  if (response) return response
  services.log.error({ mediaId: row.id, sha256 }, 'the file of an upload is missing')
  throw createMediaNotFound()
}

/** ASCII characters that are safe in headers and file systems. */
function getFileName({ id, name, mime }: Pick<MediaRow, 'id' | 'name' | 'mime'>): string {
  const ownExtension = mime === 'text/plain' ? textExtension.exec(name ?? '')?.[0] : undefined
  const extension = ownExtension ?? `.${extensionByMime[mime] ?? mime.slice(mime.indexOf('/') + 1)}`
  const cleanName = (name ?? '')
    .replace(/\.[A-Za-z0-9]{1,5}$/, '')
    .replace(/[^A-Za-z0-9 ._-]+/g, '-')
    .replace(/^[ .-]+/, '')
  const baseName = trimEndMatching(cleanName, /[ .-]/).slice(0, 100)
  return `${baseName || `${getMediaKind(mime)}-${id.slice(-8)}`}${extension}`
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
