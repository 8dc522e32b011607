import { sql } from 'kysely'
import type { Services } from '#server/services.ts'
import { entryTables } from '../entries/entry-tables.ts'
import type { KeeperRow } from '../keeper-access.ts'
import { type ArchivedEntity, archivedEntities } from './archive-columns.ts'

export interface Origins {
  /** `undefined` for an entry that is not in the archive, such as a deleted one. */
  get(entity: ArchivedEntity, id: string): string | undefined
}

export async function loadOrigins({ db }: Services, keeper: KeeperRow): Promise<Origins> {
  const originById = new Map<string, string>()
  for (const entity of archivedEntities) {
    const rows = await db.longRead<{ id: string; origin: string }>(
      db
        .selectFrom(entryTables[entity] as 'reflections')
        .select(['id', sql<string>`coalesce(source_id, id)`.as('origin')])
        .where('keeper_id', '=', keeper.id)
        .where('deleted_at', 'is', null),
    )
    for (const { id, origin } of rows) originById.set(`${entity} ${id}`, origin)
  }
  return { get: (entity, id) => originById.get(`${entity} ${id}`) }
}
