import type { Updateable } from 'kysely'
import type { Entity } from '#contract/keepers/keeper-fields.ts'
import type { Person } from '#server/accounts/person.ts'
import { requireChanges, type Write } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import { Problem } from '#server/http/problem.ts'
import { retryChanges } from '#server/http/retry-changes.ts'
import type { Services } from '#server/services.ts'
import { deletableTables, type EntryEntity, type EntryRow, type EntryTable } from './entry-tables.ts'
import { publishKeeperChanged } from './publish-keeper-changed.ts'
import { createHistoryWrites } from './record-history.ts'
import { requireEntryFor } from './require-entry.ts'

export type EntryChanges<E extends EntryEntity> = Updateable<Schema[EntryTable<E>]>

/** Additional effects of a save: `writes` are part of its batch, `notify` runs after it. */
export interface SideEffects {
  writes: Write[]
  notify(): void
}

export const noSideEffects: SideEffects = { writes: [], notify() {} }

export interface EntryUpdate<E extends EntryEntity> {
  entity: E
  id: string
  /** Revision the changes are based on; `null`: the last write wins, and history keeps the loser. */
  ifMatch: number | null
  /** Changed columns; undefined ones stay. Throws a Problem if the row doesn't allow the change. */
  getChanges(row: EntryRow<E>): EntryChanges<E> | Promise<EntryChanges<E>>
  extraWrites?(row: EntryRow<E>): Write[] | Promise<Write[]>
  sideEffects?(row: EntryRow<E>): SideEffects | Promise<SideEffects>
  /** The row as the API returns it, for history and conflicts. */
  toView(row: EntryRow<E>): Record<string, unknown> | Promise<Record<string, unknown>>
}

/** @throws Problem 404; `stale` with `{yours, current}` when `ifMatch` is outdated */
export async function saveEntry<E extends EntryEntity>(
  services: Services,
  person: Pick<Person, 'id'>,
  update: EntryUpdate<E>,
): Promise<EntryRow<E>> {
  return retryChanges(async () => {
    const row = await requireEntryFor(services, person, update.entity, update.id)
    const changes = omitUndefined(await update.getChanges(row))
    const { writes, notify } = (await update.sideEffects?.(row)) ?? noSideEffects
    const extraWrites = [...((await update.extraWrites?.(row)) ?? []), ...writes]
    if (update.ifMatch !== null && update.ifMatch !== row.rev) throw await createStaleProblem(row, changes, update)
    if (Object.keys(changes).length === 0 && extraWrites.length === 0) return row
    const updatedRow = await saveRow(services, row, { ...update, keeperId: row.keeper_id, changes, extraWrites })
    notify()
    return updatedRow
  })
}

interface RowUpdate<Row> extends Pick<EntryUpdate<EntryEntity>, 'ifMatch'> {
  entity: Entity
  keeperId: string
  changes: object
  toView(row: Row): Record<string, unknown> | Promise<Record<string, unknown>>
  extraWrites?: Write[]
}

/** Saves changes to a row that was just read, with history. @throws UnexpectedChanges when it changed since */
export async function saveRow<Row extends { id: string; owner_id: string; rev: number }>(
  services: Services,
  row: Row,
  { entity, keeperId, ifMatch, changes, toView, extraWrites = [] }: RowUpdate<Row>,
): Promise<Row> {
  const { db, usage } = services
  const now = services.now().getTime()
  const columns = { ...changes, updated_at: now, rev: row.rev + 1 }
  const updatedRow = { ...row, ...columns }
  if (!usage.hasSpace(row.owner_id))
    await usage.requireSpaceToGrow(row.owner_id, await toView(row), await toView(updatedRow))
  const states = { getState: () => toView(row), getNextState: () => toView(updatedRow) }
  const historyWrites = await createHistoryWrites(services, { entity, row, keeperId, ifMatch, ...states, now })
  await db.batch([
    requireChanges(
      db
        .updateTable(deletableTables[entity] as 'reflections')
        .set(columns)
        .where('id', '=', row.id)
        .where('owner_id', '=', row.owner_id)
        .where('rev', '=', row.rev)
        .where('deleted_at', 'is', null),
    ),
    ...historyWrites,
    ...extraWrites,
  ])
  publishKeeperChanged(services, row.owner_id, keeperId, entity)
  return updatedRow
}

export const omitUndefined = <Columns extends object>(columns: Columns): Columns =>
  Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)) as Columns

async function createStaleProblem<E extends EntryEntity>(
  row: EntryRow<E>,
  changes: EntryChanges<E>,
  update: EntryUpdate<E>,
): Promise<Problem> {
  const clientVersion = await update.toView({ ...row, ...changes, rev: update.ifMatch } as EntryRow<E>)
  return new Problem('stale', { data: { yours: clientVersion, current: await update.toView(row) } })
}
