import type * as z from 'zod/mini'
import type { Keeper, keepers } from '#contract/keepers/keepers.ts'
import type { Person } from '#server/accounts/person.ts'
import { UniqueViolation } from '#server/db/database-errors.ts'
import { idTaken } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { publishKeeperChanged } from './entries/publish-keeper-changed.ts'
import { toKeeper } from './keeper-view.ts'
import { resolveKeeperType } from './resolve-keeper-type.ts'

type NewKeeper = z.output<typeof keepers.create.body & {}>

/** Idempotent by id. @throws Problem 400 for an unknown type; 409 for an id in use */
export async function createKeeper(services: Services, person: Pick<Person, 'id'>, input: NewKeeper): Promise<Keeper> {
  const { db } = services
  const keeperTypeId = input.keeperTypeId === '' ? undefined : input.keeperTypeId
  const typeText = input.keeperType || (keeperTypeId ? undefined : 'custom')
  const type = await resolveKeeperType(services, person, { keeperType: typeText, keeperTypeId })
  const now = services.now().getTime()
  const id = input.id ?? services.newId()
  try {
    await db
      .insertInto('keepers')
      .values({
        id,
        owner_id: person.id,
        title: input.title,
        purpose: input.purpose,
        keeper_type: typeText ?? type?.slug ?? 'custom',
        keeper_type_id: type?.id ?? null,
        memory_pattern: input.memoryPattern || type?.memory_pattern || 'SOLE',
        theme: input.theme ?? 'keeper-classic',
        is_public: input.isPublic ?? false,
        created_at: now,
        updated_at: now,
        deleted_at: null,
      })
      .execute()
    publishKeeperChanged(services, person.id, id, 'keeper')
  } catch (error) {
    if (!(error instanceof UniqueViolation) || input.id === undefined) throw error
  }
  const created = await db
    .selectFrom('keepers')
    .selectAll()
    .where('id', '=', id)
    .where('owner_id', '=', person.id)
    .executeTakeFirst()
  if (!created) throw idTaken()
  return toKeeper(services, created)
}
