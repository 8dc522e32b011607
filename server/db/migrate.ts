import { hash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { sql } from 'kysely'
import { backupBeforeMigration } from './backup.ts'
import { type ColumnTypes, columnTypes } from './column-types.ts'
import type { Database } from './database.ts'
import { DiskFull } from './database-errors.ts'
import type { Engine, Statement } from './engine-driver.ts'

export type { ColumnTypes } from './column-types.ts'

export interface Migration {
  name: string
  /** Plain SQL, one statement per string. Never imports current code, because its meaning must not change. */
  statements(types: ColumnTypes): string[]
}

export class MigrationRefused extends Error {
  override readonly name = 'MigrationRefused'
}

export interface AppliedMigration {
  name: string
  checksum: string
}

interface MigrateOptions {
  dataDir: string
  now: () => Date
  backup?: boolean
}

/** Backs up existing data first. @throws MigrationRefused for a newer database or an edited migration */
export async function migrate(
  db: Database,
  migrations: readonly Migration[],
  { dataDir, now, backup = true }: MigrateOptions,
): Promise<{ applied: string[]; backup?: string }> {
  const expected = prepareMigrations(migrations, db.engine)
  return db.engineDriver.withMigrationLock(async (apply) => {
    await apply([createMigrationsTable(db.engine)])
    const applied = await loadAppliedMigrations(db)
    assertMigrationsMatch(applied, expected)
    const pending = expected.slice(applied.length)
    if (pending.length === 0) return { applied: [] }
    const backupPath =
      backup && applied.length > 0 ? await backupBeforeMigration(db, dataDir, pending[0]!.name, now()) : undefined
    for (const [index, migration] of pending.entries()) {
      try {
        await apply([...migration.statements, insertMigration(db, migration, now())])
      } catch (error) {
        // The database is unchanged, so repeated starts would fill the disk with identical backups.
        if (index === 0 && backupPath !== undefined) await rm(backupPath, { recursive: true, force: true })
        if (error instanceof DiskFull)
          throw new DiskFull(getMigrationDiskFullMessage(migration, backupPath), { cause: error })
        throw new Error(`Migration ${migration.name} failed and was undone: ${getFailureReason(error)}`, {
          cause: error,
        })
      }
    }
    return { applied: pending.map(({ name }) => name), ...(backupPath === undefined ? {} : { backup: backupPath }) }
  })
}

function getMigrationDiskFullMessage({ name }: AppliedMigration, backup: string | undefined): string {
  const location = backup === undefined ? '' : ` in ${dirname(dirname(backup))}`
  return `The disk is full, so there was no space for the migration ${name}, which was undone. Nothing is lost. Free some space${location} and start again.`
}

async function loadAppliedMigrations(db: Database): Promise<AppliedMigration[]> {
  const { rows } = await db.write(sql<AppliedMigration>`select name, checksum from keeper_migrations order by name`)
  return rows
}

interface PreparedMigration extends AppliedMigration {
  statements: Statement[]
}

export function prepareMigrations(migrations: readonly Migration[], engine: Engine): PreparedMigration[] {
  return migrations.map(({ name, statements }, index) => {
    const previous = migrations[index - 1]
    if (previous && previous.name >= name)
      throw new Error(`Migration ${name} comes after ${previous.name}; names must be in ascending order`)
    const texts = statements(columnTypes[engine])
    const checksum = hash('sha256', texts.join(';\n'))
    return { name, checksum, statements: texts.map((text) => ({ sql: text, parameters: [] })) }
  })
}

function getFailureReason(error: unknown): string {
  const { cause, message } = error as Error
  return cause instanceof Error ? cause.message : message
}

function assertMigrationsMatch(applied: readonly AppliedMigration[], expected: readonly AppliedMigration[]): void {
  for (const [index, { name, checksum }] of applied.entries()) {
    const expectedMigration = expected[index]
    if (expectedMigration?.name !== name) {
      throw new MigrationRefused(
        `This database has migration ${name}, which this version of Keeper doesn’t know. Start the newer version, or restore an older backup.`,
      )
    }
    if (expectedMigration.checksum !== checksum) {
      throw new MigrationRefused(
        `Migration ${name} was edited after this database applied it. Undo the edit and put the change in a new migration.`,
      )
    }
  }
}

export function createMigrationsTable(engine: Engine): Statement {
  const { text, bigint } = columnTypes[engine]
  return {
    sql: `create table if not exists keeper_migrations (name ${text} primary key, checksum ${text} not null, applied_at ${bigint} not null)`,
    parameters: [],
  }
}

function insertMigration(db: Database, { name, checksum }: AppliedMigration, now: Date): Statement {
  return sql`insert into keeper_migrations (name, checksum, applied_at) values (${name}, ${checksum}, ${now.getTime()})`.compile(
    db,
  )
}

/** A unique name of this installation, from the time its tables were created. A restored installation gets a new one. */
export async function getInstallationName(db: Database): Promise<string> {
  const [first] = await db.longRead(sql<{ made_at: number }>`select min(applied_at) as made_at from keeper_migrations`)
  return `Keeper of ${new Date(first?.made_at ?? 0).toISOString()}`
}
