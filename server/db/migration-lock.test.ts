import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFreshDatabase, engines, type FreshDatabase } from '#tests/engines.ts'
import { Database } from './database.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { openPostgresDriver } from './open-postgres.ts'

const lockId = 5_337_240_115
const now = () => new Date('2026-11-29T10:00:00Z')
const broken = { name: '9001-broken', statements: () => ['alter table nowhere add column size integer'] }

describe.runIf(engines.includes('postgres'))('the migration lock', () => {
  let fresh: FreshDatabase
  let holder: pg.Client
  let messages: string[]
  beforeEach(async () => {
    messages = []
    fresh = await createFreshDatabase('postgres')
    holder = new pg.Client({ connectionString: fresh.databaseUrl, application_name: 'forgotten' })
    await holder.connect()
  })
  afterEach(async () => {
    await holder.end()
    await fresh.close()
  })

  const withDatabase = async <T>(lockWaitMs: number, work: (db: Database) => Promise<T>) => {
    const options = { lockWaitMs, onWaiting: (message: string) => messages.push(message) }
    const db = new Database(await openPostgresDriver({ databaseUrl: fresh.databaseUrl! }, options))
    return work(db).finally(() => db.close())
  }
  const run = (db: Database, added: (typeof broken)[] = []) =>
    migrate(db, [...migrations, ...added], { dataDir: fresh.dataDir, now, backup: false })
  const countLocks = async () =>
    (
      await sql<{ count: number }>`select count(*) as count from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`.execute(fresh.db)
    ).rows[0]?.count

  test('a lock held by a forgotten session is waited for, with its pid and a deadline', async () => {
    await holder.query(`select pg_advisory_lock(${lockId})`)
    const { rows } = await holder.query('select pg_backend_pid() as id')
    const refused = await withDatabase(1_200, (db) => run(db)).catch((error: unknown) => error as Error)
    expect(refused).toMatchObject({ name: 'DatabaseUnusable' })
    expect((refused as Error).message).toContain(
      `(PostgreSQL pid ${rows[0].id}, forgotten, from 127.0.0.1). If no other Keeper is starting or upgrading, end that session: select pg_terminate_backend(${rows[0].id})`,
    )
    expect(messages).toEqual([expect.stringContaining(`PostgreSQL pid ${rows[0].id}`)])
    await holder.query(`select pg_advisory_unlock(${lockId})`)
    expect(await countLocks()).toBe(0)
  })

  test('is taken once the other session ends', async () => {
    await holder.query(`select pg_advisory_lock(${lockId})`)
    const running = withDatabase(20_000, (db) => run(db))
    await new Promise((resolve) => setTimeout(resolve, 700))
    await holder.query(`select pg_advisory_unlock(${lockId})`)
    expect(await running).toEqual({ applied: [] })
  })

  test('is released after success, a failed migration and a lost connection', async () => {
    await withDatabase(1_000, (db) => run(db))
    expect(await countLocks()).toBe(0)
    await withDatabase(1_000, async (db) => {
      await expect(run(db, [broken])).rejects.toThrow('9001-broken failed and was undone')
      expect(await countLocks()).toBe(0)
      const lost = db.runExclusively(async () => {
        expect(await countLocks()).toBe(1)
        await holder.query(`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and pid <> pg_backend_pid()
          and database = (select oid from pg_database where datname = current_database())`)
      })
      await expect(lost).rejects.toMatchObject({ name: 'DatabaseUnavailable' })
      expect(await countLocks()).toBe(0)
      expect(await run(db)).toEqual({ applied: [] })
    })
  })
})
