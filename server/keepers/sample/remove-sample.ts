import { getSampleKeeperId } from '#contract/keepers/sample-keeper.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { deleteKeeperRows } from '../entries/delete-keeper-rows.ts'
import { publishKeeperChanged } from '../entries/publish-keeper-changed.ts'

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
