import { entityNames } from '#contract/keepers/entity-names.ts'
import { keptInBinMs } from '#contract/keepers/entries.ts'
import type { Entity } from '#contract/keepers/keeper-words.ts'
import type { Person } from '#server/accounts/person.ts'
import { UniqueViolation } from '#server/db/database-errors.ts'
import { tellReaders } from '#server/domains/tell-readers.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { type EntryEntity, entryTables } from './entry-tables.ts'
import { tellKeeperChanged } from './tell-keeper-changed.ts'

type Owner = Pick<Person, 'id'>
interface Restored {
  entity: Entity
  id: string
  keeperId: string
}

/** @throws Problem 404 when it is not in this person's bin, or its parent is; 409 when its name is in use */
export async function restoreEntry(
  services: Services,
  person: Owner,
  { entity, id }: { entity: Entity; id: string },
): Promise<Restored> {
  if (entity === 'keeper') {
    const { numUpdatedRows } = await services.db
      .updateTable('keepers')
      .set({ deleted_at: null })
      .where('id', '=', id)
      .where('owner_id', '=', person.id)
      .where('deleted_at', '>', oldest(services))
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw notInBin('Keeper')
    tellKeeperChanged(services, person.id, id, 'keeper')
    await tellReaders(services, 'keeper', id)
    return { entity, id, keeperId: id }
  }
  const keeperId = await requireOpenPlace(services, person, entity, id)
  await takeOut(services, person, entity, id)
  tellKeeperChanged(services, person.id, keeperId, entity)
  if (entity === 'journey') await tellReaders(services, entity, id)
  return { entity, id, keeperId }
}

async function takeOut(services: Services, person: Owner, entity: EntryEntity, id: string): Promise<void> {
  try {
    const { numUpdatedRows } = await services.db
      .updateTable(entryTables[entity] as 'reflections')
      .set({ deleted_at: null })
      .where('id', '=', id)
      .where('owner_id', '=', person.id)
      .where('deleted_at', '>', oldest(services))
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw notInBin(entityNames[entity])
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    const name = entityNames[entity].toLowerCase()
    throw new Problem('conflict', {
      message: `Another ${name} has this name now. Rename that one, then restore this one.`,
    })
  }
}

/** Returns the keeper id. The parent must be restored first. */
async function requireOpenPlace(services: Services, person: Owner, entity: EntryEntity, id: string): Promise<string> {
  const row = await services.db
    .selectFrom(entryTables[entity] as 'reflections')
    .innerJoin('keepers', 'keepers.id', `${entryTables[entity] as 'reflections'}.keeper_id`)
    .select(['keepers.id', 'keepers.title', 'keepers.deleted_at'])
    .where(`${entryTables[entity] as 'reflections'}.id`, '=', id)
    .where(`${entryTables[entity] as 'reflections'}.owner_id`, '=', person.id)
    .where(`${entryTables[entity] as 'reflections'}.deleted_at`, '>', oldest(services))
    .executeTakeFirst()
  if (!row) throw notInBin(entityNames[entity])
  if (row.deleted_at !== null) throw liesIn('keeper', row.title)
  if (entity === 'path') {
    const journey = await services.db
      .selectFrom('paths')
      .innerJoin('journeys', 'journeys.id', 'paths.journey_id')
      .select('journeys.title')
      .where('paths.id', '=', id)
      .where('journeys.deleted_at', 'is not', null)
      .executeTakeFirst()
    if (journey) throw liesIn('journey', journey.title)
  }
  return row.id
}

const oldest = (services: Services) => services.now().getTime() - keptInBinMs

const notInBin = (name: string) => new Problem('not-found', { message: `${name} not found` })

const liesIn = (where: string, title: string) =>
  new Problem('not-found', { message: `Its ${where} "${title}" was deleted too. Restore that first.` })
