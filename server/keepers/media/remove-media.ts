import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { createMediaNotFound, requireMediaFor } from './require-media.ts'

const entryNames = { voice: 'voice entry', moment: 'moment', source: 'document' }

/** Deletes the row; the sweep deletes unreferenced bytes. @throws Problem 404; 409 while an entry shows it */
export async function removeMedia(services: Services, person: Pick<Person, 'id'>, id: string): Promise<void> {
  const row = await requireMediaFor(services, person, id)
  if (row.entity === null) {
    const { numDeletedRows } = await services.db
      .deleteFrom('media')
      .where('id', '=', id)
      .where('person_id', '=', person.id)
      .where('entity', 'is', null)
      .executeTakeFirst()
    if (numDeletedRows === 1n) return
  }
  const { entity } = await services.db
    .selectFrom('media')
    .select('entity')
    .where('id', '=', id)
    .executeTakeFirst()
    .then((currentRow) => currentRow ?? { entity: null })
  if (entity === null) throw createMediaNotFound()
  throw new Problem('conflict', { message: `A ${entryNames[entity]} uses this file. Remove it there first.` })
}
