import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFreshDatabase, engines, type FreshDatabase } from '#tests/engines.ts'
import { type Database, prepareQuery } from './database.ts'
import { TransactionExpired, UniqueViolation } from './database-errors.ts'
import { createEntity, createTestTables, type TestSchema } from './testing/test-tables.ts'

describe.each(engines)('%s', (engine) => {
  let fresh: FreshDatabase
  let db: Database
  let tables: Kysely<TestSchema>

  beforeEach(async () => {
    fresh = await createFreshDatabase(engine)
    db = fresh.db
    tables = await createTestTables(db)
  })
  afterEach(() => fresh.close())

  const names = async () =>
    (await tables.selectFrom('things').select('name').orderBy('name').execute()).map(({ name }) => name)

  describe('a transaction', () => {
    const insertIn = (tx: Pick<Database, 'executeQuery'>, id: string) =>
      tx.executeQuery(tables.insertInto('things').values(createEntity(id)).compile())

    test('sees its own writes and commits them', async () => {
      const count = await db.inTransaction(async (tx) => {
        await insertIn(tx, 'a')
        return (await tx.executeQuery(tables.selectFrom('things').selectAll().compile())).rows.length
      })
      expect(count).toBe(1)
      expect(await names()).toEqual(['thing a'])
    })

    test('a transaction that throws is rolled back', async () => {
      await expect(
        db.inTransaction(async (tx) => {
          await insertIn(tx, 'a')
          throw new Error('changed my mind')
        }),
      ).rejects.toThrow('changed my mind')
      expect(await names()).toEqual([])
    })

    test('a transaction that continues after a failed statement commits nothing', async () => {
      await expect(
        db.inTransaction(async (tx) => {
          await insertIn(tx, 'a')
          await insertIn(tx, 'a')
        }),
      ).rejects.toBeInstanceOf(UniqueViolation)
      expect(await names()).toEqual([])
    })

    test.each<[string, (db: Database) => Promise<unknown>]>([
      ['a query', (db) => db.executeQuery(sql`select 1`.compile(db))],
      ['a batch', (db) => db.batch([sql`select 1`])],
      ['a raw write', (db) => db.write(sql`select 1`)],
      ['a long read', (db) => db.longRead(sql`select 1`)],
      ['a hot query', (db) => prepareQuery()(() => sql`select 1`).all(db, {})],
      ['another transaction', (db) => db.inTransaction(async () => {})],
    ])('refuses %s of the database outside it immediately', async (_, use) => {
      await expect(db.inTransaction(() => use(db))).rejects.toThrow('Inside inTransaction(), use its tx')
    })

    test('lets work it started use the database after it ends', async () => {
      let afterwards: Promise<string[]> | undefined
      await db.inTransaction(async () => {
        afterwards = delay(50).then(names)
      })
      await expect(afterwards).resolves.toEqual([])
    })

    test('a hanging transaction is rolled back after a second, and the next one continues', async () => {
      let isOver = false
      let late: Promise<unknown> | undefined
      const hung = db.inTransaction(async (tx) => {
        await insertIn(tx, 'a')
        late = delay(1_200).then(() => insertIn(tx, 'b'))
        late.catch(() => {})
        await delay(5_000)
        isOver = true
      })
      const failed = expect(hung).rejects.toBeInstanceOf(TransactionExpired)
      await delay(20)
      await tables.insertInto('things').values(createEntity('next')).execute()
      await failed
      expect(isOver).toBe(false)
      await expect(late).rejects.toThrow()
      expect(await names()).toEqual(['thing next'])
    })

    test('conflicts with another one that changes the same rows', async () => {
      await tables.insertInto('things').values(createEntity('counter')).execute()
      const increase = () =>
        db.inTransaction(async (tx) => {
          const { rows } = await tx.executeQuery<{ rev: number }>(tables.selectFrom('things').select('rev').compile())
          await tx.executeQuery(
            tables
              .updateTable('things')
              .set({ rev: rows[0]!.rev + 1 })
              .compile(),
          )
        })
      await Promise.all([increase(), increase(), increase()])
      expect(await tables.selectFrom('things').select('rev').executeTakeFirst()).toEqual({ rev: 4 })
    })

    test('Kysely’s own transactions are refused, because they have no deadline', () => {
      expect(() => db.transaction()).toThrow('inTransaction')
      expect(() => db.startTransaction()).toThrow('inTransaction')
      expect(() => db.connection()).toThrow('inTransaction')
    })
  })
})
