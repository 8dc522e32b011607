import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFreshDatabase, engines, type FreshDatabase } from '#tests/engines.ts'
import { withDatabaseName } from '#tests/engines-setup.ts'
import { eventually } from '#tests/eventually.ts'
import { DatabaseBusy, DatabaseUnavailable } from './database-errors.ts'
import { openPostgresDriver } from './open-postgres.ts'
import { toPostgresError } from './postgres-failures.ts'

test.each(['25006', '57P01', '57P02', '57P03', '57P05', '53300', '25P03', '25P04', '08000', '08006', '08P01'])(
  'SQLSTATE %s is an unavailable database',
  (code) => {
    const failure = Object.assign(new Error('refused by the server'), { code })
    expect(toPostgresError(failure, 'select 1')).toBeInstanceOf(DatabaseUnavailable)
  },
)

describe.runIf(engines.includes('postgres'))('PostgreSQL', () => {
  let fresh: FreshDatabase
  let admin: pg.Client
  let name: string
  beforeEach(async () => {
    fresh = await createFreshDatabase('postgres')
    name = new URL(fresh.databaseUrl!).pathname.slice(1)
    admin = new pg.Client(withDatabaseName(fresh.databaseUrl!, 'postgres'))
    await admin.connect()
    await fresh.db.write(sql`create table numbers (number integer primary key)`)
  })
  afterEach(async () => {
    await admin.end()
    await fresh.close()
  })
  const disconnectAll = () =>
    admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
  const insert = (number: number) => fresh.db.write(sql`insert into numbers values (${number})`)
  const setReadOnly = async (isReadOnly: boolean) => {
    await admin.query(
      `alter database ${name} ${isReadOnly ? 'set' : 'reset'} default_transaction_read_only${isReadOnly ? ' = on' : ''}`,
    )
  }
  /** Opens all ten connections of the pool; each takes over the current default settings. */
  const openAllConnections = () =>
    Promise.all(Array.from({ length: 10 }, () => fresh.db.read(sql`select pg_sleep(0.05)`.compile(fresh.db))))

  test('writes work after PostgreSQL was briefly read-only', async () => {
    await setReadOnly(true)
    await disconnectAll()
    await openAllConnections().catch(() => {})
    await openAllConnections()
    await setReadOnly(false)
    for (let number = 0; number < 20; number++) await insert(number)
    await fresh.db.batch([sql`insert into numbers values (100)`, sql`select 1`])
    expect(await fresh.db.longRead(sql`select count(*) as count from numbers`)).toEqual([{ count: 21 }])
  })

  test('writes to read-only PostgreSQL get 503, and work soon after without a restart', async () => {
    await setReadOnly(true)
    await disconnectAll()
    await openAllConnections().catch(() => {})
    await openAllConnections()
    for (let number = 0; number < 5; number++) await expect(insert(number)).rejects.toBeInstanceOf(DatabaseUnavailable)
    await expect(
      fresh.db.inTransaction((tx) => sql`insert into numbers values (50)`.execute(tx)),
    ).rejects.toBeInstanceOf(DatabaseBusy)
    await openAllConnections()
    expect(await fresh.db.engineDriver.checkWritable!()).toBe(false)
    await setReadOnly(false)
    await eventually(async () => expect(await fresh.db.engineDriver.checkWritable!()).toBe(true))
    await Promise.all(Array.from({ length: 20 }, (_, number) => insert(number)))
    for (let number = 20; number < 30; number++)
      await fresh.db.inTransaction((tx) => sql`insert into numbers values (${number})`.execute(tx))
  })

  test('a write that waits for another session ends with DatabaseBusy', { timeout: 40_000 }, async () => {
    await insert(1)
    const other = new pg.Client(fresh.databaseUrl)
    await other.connect()
    await other.query('begin; update numbers set number = 2')
    const waiting = fresh.db.write(sql`update numbers set number = 3`)
    await expect(waiting).rejects.toBeInstanceOf(DatabaseBusy)
    await other.end()
  })
})

describe.runIf(engines.includes('postgres'))('a start is refused in one line', () => {
  let fresh: FreshDatabase
  let admin: pg.Client
  const role = `limited_${process.pid}`
  beforeEach(async () => {
    fresh = await createFreshDatabase('postgres')
    admin = new pg.Client(fresh.databaseUrl)
    await admin.connect()
    await admin.query(`create role ${role} login password 'limited'`)
  })
  afterEach(async () => {
    await admin.query(`drop owned by ${role}; drop role ${role}`)
    await admin.end()
    await fresh.close()
  })

  const name = () => new URL(fresh.databaseUrl!).pathname.slice(1)
  const dropTables = 'drop table keeper_migrations cascade'
  test.each([
    [
      'without create on the schema',
      dropTables,
      /The role limited_\d+ can’t create tables in the schema public .*grant create/,
    ],
    ['on tables of another role', '', /The tables in \S+ belong to the role keeper, and limited_\d+ can’t change them/],
    ['without a schema', `alter role ${role} set search_path = nowhere`, /has no schema .* search_path/],
    ['that is read-only', `alter role ${role} set default_transaction_read_only = on`, /it is read-only/],
    [
      'with one connection',
      `${dropTables}; grant create on schema public to ${role}; alter role ${role} connection limit 1`,
      /only one connection .* needs at least 3 connections/,
    ],
  ])('for a role %s', async (_, statements, expected) => {
    if (statements) await admin.query(statements)
    const url = new URL(fresh.databaseUrl!)
    Object.assign(url, { username: role, password: 'limited' })
    const refused = await openPostgresDriver({ databaseUrl: url.href }, { startTimeoutMs: 0 }).catch((error) => error)
    expect(['DatabaseUnavailable', 'DatabaseUnusable']).toContain(refused.name)
    expect(refused.message).toMatch(expected)
    expect(refused.message).not.toMatch(/\n|undefined|:limited/)
    expect(refused.message).toContain(name())
  })
})
