import { createHash } from 'node:crypto'
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
  /** `0001-accounts`: the number gives the order. */
  name: string
  /** Plain SQL, one statement a string; never importing today's code, since it must mean the same for ever. */
  statements(types: ColumnTypes): string[]
}

/** The database and this code do not fit; nothing was changed. The message is one line that says what to do. */
export class MigrationRefused extends Error {
  override readonly name = 'MigrationRefused'
}

export interface AppliedMigration {
  name: string
  checksum: string
}

interface Options {
  /** A backup goes to `backups` in here. */
  dataDir: string
  now: () => Date
  /** `false`: no backup first. */
  backup?: boolean
}

/**
 * Brings the database to the newest migration, each in a transaction of its own, and first takes a backup when there is something to lose.
 * Two processes may call it at once; one waits. Answers the names applied and where the backup lies.
 * Throws MigrationRefused for a database of a newer Keeper or a migration that was edited after it was applied.
 */
export async function migrate(
  db: Database,
  migrations: readonly Migration[],
  { dataDir, now, backup = true }: Options,
): Promise<{ applied: string[]; backup?: string }> {
  const wanted = ready(migrations, db.engine)
  return db.engineDriver.underMigrationLock(async (apply) => {
    await apply([migrationsTableOf(db.engine)])
    const done = await appliedMigrations(db)
    refuseMisfit(done, wanted)
    const pending = wanted.slice(done.length)
    if (pending.length === 0) return { applied: [] }
    const saved =
      backup && done.length > 0 ? await backupBeforeMigration(db, dataDir, pending[0]!.name, now()) : undefined
    for (const [index, migration] of pending.entries()) {
      try {
        await apply([...migration.statements, recordOf(db, migration, now())])
      } catch (error) {
        // It is what lies in the database still; whoever starts again and again would fill the disk with copies of that.
        if (index === 0 && saved !== undefined) await rm(saved, { recursive: true, force: true })
        if (error instanceof DiskFull) throw new DiskFull(noRoomFor(migration, saved), { cause: error })
        throw new Error(`Migration ${migration.name} failed and was undone: ${reasonOf(error)}`, { cause: error })
      }
    }
    return { applied: pending.map(({ name }) => name), ...(saved === undefined ? {} : { backup: saved }) }
  })
}

function noRoomFor({ name }: AppliedMigration, backup: string | undefined): string {
  const room = backup === undefined ? '' : ` in ${dirname(dirname(backup))}`
  return `The disk is full: there is no room for the migration ${name}, which was undone. Nothing is lost. Make room${room}, and start again.`
}

/** In the order they were applied. */
async function appliedMigrations(db: Database): Promise<AppliedMigration[]> {
  const { rows } = await db.write(sql<AppliedMigration>`select name, checksum from keeper_migrations order by name`)
  return rows
}

interface ReadyMigration extends AppliedMigration {
  statements: Statement[]
}

/** The migrations as this engine runs them, each with the checksum by which a later edit is noticed. */
export function ready(migrations: readonly Migration[], engine: Engine): ReadyMigration[] {
  return migrations.map(({ name, statements }, index) => {
    const before = migrations[index - 1]
    if (before && before.name >= name)
      throw new Error(`Migration ${name} stands after ${before.name}; names must ascend`)
    const texts = statements(columnTypes[engine])
    const checksum = createHash('sha256').update(texts.join(';\n')).digest('hex')
    return { name, checksum, statements: texts.map((text) => ({ sql: text, parameters: [] })) }
  })
}

/** In the engine's words: a migration has no values in it that they could give away. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error
  return cause instanceof Error ? cause.message : message
}

function refuseMisfit(done: readonly AppliedMigration[], wanted: readonly AppliedMigration[]): void {
  for (const [index, { name, checksum }] of done.entries()) {
    const known = wanted[index]
    if (known?.name !== name) {
      throw new MigrationRefused(
        `This database has the migration ${name}, which this Keeper does not know: a newer Keeper made it. Start that version, or restore an older backup.`,
      )
    }
    if (known.checksum !== checksum) {
      throw new MigrationRefused(
        `Migration ${name} was edited after this database applied it. Undo the edit, and put the change into a new migration.`,
      )
    }
  }
}

export function migrationsTableOf(engine: Engine): Statement {
  const { text, milliseconds } = columnTypes[engine]
  return {
    sql: `create table if not exists keeper_migrations (name ${text} primary key, checksum ${text} not null, applied_at ${milliseconds} not null)`,
    parameters: [],
  }
}

function recordOf(db: Database, { name, checksum }: AppliedMigration, now: Date): Statement {
  return sql`insert into keeper_migrations (name, checksum, applied_at) values (${name}, ${checksum}, ${now.getTime()})`.compile(
    db,
  )
}
