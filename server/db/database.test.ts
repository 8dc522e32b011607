import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFreshDatabase, engines, type FreshDatabase } from '#tests/engines.ts'
import { type Database, json, requireChanges } from './database.ts'
import {
  DatabaseError,
  DatabaseUnavailable,
  ForeignKeyViolation,
  UnexpectedChanges,
  UniqueViolation,
} from './database-errors.ts'
import { createEntity, createTestTables, type TestSchema } from './testing/test-tables.ts'

describe.each(engines)('%s', (engine) => {
  let fresh: FreshDatabase
  let db: Database
  let rows: Kysely<TestSchema>

  beforeEach(async () => {
    fresh = await createFreshDatabase(engine)
    db = fresh.db
    rows = await createTestTables(db)
  })
  afterEach(() => fresh.close())

  const names = async () =>
    (await rows.selectFrom('things').select('name').orderBy('name').execute()).map(({ name }) => name)

  describe('values', () => {
    test('round-trip unchanged', async () => {
      const picture = new Uint8Array([0, 255, 7])
      const details = { list: [1, 'two', null], deep: { yes: true, emoji: '🫖', bidi: 'שלום' } }
      await rows
        .insertInto('things')
        .values(
          createEntity('a', { is_red: true, details: json(details), made_at: 1_795_000_000_123, weight: 2.5, picture }),
        )
        .execute()
      const row = await rows.selectFrom('things').selectAll().executeTakeFirstOrThrow()
      expect(row).toEqual({
        id: 'a',
        box_id: null,
        name: 'thing a',
        is_red: true,
        details,
        made_at: 1_795_000_000_123,
        weight: 2.5,
        picture: row.picture,
        rev: 1,
      })
      expect([...row.picture!]).toEqual([...picture])
    })

    test.each([
      ['text that looks like a number', '5'],
      ['a number', 5],
      ['false', false],
      ['an empty list', []],
      ['a big number', 2 ** 60],
      ['null', null],
    ])('JSON %s round-trips', async (_, details) => {
      await rows
        .insertInto('things')
        .values(createEntity('a', { details: json(details) }))
        .execute()
      const row = await rows
        .selectFrom('things')
        .select('details')
        .where('details', 'is not', null)
        .executeTakeFirstOrThrow()
      expect(row.details).toEqual(details)
    })

    test('JSON is stored without NUL and lone surrogates', async () => {
      const details = { 'a\0': 'cut \ud83d', b: ['\udf39', '\\u0000 and \\ud83d spelled out', '🌹', '\u0001'] }
      await rows
        .insertInto('things')
        .values(createEntity('a', { details: json(details) }))
        .execute()
      expect(await rows.selectFrom('things').select('details').executeTakeFirstOrThrow()).toEqual({
        details: { 'a\ufffd': 'cut \ufffd', b: ['\ufffd', '\\u0000 and \\ud83d spelled out', '🌹', '\u0001'] },
      })
    })

    test('joins, RETURNING and updates return booleans', async () => {
      await rows.insertInto('boxes').values({ id: 'box', label: 'Box' }).execute()
      const inserted = await rows
        .insertInto('things')
        .values(createEntity('a', { box_id: 'box', is_red: false, details: json([1]) }))
        .returning(['is_red', 'details'])
        .executeTakeFirst()
      expect(inserted).toEqual({ is_red: false, details: [1] })
      expect(
        await rows
          .selectFrom('boxes')
          .innerJoin('things', 'things.box_id', 'boxes.id')
          .select(['is_red'])
          .executeTakeFirst(),
      ).toEqual({ is_red: false })
      expect(
        await rows
          .updateTable('things')
          .set({ is_red: true })
          .where('is_red', '=', false)
          .returning('is_red')
          .executeTakeFirst(),
      ).toEqual({ is_red: true })
    })

    test('counts and sums are numbers', async () => {
      await rows
        .insertInto('things')
        .values([createEntity('a', { made_at: 2 ** 40 }), createEntity('b', { made_at: 2 ** 41 })])
        .execute()
      const row = await rows
        .selectFrom('things')
        .select(({ fn }) => [
          fn.countAll<number>().as('count'),
          fn.sum<number>('made_at').as('sum'),
          fn.max('made_at').as('last'),
        ])
        .executeTakeFirst()
      expect(row).toEqual({ count: 2, sum: 2 ** 40 + 2 ** 41, last: 2 ** 41 })
    })

    test('text is ordered by code point', async () => {
      await rows
        .insertInto('things')
        .values(['b', 'B', 'ä', 'a', '10', '9'].map((name, index) => ({ id: String(index), name })))
        .execute()
      expect(await names()).toEqual(['10', '9', 'B', 'a', 'b', 'ä'])
    })

    test.each([
      ['a plain object', {}, 'json()'],
      ['a list', [1], 'json()'],
      ['a date', new Date(), 'milliseconds'],
      ['undefined', undefined, 'null'],
    ])('%s as a parameter is refused', async (_, value, hint) => {
      const insert = db.write(sql`insert into things (id, name, details) values ('a', 'a', ${sql.val(value)})`)
      await expect(insert).rejects.toThrow(hint)
      expect(await names()).toEqual([])
    })
  })

  describe('a failed write', () => {
    test('a write with an existing key names the columns, but no values', async () => {
      await rows.insertInto('boxes').values({ id: 'box', label: 'Secret label' }).execute()
      await rows
        .insertInto('things')
        .values(createEntity('a', { box_id: 'box', name: 'Secret name' }))
        .execute()
      const again = await rows
        .insertInto('things')
        .values(createEntity('b', { box_id: 'box', name: 'Secret name' }))
        .execute()
        .catch((error) => error)
      expect(again).toBeInstanceOf(UniqueViolation)
      expect(again).toMatchObject({ table: 'things', columns: ['box_id', 'name'] })
      expect(again.cause).toBeInstanceOf(Error)
      expect(
        JSON.stringify([
          again.message,
          again.stack,
          again.cause.message,
          again.cause.stack,
          { ...again.cause },
          again.sql,
        ]),
      ).not.toContain('Secret')
    })

    test('a write with an existing primary key throws UniqueViolation', async () => {
      await rows.insertInto('boxes').values({ id: 'box', label: 'one' }).execute()
      await expect(rows.insertInto('boxes').values({ id: 'box', label: 'two' }).execute()).rejects.toMatchObject({
        name: 'UniqueViolation',
        table: 'boxes',
        columns: ['id'],
      })
    })

    test('a write with a dangling reference throws ForeignKeyViolation', async () => {
      await expect(
        rows
          .insertInto('things')
          .values(createEntity('a', { box_id: 'nowhere' }))
          .execute(),
      ).rejects.toBeInstanceOf(ForeignKeyViolation)
    })

    test('any other failed write throws DatabaseError with the SQL, but no values', async () => {
      const missing = await db
        .write(sql`insert into things (id, name) values (${'Secret id'}, ${null})`)
        .catch((error) => error)
      expect(missing).toBeInstanceOf(DatabaseError)
      expect(missing.message).toContain('name')
      const broken = await db.write(sql`insert into nowhere (id) values (${'Secret id'})`).catch((error) => error)
      expect(broken).toBeInstanceOf(DatabaseError)
      expect(broken.sql).toContain('insert into nowhere')
      expect(
        JSON.stringify([
          missing.message,
          missing.cause.message,
          { ...missing.cause },
          broken.message,
          broken.cause.message,
        ]),
      ).not.toContain('Secret')
    })

    test("doesn't affect concurrent writes", async () => {
      const insert = (id: string, name: string | null) =>
        db.write(sql`insert into things (id, name) values (${id}, ${name})`)
      const outcomes = await Promise.allSettled([
        insert('a', 'first'),
        insert('b', null),
        insert('c', 'third'),
        insert('a', 'again'),
      ])
      const [first, nameless, third, again] = outcomes.map(({ status }) => status)
      expect({ nameless, third }).toEqual({ nameless: 'rejected', third: 'fulfilled' })
      expect([first, again].toSorted()).toEqual(['fulfilled', 'rejected'])
      expect(await names()).toEqual([first === 'fulfilled' ? 'first' : 'again', 'third'])
    })
  })

  describe('a read', () => {
    test('sees every write acknowledged before it', async () => {
      for (let count = 1; count <= 50; count++) {
        await rows
          .insertInto('things')
          .values(createEntity(String(count)))
          .execute()
        expect(await names()).toHaveLength(count)
      }
      expect(await db.longRead(rows.selectFrom('things').select('id'))).toHaveLength(50)
    })

    test('runs during an open transaction', async () => {
      const opened = Promise.withResolvers<void>()
      const read = Promise.withResolvers<void>()
      const transaction = db.inTransaction(async (tx) => {
        await tx.executeQuery(rows.insertInto('things').values(createEntity('a')).compile())
        opened.resolve()
        await read.promise
      })
      await opened.promise
      expect(await names()).toEqual([])
      read.resolve()
      await transaction
      expect(await names()).toEqual(['thing a'])
    })

    test('can be long and raw', async () => {
      await rows
        .insertInto('things')
        .values(createEntity('a', { is_red: true }))
        .execute()
      expect(await db.longRead(sql<{ is_red: boolean }>`select is_red from things where id = ${'a'}`)).toEqual([
        { is_red: true },
      ])
      await expect(db.longRead(sql`select * from nowhere`)).rejects.toBeInstanceOf(DatabaseError)
    })
  })

  describe('a batch', () => {
    test('runs completely and returns the changes of each write', async () => {
      const results = await db.batch([
        rows.insertInto('things').values([createEntity('a'), createEntity('b')]),
        rows.updateTable('things').set({ is_red: true }).where('id', '=', 'a').returning(['id', 'is_red']),
        rows.deleteFrom('things').where('id', '=', 'nobody'),
        sql`update things set rev = rev + 1`,
      ])
      expect(results).toEqual([
        { rows: [], changes: 2 },
        { rows: [{ id: 'a', is_red: true }], changes: 1 },
        { rows: [], changes: 0 },
        { rows: [], changes: 2 },
      ])
      expect(await db.batch([])).toEqual([])
    })

    test('a batch with a failed write is rolled back, and its neighbors stay', async () => {
      const outcomes = await Promise.allSettled([
        db.batch([rows.insertInto('things').values(createEntity('neighbour'))]),
        db.batch([
          rows.insertInto('things').values(createEntity('a')),
          rows.insertInto('things').values(createEntity('b', { box_id: 'nowhere' })),
          rows.insertInto('things').values(createEntity('c')),
        ]),
        rows.insertInto('things').values(createEntity('other')).execute(),
      ])
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      expect((outcomes[1] as PromiseRejectedResult).reason).toBeInstanceOf(ForeignKeyViolation)
      expect(await names()).toEqual(['thing neighbour', 'thing other'])
    })

    test('is rolled back if a write changes an unexpected number of rows', async () => {
      await rows.insertInto('things').values(createEntity('a')).execute()
      const claim = (rev: number, newId: string) =>
        db.batch([
          rows.insertInto('things').values(createEntity(newId)),
          requireChanges(
            rows
              .updateTable('things')
              .set({ rev: rev + 1 })
              .where('id', '=', 'a')
              .where('rev', '=', rev),
          ),
        ])
      await expect(claim(1, 'first')).resolves.toMatchObject([{ changes: 1 }, { changes: 1 }])
      await expect(claim(1, 'second')).rejects.toMatchObject({
        name: 'UnexpectedChanges',
        index: 1,
        required: 1,
        changes: 0,
      })
      await expect(db.write(requireChanges(rows.updateTable('things').set({ rev: 9 }), 1))).rejects.toBeInstanceOf(
        UnexpectedChanges,
      )
      expect(await names()).toEqual(['thing a', 'thing first'])
      expect(await rows.selectFrom('things').select('rev').where('id', '=', 'a').executeTakeFirst()).toEqual({
        rev: 2,
      })
    })
  })

  test('a raw write that starts with "with" is a write', async () => {
    const result = await db.write(
      sql<{
        id: string
      }>`with made (id, name) as (values ('a', 'from with')) insert into things (id, name) select id, name from made returning id`,
    )
    expect(result).toEqual({ rows: [{ id: 'a' }], changes: 1 })
    expect(await names()).toEqual(['from with'])
  })

  test('closing finishes accepted writes and refuses new ones', async () => {
    const accepted = Array.from({ length: 20 }, (_, index) =>
      rows
        .insertInto('things')
        .values(createEntity(String(index)))
        .execute(),
    )
    // Lets the writes reach the queue.
    await delay(0)
    await db.close()
    await expect(Promise.all(accepted)).resolves.toHaveLength(20)
    await expect(names()).rejects.toBeInstanceOf(DatabaseUnavailable)
    await expect(db.batch([sql`select 1`])).rejects.toBeInstanceOf(DatabaseUnavailable)
    await db.close()
  })
})

describe.runIf(engines.includes('sqlite'))("a search text the index can't parse", () => {
  test("doesn't appear in the error", async () => {
    const { db, close } = await createFreshDatabase('sqlite')
    await db.write(sql`create virtual table words using fts5(text)`)
    for (const text of ['"Secret', 'secret: diary']) {
      const error = await db.longRead(sql`select * from words where words match ${text}`).catch((failure) => failure)
      expect(error).toBeInstanceOf(DatabaseError)
      expect(`${error.message} ${error.cause.message} ${error.cause.stack}`.toLowerCase()).not.toContain('secret')
    }
    await close()
  })
})
