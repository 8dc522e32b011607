import type { Engine } from './engine-driver.ts'

export interface ColumnTypes {
  engine: Engine
  boolean: string
  json: string
  bigint: string
  integer: string
  real: string
  bytes: string
  text: string
}

/** SQLite rows are decoded by these type names; `JSON` without "TEXT" would turn the text `5` into a number. Collation "C" sorts by code point, as SQLite does. */
export const columnTypes: Record<Engine, ColumnTypes> = {
  sqlite: {
    engine: 'sqlite',
    boolean: 'BOOLEAN',
    json: 'JSON_TEXT',
    bigint: 'INTEGER',
    integer: 'INTEGER',
    real: 'REAL',
    bytes: 'BLOB',
    text: 'TEXT',
  },
  postgres: {
    engine: 'postgres',
    boolean: 'boolean',
    json: 'jsonb',
    bigint: 'bigint',
    integer: 'integer',
    real: 'double precision',
    bytes: 'bytea',
    text: 'text collate "C"',
  },
}
