import { createReadStream, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { BackupJob } from '#contract/administration/backups.ts'
import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { listFilesRecursively } from '#server/db/backup-archive.ts'
import { Problem } from '#server/http/problem.ts'
import { requireAttempt, type Throttle } from '#server/http/throttle.ts'
import { addLazyFile, streamZip } from '#server/keepers/transfer/export-keepers.ts'
import type { Services } from '#server/services.ts'
import { hourMs } from '#server/values/time-units.ts'
import { deleteArchive, requireArchive } from './archives.ts'
import { closeAbandonedJobs, findRunningJob, toJobView } from './backup-jobs.ts'

const creationThrottle: Throttle = { kind: 'backup-creation', limit: 20, windowMs: hourMs }
const downloadThrottle: Throttle = { kind: 'backup-download', limit: 20, windowMs: hourMs }

/** @throws Problem 409 while another job runs, 507 without space */
export async function createBackupNow(services: Services, person: Person): Promise<BackupJob> {
  await requireAttempt(services, creationThrottle, person.id)
  const row = await services.backups.createNow((backup) => [
    insertAudit(services, { action: 'backup-made', actor: person, subject: backup }),
  ])
  return toJobView(row)
}

/** @throws Problem 404, 409 while another job runs */
export async function checkBackupNow(services: Services, person: Person, id: string): Promise<BackupJob> {
  const archive = await requireArchive(services.settings.dataDir, id)
  await requireAttempt(services, creationThrottle, person.id)
  return toJobView(await services.backups.checkNow(archive))
}

/** @throws Problem 404, 409 while it is used */
export async function removeBackup(services: Services, person: Person, id: string): Promise<void> {
  const archive = await requireArchive(services.settings.dataDir, id)
  await closeAbandonedJobs(services)
  if ((await findRunningJob(services.db))?.backup === id)
    throw new Problem('conflict', { message: 'This backup is being checked or restored. Wait until that is done.' })
  const { db, settings } = services
  await db.batch([
    db.deleteFrom('backup_checks').where('backup', '=', id),
    insertAudit(services, { action: 'backup-deleted', actor: person, subject: id }),
  ])
  await deleteArchive(settings.dataDir, archive)
}

/** A ZIP file whose files are in a folder named like the archive. @throws Problem 404 */
export async function downloadBackup(services: Services, person: Person, id: string): Promise<Response> {
  const { path } = await requireArchive(services.settings.dataDir, id)
  await requireAttempt(services, downloadThrottle, person.id)
  await services.db.batch([insertAudit(services, { action: 'backup-downloaded', actor: person, subject: id })])
  const isSingleFile = statSync(path).isFile()
  const names = isSingleFile ? [''] : await listFilesRecursively(path)
  return streamZip(services, `${id}.zip`, async (zip) => {
    for (const name of names) {
      const pathInZip = isSingleFile ? basename(path) : `${id}/${name}`
      addLazyFile(zip, pathInZip, () => createReadStream(join(path, name)))
    }
  })
}
