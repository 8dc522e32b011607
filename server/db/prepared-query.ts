import type { CompiledQuery, Insertable } from 'kysely'
import type { BatchResult, Database, Query } from './database.ts'
import type { Parameter } from './parameters.ts'
import type { Schema } from './schema.ts'

export interface PreparedQuery<Parameters, Row> {
  all(db: Database, parameters: Parameters): Promise<Row[]>
  first(db: Database, parameters: Parameters): Promise<Row | undefined>
  run(db: Database, parameters: Parameters): Promise<BatchResult<Row>>
  bind(db: Database, parameters: Parameters): CompiledQuery<Row>
}

/** Undefined parameters and the lengths of arrays can change the SQL, which is compiled once for each such shape. */
export type PreparedParameters = Record<string, Parameter | readonly Parameter[] | undefined>

interface Template<Row> {
  query: CompiledQuery<Row>
  placeholders: { index: number; placeholder: Placeholder }[]
}

/** An array has one placeholder for each item. */
class Placeholder {
  readonly name: string
  readonly item: number | undefined
  constructor(name: string, item?: number) {
    this.name = name
    this.item = item
  }
}

const maxShapes = 200

/**
 * For hot queries, which Kysely otherwise builds and compiles each time. Write limits as `limit(sql`${p.limit} + 0`)`:
 * with a plain `limit(p.limit)`, SQLite prepares the statement again for each value.
 *
 * `const cardsQuery = prepareQuery<{keeperId: string}>()((db, p) => db.selectFrom('cards').selectAll().where('keeperId', '=', p.keeperId))`,
 * then `cardsQuery.all(db, {keeperId})`. The SQL must not depend on other values.
 */
export function prepareQuery<Parameters extends PreparedParameters>() {
  return <Row>(build: (db: Database, parameters: Parameters) => Query<Row>): PreparedQuery<Parameters, Row> => {
    const templatesByDatabase = new WeakMap<Database, Map<string, Template<Row>>>()
    const getTemplate = (db: Database, parameters: Parameters): Template<Row> => {
      const templates = templatesByDatabase.get(db) ?? new Map<string, Template<Row>>()
      templatesByDatabase.set(db, templates)
      const shape = getShape(parameters)
      const existing = templates.get(shape)
      if (existing) return existing
      const template = toTemplate(db.compileQuery(build(db, toPlaceholders(parameters))))
      if (templates.size >= maxShapes) templates.clear()
      templates.set(shape, template)
      return template
    }
    const fill = (db: Database, parameters: Parameters): CompiledQuery<Row> => {
      const { query, placeholders } = getTemplate(db, parameters)
      const values = query.parameters.slice()
      for (const { index, placeholder } of placeholders) values[index] = getValue(parameters, placeholder)
      return { ...query, parameters: values }
    }
    return {
      all: (db, parameters) => db.read(fill(db, parameters)),
      first: async (db, parameters) => (await db.read(fill(db, parameters)))[0],
      run: (db, parameters) => db.write(fill(db, parameters)),
      bind: fill,
    }
  }
}

/** Inserts one row with the given columns; an existing row with the same `unique` columns stays unchanged. */
export function prepareInsert<Table extends keyof Schema>(table: Table, unique: (keyof Schema[Table] & string)[] = []) {
  return prepareQuery<InsertedRow<Table>>()((db, row) => {
    // Kysely can't infer a generic table; any concrete one satisfies it.
    const insert = db.insertInto(table as 'agents').values(row as unknown as Insertable<Schema['agents']>)
    return unique.length === 0 ? insert : insert.onConflict((on) => on.columns(unique as 'id'[]).doNothing())
  })
}

type InsertedRow<Table extends keyof Schema> = {
  [Column in keyof Insertable<Schema[Table]>]: Insertable<Schema[Table]>[Column] extends Parameter | undefined
    ? Insertable<Schema[Table]>[Column]
    : never
}

/** The count tells a missing name from a present one; otherwise a cached template could need a value that wasn't passed. */
function getShape(parameters: PreparedParameters): string {
  let shape = ''
  let count = 0
  for (const name in parameters) {
    count++
    const value = parameters[name]
    if (value === undefined) shape += `${name} `
    else if (Array.isArray(value)) shape += `${name}${value.length} `
  }
  return `${count} ${shape}`
}

function toPlaceholders<Parameters extends PreparedParameters>(parameters: Parameters): Parameters {
  const entries = Object.entries(parameters).map(([name, value]) => {
    if (value === undefined) return [name, undefined]
    return [name, Array.isArray(value) ? value.map((_, item) => new Placeholder(name, item)) : new Placeholder(name)]
  })
  return Object.fromEntries(entries) as Parameters
}

function toTemplate<Row>(query: CompiledQuery<Row>): Template<Row> {
  const placeholders = query.parameters.flatMap((parameter, index) =>
    parameter instanceof Placeholder ? [{ index, placeholder: parameter }] : [],
  )
  return { query, placeholders }
}

function getValue(parameters: PreparedParameters, { name, item }: Placeholder): Parameter | undefined {
  const value = parameters[name]
  return item === undefined ? (value as Parameter) : (value as readonly Parameter[])[item]
}
