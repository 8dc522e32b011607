import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { listTables } from './every-table.ts'

/** Rows by table and their JSON text. */
export type IndexedRows = Map<string, Map<string, Record<string, unknown>>>

export async function readIndexedRows(db: Database, except: readonly string[] = []): Promise<IndexedRows> {
  const tables = [...(await listTables(db)).keys()].filter((table) => !except.includes(table))
  const entries = await Promise.all(
    tables.map(async (table) => {
      const rows = await db.longRead<Record<string, unknown>>(sql`select * from ${sql.table(table)}`)
      return [table, new Map(rows.map((row) => [JSON.stringify(row), row]))] as const
    }),
  )
  return new Map(entries)
}

/**
 * Removed and added rows, sorted, one line each. Random values such as ids, times and tokens are masked, so that
 * repeating an action gives the same lines.
 */
export function diffRows(previous: IndexedRows, next: IndexedRows): string[] {
  const changes: string[] = []
  for (const [table, rows] of next) {
    const previousRows = previous.get(table)
    for (const [line, row] of rows) if (!previousRows?.has(line)) changes.push(`+ ${table} ${toStableLine(row)}`)
    for (const [line, row] of previousRows ?? []) if (!rows.has(line)) changes.push(`- ${table} ${toStableLine(row)}`)
  }
  return changes.sort()
}

function toStableLine(row: Record<string, unknown>): string {
  const entries = Object.entries(row).map(([name, value]) => [name, toStableValue(name, value)])
  return JSON.stringify(Object.fromEntries(entries))
}

function toStableValue(name: string, value: unknown): unknown {
  if (value === null || typeof value === 'boolean') return value
  if (value instanceof Uint8Array) return 'bytes'
  if (/_hash$|_token$|^sealed/.test(name)) return 'varies'
  if (typeof value === 'number') return Math.abs(value) > 1_000_000_000 || name.endsWith('_ms') ? 'varies' : value
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text
    .replace(/[0-9a-f]{32,}/g, '#')
    .replace(/[\w-]{22,}/g, '*')
    .replace(/-[0-9a-f]{6,8}\b/g, '')
    .replace(/\d+/g, '0')
}
