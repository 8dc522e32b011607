import type { Selectable } from 'kysely'
import type { Person } from '#server/accounts/person.ts'
import { json, requireChanges, type Write } from '#server/db/database.ts'
import { addSlugSuffix, insertWithSlug, toSlugBase } from '#server/db/insert-with-slug.ts'
import type { Schema } from '#server/db/schema.ts'
import { badField, Problem } from '#server/http/problem.ts'
import { retryChanges } from '#server/http/retry-changes.ts'
import type { Services } from '#server/services.ts'
import {
  type CatalogKind,
  type CatalogRow,
  requireOwnEntry,
  type SharedTable,
  selectVisibleEntries,
  toEntryView,
} from './catalog.ts'

type NewEntry<Row> = Omit<Row, Exclude<keyof CatalogRow, 'system'> | 'deleted_at'>
type EntryChanges<Row> = { [Column in keyof Row]?: Row[Column] | undefined }

/** The slug gets a suffix when it is taken. */
export async function createEntry<Row extends CatalogRow, View>(
  services: Services,
  person: Person,
  kind: CatalogKind<Row, View>,
  { slug, columns }: { slug: string; columns: NewEntry<Row> },
): Promise<View> {
  const row = await insertWithSlug(services, slug || kind.noun, (names) => {
    const now = services.now().getTime()
    return services.db
      .insertInto(kind.table)
      .values(encodeColumns({ ...columns, ...names, owner_id: person.id, created_at: now, updated_at: now }))
      .returningAll()
      .$castTo<Row>()
      .executeTakeFirstOrThrow()
  })
  return toEntryView(services, person, kind, row)
}

/** Keeps the slug, which others refer to. @throws Problem 404, 403, 400; `stale` with `{yours, current}` */
export async function updateEntry<Row extends CatalogRow, View>(
  services: Services,
  person: Person,
  kind: CatalogKind<Row, View>,
  { id, changes, ifMatch }: { id: string; changes: EntryChanges<Row>; ifMatch: number | null },
): Promise<View> {
  const columns = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  const toView = (row: Row) => toEntryView(services, person, kind, row)
  return retryChanges(async () => {
    const row = await requireOwnEntry(services, person, kind, id)
    const updated: Row = { ...row, ...columns }
    if (ifMatch !== null && ifMatch !== row.rev)
      throw new Problem('stale', {
        data: { yours: await toView({ ...updated, rev: ifMatch }), current: await toView(row) },
      })
    const relatedWrites = (await kind.beforeUpdate?.(services, person, updated, row)) ?? []
    if (Object.keys(columns).length === 0) return toView(row)
    const update = services.db
      .updateTable(kind.table)
      .set(encodeColumns({ ...columns, updated_at: services.now().getTime(), rev: row.rev + 1 }))
      .where('id', '=', row.id)
      .where('rev', '=', row.rev)
      .returningAll()
    const [result] = await services.db.batch([requireChanges(update), ...relatedWrites])
    return toView(result?.rows[0] as Row)
  })
}

/** @throws Problem 404, 403; 409 while the entry is in use */
export async function removeEntry<Row extends CatalogRow, View>(
  services: Services,
  person: Person,
  kind: CatalogKind<Row, View>,
  idOrSlug: string,
): Promise<Record<string, never>> {
  const { db } = services
  const row = await requireOwnEntry(services, person, kind, idOrSlug)
  const uses = (await kind.listUses?.(services, person, row)) ?? []
  const { numDeletedRows } = await db
    .deleteFrom(kind.table)
    .where('id', '=', row.id)
    .where(({ not, or, exists }) => not(or(uses.map(({ rows }) => exists(rows)))))
    .executeTakeFirst()
  if (numDeletedRows > 0n) return {}
  for (const { rows, message } of uses) if (await db.exists(rows)) throw new Problem('conflict', { message })
  throw new Problem('conflict', { message: `This ${kind.noun} was in use a moment ago. Try again.` })
}

/** Compares with built-in and own entries; other people's can have the same name. @throws Problem 400 */
export async function requireFreeName<Table extends 'agent_classes' | 'memory_patterns'>(
  services: Services,
  person: Person,
  { table, noun, isTaken }: { table: Table; noun: string; isTaken(row: Selectable<Schema[Table]>): boolean },
): Promise<void> {
  const rows = await selectVisibleEntries(services, person, table)
    .where((where) => where.or([where('system', '=', true), where('owner_id', '=', person.id)]))
    .execute()
  if (rows.some(isTaken)) throw badField('name', `There is already a ${noun} with this name. Choose another one.`)
}

/** IDs are deterministic, so that processes starting together add each entry once. */
export const createSystemId = (slug: string): string => `system-${slug}`

export function insertSystemEntries<Table extends SharedTable>(
  { db, now }: Services,
  table: Table,
  entries: readonly ({ slug: string } & Partial<Selectable<Schema[Table]>>)[],
): Write[] {
  const startedAt = now().getTime()
  return entries.map((entry, index) => {
    const createdAt = startedAt + index
    const columns = { owner_id: null, system: true, created_at: createdAt, updated_at: createdAt }
    return db
      .insertInto<SharedTable>(table)
      .values(encodeColumns({ ...entry, ...columns, id: createSystemId(entry.slug) }))
      .onConflict((conflict) => conflict.doNothing())
  })
}

/** Copies a deleted account's entry for its heir. */
export function insertEntryCopy<Row extends CatalogRow>(
  services: Services,
  table: SharedTable,
  row: Row,
  changes: Partial<Row> & { owner_id: string },
): Write {
  const now = services.now().getTime()
  const copyColumns = { id: services.newId(), slug: addSlugSuffix(services, toSlugBase(row.slug)), rev: 1 }
  return services.db
    .insertInto(table)
    .values(encodeColumns({ ...row, ...copyColumns, created_at: now, updated_at: now, ...changes }))
}

/** Columns of catalog tables that hold objects are JSON. */
const encodeColumns = (columns: object) =>
  Object.fromEntries(
    Object.entries(columns).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null ? json(value) : value,
    ]),
  ) as never
