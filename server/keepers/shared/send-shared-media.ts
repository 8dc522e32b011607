import type { Person } from '#server/accounts/person.ts'
import { requireDomainAccess } from '#server/domains/domain-access.ts'
import type { Services } from '#server/services.ts'
import { createMediaNotFound } from '../media/media-view.ts'
import { type BytesRequest, sendMediaBytes } from '../media/send-bytes.ts'
import { createReadableMomentCondition } from './shared-views.ts'

/** A file of a shared moment. Only its owner gets a picture with its camera metadata. @throws Problem 404 */
export async function sendSharedMedia(
  services: Services,
  person: Person,
  { id: domainId, mediaId }: { id: string; mediaId: string },
  request: BytesRequest,
): Promise<Response> {
  await requireDomainAccess(services, person, domainId, 'see')
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
