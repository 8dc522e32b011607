import type { Person } from '#server/accounts/person.ts'
import { publishToReaders } from '#server/domains/readable-shares.ts'
import type { Services } from '#server/services.ts'
import { publishKeeperChanged } from './entries/publish-keeper-changed.ts'
import { createKeeperNotFound, requireKeeperFor } from './keeper-access.ts'

/** Moves a keeper to the trash for 30 days; its entries stay unchanged but hidden. @throws Problem 404 */
export async function trashKeeper(services: Services, person: Pick<Person, 'id'>, id: string): Promise<void> {
  const keeper = await requireKeeperFor(services, person, id)
  const { numUpdatedRows } = await services.db
    .updateTable('keepers')
    .set({ deleted_at: services.now().getTime() })
    .where('id', '=', keeper.id)
    .where('owner_id', '=', person.id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw createKeeperNotFound()
  publishKeeperChanged(services, person.id, keeper.id, 'keeper')
  await publishToReaders(services, 'keeper', keeper.id)
}
