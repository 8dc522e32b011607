import { createReadStream, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { mediaFolder } from './backup.ts'
import { BackupRefused, type Manifest, verifyArchive } from './backup-archive.ts'
import { type DumpEntry, dumpOf, entryOf } from './canonical-dump.ts'
import type { Engine } from './engine-driver.ts'
import { type AppliedMigration, type Migration, ready } from './migrate.ts'
import { sqliteDump } from './sqlite-dump.ts'

export interface RestoreOptions {
  migrations: readonly Migration[]
  now: Date
  /** Of the master key in use, to refuse a backup made under another one; null when none is known. */
  keyFingerprint: string | null
  acceptOtherKey?: boolean
}

/** A backup that was read whole and found good. */
export interface CheckedBackup {
  /** Of its database. */
  file: string
  kind: Manifest['database']
  /** Those of this code that its database had. */
  migrations: Migration[]
  /** Its media folder; undefined when it has none to say about. */
  media: string | undefined
}

/** Reads the whole backup, changes nothing, and throws BackupRefused unless it can be restored. */
export async function checkBackup(
  path: string,
  { migrations, keyFingerprint, acceptOtherKey }: RestoreOptions,
): Promise<CheckedBackup> {
  if (!existsSync(path)) throw new BackupRefused(`There is no backup ${path}`)
  if (statSync(path).isFile()) return checkDatabaseFile(path, migrations)
  const manifest = await verifyArchive(path)
  if (!acceptOtherKey && keyFingerprint && manifest.keyFingerprint && keyFingerprint !== manifest.keyFingerprint) {
    throw new BackupRefused(
      'The backup was made under another master key, so its stored provider keys could not be read. Put that key back first, or add --other-key to do without them.',
    )
  }
  const file = join(path, manifest.database)
  if (manifest.database === 'data.db') checkIntegrity(file)
  return {
    file,
    kind: manifest.database,
    migrations: knownMigrations(manifest.migrations, manifest.engine, migrations),
    media: manifest.media ? join(path, mediaFolder) : undefined,
  }
}

/** What migrate() leaves before it begins: the database without sums, but SQLite can tell whether it is whole. */
function checkDatabaseFile(file: string, migrations: readonly Migration[]): CheckedBackup {
  const applied = checkIntegrity(file)
  return { file, kind: 'data.db', migrations: knownMigrations(applied, 'sqlite', migrations), media: undefined }
}

function checkIntegrity(file: string): AppliedMigration[] {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file, { readOnly: true })
    const check = database.prepare('pragma integrity_check(1)').get()?.integrity_check
    if (check !== 'ok') throw new BackupRefused(`The backup is damaged: ${check}`)
    return database
      .prepare('select name, checksum from keeper_migrations order by name')
      .all() as unknown as AppliedMigration[]
  } catch (error) {
    if (error instanceof BackupRefused) throw error
    throw new BackupRefused(`${file} is not a database of Keeper (${(error as Error).message})`)
  } finally {
    database?.close()
  }
}

function knownMigrations(
  applied: readonly AppliedMigration[],
  engine: Engine,
  migrations: readonly Migration[],
): Migration[] {
  const known = ready(migrations, engine)
  for (const [index, { name, checksum }] of applied.entries()) {
    if (known[index]?.name !== name || known[index].checksum !== checksum) {
      throw new BackupRefused(
        `The backup has the migration ${name} in a form this Keeper does not know: another version made it. Restore it with that version.`,
      )
    }
  }
  return migrations.slice(0, applied.length)
}

/** The rows of a backup of either kind. */
export async function* entriesOf({ file, kind }: Pick<CheckedBackup, 'file' | 'kind'>): AsyncGenerator<DumpEntry> {
  if (kind === 'rows.jsonl') {
    for await (const line of linesOf(file)) yield entryOf(line)
    return
  }
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    yield* dumpOf(sqliteDump(database))
  } finally {
    database.close()
  }
}

/** At line feeds alone: `node:readline` also ends a line at U+2028 and U+2029, which stand in texts as they are. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of createReadStream(file, { encoding: 'utf8', highWaterMark: 1024 * 1024 })) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}
