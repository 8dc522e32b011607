import type { Updateable } from 'kysely'
import type * as z from 'zod/mini'
import type { KeeperType, keeperTypes } from '#contract/keepers/keeper-types.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Schema } from '#server/db/schema.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { type KeeperTypeRow, requireOwnKeeperType, toKeeperType } from './visible-keeper-types.ts'

type TypeChanges = z.output<typeof keeperTypes.update.body & {}>

const maxSaveAttempts = 4

/** Doesn't change the slug, because URLs contain it. @throws Problem 404, 403; `stale` with `{yours, current}` */
export async function updateKeeperType(
  services: Services,
  person: Person,
  id: string,
  input: TypeChanges,
  ifMatch: number | null,
): Promise<KeeperType> {
  for (let attempt = 1; ; attempt++) {
    const row = await requireOwnKeeperType(services, person, id)
    const changes: Updateable<Schema['keeper_types']> = {}
    if (input.name !== undefined) changes.name = input.name
    if (input.description !== undefined) changes.description = input.description
    if (input.memoryPattern !== undefined) changes.memory_pattern = input.memoryPattern
    if (ifMatch !== null && ifMatch !== row.rev) {
      const clientVersion = await toKeeperType(services, { ...row, ...changes, rev: ifMatch } as KeeperTypeRow, person)
      throw new Problem('stale', { data: { yours: clientVersion, current: await toKeeperType(services, row, person) } })
    }
    if (Object.keys(changes).length === 0) return toKeeperType(services, row, person)
    const updated = await services.db
      .updateTable('keeper_types')
      .set({ ...changes, updated_at: services.now().getTime(), rev: row.rev + 1 })
      .where('id', '=', row.id)
      .where('rev', '=', row.rev)
      .returningAll()
      .executeTakeFirst()
    if (updated) return toKeeperType(services, updated, person)
    if (attempt === maxSaveAttempts) throw new Problem('conflict')
  }
}
