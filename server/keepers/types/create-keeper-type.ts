import type * as z from 'zod/mini'
import { slugFrom } from '#contract/agents/agent-slug.ts'
import type { KeeperType, keeperTypes } from '#contract/keepers/keeper-types.ts'
import type { Person } from '#server/accounts/person.ts'
import { UniqueViolation } from '#server/db/database-errors.ts'
import type { Services } from '#server/services.ts'
import { type KeeperTypeRow, keeperTypeView } from './visible-keeper-types.ts'

type NewKeeperType = z.output<typeof keeperTypes.create.body & {}>

/** Makes a keeper type of one's own. Its slug is made from the name; when it is taken, with a few characters more. */
export async function createKeeperType(services: Services, person: Person, given: NewKeeperType): Promise<KeeperType> {
  const base = slugFrom(given.name).slice(0, 54).replace(/-$/, '') || 'type'
  // Once: carried out again under its key, it comes to the same one.
  const id = services.newId()
  const free = await insert(base).catch((error: unknown) => {
    if (error instanceof UniqueViolation) return insert(`${base}-${services.newId().slice(0, 8)}`)
    throw error
  })
  return keeperTypeView(services, free, person)

  async function insert(slug: string): Promise<KeeperTypeRow> {
    const now = services.now().getTime()
    return services.db
      .insertInto('keeper_types')
      .values({
        id,
        owner_id: person.id,
        slug,
        name: given.name,
        description: given.description ?? '',
        memory_pattern: given.memoryPattern || 'SOLE',
        system: false,
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  }
}
