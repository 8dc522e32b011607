import type { Backup, BackupOverview } from '#contract/administration/backups.ts'
import { migrations } from '#server/db/migrations/index.ts'
import type { Services } from '#server/services.ts'
import { toIsoTime } from '#server/values/iso-time.ts'
import { type Archive, listArchives, summarizeArchive } from './archives.ts'
import { closeAbandonedJobs, findRunningJob, listRecentJobs, toJobView } from './backup-jobs.ts'
import { measureBackup } from './backup-space.ts'
import { readSchedule, toScheduleView } from './schedule.ts'

const maxListed = 200

export async function showBackupOverview(services: Services): Promise<BackupOverview> {
  const { db, settings, now, backups } = services
  await closeAbandonedJobs(services)
  const archives = await listArchives(settings.dataDir)
  const [running, recent, schedule, { neededBytes }, freeBytes] = await Promise.all([
    findRunningJob(db),
    listRecentJobs(db),
    readSchedule(services),
    measureBackup(services),
    backups.getFreeBytes(settings.dataDir),
  ])
  return {
    engine: db.engine,
    backups: await showBackups(services, archives.slice(0, maxListed)),
    total: archives.length,
    running: running ? toJobView(running) : null,
    recent: recent.map(toJobView),
    schedule: toScheduleView(schedule, now()),
    space: { needed_bytes: neededBytes, free_bytes: freeBytes },
    restore: backups.startRestore ? 'here' : 'command',
  }
}

/** Leaves out paths: the ID of a backup is the name of its archive. */
export async function showBackups({ db }: Services, archives: Archive[]): Promise<Backup[]> {
  if (archives.length === 0) return []
  const checks = await db
    .selectFrom('backup_checks')
    .select(['backup', 'checked_at', 'problem'])
    .where(
      'backup',
      'in',
      archives.map(({ id }) => id),
    )
    .execute()
  const checkById = new Map(checks.map((check) => [check.backup, check]))
  const currentVersion = migrations.at(-1)?.name
  const isNewer = (version: string | null) => version !== null && !migrations.some(({ name }) => name === version)
  const views: Backup[] = []
  for (const archive of archives) {
    const { bytes, fileCount, engine, version, hasMedia, problem } = await summarizeArchive(archive)
    const check = checkById.get(archive.id)
    views.push({
      id: archive.id,
      kind: archive.kind,
      made_at: toIsoTime(archive.createdAt),
      bytes,
      file_count: fileCount,
      engine,
      version,
      is_current_version: version === currentVersion,
      has_media: hasMedia,
      problem: problem ?? (isNewer(version) ? 'newer-version' : null),
      check: check ? { checked_at: toIsoTime(check.checked_at), problem: check.problem } : null,
    })
  }
  return views
}
