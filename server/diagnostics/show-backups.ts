import type { BackupState } from '#contract/diagnostics/diagnostics.ts'
import { findLastScheduledProblem } from '#server/backups/backup-jobs.ts'
import { getOverdueMs, readSchedule } from '#server/backups/schedule.ts'
import { findNewestBackup } from '#server/db/backup.ts'
import type { Services } from '#server/services.ts'
import { toIsoTime } from '#server/values/iso-time.ts'
import { hourMs } from '#server/values/time-units.ts'

/** Added to the 26 hours after which a daily backup is overdue, this makes two days. */
const graceMs = 22 * hourMs

/** Anyone signed in can see this, so it contains no path or name. */
export async function showBackups(services: Services): Promise<BackupState> {
  const { db, settings } = services
  const [last, schedule, problem] = await Promise.all([
    findNewestBackup(settings.dataDir, services.now()),
    readSchedule(services),
    findLastScheduledProblem(db),
  ])
  return {
    engine: db.engine,
    nightly: schedule.frequency === 'off' ? 0 : schedule.keep,
    last: last && { made_at: toIsoTime(last.createdAt), bytes: last.bytes },
    warning: getBackupWarning(services, schedule, problem, last?.createdAt),
  }
}

function getBackupWarning(
  { db, backups, now }: Services,
  schedule: Awaited<ReturnType<typeof readSchedule>>,
  problem: 'failed' | 'no-room' | null,
  lastCreatedAt: number | undefined,
): BackupState['warning'] {
  const isOff = schedule.frequency === 'off'
  if (db.engine === 'postgres' && isOff) return null
  if (problem && !isOff) return problem
  const overdueMs = getOverdueMs(schedule)
  if (lastCreatedAt !== undefined) return now().getTime() - lastCreatedAt > overdueMs + graceMs ? 'old' : null
  return isOff || backups.uptimeMs > overdueMs ? 'none' : null
}
