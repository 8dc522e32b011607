import type { Insertable, Selectable } from 'kysely'
import type { Database } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'

const batchSize = 500

/** Inserts `count` copies of a row (or of the row with an id), each with its own `values`. */
export async function copyRow<Table extends keyof Schema>(
  db: Database,
  table: Table,
  rowOrId: Selectable<Schema[Table]> | string,
  { count, values }: { count: number; values(index: number): Partial<Insertable<Schema[Table]>> },
): Promise<void> {
  const row =
    typeof rowOrId === 'string'
      ? await db
          .selectFrom(table as 'keepers')
          .selectAll()
          .where('id', '=', rowOrId)
          .executeTakeFirstOrThrow()
      : rowOrId
  const serialized = Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null && !ArrayBuffer.isView(value) ? JSON.stringify(value) : value,
    ]),
  )
  const rows = Array.from({ length: count }, (_, index) => ({ ...serialized, ...values(index) }))
  for (let start = 0; start < rows.length; start += batchSize)
    await db
      .insertInto(table)
      .values(rows.slice(start, start + batchSize) as never)
      .execute()
}
