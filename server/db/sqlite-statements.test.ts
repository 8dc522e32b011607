import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { SqliteStatements } from './sqlite-statements.ts'

/** A connection that counts how often each statement is prepared. */
function openCounted(): { statements: SqliteStatements; preparedOf(sql: string): number } {
  const connection = new DatabaseSync(':memory:')
  const prepare = connection.prepare.bind(connection)
  const counts = new Map<string, number>()
  connection.prepare = (sql: string) => {
    counts.set(sql, (counts.get(sql) ?? 0) + 1)
    return prepare(sql)
  }
  return { statements: new SqliteStatements(connection), preparedOf: (sql) => counts.get(sql) ?? 0 }
}

/** As a query that looks for as many ids as a client named. */
function listOf(length: number): { sql: string; parameters: number[] } {
  const parameters = Array.from({ length }, (_, index) => index)
  return { sql: `select 1 as one where 1 in (${parameters.map(() => '?').join(', ')})`, parameters }
}

it('a statement is prepared once, and again after many long ones have taken its room', () => {
  const { statements, preparedOf } = openCounted()
  const short = () => statements.all('select 1 as one', [])
  for (let times = 0; times < 3; times++) expect(short()).toEqual([{ one: 1 }])
  expect(preparedOf('select 1 as one')).toBe(1)
  for (let length = 10_000; length < 10_020; length++) {
    const { sql, parameters } = listOf(length)
    statements.all(sql, parameters)
  }
  short()
  expect(preparedOf('select 1 as one')).toBe(1)
  for (let length = 10_020; length < 10_040; length++) {
    const { sql, parameters } = listOf(length)
    statements.all(sql, parameters)
  }
  short()
  expect(preparedOf('select 1 as one')).toBe(2)
})

it('a statement longer than any that Keeper repeats is not remembered, and pushes out no other', () => {
  const { statements, preparedOf } = openCounted()
  const { sql, parameters } = listOf(20_000)
  for (const statement of [
    { sql: 'select 1 as one', parameters: [] },
    { sql, parameters },
  ])
    for (let times = 0; times < 2; times++)
      expect(statements.all(statement.sql, statement.parameters)).toEqual([{ one: 1 }])
  expect([preparedOf('select 1 as one'), preparedOf(sql)]).toEqual([1, 2])
})
