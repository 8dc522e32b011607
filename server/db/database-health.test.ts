import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFreshDatabase, engines, type FreshDatabase } from '#tests/engines.ts'
import { countTables, findIntegrityProblems, getMigrationState } from './database-health.ts'
import { migrations } from './migrations/index.ts'

describe.each(engines)('checking a database on %s', (engine) => {
  let fresh: FreshDatabase
  beforeEach(async () => {
    fresh = await createFreshDatabase(engine)
  })
  afterEach(() => fresh.close())

  test('an intact database has no problems, all migrations and a table count', async () => {
    expect(await findIntegrityProblems(fresh.db, 'quick')).toEqual([])
    expect(await findIntegrityProblems(fresh.db, 'thorough')).toEqual([])
    const names = migrations.map(({ name }) => name)
    expect(await getMigrationState(fresh.db, migrations)).toEqual({ applied: names, pending: [] })
    const countBefore = await countTables(fresh.db)
    await fresh.db.write(sql`create table pots (id text)`)
    expect(await countTables(fresh.db)).toBe(countBefore + 1)
  })

  test('missing migrations are listed in order', async () => {
    await fresh.db.write(sql`delete from keeper_migrations where name >= ${migrations.at(-2)?.name ?? ''}`)
    const { pending } = await getMigrationState(fresh.db, migrations)
    expect(pending).toEqual(migrations.slice(-2).map(({ name }) => name))
  })

  if (engine === 'sqlite')
    test('a database with newly indexed words has no problems', async () => {
      const insertCard = (card: string) =>
        fresh.db.write(sql`insert into card_words (card, keeper, words) values (${card}, 'k', 'the light of the quay')`)
      for (const card of ['a', 'b', 'c']) {
        await insertCard(card)
        for (const depth of ['quick', 'thorough'] as const)
          expect({ card, depth, integrityProblems: await findIntegrityProblems(fresh.db, depth) }).toEqual({
            card,
            depth,
            integrityProblems: [],
          })
      }
    })

  if (engine === 'sqlite')
    test('violated checks and dangling references are reported without values', async () => {
      const extra = new DatabaseSync(join(fresh.dataDir, 'data.db'), {
        enableForeignKeyConstraints: false,
        defensive: false,
      })
      extra.exec(`create table pots (id text, note text);
      insert into pots values ('a', null);
      create table lids (id text, pot_id text references people (id));
      insert into lids values ('canary-of-a-lid', 'canary-of-nobody');
      pragma writable_schema = on;
      update sqlite_schema set sql = 'CREATE TABLE pots (id text, note text not null)' where name = 'pots';
      pragma writable_schema = reset`)
      extra.close()
      const quick = await findIntegrityProblems(fresh.db, 'quick')
      expect(quick).toEqual([expect.stringContaining('pots.note')])
      const thorough = await findIntegrityProblems(fresh.db, 'thorough')
      expect(thorough).toContainEqual('1 rows of lids point to people that don’t exist')
      expect([...quick, ...thorough].join()).not.toContain('canary')
    })

  if (engine === 'postgres')
    test('an invalid index is reported by name', async () => {
      await fresh.db.write(sql`create table pots (id text, note text)`)
      await fresh.db.write(sql`insert into pots values ('canary', 'canary')`)
      await fresh.db.write(sql`create index pots_by_note on pots (note)`)
      await fresh.db.write(sql`update pg_index set indisvalid = false where indexrelid = 'pots_by_note'::regclass`)
      await fresh.db.write(sql`alter table pots add constraint short check (length(note) < 3) not valid`)
      expect(await findIntegrityProblems(fresh.db, 'quick')).toEqual([
        'The index pots_by_note is invalid',
        'The constraint short was never checked',
      ])
    })
})
