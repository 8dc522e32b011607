import { Kysely, SqliteAdapter, SqliteDialect, sql } from 'kysely'
import { expect, test } from 'vitest'
import { LiteralLimitCompiler } from './sqlite-driver.ts'

class Dialect extends SqliteDialect {
  override createQueryCompiler() {
    return new LiteralLimitCompiler()
  }
  override createAdapter() {
    return new SqliteAdapter()
  }
}
const db = new Kysely<{ moments: { id: string } }>({ dialect: new Dialect({ database: undefined as never }) })
const moments = db.selectFrom('moments').select('id').where('id', '>', 'a')

test('a constant limit is inlined, so that the statement is prepared once', () => {
  expect(moments.limit(51).compile()).toMatchObject({
    sql: 'select "id" from "moments" where "id" > ? limit 51',
    parameters: ['a'],
  })
})

test('any other limit stays a parameter', () => {
  expect(moments.limit(sql<number>`1 + ${2}`).compile()).toMatchObject({
    sql: 'select "id" from "moments" where "id" > ? limit 1 + ?',
    parameters: ['a', 2],
  })
})
