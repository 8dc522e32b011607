import { getMediaKind } from '#contract/keepers/media.ts'
import { trimEndMatching } from '#contract/trim-end.ts'
import type { Person } from '#server/accounts/person.ts'
import { type MediaSegment, sendMedia } from '#server/media/send-media.ts'
import type { Services } from '#server/services.ts'
import type { MediaRow } from './media-view.ts'
import { createMediaNotFound, requireMediaFor } from './require-media.ts'

const extensionByMime: Record<string, string> = {
  'image/jpeg': 'jpg',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'video/quicktime': 'mov',
  'text/plain': 'txt',
}

/** @throws Problem 404 */
export async function sendBytes(
  services: Services,
  person: Pick<Person, 'id'>,
  id: string,
  range: string | null,
): Promise<Response> {
  return sendMediaBytes(services, await requireMediaFor(services, person, id), range)
}

/** For a reader with access; `chunks` limits the content. @throws Problem 404 when the bytes are missing */
export async function sendMediaBytes(
  services: Services,
  row: MediaRow,
  range: string | null,
  chunks?: readonly MediaSegment[],
): Promise<Response> {
  const { id, sha256, mime } = row
  const response = await sendMedia(services.media, {
    sha256,
    mime,
    filename: getFileName(row),
    range,
    segments: chunks,
  })
  if (response) return response
  services.log.error({ mediaId: id, sha256 }, 'the file of an upload is missing')
  throw createMediaNotFound()
}

/** ASCII characters that are safe in headers and file systems. */
function getFileName({ id, name, mime }: MediaRow): string {
  const extension = `.${extensionByMime[mime] ?? mime.slice(mime.indexOf('/') + 1)}`
  const cleanName = (name ?? '')
    .replace(/\.[A-Za-z0-9]{1,5}$/, '')
    .replace(/[^A-Za-z0-9 ._-]+/g, '-')
    .replace(/^[ .-]+/, '')
  const baseName = trimEndMatching(cleanName, /[ .-]/).slice(0, 100)
  return `${baseName || `${getMediaKind(mime)}-${id.slice(-8)}`}${extension}`
}
