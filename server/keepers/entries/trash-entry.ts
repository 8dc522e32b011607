import { entityNames } from '#contract/keepers/entity-names.ts'
import type { Entity } from '#contract/keepers/keeper-fields.ts'
import type { Person } from '#server/accounts/person.ts'
import { requireChanges, type Write } from '#server/db/database.ts'
import { replaceError, UnexpectedChanges } from '#server/db/database-errors.ts'
import { publishToReaders } from '#server/domains/readable-shares.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { deletableTables, type EntryEntity, type EntryRow } from './entry-tables.ts'
import { publishKeeperChanged } from './publish-keeper-changed.ts'
import { requireEntryFor } from './require-entry.ts'

/** Moves an entry to the trash. Links to it stay, so that it can be restored. @throws Problem 404 */
export async function trashEntry<E extends EntryEntity>(
  services: Services,
  person: Pick<Person, 'id'>,
  entity: E,
  id: string,
  extraWrites: (row: EntryRow<E>) => Write[] = () => [],
): Promise<void> {
  const row = await requireEntryFor(services, person, entity, id)
  await trashRow(services, entity, row, row.keeper_id, extraWrites(row))
}

/** Moves a row that was just read to the trash. @throws Problem 404 */
export async function trashRow(
  services: Services,
  entity: Entity,
  { id, owner_id }: { id: string; owner_id: string },
  keeperId: string,
  extraWrites: Write[] = [],
): Promise<void> {
  const update = services.db
    .updateTable(deletableTables[entity] as 'reflections')
    .set({ deleted_at: services.now().getTime() })
    .where('id', '=', id)
    .where('owner_id', '=', owner_id)
    .where('deleted_at', 'is', null)
  const createNotFound = () => new Problem('not-found', { message: `${entityNames[entity]} not found` })
  await services.db
    .batch([requireChanges(update), ...extraWrites])
    .catch(replaceError(UnexpectedChanges, createNotFound))
  publishKeeperChanged(services, owner_id, keeperId, entity)
  if (entity === 'journey' || entity === 'keeper') await publishToReaders(services, entity, id)
}
