import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Selectable, sql, type Updateable } from 'kysely'
import { type ImportJob, importUndoMs } from '#contract/keepers/transfer.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Schema } from '#server/db/schema.ts'
import { type PageOrder, parseCursor, readPage } from '#server/http/pages.ts'
import { Problem } from '#server/http/problem.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { toIsoTimeOrNull } from '#server/values/iso-time.ts'
import { parseJsonColumn } from '../entries/json-column.ts'

export type ImportRow = Selectable<Schema['import_jobs']>

/** The job isn't in the expected state, because the person stopped it. */
export class ImportStopped extends Error {}

/** A running job renews its lease. After it expires, the job counts as abandoned and any process can resume it. */
export const importLeaseMs = 30_000
const pageSize = 100

export function getImportPath({ settings }: Services, jobId: string): string {
  return join(settings.dataDir, 'imports', `${jobId}.zip`)
}

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
      after: parseCursor(cursor, [0, '']),
      getPosition: ({ created_at, id }) => [created_at, id],
      pageSize: pageSize,
      size: sql<number>`coalesce(octet_length(cast(preview as text)), 0)`,
    },
  )
  return new Reply(rows.map(toImportJob), { extra: { next_cursor } })
}

/** @throws Problem 404, also for an import of another person */
export async function requireImportFor({ db }: Services, person: Pick<Person, 'id'>, id: string): Promise<ImportRow> {
  const row = await db
    .selectFrom('import_jobs')
    .selectAll()
    .where('id', '=', id)
    .where('owner_id', '=', person.id)
    .executeTakeFirst()
  if (!row) throw new Problem('not-found', { message: 'Import not found' })
  return row
}

export async function updateImportState(
  services: Services,
  row: Pick<ImportRow, 'id' | 'owner_id'>,
  fromStates: readonly ImportRow['state'][],
  change: Updateable<Schema['import_jobs']>,
): Promise<boolean> {
  const result = await services.db
    .updateTable('import_jobs')
    .set({ ...change, updated_at: services.now().getTime() })
    .where('id', '=', row.id)
    .where('state', 'in', fromStates)
    .executeTakeFirst()
  services.live.publish(row.owner_id, { type: 'import-changed', jobId: row.id })
  return result.numUpdatedRows > 0n
}

/** Stops an import and deletes its file; imported entries stay. A finished one is unchanged. */
export async function cancelImport(services: Services, person: Person, id: string): Promise<ImportJob> {
  const row = await requireImportFor(services, person, id)
  await updateImportState(services, row, ['uploaded', 'reading', 'previewed', 'running', 'failed'], {
    state: 'cancelled',
  })
  await rm(getImportPath(services, id), { force: true })
  return toImportJob(await requireImportFor(services, person, id))
}

/** The time until which an import can be undone, if it added something. */
export function getUndoDeadline({ state, done, updated_at }: Pick<ImportRow, 'state' | 'done' | 'updated_at'>) {
  const hasEntries = state === 'done' || ((state === 'cancelled' || state === 'failed') && done > 0)
  return hasEntries ? updated_at + importUndoMs : null
}

export function toImportJob(row: ImportRow): ImportJob {
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
