import type { CompiledQuery } from 'kysely'
import type { Database, Query } from './database.ts'
import type { StatementResult } from './engine-driver.ts'
import type { Parameter } from './parameters.ts'

export interface PreparedQuery<Parameters, Row> {
  all(parameters: Parameters): Promise<Row[]>
  first(parameters: Parameters): Promise<Row | undefined>
  run(parameters: Parameters): Promise<StatementResult<Row>>
  with(parameters: Parameters): CompiledQuery<Row>
}

export interface SharedPreparedQuery<Parameters, Row> {
  all(db: Database, parameters: Parameters): Promise<Row[]>
  first(db: Database, parameters: Parameters): Promise<Row | undefined>
  run(db: Database, parameters: Parameters): Promise<StatementResult<Row>>
  with(db: Database, parameters: Parameters): CompiledQuery<Row>
}

/** No arrays: `in (…)` has a different text for every length. */
export type PreparedParameters = Record<string, Parameter>

/** `const cardsQuery = preparedQuery<{keeperId: string}>()((db, p) => db.selectFrom('cards').selectAll().where('keeperId', '=', p.keeperId))`,
 * then `cardsQuery.all(db, {keeperId})`. The SQL must not depend on parameter values. */
export function preparedQuery<Parameters extends PreparedParameters>() {
  return <Row>(build: (db: Database, parameters: Parameters) => Query<Row>): SharedPreparedQuery<Parameters, Row> => {
    const compiled = new WeakMap<Database, PreparedQuery<Parameters, Row>>()
    const getQuery = (db: Database): PreparedQuery<Parameters, Row> => {
      const cached = compiled.get(db)
      if (cached) return cached
      const query = db.prepareQuery<Parameters>()((parameters) => build(db, parameters))
      compiled.set(db, query)
      return query
    }
    return {
      all: (db, parameters) => getQuery(db).all(parameters),
      first: (db, parameters) => getQuery(db).first(parameters),
      run: (db, parameters) => getQuery(db).run(parameters),
      with: (db, parameters) => getQuery(db).with(parameters),
    }
  }
}

class ParameterPlaceholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

export function createPlaceholders<Parameters extends PreparedParameters>(): Parameters {
  return new Proxy(
    {},
    { get: (_, name) => (typeof name === 'string' ? new ParameterPlaceholder(name) : undefined) },
  ) as Parameters
}

export function createParameterFiller<Parameters extends PreparedParameters>(
  template: CompiledQuery,
): (values: Parameters) => unknown[] {
  const placeholders = template.parameters.flatMap((parameter, index) =>
    parameter instanceof ParameterPlaceholder ? [{ index, name: parameter.name }] : [],
  )
  return (values) => {
    const parameters = template.parameters.slice()
    for (const { index, name } of placeholders) parameters[index] = values[name]
    return parameters
  }
}
