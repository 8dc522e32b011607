import { mediaKindOf } from '#contract/keepers/media.ts'
import { trimEndOf } from '#contract/trim-end-of.ts'
import type { Person } from '#server/accounts/person.ts'
import { type Piece, sendMedia } from '#server/media/send-media.ts'
import type { Services } from '#server/services.ts'
import type { MediaRow } from './media-view.ts'
import { mediaNotFound, requireMediaFor } from './require-media.ts'

const extensions: Record<string, string> = {
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
  return sendBytesOf(services, await requireMediaFor(services, person, id), range)
}

/** For a reader with access; `chunks` limits the content. @throws Problem 404 when the bytes are missing */
export async function sendBytesOf(
  services: Services,
  row: MediaRow,
  range: string | null,
  pieces?: readonly Piece[],
): Promise<Response> {
  const { id, sha256, mime } = row
  const wanted = { sha256, mime, filename: fileNameOf(row), range, pieces }
  const answer = await sendMedia(services.media, wanted)
  if (answer) return answer
  services.log.error({ mediaId: id, sha256 }, 'the file of an upload is missing')
  throw mediaNotFound()
}

/** ASCII characters that are safe in headers and file systems. */
function fileNameOf({ id, name, mime }: MediaRow): string {
  const ending = `.${extensions[mime] ?? mime.slice(mime.indexOf('/') + 1)}`
  const spelled = (name ?? '')
    .replace(/\.[A-Za-z0-9]{1,5}$/, '')
    .replace(/[^A-Za-z0-9 ._-]+/g, '-')
    .replace(/^[ .-]+/, '')
  const plain = trimEndOf(spelled, /[ .-]/).slice(0, 100)
  return `${plain || `${mediaKindOf(mime)}-${id.slice(-8)}`}${ending}`
}
