import type * as z from 'zod/mini'
import type { Keeper, keepers } from '#contract/keepers/keepers.ts'
import type { Person } from '#server/accounts/person.ts'
import { UniqueViolation } from '#server/db/database-errors.ts'
import { idTaken } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { tellKeeperChanged } from './entries/tell-keeper-changed.ts'
import { keeperView } from './keeper-view.ts'
import { typeOfKeeper } from './type-of-keeper.ts'

type NewKeeper = z.output<typeof keepers.create.body & {}>

/** Idempotent by id. @throws Problem 400 for an unknown type; 409 for an id in use */
export async function createKeeper(services: Services, person: Pick<Person, 'id'>, given: NewKeeper): Promise<Keeper> {
  const { db } = services
  const keeperTypeId = given.keeperTypeId === '' ? undefined : given.keeperTypeId
  const word = given.keeperType || (keeperTypeId ? undefined : 'custom')
  const type = await typeOfKeeper(services, person, { keeperType: word, keeperTypeId })
  const now = services.now().getTime()
  const id = given.id ?? services.newId()
  try {
    await db
      .insertInto('keepers')
      .values({
        id,
        owner_id: person.id,
        title: given.title,
        purpose: given.purpose,
        keeper_type: word ?? type?.slug ?? 'custom',
        keeper_type_id: type?.id ?? null,
        memory_pattern: given.memoryPattern || type?.memory_pattern || 'SOLE',
        theme: given.theme ?? 'keeper-classic',
        is_public: given.isPublic ?? false,
        created_at: now,
        updated_at: now,
        deleted_at: null,
      })
      .execute()
    tellKeeperChanged(services, person.id, id, 'keeper')
  } catch (error) {
    if (!(error instanceof UniqueViolation) || given.id === undefined) throw error
  }
  const made = await db
    .selectFrom('keepers')
    .selectAll()
    .where('id', '=', id)
    .where('owner_id', '=', person.id)
    .executeTakeFirst()
  if (!made) throw idTaken()
  return keeperView(services, made)
}
