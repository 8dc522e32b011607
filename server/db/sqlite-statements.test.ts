import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { SqliteStatements } from './sqlite-statements.ts'

function openCountingConnection(): { statements: SqliteStatements; countPrepared(sql: string): number } {
  const connection = new DatabaseSync(':memory:')
  const prepare = connection.prepare.bind(connection)
  const counts = new Map<string, number>()
  connection.prepare = (sql: string) => {
    counts.set(sql, (counts.get(sql) ?? 0) + 1)
    return prepare(sql)
  }
  return { statements: new SqliteStatements(connection), countPrepared: (sql) => counts.get(sql) ?? 0 }
}

function createListQuery(length: number): { sql: string; parameters: number[] } {
  const parameters = Array.from({ length }, (_, index) => index)
  return { sql: `select 1 as one where 1 in (${parameters.map(() => '?').join(', ')})`, parameters }
}

it('a statement is prepared once, and again after long ones evict it', () => {
  const { statements, countPrepared } = openCountingConnection()
  const short = () => statements.all('select 1 as one', [])
  for (let times = 0; times < 3; times++) expect(short()).toEqual([{ one: 1 }])
  expect(countPrepared('select 1 as one')).toBe(1)
  for (let length = 10_000; length < 10_020; length++) {
    const { sql, parameters } = createListQuery(length)
    statements.all(sql, parameters)
  }
  short()
  expect(countPrepared('select 1 as one')).toBe(1)
  for (let length = 10_020; length < 10_040; length++) {
    const { sql, parameters } = createListQuery(length)
    statements.all(sql, parameters)
  }
  short()
  expect(countPrepared('select 1 as one')).toBe(2)
})

it('a very long statement is not cached and evicts no other', () => {
  const { statements, countPrepared } = openCountingConnection()
  const { sql, parameters } = createListQuery(20_000)
  for (const statement of [
    { sql: 'select 1 as one', parameters: [] },
    { sql, parameters },
  ])
    for (let times = 0; times < 2; times++)
      expect(statements.all(statement.sql, statement.parameters)).toEqual([{ one: 1 }])
  expect({ 'select 1 as one': countPrepared('select 1 as one'), sql: countPrepared(sql) }).toEqual({
    'select 1 as one': 1,
    sql: 2,
  })
})
