import type { Kysely } from 'kysely'
import type { ImportJob } from '#contract/keepers/transfer.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Schema } from '#server/db/schema.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { entryTables } from '../entries/entry-tables.ts'
import { publishKeeperChanged } from '../entries/publish-keeper-changed.ts'
import { trashKeeper } from '../save-keeper.ts'
import { getUndoDeadline, type ImportRow, requireImportFor, toImportJob, updateImportState } from './import-jobs.ts'

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
    throw new Problem('conflict', { message: explainRefusal(row) })
  // The state changes only after everything is moved, so that an interrupted undo can be repeated and the import can't
  // be resumed.
  if (!(await stopResuming(services, row))) throw new Problem('conflict')
  if (row.kind === 'keeper-zip') await trashImportedKeepers(services, person, row)
  else for (const table of importedTables) await trashImportedRows(services, row, table)
  await updateImportState(services, row, ['done', 'cancelled'], { state: 'undone' })
  return toImportJob(await requireImportFor(services, person, jobId))
}

/** Leaves `updated_at`, which tells what was changed since the import. */
async function stopResuming({ db }: Services, { id, state }: ImportRow): Promise<boolean> {
  const result = await db
    .updateTable('import_jobs')
    .set({ state: state === 'done' ? 'done' : 'cancelled' })
    .where('id', '=', id)
    .where('state', '=', state)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

function explainRefusal({ state }: ImportRow): string {
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
  for (let moved = batchSize; moved === batchSize; ) {
    const result = await db
      .updateTable(table as 'moments')
      // Without its source, so that the same export can be imported again.
      .set({ deleted_at: now().getTime(), source_id: null })
      .where('id', 'in', (from) =>
        from
          .selectFrom(table as 'moments')
          .select('id')
          .where('import_id', '=', row.id)
          .where('owner_id', '=', row.owner_id)
          .where('deleted_at', 'is', null)
          // A conversation is as new as its import; a moment is as old as its entry.
          .where('updated_at', '<=', table === 'sources' ? row.updated_at : row.created_at)
          .limit(batchSize),
      )
      .executeTakeFirst()
    moved = Number(result.numUpdatedRows)
  }
  if (row.keeper_id !== null)
    publishKeeperChanged(services, row.owner_id, row.keeper_id, table === 'moments' ? 'moment' : 'source')
}

async function trashImportedKeepers(services: Services, person: Person, row: ImportRow): Promise<void> {
  const keepers = await services.db
    .selectFrom('keepers')
    .select('id')
    .where('import_id', '=', row.id)
    .where('owner_id', '=', person.id)
    .where('deleted_at', 'is', null)
    .execute()
  for (const { id } of keepers)
    if (!(await hasNewEntries(services.db, id, row.created_at))) await trashKeeper(services, person, id)
}

async function hasNewEntries(
  db: Pick<Kysely<Schema>, 'selectFrom'>,
  keeperId: string,
  since: number,
): Promise<boolean> {
  for (const table of Object.values(entryTables)) {
    const written = await db
      .selectFrom(table as 'moments')
      .select('id')
      .where('keeper_id', '=', keeperId)
      .where('updated_at', '>', since)
      .limit(1)
      .executeTakeFirst()
    if (written) return true
  }
  return false
}
