import type * as z from 'zod/mini'
import type { KeeperType, keeperTypes } from '#contract/keepers/keeper-types.ts'
import type { Person } from '#server/accounts/person.ts'
import { insertWithSlug, toSlugBase } from '#server/insert-with-slug.ts'
import type { Services } from '#server/services.ts'
import { type KeeperTypeRow, toKeeperType } from './visible-keeper-types.ts'

type NewKeeperType = z.output<typeof keeperTypes.create.body & {}>

export async function createKeeperType(services: Services, person: Person, input: NewKeeperType): Promise<KeeperType> {
  const row = await insertWithSlug(services, toSlugBase(input.name) || 'type', (names): Promise<KeeperTypeRow> => {
    const now = services.now().getTime()
    return services.db
      .insertInto('keeper_types')
      .values({
        ...names,
        owner_id: person.id,
        name: input.name,
        description: input.description ?? '',
        memory_pattern: input.memoryPattern || 'SOLE',
        system: false,
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  })
  return toKeeperType(services, row, person)
}
