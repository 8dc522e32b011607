import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Statement, StatementResult } from './engine-driver.ts'

type Bindable = Parameters<StatementSync['all']>
type SqliteRow = Record<string, unknown>

const maxSqlLength = 40_000
const maxTotalSqlLength = 800_000

interface CachedStatement {
  statement: StatementSync
  returnsRows: boolean
  changesRows: boolean
  changesSchema: boolean
  columns: { name: string; decode: ((stored: unknown) => unknown) | undefined }[]
}

export class SqliteStatements {
  readonly #connection: DatabaseSync
  readonly #maxStatements: number
  readonly #prepared = new Map<string, CachedStatement>()
  #totalLength = 0
  #schemaVersion: unknown

  constructor(connection: DatabaseSync, maxStatements = 400) {
    this.#connection = connection
    this.#maxStatements = maxStatements
  }

  all(sql: string, parameters: readonly unknown[]): SqliteRow[] {
    return readRows(this.#prepare(sql), parameters)
  }

  run({ sql, parameters }: Statement): StatementResult {
    const prepared = this.#prepare(sql)
    if (prepared.returnsRows) {
      const rows = readRows(prepared, parameters)
      return { rows, changes: rows.length }
    }
    const { changes } = prepared.statement.run(...(parameters as Bindable))
    if (prepared.changesSchema) this.forget()
    // SQLite keeps the previous count after a statement that changes no rows.
    return { rows: [], changes: prepared.changesRows ? Number(changes) : 0 }
  }

  forget(): void {
    this.#prepared.clear()
    this.#totalLength = 0
    // `prepare` uses this connection's cached schema, which is stale after another connection changes it. Running a query
    // reloads it.
    this.#connection.prepare('select 1 from sqlite_schema limit 1').get()
  }

  forgetIfSchemaChanged(): void {
    const version = this.#connection.prepare('pragma schema_version').get()?.schema_version
    if (version !== this.#schemaVersion) this.forget()
    this.#schemaVersion = version
  }

  #prepare(sql: string): CachedStatement {
    const cached = this.#prepared.get(sql)
    if (cached) return cached
    const statement = this.#connection.prepare(sql)
    statement.setReturnArrays(true)
    const columns = statement
      .columns()
      .map(({ name, type }) => ({ name, decode: type === null ? undefined : decodersByType[type.toUpperCase()] }))
    const prepared: CachedStatement = {
      statement,
      returnsRows: columns.length > 0,
      changesRows: /^\s*(insert|update|delete|replace|with)\b/i.test(sql),
      changesSchema: changesSchema(sql),
      columns,
    }
    this.#remember(sql, prepared)
    return prepared
  }

  #remember(sql: string, prepared: CachedStatement): void {
    if (sql.length > maxSqlLength) return
    this.#prepared.set(sql, prepared)
    this.#totalLength += sql.length
    for (const oldest of this.#prepared.keys()) {
      if (this.#prepared.size <= this.#maxStatements && this.#totalLength <= maxTotalSqlLength) break
      this.#prepared.delete(oldest)
      this.#totalLength -= oldest.length
    }
  }
}

const decodersByType: Record<string, ((stored: unknown) => unknown) | undefined> = {
  BOOLEAN: (stored) => (stored === null ? null : stored !== 0),
  JSON_TEXT: parseJsonColumn,
  JSON: parseJsonColumn,
}

function parseJsonColumn(stored: unknown): unknown {
  if (stored === null) return null
  if (stored === '[]') return []
  if (stored === '{}') return {}
  return JSON.parse(String(stored))
}

/** node:sqlite's row objects are in V8's slow dictionary mode; plain objects built from arrays read twice as fast. */
function readRows({ statement, columns }: CachedStatement, parameters: readonly unknown[]): SqliteRow[] {
  return (statement.all(...(parameters as Bindable)) as unknown as unknown[][]).map((values) => {
    const row: SqliteRow = {}
    for (let index = 0; index < columns.length; index++) {
      const { name, decode } = columns[index]!
      row[name] = decode ? decode(values[index]) : values[index]
    }
    return row
  })
}

export function changesSchema(sql: string): boolean {
  return /^\s*(create|alter|drop)\b/i.test(sql)
}
