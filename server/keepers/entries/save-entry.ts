import type { Updateable } from 'kysely'
import type { Person } from '#server/accounts/person.ts'
import { requireChanges, type Write } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import type { Schema } from '#server/db/schema.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { type EntryEntity, type EntryRow, type EntryTable, entryTables } from './entry-tables.ts'
import { keepHistory } from './keep-history.ts'
import { requireEntryFor } from './require-entry.ts'
import { tellKeeperChanged } from './tell-keeper-changed.ts'

export type EntryChanges<E extends EntryEntity> = Updateable<Schema[EntryTable<E>]>

export interface Saving<E extends EntryEntity> {
  entity: E
  id: string
  /** Revision the changes are based on; `null`: the last write wins, and history keeps the loser. */
  ifMatch: number | null
  /** Changed columns, empty for none; can throw a Problem that the row does not allow the change. */
  changes(row: EntryRow<E>): EntryChanges<E> | Promise<EntryChanges<E>>
  /** Writes in the same transaction. */
  along?(row: EntryRow<E>): Write[] | Promise<Write[]>
  /** The row as the API returns it, for history and conflicts. */
  view(row: EntryRow<E>): Record<string, unknown> | Promise<Record<string, unknown>>
}

const tries = 4

/**
 * Updates an entry, its revision and its history in one transaction.
 * @throws Problem 404; `stale` with `{yours, current}` when `ifMatch` is outdated
 */
export async function saveEntry<E extends EntryEntity>(
  services: Services,
  person: Pick<Person, 'id'>,
  saving: Saving<E>,
): Promise<EntryRow<E>> {
  for (let attempt = 1; ; attempt++) {
    const row = await requireEntryFor(services, person, saving.entity, saving.id)
    const changes = await saving.changes(row)
    const along = (await saving.along?.(row)) ?? []
    if (saving.ifMatch !== null && saving.ifMatch !== row.rev) throw await stale(row, changes, saving)
    if (Object.keys(changes).length === 0 && along.length === 0) return row
    const now = services.now().getTime()
    const after = { ...row, ...changes, updated_at: now, rev: row.rev + 1 } as EntryRow<E>
    const table = entryTables[saving.entity] as 'reflections'
    const { entity, ifMatch, view } = saving
    const states = { snapshot: () => view(row), after: () => view(after) }
    if (!services.usage.hasSpace(row.owner_id))
      await services.usage.requireSpaceToGrow(row.owner_id, await view(row), await view(after))
    const history = await keepHistory(services, { entity, row, keeperId: row.keeper_id, ifMatch, ...states, now })
    try {
      await services.db.batch([
        requireChanges(
          services.db
            .updateTable(table)
            .set({ ...(changes as EntryChanges<'reflection'>), updated_at: now, rev: row.rev + 1 })
            .where('id', '=', row.id)
            .where('owner_id', '=', person.id)
            .where('rev', '=', row.rev)
            .where('deleted_at', 'is', null),
        ),
        ...history,
        ...along,
      ])
    } catch (error) {
      // Lost a race: retry, or report a conflict to a caller with a revision.
      if (error instanceof UnexpectedChanges && attempt < tries) continue
      throw error
    }
    tellKeeperChanged(services, row.owner_id, row.keeper_id, saving.entity)
    return after
  }
}

async function stale<E extends EntryEntity>(
  row: EntryRow<E>,
  changes: EntryChanges<E>,
  saving: Saving<E>,
): Promise<Problem> {
  const yours = await saving.view({ ...row, ...changes, rev: saving.ifMatch } as EntryRow<E>)
  return new Problem('stale', { data: { yours, current: await saving.view(row) } })
}
