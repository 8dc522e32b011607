import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { createFreshDatabase, engines } from '#tests/engines.ts'
import { withDatabaseName } from '#tests/engines-setup.ts'
import { DatabaseBusy, DatabaseUnavailable } from './database-errors.ts'
import { openPostgresDriver } from './open-postgres.ts'

describe.runIf(engines.includes('postgres'))('PostgreSQL', () => {
  test('unavailable PostgreSQL prevents the start in one line that hides the password', async () => {
    const probe = createServer().listen(0, '127.0.0.1')
    await delay(10)
    const { port } = probe.address() as { port: number }
    probe.close()
    const refused = await openPostgresDriver(
      { databaseUrl: `postgres://keeper:hush@127.0.0.1:${port}/keeper` },
      { startTimeoutMs: 300 },
    ).catch((error) => error)
    expect(refused).toBeInstanceOf(DatabaseUnavailable)
    expect(refused.message).toBe(
      `Can’t use PostgreSQL at 127.0.0.1:${port}/keeper: connect ECONNREFUSED 127.0.0.1:${port}. Check DATABASE_URL.`,
    )
  })

  test('the start waits for PostgreSQL that starts a moment later', async () => {
    const { databaseUrl, close } = await createFreshDatabase('postgres')
    const admin = new pg.Client(withDatabaseName(databaseUrl!, 'postgres'))
    await admin.connect()
    const name = new URL(databaseUrl!).pathname.slice(1)
    await admin.query(`alter database ${name} allow_connections false`)
    await expect(openPostgresDriver({ databaseUrl: databaseUrl! }, { startTimeoutMs: 300 })).rejects.toThrow(
      'Check DATABASE_URL',
    )
    await admin.query(`alter database ${name} allow_connections true`)
    await admin.end()
    await (await openPostgresDriver({ databaseUrl: databaseUrl! })).destroy()
    await close()
  })

  test.each([
    ['a wrong password', (url: URL) => (url.password = 'wrong'), 'password authentication failed'],
    ['a database that does not exist', (url: URL) => (url.pathname = '/nowhere'), 'does not exist'],
  ])('PostgreSQL with %s prevents the start immediately', async (_, change, reason) => {
    const { databaseUrl, close } = await createFreshDatabase('postgres')
    const url = new URL(databaseUrl!)
    change(url)
    await expect(openPostgresDriver({ databaseUrl: url.href })).rejects.toThrow(reason)
    await close()
  })

  test('an invalid address prevents the start', async () => {
    await expect(openPostgresDriver({ databaseUrl: 'mysql://root@localhost/keeper' })).rejects.toThrow(
      'DATABASE_URL isn’t an address like postgres://',
    )
  })

  test('one of two deadlocked batches is retried, so that both succeed', async () => {
    const { db, close } = await createFreshDatabase('postgres')
    await db.write(sql`create table sums (id integer primary key, sum integer)`)
    await db.write(sql`insert into sums values (1, 0), (2, 0)`)
    const add = (id: number) => sql`update sums set sum = sum + 1 where id = ${id}`
    const pause = sql`select pg_sleep(0.3)`
    await Promise.all([db.batch([add(1), pause, add(2)]), db.batch([add(2), pause, add(1)])])
    expect(await db.longRead(sql`select sum from sums`)).toEqual([{ sum: 2 }, { sum: 2 }])
    await close()
  })

  test('writes on dropped connections fail temporarily; acknowledged ones are stored', async () => {
    const { db, databaseUrl, close } = await createFreshDatabase('postgres')
    await db.write(sql`create table numbers (number integer primary key)`)
    const admin = new pg.Client(withDatabaseName(databaseUrl!, 'postgres'))
    await admin.connect()
    const name = new URL(databaseUrl!).pathname.slice(1)
    const dropConnections = () =>
      admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])

    const acknowledged: number[] = []
    const failures: unknown[] = []
    let number = 0
    let isOver = false
    async function writer(kind: number): Promise<void> {
      while (!isOver) {
        const ownNumber = ++number
        const insert = sql`insert into numbers (number) values (${ownNumber})`
        try {
          if (kind % 3 === 0) await db.write(insert)
          else if (kind % 3 === 1) await db.batch([insert, sql`select 1`])
          else await db.inTransaction((tx) => insert.execute(tx))
          acknowledged.push(ownNumber)
        } catch (error) {
          failures.push(error)
          await delay(5)
        }
      }
    }
    const writers = Array.from({ length: 8 }, (_, kind) => writer(kind))
    for (let count = 0; count < 8; count++) {
      await delay(150)
      await dropConnections()
    }
    isOver = true
    await Promise.all(writers)

    expect(failures.length).toBeGreaterThan(0)
    expect(failures.filter((failure) => !(failure instanceof DatabaseBusy))).toEqual([])
    const stored = new Set(
      (await db.longRead(sql<{ number: number }>`select number from numbers`)).map((row) => row.number),
    )
    expect(acknowledged.length).toBeGreaterThan(100)
    expect(acknowledged.filter((ownNumber) => !stored.has(ownNumber))).toEqual([])
    await admin.end()
    await close()
  })
})
