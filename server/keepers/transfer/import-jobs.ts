import { rm } from 'node:fs/promises'
import { type Kysely, sql } from 'kysely'
import { type ImportJob, importUndoMs } from '#contract/keepers/transfer.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Schema } from '#server/db/schema.ts'
import { type PageOrder, parseCursor, readPage } from '#server/http/pages.ts'
import { badField, Problem } from '#server/http/problem.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { toIsoTimeOrNull } from '#server/values/iso-time.ts'
import { entryTables, parseJsonColumn } from '../entries/entry-tables.ts'
import { publishKeeperChanged } from '../entries/publish-keeper-changed.ts'
import { requireKeeperFor, selectOwnKeepers } from '../keeper-access.ts'
import { trashKeeper } from '../save-keeper.ts'
import { executeImport } from './execute-import.ts'
import { getImportPath, type ImportRow, updateImportState } from './import-state.ts'

const pageSize = 100

const newestFirst: PageOrder = [
  [sql.ref('created_at'), 'desc'],
  [sql.ref('id'), 'asc'],
]

export async function listImports(
  { db }: Services,
  person: Pick<Person, 'id'>,
  cursor?: string,
): Promise<Reply<ImportJob[]>> {
  const { rows, next_cursor } = await readPage(
    db.selectFrom('import_jobs').selectAll().where('owner_id', '=', person.id),
    {
      order: newestFirst,
      after: parseCursor(cursor, ['number', 'string']),
      getPosition: ({ created_at, id }) => [created_at, id],
      pageSize,
      size: sql<number>`coalesce(octet_length(cast(preview as text)), 0)`,
    },
  )
  return new Reply(rows.map(toImportJob), { extra: { next_cursor } })
}

async function requireImportFor({ db }: Services, person: Pick<Person, 'id'>, id: string): Promise<ImportRow> {
  const row = await db
    .selectFrom('import_jobs')
    .selectAll()
    .where('id', '=', id)
    .where('owner_id', '=', person.id)
    .executeTakeFirst()
  if (!row) throw new Problem('not-found', { message: 'Import not found' })
  return row
}

/** @throws Problem 404, also for an import of another person */
export const showImport = async (services: Services, person: Pick<Person, 'id'>, id: string): Promise<ImportJob> =>
  toImportJob(await requireImportFor(services, person, id))

/** Stops an import and deletes its file; imported entries stay. A finished one is unchanged. */
export async function cancelImport(services: Services, person: Person, id: string): Promise<ImportJob> {
  const row = await requireImportFor(services, person, id)
  await updateImportState(services, row, ['uploaded', 'reading', 'previewed', 'running', 'failed'], {
    state: 'cancelled',
  })
  await rm(getImportPath(services, id), { force: true })
  return showImport(services, person, id)
}

/** Returns until when an import can be undone (ms); null if it added nothing. */
function getUndoDeadline({ state, done, updated_at }: Pick<ImportRow, 'state' | 'done' | 'updated_at'>) {
  const hasEntries = state === 'done' || ((state === 'cancelled' || state === 'failed') && done > 0)
  return hasEntries ? updated_at + importUndoMs : null
}

function toImportJob(row: ImportRow): ImportJob {
  return {
    id: row.id,
    kind: row.kind,
    state: row.state,
    fileName: row.file_name,
    bytes: row.bytes,
    keeperId: row.keeper_id,
    preview: parseJsonColumn(row.preview),
    total: row.total,
    done: row.done,
    error: row.error,
    undoableUntil: toIsoTimeOrNull(getUndoDeadline(row)),
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  }
}

/**
 * Starts an import or resumes a failed one.
 * @throws Problem 404; 400 when another app's export has no target keeper; 409 when running or done
 */
export async function startImport(
  services: Services,
  person: Person,
  jobId: string,
  keeperId: string | undefined,
): Promise<ImportJob> {
  const row = await requireImportFor(services, person, jobId)
  const targetKeeperId =
    keeperId === undefined ? row.keeper_id : (await requireKeeperFor(services, person, keeperId)).id
  if (row.kind !== 'keeper-zip' && targetKeeperId === null)
    throw badField('keeperId', 'Choose a keeper to import into.')
  // A resumed import continues in the same keeper.
  const keeper_id = row.kind !== 'keeper-zip' && row.done === 0 ? targetKeeperId : row.keeper_id
  const isStarted = await updateImportState(services, row, ['previewed', 'failed'], {
    state: 'running',
    error: null,
    keeper_id,
    lease_until: services.now().getTime(),
  })
  if (!isStarted)
    throw new Problem('conflict', { message: refusalByState[row.state] ?? 'This import can’t be started right now.' })
  void executeImport(services, jobId)
  return showImport(services, person, jobId)
}

const refusalByState: Partial<Record<ImportJob['state'], string>> = {
  uploaded: 'Keeper is still reading this archive. Wait a moment.',
  reading: 'Keeper is still reading this archive. Wait a moment.',
  running: 'This import is already running.',
  done: 'This import is finished. Upload the archive again to import it once more.',
  cancelled: 'This import was canceled and its file deleted. Upload it again.',
}

