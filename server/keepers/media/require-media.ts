import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import type { MediaRow } from './media-view.ts'

/** A file this person uploaded to an undeleted keeper. @throws Problem 404 */
export async function requireMediaFor(
  { db }: Services,
  person: Pick<Person, 'id'>,
  id: string,
): Promise<MediaRow & { keeper_id: string }> {
  const row = await db
    .selectFrom('media')
    .innerJoin('keepers', 'keepers.id', 'media.keeper_id')
    .selectAll('media')
    .where('media.id', '=', id)
    .where('media.person_id', '=', person.id)
    .where('keepers.owner_id', '=', person.id)
    .where('keepers.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row?.keeper_id) throw createMediaNotFound()
  return { ...row, keeper_id: row.keeper_id }
}

export function createMediaNotFound(): Problem {
  return new Problem('not-found', { message: 'File not found' })
}
