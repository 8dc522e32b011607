import { DatabaseSync } from 'node:sqlite'
import { countedEntities } from '#contract/administration/backups.ts'
import type { DumpTable, DumpValue } from '#server/db/canonical-dump.ts'
import { type CheckedBackup, checkBackup, readDumpEntries } from '#server/db/check-backup.ts'
import { migrations } from '#server/db/migrations/index.ts'
import type { BackupContents } from '#server/db/platform-schema.ts'
import { toModelServiceBinding, toSecondFactorBinding, toToolServerBinding } from '#server/keys/sealer.ts'

type SealedRow = Record<string, DumpValue>

/** Encrypted columns by table, and the columns from which the binding (additional authenticated data) of a row is built. */
const sealedColumns: Record<
  string,
  { columns: string[]; bindingColumns: string[]; toBinding(row: SealedRow): string }
> = {
  provider_keys: {
    columns: ['sealed'],
    bindingColumns: ['owner', 'provider'],
    toBinding: ({ owner, provider }) => `${owner}|${provider}`,
  },
  model_services: {
    columns: ['sealed'],
    bindingColumns: ['id'],
    toBinding: ({ id }) => toModelServiceBinding(String(id)),
  },
  personal_tool_servers: {
    columns: ['sealed', 'sign_in_sealed'],
    bindingColumns: ['id', 'owner_id'],
    toBinding: ({ id, owner_id }) => toToolServerBinding({ id: String(id), owner_id: String(owner_id) }),
  },
  second_factors: {
    columns: ['sealed'],
    bindingColumns: ['person_id'],
    toBinding: ({ person_id }) => toSecondFactorBinding(String(person_id)),
  },
}

/** Limit of encrypted values that one check decrypts; the others are only counted. */
const maxSealedOpened = 10_000

export interface ArchiveContents {
  counts: BackupContents['counts']
  sealedTotal: number
  sealed: { text: string; binding: string }[]
}

/** Verifies checksums, database and version, counts rows and collects encrypted values. @throws BackupRefused */
export async function inspectArchive(
  path: string,
  keyFingerprint: string | null,
  onRead: (bytes: number) => void,
): Promise<ArchiveContents> {
  const backup = await checkBackup(path, { migrations, keyFingerprint, onRead })
  const contents: ArchiveContents = { counts: {}, sealedTotal: 0, sealed: [] }
  if (backup.kind === 'data.db') readSqliteContents(backup, contents)
  else await readDumpContents(backup, contents)
  return contents
}

function readSqliteContents({ file }: CheckedBackup, contents: ArchiveContents): void {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const listColumns = (table: string) =>
      database
        .prepare('select name from pragma_table_info(?)')
        .all(table)
        .map(({ name }) => String(name))
    for (const entity of countedEntities) {
      if (listColumns(entity).length === 0) continue
      contents.counts[entity] = Number(database.prepare(`select count(*) as count from ${entity}`).get()?.count)
    }
    for (const [table, { columns, bindingColumns }] of Object.entries(sealedColumns)) {
      const existing = listColumns(table)
      const selected = [...columns, ...bindingColumns].filter((column) => existing.includes(column))
      if (selected.length === 0) continue
      for (const row of database.prepare(`select ${selected.join(', ')} from ${table}`).iterate())
        addSealed(table, row as SealedRow, contents)
    }
  } finally {
    database.close()
  }
}

async function readDumpContents(backup: CheckedBackup, contents: ArchiveContents): Promise<void> {
  let table: DumpTable | undefined
  for await (const entry of readDumpEntries(backup)) {
    if ('table' in entry) {
      table = entry.table
      if ((countedEntities as readonly string[]).includes(table.name)) contents.counts[table.name] = 0
      continue
    }
    if (!table) continue
    const count = contents.counts[table.name]
    if (count !== undefined) contents.counts[table.name] = count + 1
    if (Object.hasOwn(sealedColumns, table.name)) {
      const row = Object.fromEntries(table.columns.map(({ name }, index) => [name, entry.row[index] ?? null]))
      addSealed(table.name, row, contents)
    }
  }
}

function addSealed(table: string, row: SealedRow, contents: ArchiveContents): void {
  const { columns, toBinding } = sealedColumns[table]!
  for (const column of columns) {
    const text = row[column]
    if (typeof text !== 'string') continue
    contents.sealedTotal += 1
    if (contents.sealed.length < maxSealedOpened) contents.sealed.push({ text, binding: toBinding(row) })
  }
}
