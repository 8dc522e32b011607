import type { BackupState } from '#contract/diagnostics/diagnostics.ts'
import { findNewestBackup } from '#server/db/backup.ts'
import type { Services } from '#server/services.ts'
import { toIsoTime } from '#server/values/iso-time.ts'
import { dayMs } from '#server/values/time-units.ts'

const oldAfterMs = 2 * dayMs

/** Anyone signed in can see this, so it contains no path or name. */
export async function showBackups(services: Services): Promise<BackupState> {
  const { db, settings } = services
  const last = await findNewestBackup(settings.dataDir, services.now())
  return {
    engine: db.engine,
    nightly: services.backups.maxBackups,
    last: last && { made_at: toIsoTime(last.madeAt), bytes: last.bytes },
    warning: getBackupWarning(services, last?.madeAt),
  }
}

function getBackupWarning({ db, backups, now }: Services, createdAt: number | undefined): BackupState['warning'] {
  if (db.engine === 'postgres') return null
  if (backups.problem) return backups.problem
  if (createdAt !== undefined) return now().getTime() - createdAt > oldAfterMs ? 'old' : null
  return backups.maxBackups === 0 || backups.isUpLongEnoughForBackup ? 'none' : null
}
