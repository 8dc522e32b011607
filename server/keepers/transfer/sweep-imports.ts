import { rm, stat } from 'node:fs/promises'
import { listNames } from '#server/db/file-system.ts'
import type { Services } from '#server/services.ts'
import { dayMs } from '#server/values/time-units.ts'
import { executeImport, isImportRunning } from './execute-import.ts'
import { getImportFolder, getImportPath, updateImportState } from './import-state.ts'

const previewRetentionMs = 7 * dayMs
const maxUploadMs = dayMs

export async function sweepImports(services: Services): Promise<void> {
  const { db, now } = services
  const sweptAt = now().getTime()
  const abandoned = await db
    .selectFrom('import_jobs')
    .select('id')
    .where('state', 'in', ['uploaded', 'reading', 'running'])
    .where('lease_until', '<', sweptAt)
    .execute()
  for (const { id } of abandoned) if (!isImportRunning(id)) void executeImport(services, id)
  const expired = await db
    .selectFrom('import_jobs')
    .select(['id', 'owner_id'])
    .where('state', 'in', ['previewed', 'failed'])
    .where('updated_at', '<', sweptAt - previewRetentionMs)
    .execute()
  for (const row of expired) await updateImportState(services, row, ['previewed', 'failed'], { state: 'cancelled' })
  await deleteUnneededFiles(services)
}

async function deleteUnneededFiles(services: Services): Promise<void> {
  const names = await listNames(getImportFolder(services))
  const jobIds = names.flatMap((name) => /^([0-9a-f]{32})\.zip$/.exec(name)?.[1] ?? [])
  if (jobIds.length === 0) return
  const jobs = await services.db.selectFrom('import_jobs').select(['id', 'state']).where('id', 'in', jobIds).execute()
  const deletableIds = jobs.filter(({ state }) => state === 'done' || state === 'cancelled').map(({ id }) => id)
  // An upload has no row until it is complete. A file without one after a day belongs to a deleted account or a failed
  // upload.
  const oldestUpload = services.now().getTime() - maxUploadMs
  for (const id of jobIds.filter((candidateId) => !jobs.some((row) => row.id === candidateId))) {
    const stats = await stat(getImportPath(services, id)).catch(() => undefined)
    if (stats && stats.mtimeMs < oldestUpload) deletableIds.push(id)
  }
  for (const id of deletableIds) await rm(getImportPath(services, id), { force: true })
}
