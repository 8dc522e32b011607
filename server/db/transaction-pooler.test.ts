import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFreshDatabase, engines, type FreshDatabase } from '#tests/engines.ts'
import { withDatabaseName } from '#tests/engines-setup.ts'
import { eventually } from '#tests/eventually.ts'
import { startTransactionPooler } from '#tests/fakes/transaction-pooler.ts'
import { createBackup } from './backup.ts'
import { type Database, openDatabase } from './database.ts'
import { DatabaseUnavailable, DatabaseUnusable } from './database-errors.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { openPostgresDriver } from './open-postgres.ts'

const now = () => new Date('2026-11-29T10:00:00Z')

describe.runIf(engines.includes('postgres'))('through a pooler in transaction mode', () => {
  let fresh: FreshDatabase
  let directUrl: string
  let pooler: Awaited<ReturnType<typeof startTransactionPooler>>
  const opened: Database[] = []
  beforeEach(async () => {
    fresh = await createFreshDatabase('postgres')
    directUrl = fresh.databaseUrl!
    pooler = await startTransactionPooler(directUrl)
  })
  afterEach(async () => {
    for (const db of opened.splice(0)) await db.close()
    await pooler.close()
    await fresh.close()
  })

  const open = async () => {
    const db = await openDatabase({ dataDir: fresh.dataDir, databaseUrl: pooler.url, directUrl })
    opened.push(db)
    return db
  }
  const countAdvisoryLocks = async () => {
    const { rows } = await sql<{ count: number }>`select count(*) as count from pg_locks
      where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`.execute(
      fresh.db,
    )
    return rows[0]?.count
  }

  test('a start without a direct address is refused in one line and leaves no lock', async () => {
    const refused = await openPostgresDriver({ databaseUrl: pooler.url }).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(DatabaseUnusable)
    expect((refused as Error).message).toMatch(
      /^DATABASE_URL leads to a pooler in transaction mode.*DATABASE_DIRECT_URL/,
    )
    expect((refused as Error).message).not.toMatch(/\n|127\.0\.0\.1/)
    expect(await countAdvisoryLocks()).toBe(0)
  })

  test('two starts with traffic on the pool migrate, write and leave no lock or setting', async () => {
    const traffic = new pg.Pool({ connectionString: pooler.url, max: 4 })
    let isOver = false
    const busy = Array.from({ length: 4 }, async () => {
      while (!isOver) await traffic.query('select pg_sleep(0.002)')
    })
    for (let start = 0; start < 2; start++) {
      const db = await open()
      const extra = { name: `9001-extra`, statements: () => ['create table extra (id integer primary key)'] }
      const { applied } = await migrate(db, [...migrations, extra], { dataDir: fresh.dataDir, now, backup: false })
      expect(applied).toEqual(start === 0 ? ['9001-extra'] : [])
      await Promise.all(
        Array.from({ length: 20 }, (_, index) => db.write(sql`insert into extra values (${start * 100 + index})`)),
      )
      await db.batch([sql`insert into extra values (${start * 100 + 50})`, sql`select 1`])
      await db.inTransaction((tx) => sql`insert into extra values (${start * 100 + 60})`.execute(tx))
    }
    expect(await fresh.db.longRead(sql`select count(*) as count from extra`)).toEqual([{ count: 44 }])
    expect(await countAdvisoryLocks()).toBe(0)
    const { rows } = await traffic.query('show lock_timeout')
    expect(rows).toEqual([{ lock_timeout: '0' }])
    isOver = true
    await Promise.all(busy)
    await traffic.end()
  })

  test('notifications arrive, and a backup is complete', async () => {
    const db = await open()
    const received: string[] = []
    const channel = await db.engineDriver.listen!('keeper', {
      onMessage: (payload) => received.push(payload),
      onMissed() {},
      onLost() {},
    })
    await db.write(sql`select pg_notify('keeper', 'hello')`)
    await eventually(() => expect(received).toEqual(['hello']))
    await channel.close()
    const folder = mkdtempSync(join(tmpdir(), 'keeper-pooled-'))
    const { files } = await createBackup({ dataDir: folder, databaseUrl: pooler.url, directUrl }, now(), null)
    expect(files, 'only rows.jsonl: there are no media').toBe(1)
    rmSync(folder, { recursive: true })
  })

  test('a direct address of another database, or of a pooler, is refused', async () => {
    const other = withDatabaseName(directUrl, 'postgres')
    await expect(openPostgresDriver({ databaseUrl: pooler.url, directUrl: other })).rejects.toThrow(
      'DATABASE_DIRECT_URL and DATABASE_URL lead to different databases',
    )
    await expect(openPostgresDriver({ databaseUrl: directUrl, directUrl: pooler.url })).rejects.toThrow(
      'DATABASE_DIRECT_URL leads to a pooler in transaction mode',
    )
  })

  test('a pool of one connection is refused instead of waiting', { timeout: 30_000 }, async () => {
    const narrow = await startTransactionPooler(directUrl, { size: 1 })
    const refused = openPostgresDriver({ databaseUrl: narrow.url, directUrl }, { startTimeoutMs: 0 })
    await expect(refused).rejects.toBeInstanceOf(DatabaseUnavailable)
    await expect(refused).rejects.toThrow('only one connection can be used at a time')
    await narrow.close()
  })
})
