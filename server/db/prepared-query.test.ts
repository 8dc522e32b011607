import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFreshDatabase, engines, type FreshDatabase } from '#tests/engines.ts'
import { type Database, prepareQuery, requireChanges } from './database.ts'
import { createEntity, createTestTables, type TestSchema } from './testing/test-tables.ts'

describe.each(engines)('%s', (engine) => {
  let fresh: FreshDatabase
  let db: Database
  let database: Kysely<TestSchema>

  beforeEach(async () => {
    fresh = await createFreshDatabase(engine)
    db = fresh.db
    database = await createTestTables(db)
  })
  afterEach(() => fresh.close())

  describe('a hot query', () => {
    test('takes values by name, in any order and repeatedly', async () => {
      await database
        .insertInto('things')
        .values([
          createEntity('a', { is_red: true, made_at: 1 }),
          createEntity('b', { is_red: true, made_at: 2 }),
          createEntity('c', { is_red: false, made_at: 3 }),
        ])
        .execute()
      const recent = prepareQuery<{ since: number; red: boolean; limit: number }>()((_, p) =>
        database
          .selectFrom('things')
          .select(['id', 'is_red'])
          .where('is_red', '=', p.red)
          .where(({ eb, refTuple, tuple }) => eb(refTuple('made_at', 'id'), '>', tuple(p.since, 'a')))
          .where('made_at', '>=', p.since)
          .orderBy('made_at', 'desc')
          .limit(p.limit),
      )
      expect(await recent.all(db, { red: true, since: 1, limit: 5 })).toEqual([{ id: 'b', is_red: true }])
      expect(await recent.all(db, { limit: 5, since: 1, red: false })).toEqual([{ id: 'c', is_red: false }])
      expect(await recent.first(db, { limit: 5, since: 9, red: false })).toBeUndefined()
      expect(
        (await db.inTransaction((tx) => tx.executeQuery(recent.bind(db, { red: true, since: 0, limit: 1 })))).rows,
      ).toEqual([{ id: 'b', is_red: true }])
    })

    test('can be a write, alone and in a batch', async () => {
      const paint = prepareQuery<{ id: string; red: boolean }>()((_, p) =>
        database.updateTable('things').set({ is_red: p.red }).where('id', '=', p.id).returning(['id', 'is_red']),
      )
      await database
        .insertInto('things')
        .values([createEntity('a'), createEntity('b')])
        .execute()
      expect(await paint.run(db, { id: 'a', red: true })).toEqual({ rows: [{ id: 'a', is_red: true }], changes: 1 })
      const both = [paint.bind(db, { id: 'a', red: false }), paint.bind(db, { id: 'nobody', red: false })]
      expect((await db.batch(both)).map(({ changes }) => changes)).toEqual([1, 0])
      const checked = requireChanges(paint.bind(db, { id: 'nobody', red: true }))
      await expect(db.batch([paint.bind(db, { id: 'b', red: true }), checked])).rejects.toThrow(
        'changed 0 rows, 1 required',
      )
      expect(await database.selectFrom('things').select('is_red').where('id', '=', 'b').execute()).toEqual([
        { is_red: null },
      ])
    })

    test('is compiled again for other lengths of an array and for undefined values', async () => {
      await database
        .insertInto('things')
        .values([
          createEntity('a', { made_at: 1 }),
          createEntity('b', { made_at: 2 }),
          createEntity('c', { made_at: 3 }),
        ])
        .execute()
      let compiledCount = 0
      const newest = prepareQuery<{ ids: string[]; before?: number | undefined; limit: number }>()((_, p) => {
        compiledCount++
        const query = database
          .selectFrom('things')
          .select('id')
          .where('id', 'in', p.ids)
          .orderBy('made_at', 'desc')
          .limit(sql<number>`${p.limit} + 0`)
        return p.before === undefined ? query : query.where('made_at', '<', p.before)
      })
      const find = async (ids: string[], before: number | undefined, limit = 9) =>
        (await newest.all(db, { ids, before, limit })).map(({ id }) => id)
      expect(await find(['a', 'b', 'c'], undefined)).toEqual(['c', 'b', 'a'])
      expect(await find(['c', 'b', 'b'], undefined, 1)).toEqual(['c'])
      expect(await find(['a', 'c'], undefined)).toEqual(['c', 'a'])
      expect(await find(['a', 'b', 'c'], 3)).toEqual(['b', 'a'])
      expect(compiledCount).toBe(3)
    })

    test('can be defined before the database exists', async () => {
      const byName = prepareQuery<{ name: string }>()((_, p) =>
        database.selectFrom('things').select('id').where('name', '=', p.name),
      )
      await database.insertInto('things').values(createEntity('a')).execute()
      expect(await byName.first(db, { name: 'thing a' })).toEqual({ id: 'a' })
      expect(await byName.all(db, { name: 'nothing' })).toEqual([])
    })

    test('notices a column added after its first use', async () => {
      const all = prepareQuery()(() => sql`select * from boxes`)
      await database.insertInto('boxes').values({ id: 'box', label: 'Box' }).execute()
      expect(await all.first(db, {})).toEqual({ id: 'box', label: 'Box' })
      expect(await db.longRead(sql`select * from boxes`)).toEqual([{ id: 'box', label: 'Box' }])
      await db.write(sql.raw(`alter table boxes add column is_open boolean`))
      await db.write(sql`update boxes set is_open = ${true}`)
      expect(await all.first(db, {})).toEqual({ id: 'box', label: 'Box', is_open: true })
      expect(await db.longRead(sql`select * from boxes`)).toEqual([{ id: 'box', label: 'Box', is_open: true }])
    })
  })
})
