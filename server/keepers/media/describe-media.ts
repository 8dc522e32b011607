import type { Media } from '#contract/keepers/media.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { publishKeeperChanged } from '../entries/publish-keeper-changed.ts'
import { toMedia } from './media-view.ts'
import { createMediaNotFound, requireMediaFor } from './require-media.ts'

export async function describeMedia(
  services: Services,
  person: Pick<Person, 'id'>,
  id: string,
  alt: string | null,
): Promise<Media> {
  const { keeper_id, entity } = await requireMediaFor(services, person, id)
  const row = await services.db
    .updateTable('media')
    .set({ alt: alt || null })
    .where('id', '=', id)
    .where('person_id', '=', person.id)
    .returningAll()
    .executeTakeFirst()
  if (!row) throw createMediaNotFound()
  if (entity) publishKeeperChanged(services, person.id, keeper_id, entity)
  return toMedia(row)
}
