import type { Keeper } from '#contract/keepers/keepers.ts'
import { getSampleKeeperId } from '#contract/keepers/sample-keeper.ts'
import { sampleKeeperPurpose, sampleKeeperTitle } from '#contract/samples/sample-story.ts'
import type { Person } from '#server/accounts/person.ts'
import { UniqueViolation } from '#server/db/database-errors.ts'
import type { Services } from '#server/services.ts'
import { publishKeeperChanged } from '../entries/publish-keeper-changed.ts'
import { deleteKeeperRows } from '../entries/purge-trash.ts'
import { requireKeeperFor } from '../keeper-access.ts'
import { toKeeper } from '../keeper-view.ts'
import { createSampleWrites } from './sample-rows.ts'

/** Creates the sample, or takes the existing one out of the trash. Its `keeper_type_id` is null, so type counts ignore it. */
export async function createSample(services: Services, person: Person, timezone = 'UTC'): Promise<Keeper> {
  const { db } = services
  const now = services.now().getTime()
  const id = getSampleKeeperId(person.id)
  try {
    await db.batch([
      db.insertInto('keepers').values({
        id,
        owner_id: person.id,
        title: sampleKeeperTitle,
        purpose: sampleKeeperPurpose,
        keeper_type: 'journal',
        keeper_type_id: null,
        memory_pattern: 'SOLE',
        theme: 'keeper-classic',
        is_public: false,
        created_at: now,
        updated_at: now,
        deleted_at: null,
      }),
      ...createSampleWrites(services, { keeperId: id, ownerId: person.id, timezone }),
    ])
    publishKeeperChanged(services, person.id, id, 'keeper')
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    await db
      .updateTable('keepers')
      .set({ deleted_at: null })
      .where('id', '=', id)
      .where('deleted_at', 'is not', null)
      .execute()
  }
  return toKeeper(services, await requireKeeperFor(services, person, id))
}

export async function removeSample(services: Services, person: Pick<Person, 'id'>): Promise<void> {
  const { db } = services
  const id = getSampleKeeperId(person.id)
  await deleteKeeperRows(db, () =>
    db.selectFrom('keepers').select('id').where('id', '=', id).where('owner_id', '=', person.id),
  )
  await db.batch([
    db.deleteFrom('media').where('keeper_id', '=', id),
    db.deleteFrom('keepers').where('id', '=', id).where('owner_id', '=', person.id),
  ])
  publishKeeperChanged(services, person.id, id, 'keeper')
}
