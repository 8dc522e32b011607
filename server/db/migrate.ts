import type { Database } from './database.ts'
import type { Engine } from './engine-driver.ts'

/** The engine's word for each type of column. `milliseconds` holds a time since 1970, `bytes` a Uint8Array. */
export interface ColumnTypes {
  engine: Engine
  boolean: string
  json: string
  milliseconds: string
  integer: string
  real: string
  bytes: string
  text: string
}

export interface Migration {
  /** `0001-accounts`: the number gives the order. */
  name: string
  /** Plain SQL, one statement a string; never importing today's code, since it must mean the same for ever. */
  statements(types: ColumnTypes): string[]
}

export async function migrate(
  _db: Database,
  _migrations: readonly Migration[],
  _options: { dataDir: string; now: () => Date; backup?: boolean }
): Promise<{ applied: string[]; backup?: string }> {
  throw new Error('not there yet')
}
