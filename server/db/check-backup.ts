import { createReadStream, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { mediaFolder } from './backup.ts'
import { BackupRefused, type Manifest, verifyArchive } from './backup-archive.ts'
import { type DumpEntry, dumpDatabase, parseDumpLine } from './canonical-dump.ts'
import type { Engine } from './engine-driver.ts'
import { type AppliedMigration, type Migration, prepareMigrations } from './migrate.ts'
import { createSqliteDump, listAppliedMigrations } from './sqlite-dump.ts'

export interface RestoreOptions {
  migrations: readonly Migration[]
  now: Date
  keyFingerprint: string | null
  acceptOtherKey?: boolean
  onRead?: (bytes: number) => void
}

export interface CheckedBackup {
  file: string
  kind: Manifest['database']
  migrations: Migration[]
  media: string | undefined
}

export async function checkBackup(
  path: string,
  { migrations, keyFingerprint, acceptOtherKey, onRead }: Omit<RestoreOptions, 'now'>,
): Promise<CheckedBackup> {
  if (!existsSync(path)) throw new BackupRefused(`There is no backup at ${path}`)
  if (statSync(path).isFile()) return checkDatabaseFile(path, migrations)
  const manifest = await verifyArchive(path, onRead)
  if (!acceptOtherKey && keyFingerprint && manifest.keyFingerprint && keyFingerprint !== manifest.keyFingerprint) {
    throw new BackupRefused(
      'The backup was made with another master key, so its stored provider keys couldn’t be read. Put that key back first, or add --other-key to restore without them.',
      'other-key',
    )
  }
  const file = join(path, manifest.database)
  if (manifest.database === 'data.db') checkIntegrity(file)
  return {
    file,
    kind: manifest.database,
    migrations: matchMigrations(manifest.migrations, manifest.engine, migrations),
    media: manifest.media ? join(path, mediaFolder) : undefined,
  }
}

/** A backup made by migrate() has no checksums, but SQLite can verify itself. */
function checkDatabaseFile(file: string, migrations: readonly Migration[]): CheckedBackup {
  const applied = checkIntegrity(file)
  return { file, kind: 'data.db', migrations: matchMigrations(applied, 'sqlite', migrations), media: undefined }
}

function checkIntegrity(file: string): AppliedMigration[] {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file, { readOnly: true })
    const check = database.prepare('pragma integrity_check(1)').get()?.integrity_check
    if (check !== 'ok') throw new BackupRefused(`The backup is damaged: ${check}`)
    return listAppliedMigrations(database)
  } catch (error) {
    if (error instanceof BackupRefused) throw error
    throw new BackupRefused(`${file} isn’t a Keeper database (${(error as Error).message})`)
  } finally {
    database?.close()
  }
}

function matchMigrations(
  applied: readonly AppliedMigration[],
  engine: Engine,
  migrations: readonly Migration[],
): Migration[] {
  const available = prepareMigrations(migrations, engine)
  for (const [index, { name, checksum }] of applied.entries()) {
    if (available[index]?.name !== name || available[index].checksum !== checksum) {
      throw new BackupRefused(
        `The backup has migration ${name} in a form this version of Keeper doesn’t know. Restore it with the version that made it.`,
        'newer-version',
      )
    }
  }
  return migrations.slice(0, applied.length)
}

export async function* readDumpEntries({
  file,
  kind,
}: Pick<CheckedBackup, 'file' | 'kind'>): AsyncGenerator<DumpEntry> {
  if (kind === 'rows.jsonl') {
    for await (const line of readLines(file)) yield parseDumpLine(line)
    return
  }
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    yield* dumpDatabase(createSqliteDump(database))
  } finally {
    database.close()
  }
}

// `node:readline` also splits at U+2028 and U+2029, which occur in texts.
async function* readLines(file: string): AsyncGenerator<string> {
  let remaining = ''
  for await (const chunk of createReadStream(file, { encoding: 'utf8', highWaterMark: 1024 * 1024 })) {
    const lines = (remaining + chunk).split('\n')
    remaining = lines.pop() ?? ''
    yield* lines
  }
  if (remaining !== '') yield remaining
}
