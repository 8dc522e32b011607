import { getMediaKind } from '#contract/keepers/media.ts'
import type { MediaSize } from '#contract/keepers/small-version.ts'
import { trimEndMatching } from '#contract/linear-text.ts'
import { LruMap } from '#contract/lru-map.ts'
import type { MediaStore } from '#server/media/media-store.ts'
import { type MediaSegment, sendMedia } from '#server/media/send-media.ts'
import type { Services } from '#server/services.ts'
import { removeMetadata } from '../shared/without-metadata.ts'
import { createMediaNotFound, getMediaExtension, type MediaRow } from './media-view.ts'
import { selectSize } from './small-versions.ts'

/** Text formats that browsers display as text; web pages are excluded. */
const textExtension = /\.(?:md|markdown|csv|tsv|json|xml|rtf|log)$/i

export interface BytesRequest {
  size?: MediaSize
  range: string | null
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
  const originalExtension = mime === 'text/plain' ? textExtension.exec(name ?? '')?.[0] : undefined
  const extension = originalExtension ?? `.${getMediaExtension(mime)}`
  const cleanName = (name ?? '')
    .replace(/\.[A-Za-z0-9]{1,5}$/, '')
    .replace(/[^A-Za-z0-9 ._-]+/g, '-')
    .replace(/^[ .-]+/, '')
  const baseName = trimEndMatching(cleanName, /[ .-]/).slice(0, 100)
  return `${baseName || `${getMediaKind(mime)}-${id.slice(-8)}`}${extension}`
}

const maxPictures = 1000

const segmentCaches = new WeakMap<object, LruMap<string, Promise<MediaSegment[] | undefined>>>()

/** Content never changes under its checksum, and reading a large file from a bucket takes dozens of requests. */
export async function loadChunksWithoutMetadata(
  store: Pick<MediaStore, 'getSize' | 'read'>,
  sha256: string,
  mime: string,
): Promise<MediaSegment[] | undefined> {
  const cache = segmentCaches.get(store) ?? new LruMap<string, Promise<MediaSegment[] | undefined>>(maxPictures)
  segmentCaches.set(store, cache)
  const key = `${sha256} ${mime}`
  const pending = cache.get(key) ?? removeMetadata(store, sha256, mime)
  cache.set(key, pending)
  let isCacheable = false
  try {
    const segments = await pending
    // No segments: the file can still arrive, or its type has no metadata to remove.
    isCacheable = (segments ?? []).length > 0
    return segments
  } finally {
    if (!isCacheable && cache.get(key) === pending) cache.delete(key)
  }
}
