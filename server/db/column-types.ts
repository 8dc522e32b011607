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

/**
 * SQLite remembers these words and rows are decoded by them. `JSON_TEXT` rather than `JSON`: a type without "TEXT" in it
 * would turn the JSON text `5` into a number. Collation "C" makes PostgreSQL sort and compare text by code point, as SQLite does.
 */
export const columnTypes: Record<Engine, ColumnTypes> = {
  sqlite: {
    engine: 'sqlite',
    boolean: 'BOOLEAN',
    json: 'JSON_TEXT',
    milliseconds: 'INTEGER',
    integer: 'INTEGER',
    real: 'REAL',
    bytes: 'BLOB',
    text: 'TEXT',
  },
  postgres: {
    engine: 'postgres',
    boolean: 'boolean',
    json: 'jsonb',
    milliseconds: 'bigint',
    integer: 'integer',
    real: 'double precision',
    bytes: 'bytea',
    text: 'text collate "C"',
  },
}