/**
 * Previews again, since duplicates depend on the keeper.
 * @throws Problem 404; 409 when entries were imported, it is running or finished, or it is a Keeper archive
 */
export async function chooseKeeper(
  services: Services,
  person: Person,
  jobId: string,
  keeperId: string,
): Promise<ImportJob> {
  const row = await requireImportFor(services, person, jobId)
  const keeper = await requireKeeperFor(services, person, keeperId)
  const canChoose = row.kind !== 'keeper-zip' && row.done === 0
  const isChosen =
    canChoose &&
    (await updateImportState(services, row, ['previewed', 'failed'], {
      state: 'uploaded',
      error: null,
      keeper_id: keeper.id,
      lease_until: services.now().getTime(),
    }))
  if (!isChosen)
    throw new Problem('conflict', { message: explainChoiceRefusal(await requireImportFor(services, person, jobId)) })
  void executeImport(services, jobId)
  return showImport(services, person, jobId)
}

function explainChoiceRefusal({ kind, state, done }: ImportRow): string {
  if (kind === 'keeper-zip') return 'A Keeper archive contains its own keepers. Start the import without choosing one.'
  if (state === 'done' || state === 'cancelled')
    return 'This import is finished. Upload the archive again to import it into another keeper.'
  if (state === 'running' || done > 0)
    return 'Part of this import is already in its keeper. Cancel it and upload the archive again to choose another one.'
  return 'Keeper is still reading this archive. Wait a moment, then choose again.'
}

const batchSize = 2000

/**
 * Moves the entries of an import to the trash, except those changed since, so that no one's edits are lost. Can be
 * repeated to finish an interrupted undo.
 * @throws Problem 404; 409 unless the import added something within the last 30 days
 */
export async function undoImport(services: Services, person: Person, jobId: string): Promise<ImportJob> {
  const row = await requireImportFor(services, person, jobId)
  const deadline = getUndoDeadline(row)
  if (deadline === null || deadline <= services.now().getTime())
    throw new Problem('conflict', { message: explainUndoRefusal(row) })
  // The state changes only after everything is moved, so that an interrupted undo can be repeated and the import can't
  // be resumed.
  if (!(await stopResuming(services, row))) throw new Problem('conflict')
  if (row.kind === 'keeper-zip') await trashImportedKeepers(services, person, row)
  else for (const table of importedTables) await trashImportedRows(services, row, table)
  await updateImportState(services, row, ['done', 'cancelled'], { state: 'undone' })
  return showImport(services, person, jobId)
}

/** Leaves `updated_at` as it is, since later changes of entries are compared with it. */
async function stopResuming({ db }: Services, { id, state }: ImportRow): Promise<boolean> {
  const result = await db
    .updateTable('import_jobs')
    .set({ state: state === 'done' ? 'done' : 'cancelled' })
    .where('id', '=', id)
    .where('state', '=', state)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

function explainUndoRefusal({ state }: ImportRow): string {
  if (state === 'undone') return 'This import has already been undone.'
  if (state === 'running') return 'This import is still running. Stop it first.'
  return state === 'done'
    ? 'This import is older than 30 days, so it can no longer be undone. Delete its entries one by one.'
    : 'This import has added nothing yet.'
}

const importedTables = ['moments', 'sources'] as const

async function trashImportedRows(
  services: Services,
  row: ImportRow,
  table: (typeof importedTables)[number],
): Promise<void> {
  const { db, now } = services
  for (let movedCount = batchSize; movedCount === batchSize; ) {
    const result = await db
      .updateTable(table as 'moments')
      // Without `source_id`, the same export can be imported again.
      .set({ deleted_at: now().getTime(), source_id: null })
      .where('id', 'in', (from) =>
        from
          .selectFrom(table as 'moments')
          .select('id')
          .where('import_id', '=', row.id)
          .where('owner_id', '=', row.owner_id)
          .where('deleted_at', 'is', null)
          // An import sets `updated_at` of a source to now, but a moment keeps the time of its original.
          .where('updated_at', '<=', table === 'sources' ? row.updated_at : row.created_at)
          .limit(batchSize),
      )
      .executeTakeFirst()
    movedCount = Number(result.numUpdatedRows)
  }
  if (row.keeper_id !== null)
    publishKeeperChanged(services, row.owner_id, row.keeper_id, table === 'moments' ? 'moment' : 'source')
}

async function trashImportedKeepers(services: Services, person: Person, row: ImportRow): Promise<void> {
  const keepers = await selectOwnKeepers(services.db, person.id).where('import_id', '=', row.id).execute()
  for (const { id } of keepers)
    if (!(await hasNewEntries(services.db, id, row.created_at))) await trashKeeper(services, person, id)
}

async function hasNewEntries(
  db: Pick<Kysely<Schema>, 'selectFrom'>,
  keeperId: string,
  since: number,
): Promise<boolean> {
  for (const table of Object.values(entryTables)) {
    const newEntry = await db
      .selectFrom(table as 'moments')
      .select('id')
      .where('keeper_id', '=', keeperId)
      .where('updated_at', '>', since)
      .limit(1)
      .executeTakeFirst()
    if (newEntry) return true
  }
  return false
}
