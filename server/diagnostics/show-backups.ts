import type { BackupState } from '#contract/diagnostics/diagnostics.ts'
import { newestBackup } from '#server/db/backup.ts'
import { dayMs } from '#server/hours-and-days.ts'
import { isoTime } from '#server/iso-time.ts'
import type { Services } from '#server/services.ts'

const oldAfterMs = 2 * dayMs

/** Anyone signed in can see this, so it contains no path or name. */
export async function showBackups(services: Services): Promise<BackupState> {
  const { db, settings } = services
  const last = await newestBackup(settings.dataDir, services.now())
  return {
    engine: db.engine,
    nightly: services.backups.kept,
    last: last && { made_at: isoTime(last.madeAt), bytes: last.bytes },
    warning: warningOf(services, last?.madeAt),
  }
}

/** PostgreSQL has its own backups, outside this folder. */
function warningOf({ db, backups, now }: Services, madeAt: number | undefined): BackupState['warning'] {
  if (db.engine === 'postgres') return null
  if (backups.trouble) return backups.trouble
  if (madeAt !== undefined) return now().getTime() - madeAt > oldAfterMs ? 'old' : null
  return backups.kept === 0 || backups.hasLongUptime ? 'none' : null
}
