import type { Updateable } from 'kysely'
import type * as z from 'zod/mini'
import type { Keeper, keepers } from '#contract/keepers/keepers.ts'
import type { Person } from '#server/accounts/person.ts'
import { requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import type { Schema } from '#server/db/schema.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { publishKeeperChanged } from './entries/publish-keeper-changed.ts'
import { createHistoryWrites } from './entries/record-history.ts'
import { type KeeperRow, requireKeeperFor } from './keeper-access.ts'
import { toKeeper, toKeeperFields } from './keeper-view.ts'
import { resolveKeeperType } from './resolve-keeper-type.ts'

type KeeperChanges = z.output<typeof keepers.update.body & {}>

const maxSaveAttempts = 4

/** Without `ifMatch` the last write wins. @throws Problem 404; 400 for an unknown type; `stale` */
export async function updateKeeper(
  services: Services,
  person: Pick<Person, 'id'>,
  id: string,
  input: KeeperChanges,
  ifMatch: number | null,
): Promise<Keeper> {
  for (let attempt = 1; ; attempt++) {
    const row = await requireKeeperFor(services, person, id)
    const changes = await createChanges(services, person, row, input)
    if (ifMatch !== null && ifMatch !== row.rev) {
      const clientVersion = await toKeeper(services, { ...row, ...changes, rev: ifMatch } as KeeperRow)
      throw new Problem('stale', { data: { yours: clientVersion, current: await toKeeper(services, row) } })
    }
    if (Object.keys(changes).length === 0) return toKeeper(services, row)
    await services.usage.requireSpaceToGrow(
      row.owner_id,
      toKeeperFields(row),
      toKeeperFields({ ...row, ...changes } as KeeperRow),
    )
    const now = services.now().getTime()
    const historyWrites = await createHistoryWrites(services, {
      entity: 'keeper',
      row,
      keeperId: row.id,
      ifMatch,
      now,
      snapshot: () => toKeeperFields(row),
      after: () => toKeeperFields({ ...row, ...changes } as KeeperRow),
    })
    try {
      await services.db.batch([
        requireChanges(
          services.db
            .updateTable('keepers')
            .set({ ...changes, updated_at: now, rev: row.rev + 1 })
            .where('id', '=', row.id)
            .where('owner_id', '=', person.id)
            .where('rev', '=', row.rev)
            .where('deleted_at', 'is', null),
        ),
        ...historyWrites,
      ])
    } catch (error) {
      if (error instanceof UnexpectedChanges && attempt < maxSaveAttempts) continue
      throw error
    }
    publishKeeperChanged(services, person.id, row.id, 'keeper')
    return toKeeper(services, { ...row, ...changes, updated_at: now, rev: row.rev + 1 } as KeeperRow)
  }
}

async function createChanges(
  services: Services,
  person: Pick<Person, 'id'>,
  row: KeeperRow,
  input: KeeperChanges,
): Promise<Updateable<Schema['keepers']>> {
  const fields = {
    ...input,
    keeperType: input.keeperType || undefined,
    keeperTypeId: input.keeperTypeId === '' ? null : input.keeperTypeId,
  }
  const changes: Updateable<Schema['keepers']> = {}
  if (fields.title !== undefined) changes.title = fields.title
  if (fields.purpose !== undefined) changes.purpose = fields.purpose
  if (fields.memoryPattern) changes.memory_pattern = fields.memoryPattern
  if (fields.theme !== undefined) changes.theme = fields.theme
  if (fields.isPublic !== undefined) changes.is_public = fields.isPublic
  if (fields.keeperType !== undefined) changes.keeper_type = fields.keeperType
  // An unchanged type stays, even when its maker no longer shares a domain with this person.
  const hasOtherTypeId = fields.keeperTypeId !== undefined && fields.keeperTypeId !== row.keeper_type_id
  const hasOnlyTypeText = fields.keeperTypeId === undefined && fields.keeperType !== undefined
  if (hasOtherTypeId || (hasOnlyTypeText && fields.keeperType !== row.keeper_type)) {
    const type = await resolveKeeperType(services, person, fields)
    changes.keeper_type_id = type?.id ?? null
    if (fields.keeperType === undefined && type) changes.keeper_type = type.slug
  }
  return changes
}
