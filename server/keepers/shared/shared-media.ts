import type { Person } from '#server/accounts/person.ts'
import { requireDomainTo } from '#server/domains/domain-access.ts'
import type { Services } from '#server/services.ts'
import { mediaNotFound } from '../media/require-media.ts'
import { sendBytesOf } from '../media/send-bytes.ts'
import { piecesWithoutMetadata } from './known-pieces.ts'
import { isMomentToRead } from './moments-to-read.ts'

/** A file of a shared moment. Only its owner gets a picture with its camera metadata. @throws Problem 404 */
export async function sharedMedia(
  services: Services,
  person: Person,
  { id: domainId, mediaId }: { id: string; mediaId: string },
  range: string | null,
): Promise<Response> {
  await requireDomainTo(services, person, domainId, 'see')
  const row = await services.db
    .selectFrom('media')
    .innerJoin('moments', 'moments.id', 'media.entity_id')
    .selectAll('media')
    .where('media.id', '=', mediaId)
    .where('media.entity', '=', 'moment')
    .whereRef('media.person_id', '=', 'moments.owner_id')
    .where(isMomentToRead(services, person, domainId))
    .executeTakeFirst()
  if (!row) throw mediaNotFound()
  if (row.person_id === person.id) return sendBytesOf(services, row, range)
  const pieces = await piecesWithoutMetadata(services.media, row.sha256, row.mime)
  return sendBytesOf(services, row, range, pieces)
}
