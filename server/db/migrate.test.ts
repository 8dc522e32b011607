import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFreshDatabase, engines, type FreshDatabase } from '#tests/engines.ts'
import { openDatabase } from './database.ts'
import { DiskFull } from './database-errors.ts'
import { type Migration, migrate } from './migrate.ts'
import { migrations as released } from './migrations/index.ts'

const now = () => new Date('2026-11-21T04:05:06.789Z')

const pots: Migration = {
  name: '9001-pots',
  statements: ({ text, boolean, bigint }) => [
    `create table pots (id ${text} primary key, is_full ${boolean} not null, made_at ${bigint})`,
    `create table lids (id ${text} primary key, pot_id ${text} not null references pots (id) on delete cascade)`,
  ],
}
const colours: Migration = {
  name: '9002-colours',
  statements: ({ text }) => [`alter table pots add column colour ${text} not null default 'red'`],
}
const broken: Migration = {
  name: '9002-broken',
  statements: ({ text }) => [
    `alter table pots add column colour ${text}`,
    'alter table nowhere add column colour integer',
  ],
}

describe.each(engines)('migrate() on %s', (engine) => {
  let fresh: FreshDatabase
  beforeEach(async () => {
    fresh = await createFreshDatabase(engine)
  })
  afterEach(() => fresh.close())

  const run = (...added: Migration[]) => migrate(fresh.db, [...released, ...added], { dataDir: fresh.dataDir, now })
  const getPotColumns = async () =>
    (await fresh.db.introspection.getTables()).find(({ name }) => name === 'pots')?.columns.map(({ name }) => name)

  test('applies missing migrations in order and once', async () => {
    expect((await run(pots, colours)).applied).toEqual(['9001-pots', '9002-colours'])
    expect(await run(pots, colours)).toEqual({ applied: [] })
    expect(await getPotColumns()).toEqual(['id', 'is_full', 'made_at', 'colour'])
  })

  test('backs up a database with data, unless disabled', async () => {
    await fresh.db
      .insertInto('people')
      .values({
        id: 'ada',
        email: 'ada@example.org',
        email_folded: 'ada@example.org',
        password_hash: 'x',
        created_at: 1,
      })
      .execute()
    const { backup } = await run(pots)
    expect(backup).toBe(
      join(fresh.dataDir, 'backups', `before-9001-pots-20261121T040506Z${engine === 'sqlite' ? '.db' : ''}`),
    )
    expect(existsSync(backup!)).toBe(true)
    expect(
      (await migrate(fresh.db, [...released, pots, colours], { dataDir: fresh.dataDir, now, backup: false })).backup,
    ).toBeUndefined()
    expect(readdirSync(join(fresh.dataDir, 'backups'))).toHaveLength(1)
  })

  test('reports a full disk and keeps no unneeded backup', async () => {
    const full: Migration = {
      name: '9002-full',
      statements: ({ text }) =>
        engine === 'sqlite'
          ? ['pragma max_page_count = 1', `create table more (id ${text} primary key)`]
          : [`do $$ begin raise exception 'no room' using errcode = '53100'; end $$`],
    }
    const fullAsFirst: Migration = { ...full, name: '9001-full' }
    const listBackups = () => readdirSync(join(fresh.dataDir, 'backups'))

    const failure = run(fullAsFirst)
    await expect(failure).rejects.toBeInstanceOf(DiskFull)
    await expect(failure).rejects.toThrow(`no space for the migration 9001-full, which was undone. Nothing is lost.`)
    await expect(failure).rejects.toThrow(`Free some space in ${fresh.dataDir} and start again.`)
    expect(listBackups()).toEqual([])
    await freeDiskSpace()
    await expect(run(pots, full)).rejects.toThrow('no space for the migration 9002-full')
    expect(listBackups()).toHaveLength(1)
    await freeDiskSpace()
    expect((await run(pots, colours)).applied).toEqual(['9002-colours'])
  })

  const freeDiskSpace = async () => {
    if (engine === 'sqlite') await fresh.db.write(sql`pragma max_page_count = 1000000`)
  }

  test('undoes a failed migration, keeps earlier ones and continues once it is fixed', async () => {
    await expect(run(pots, broken)).rejects.toThrow(/^Migration 9002-broken failed and was undone: .*nowhere/)
    expect(await getPotColumns()).toEqual(['id', 'is_full', 'made_at'])
    expect((await run(pots, colours)).applied).toEqual(['9002-colours'])
  })

  test('refuses a database of a newer Keeper', async () => {
    await run(pots)
    await expect(run()).rejects.toMatchObject({
      name: 'MigrationRefused',
      message:
        'This database has migration 9001-pots, which this version of Keeper doesn’t know. Start the newer version, or restore an older backup.',
    })
  })

  test('refuses a migration edited after it was applied', async () => {
    await run(pots)
    await expect(run({ ...pots, statements: (types) => [...pots.statements(types), 'select 1'] })).rejects.toThrow(
      'Migration 9001-pots was edited after this database applied it',
    )
  })

  test('refuses names that do not ascend', async () => {
    await expect(run(colours, pots)).rejects.toThrow('names must be in ascending order')
  })

  test('two concurrent calls apply each migration once', async () => {
    const second =
      engine === 'postgres' ? await openDatabase({ dataDir: fresh.dataDir, databaseUrl: fresh.databaseUrl }) : fresh.db
    const options = { dataDir: fresh.dataDir, now, backup: false }
    const outcomes = await Promise.all([
      migrate(fresh.db, [...released, pots, colours], options),
      migrate(second, [...released, pots, colours], options),
    ])
    expect(outcomes.flatMap(({ applied }) => applied)).toEqual(['9001-pots', '9002-colours'])
    if (second !== fresh.db) await second.close()
  })

  test('rows referencing a table survive its rebuild', async () => {
    await run(pots)
    await fresh.db.write(sql`insert into pots (id, is_full) values ('pot', ${true})`)
    await fresh.db.write(sql`insert into lids (id, pot_id) values ('lid', 'pot')`)
    const rebuilt: Migration = {
      name: '9002-rebuilt',
      statements: (types) =>
        types.engine === 'postgres'
          ? ['alter table pots drop column made_at']
          : [
              `create table pots_new (id ${types.text} primary key, is_full ${types.boolean} not null)`,
              'insert into pots_new select id, is_full from pots',
              'drop table pots',
              'alter table pots_new rename to pots',
            ],
    }
    await run(pots, rebuilt)
    expect(await fresh.db.longRead(sql`select id from lids`)).toEqual([{ id: 'lid' }])
    await expect(fresh.db.write(sql`insert into lids (id, pot_id) values ('other', 'nowhere')`)).rejects.toMatchObject({
      name: 'ForeignKeyViolation',
    })
  })
})
