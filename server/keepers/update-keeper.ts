import type { Updateable } from 'kysely'
import type * as z from 'zod/mini'
import type { Keeper, keepers } from '#contract/keepers/keepers.ts'
import type { Person } from '#server/accounts/person.ts'
import { requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import type { Schema } from '#server/db/schema.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { keepHistory } from './entries/keep-history.ts'
import { tellKeeperChanged } from './entries/tell-keeper-changed.ts'
import { type KeeperRow, requireKeeperFor } from './keeper-access.ts'
import { keeperFields, keeperView } from './keeper-view.ts'
import { typeOfKeeper } from './type-of-keeper.ts'

type KeeperChanges = z.output<typeof keepers.update.body & {}>

const tries = 4

/** Without `ifMatch` the last write wins. @throws Problem 404; 400 for an unknown type; `stale` with `{yours,
 * current}` */
export async function updateKeeper(
  services: Services,
  person: Pick<Person, 'id'>,
  id: string,
  given: KeeperChanges,
  ifMatch: number | null,
): Promise<Keeper> {
  for (let attempt = 1; ; attempt++) {
    const row = await requireKeeperFor(services, person, id)
    const changes = await changesOf(services, person, row, given)
    if (ifMatch !== null && ifMatch !== row.rev) {
      const yours = await keeperView(services, { ...row, ...changes, rev: ifMatch } as KeeperRow)
      throw new Problem('stale', { data: { yours, current: await keeperView(services, row) } })
    }
    if (Object.keys(changes).length === 0) return keeperView(services, row)
    await services.usage.requireSpaceToGrow(
      row.owner_id,
      keeperFields(row),
      keeperFields({ ...row, ...changes } as KeeperRow),
    )
    const now = services.now().getTime()
    const history = await keepHistory(services, {
      ...{ entity: 'keeper', row, keeperId: row.id, ifMatch, now },
      snapshot: () => keeperFields(row),
      after: () => keeperFields({ ...row, ...changes } as KeeperRow),
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
        ...history,
      ])
    } catch (error) {
      // Lost a race: retry, or report a conflict to a caller with a revision.
      if (error instanceof UnexpectedChanges && attempt < tries) continue
      throw error
    }
    tellKeeperChanged(services, person.id, row.id, 'keeper')
    return keeperView(services, { ...row, ...changes, updated_at: now, rev: row.rev + 1 } as KeeperRow)
  }
}

async function changesOf(
  services: Services,
  person: Pick<Person, 'id'>,
  row: KeeperRow,
  sent: KeeperChanges,
): Promise<Updateable<Schema['keepers']>> {
  const given = {
    ...sent,
    keeperType: sent.keeperType || undefined,
    keeperTypeId: sent.keeperTypeId === '' ? null : sent.keeperTypeId,
  }
  const changes: Updateable<Schema['keepers']> = {}
  if (given.title !== undefined) changes.title = given.title
  if (given.purpose !== undefined) changes.purpose = given.purpose
  if (given.memoryPattern) changes.memory_pattern = given.memoryPattern
  if (given.theme !== undefined) changes.theme = given.theme
  if (given.isPublic !== undefined) changes.is_public = given.isPublic
  if (given.keeperType !== undefined) changes.keeper_type = given.keeperType
  // An unchanged type stays, even when its maker no longer shares a domain with this person.
  const saysAnother = given.keeperTypeId !== undefined && given.keeperTypeId !== row.keeper_type_id
  const saysOnlyWord = given.keeperTypeId === undefined && given.keeperType !== undefined
  if (saysAnother || (saysOnlyWord && given.keeperType !== row.keeper_type)) {
    const type = await typeOfKeeper(services, person, given)
    changes.keeper_type_id = type?.id ?? null
    if (given.keeperType === undefined && type) changes.keeper_type = type.slug
  }
  return changes
}
