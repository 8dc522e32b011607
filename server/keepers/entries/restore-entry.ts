import { entityNames } from '#contract/keepers/entity-names.ts'
import { trashRetentionMs } from '#contract/keepers/entries.ts'
import type { Entity } from '#contract/keepers/keeper-fields.ts'
import type { Person } from '#server/accounts/person.ts'
import { UniqueViolation } from '#server/db/database-errors.ts'
import { publishToReaders } from '#server/domains/readable-shares.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { deletableTables, type EntryEntity, getEntryTable } from './entry-tables.ts'
import { publishKeeperChanged } from './publish-keeper-changed.ts'

type Owner = Pick<Person, 'id'>
interface RestoredEntry {
  entity: Entity
  id: string
  keeperId: string
}

/** @throws Problem 404 when it is not in this person's trash, or its parent is; 409 when its name is in use */
export async function restoreEntry(
  services: Services,
  person: Owner,
  { entity, id }: { entity: Entity; id: string },
): Promise<RestoredEntry> {
  const keeperId = entity === 'keeper' ? id : await requireRestorableParent(services, person, entity, id)
  await restoreRow(services, person, entity, id)
  publishKeeperChanged(services, person.id, keeperId, entity)
  if (entity === 'keeper' || entity === 'journey') await publishToReaders(services, entity, id)
  return { entity, id, keeperId }
}

async function restoreRow(services: Services, person: Owner, entity: Entity, id: string): Promise<void> {
  try {
    const { numUpdatedRows } = await services.db
      .updateTable(deletableTables[entity] as 'reflections')
      .set({ deleted_at: null })
      .where('id', '=', id)
      .where('owner_id', '=', person.id)
      .where('deleted_at', '>', getOldestRestorable(services))
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw createNotFoundProblem(entityNames[entity])
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    const name = entityNames[entity].toLowerCase()
    throw new Problem('conflict', {
      message: `Another ${name} has this name now. Rename that one, then restore this one.`,
    })
  }
}

async function requireRestorableParent(
  services: Services,
  person: Owner,
  entity: EntryEntity,
  id: string,
): Promise<string> {
  const table = getEntryTable(entity)
  const row = await services.db
    .selectFrom(table)
    .innerJoin('keepers', 'keepers.id', `${table}.keeper_id`)
    .select(['keepers.id', 'keepers.title', 'keepers.deleted_at'])
    .where(`${table}.id`, '=', id)
    .where(`${table}.owner_id`, '=', person.id)
    .where(`${table}.deleted_at`, '>', getOldestRestorable(services))
    .executeTakeFirst()
  if (!row) throw createNotFoundProblem(entityNames[entity])
  if (row.deleted_at !== null) throw createParentDeletedProblem('keeper', row.title)
  if (entity === 'path') {
    const journey = await services.db
      .selectFrom('paths')
      .innerJoin('journeys', 'journeys.id', 'paths.journey_id')
      .select('journeys.title')
      .where('paths.id', '=', id)
      .where('journeys.deleted_at', 'is not', null)
      .executeTakeFirst()
    if (journey) throw createParentDeletedProblem('journey', journey.title)
  }
  return row.id
}

const getOldestRestorable = (services: Services) => services.now().getTime() - trashRetentionMs

const createNotFoundProblem = (name: string) => new Problem('not-found', { message: `${name} not found` })

const createParentDeletedProblem = (parentKind: string, title: string) =>
  new Problem('not-found', {
    message: `Its ${parentKind} "${title}" was deleted too. Restore the ${parentKind} first.`,
  })
