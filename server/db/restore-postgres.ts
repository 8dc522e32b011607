import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { archivePostgres } from './backup.ts'
import { BackupRefused, formatTimestamp } from './backup-archive.ts'
import { migrationsTable } from './canonical-dump.ts'
import { type CheckedBackup, readDumpEntries } from './check-backup.ts'
import { dropTables, loadIntoPostgres } from './load-dump.ts'
import { createMigrationsTable, prepareMigrations } from './migrate.ts'
import { openDirectDriver, type PostgresSettings } from './open-postgres.ts'
import { listTableNames } from './postgres-dump.ts'
import { applicationName } from './postgres-pool.ts'

/** Runs in one transaction, so a failure leaves the old rows. Returns the path of their backup, if there were any. */
export async function restoreIntoPostgres(
  backup: CheckedBackup,
  settings: PostgresSettings,
  dataDir: string,
  now: Date,
): Promise<string | undefined> {
  const driver = await openDirectDriver(settings)
  try {
    const savedPath = join(dataDir, 'backups', `before-restore-${formatTimestamp(now)}`)
    const hasKeeperTables = await driver.withDirectClient(async (client) => {
      await assertNotInUse(client)
      return (await listTableNames(client)).includes(migrationsTable)
    })
    if (hasKeeperTables) await archivePostgres(driver, savedPath, now)
    await driver.withDirectClient(async (client) => {
      await client.query('begin')
      try {
        if (hasKeeperTables) await dropTables(client)
        await createTables(client, backup, now)
        await loadIntoPostgres(client, readDumpEntries(backup))
        await client.query('commit')
      } catch (error) {
        await client.query('rollback')
        throw error
      }
    })
    return hasKeeperTables ? savedPath : undefined
  } finally {
    await driver.destroy()
  }
}

const disconnectTimeoutMs = 2_000

async function assertNotInUse(client: PoolClient): Promise<void> {
  for (const deadline = performance.now() + disconnectTimeoutMs; ; await delay(50)) {
    const { rows } = await client.query<{ count: number }>(
      'select count(*) as count from pg_stat_activity where datname = current_database() and application_name = $1 and pid <> pg_backend_pid()',
      [applicationName],
    )
    if (rows[0]!.count === 0) return
    if (performance.now() > deadline)
      throw new BackupRefused('The database is in use by a running Keeper. Stop that one first.', 'other-processes')
  }
}

async function createTables(client: PoolClient, { migrations }: CheckedBackup, now: Date): Promise<void> {
  await client.query(createMigrationsTable('postgres').sql)
  for (const { name, checksum, statements } of prepareMigrations(migrations, 'postgres')) {
    for (const { sql } of statements) await client.query(sql)
    await client.query(`insert into ${migrationsTable} (name, checksum, applied_at) values ($1, $2, $3)`, [
      name,
      checksum,
      now.getTime(),
    ])
  }
}
