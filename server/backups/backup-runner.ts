import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { BackupProblem } from '#contract/administration/backups.ts'
import { type BackupKind, type BackupResult, listBackups, removeOlderBackups } from '#server/db/backup.ts'
import { formatTimestamp } from '#server/db/backup-archive.ts'
import { json, type Write } from '#server/db/database.ts'
import { DiskFull } from '#server/db/database-errors.ts'
import { listNames } from '#server/db/file-system.ts'
import { readFreeBytes } from '#server/db/media-for-backup.ts'
import type { PostgresDriver } from '#server/db/postgres-driver.ts'
import { Problem } from '#server/http/problem.ts'
import { readMasterKeyFingerprint } from '#server/keys/provider-keys.ts'
import { openSealed } from '#server/keys/sealer.ts'
import type { Services } from '#server/services.ts'
import { JobThread } from '#server/threads/job-thread.ts'
import { getThreadFile } from '#server/threads/thread-file.ts'
import { hourMs } from '#server/values/time-units.ts'
import { type Archive, getBackupsFolder, summarizeArchive } from './archives.ts'
import { type BackupJobRow, claimJob, closeAbandonedJobs, finishJob, startHeartbeat } from './backup-jobs.ts'
import { measureBackup } from './backup-space.ts'
import type { BackupThreadAnswer, BackupThreadJob } from './backup-thread.ts'
import { type CreateJob, createProgress, createTrackedBackup, readProgress } from './create-tracked-backup.ts'
import { emailBackupFailure } from './email-backup-failure.ts'
import type { ArchiveContents } from './inspect-archive.ts'
import type { RestorePlan } from './restore-plan.ts'
import { findLastTime, getOverdueMs, readSchedule, type ScheduleInput } from './schedule.ts'

const checkIntervalMs = 60_000
const minUptimeMs = 10 * 60 * 1000
const retryAfterMs = 6 * hourMs
/** A scheduled backup can start until this long after its time; after that, only if it is overdue. */
const scheduleWindowMs = 3 * hourMs
const maxDamagedLogged = 20

type RunnerServices = Omit<Services, 'backups'>

type Outcome = { status: 'done' } | { status: 'failed'; problem: BackupProblem }

export class BackupRunner {
  readonly #services: RunnerServices
  readonly #startedAt: number
  #failedAt = Number.NEGATIVE_INFINITY
  #scheduleCheck: Promise<boolean> | undefined
  readonly #runningJobs = new Set<Promise<unknown>>()
  #thread: JobThread<BackupThreadJob, BackupThreadAnswer> | undefined
  #isStopped = false
  getFreeBytes = readFreeBytes
  /** Drains the process, restores and restarts it; undefined where that isn't possible. */
  startRestore: ((plan: RestorePlan) => void) | undefined

  constructor(services: RunnerServices) {
    this.#services = services
    this.#startedAt = services.now().getTime()
  }

  get uptimeMs(): number {
    return this.#getMsSince(this.#startedAt)
  }

  start(): () => Promise<void> {
    const timer = setInterval(() => void this.createIfDue(), checkIntervalMs)
    timer.unref()
    return async () => {
      clearInterval(timer)
      this.#isStopped = true
      await this.#thread?.end()
      if (this.#services.db.engine === 'sqlite') await this.waitForJobs()
    }
  }

  async waitForJobs(): Promise<void> {
    await Promise.all([this.#scheduleCheck, ...this.#runningJobs])
  }

  /** Returns whether a scheduled backup was made. Never throws: failures are logged, and saved with the job. */
  createIfDue(): Promise<boolean> {
    this.#scheduleCheck ??= this.#createScheduledBackup().finally(() => {
      this.#scheduleCheck = undefined
    })
    return this.#scheduleCheck
  }

  async #createScheduledBackup(): Promise<boolean> {
    try {
      const schedule = await readSchedule(this.#services)
      if (!(await this.#isDue(schedule))) return false
      const now = this.#services.now()
      const { databaseBytes, mediaBytes, neededBytes } = await measureBackup(this.#services)
      const dueAt = findLastTime(schedule, now)
      const row = await claimJob(this.#services, {
        kind: 'create',
        backup: `nightly-${formatTimestamp(now)}`,
        totalBytes: databaseBytes + mediaBytes,
        isScheduled: true,
        occasion: `${dueAt}/${Math.floor((now.getTime() - dueAt) / retryAfterMs)}`,
      })
      if (!row) return false
      const { status } = await this.#run(row, () => this.#create('nightly', now, neededBytes, row))
      if (status === 'done') {
        const { dataDir } = this.#services.settings
        const removed = await removeOlderBackups(dataDir, schedule.keep, { kind: 'nightly', now })
        if (removed.length > 0)
          this.#services.log.info({ removed: removed.length }, 'older scheduled backups were removed')
        return true
      }
      if (status === 'failed') this.#failedAt = this.#services.now().getTime()
      return false
    } catch (error) {
      if (this.#isStopped) return false
      this.#failedAt = this.#services.now().getTime()
      this.#services.log.error({ err: error }, 'the scheduled backup failed')
      return false
    }
  }

  async #isDue(schedule: ScheduleInput): Promise<boolean> {
    if (schedule.frequency === 'off' || this.#isStopped) return false
    const now = this.#services.now()
    if (this.uptimeMs < minUptimeMs || this.#getMsSince(this.#failedAt) < retryAfterMs) return false
    const backups = await listBackups(this.#services.settings.dataDir, now)
    const remoteAt = await this.#findRemoteBackupTime()
    const lastBackupAt = Math.max(backups[0]?.createdAt ?? Number.NEGATIVE_INFINITY, remoteAt)
    if (this.#getMsSince(lastBackupAt) > getOverdueMs(schedule)) return true
    const dueAt = findLastTime(schedule, now)
    if (now.getTime() >= dueAt + scheduleWindowMs) return false
    const scheduledAt = backups.find(({ kind }) => kind === 'nightly')?.createdAt ?? Number.NEGATIVE_INFINITY
    return Math.max(scheduledAt, remoteAt) < dueAt
  }

  /** With PostgreSQL, another process may have its own data folder. */
  async #findRemoteBackupTime(): Promise<number> {
    const { db, now } = this.#services
    if (db.engine === 'sqlite') return Number.NEGATIVE_INFINITY
    const last = await db
      .selectFrom('backup_jobs')
      .select('started_at')
      .where('scheduled', '=', true)
      .where('status', '=', 'done')
      .where('started_at', '<=', now().getTime())
      .orderBy('started_at', 'desc')
      .limit(1)
      .executeTakeFirst()
    return last?.started_at ?? Number.NEGATIVE_INFINITY
  }

  /** Milliseconds; infinite for a future time, which a wrong clock recorded. */
  #getMsSince(time: number): number {
    const elapsedMs = this.#services.now().getTime() - time
    return elapsedMs < 0 ? Number.POSITIVE_INFINITY : elapsedMs
  }

  /** Starts a backup. @throws Problem 409 while another job runs, 507 without space */
  async createNow(extraWrites: (backup: string) => Write[]): Promise<BackupJobRow> {
    const now = this.#services.now()
    const { databaseBytes, mediaBytes, neededBytes } = await measureBackup(this.#services)
    await this.requireSpace(neededBytes)
    const backup = `keeper-${formatTimestamp(now)}`
    const input = { kind: 'create' as const, backup, totalBytes: databaseBytes + mediaBytes }
    const row = await this.#claim(input, extraWrites(backup))
    this.#track(this.#run(row, () => this.#create('keeper', now, neededBytes, row)))
    return row
  }

  /** Starts a check of everything in an archive. @throws Problem 409 while another job runs */
  async checkNow(archive: Archive): Promise<BackupJobRow> {
    const { bytes } = await summarizeArchive(archive)
    const row = await this.#claim({ kind: 'check', backup: archive.id, totalBytes: bytes }, [])
    this.#track(this.#run(row, () => this.#check(archive, row)))
    return row
  }

  /** @throws Problem 409 while another job runs */
  async claimRestore(archive: Archive, extraWrites: readonly Write[]): Promise<BackupJobRow> {
    const { bytes } = await summarizeArchive(archive)
    return this.#claim({ kind: 'restore', backup: archive.id, totalBytes: bytes }, extraWrites)
  }

  async #claim(input: Parameters<typeof claimJob>[1], extraWrites: readonly Write[]): Promise<BackupJobRow> {
    if (this.#isStopped) throw new Problem('shutting-down', { retryAfterSeconds: 5 })
    const row = await claimJob(this.#services, input, extraWrites)
    if (!row)
      throw new Problem('conflict', {
        message: 'A backup, a check or a restore is running. Wait until it is done, then try again.',
      })
    return row
  }

  /** @throws Problem 507 */
  async requireSpace(neededBytes: number): Promise<void> {
    const freeBytes = await this.getFreeBytes(this.#services.settings.dataDir)
    if (freeBytes >= neededBytes) return
    throw new Problem('storage-full', {
      message: `This needs ${formatMegabytes(neededBytes)} free on the disk of the data folder, and ${formatMegabytes(freeBytes)} are free. Nothing was changed. Delete old backups or free some space.`,
    })
  }

  /** Backs up the current data right before a restore. @throws DiskFull */
  async createSafetyBackup(now: Date): Promise<string> {
    const { copyBytes } = await measureBackup(this.#services)
    // Only the copy has to fit, since Keeper writes nothing until the restore is over.
    if ((await this.getFreeBytes(this.#services.settings.dataDir)) < copyBytes)
      throw new DiskFull('There is no space for a backup of the current data.')
    await this.#writeArchive('before-restore', now, 0, createProgress())
    return `before-restore-${formatTimestamp(now)}`
  }

  #track(job: Promise<unknown>): void {
    this.#runningJobs.add(job)
    void job.finally(() => this.#runningJobs.delete(job))
  }

  /** Never rejects. */
  async #run(row: BackupJobRow, work: () => Promise<Outcome>): Promise<Outcome | { status: 'interrupted' }> {
    const { log } = this.#services
    let outcome: Outcome | { status: 'interrupted' }
    try {
      outcome = await work()
    } catch (error) {
      if (this.#isStopped) outcome = { status: 'interrupted' }
      else {
        outcome = { status: 'failed', problem: isDiskFull(error) ? 'no-room' : 'failed' }
        log.error({ err: error, kind: row.kind, scheduled: row.scheduled }, `the ${describeJob(row)} failed`)
      }
    }
    await finishJob(this.#services, row, outcome).catch((error: unknown) =>
      log.error({ err: error }, 'the outcome of a backup could not be saved'),
    )
    if (outcome.status === 'failed' && row.scheduled) await emailBackupFailure(this.#services, outcome.problem)
    return outcome
  }

  async #create(kind: BackupKind, now: Date, neededBytes: number, row: BackupJobRow): Promise<Outcome> {
    const { settings, log } = this.#services
    await removeUnfinished(settings.dataDir, row.backup)
    if ((await this.getFreeBytes(settings.dataDir)) < neededBytes) {
      log.warn(
        { needed: neededBytes },
        `${describeJob(row)} skipped: not enough free space on the disk of the data folder`,
      )
      return { status: 'failed', problem: 'no-room' }
    }
    const progress = createProgress()
    const stopHeartbeat = startHeartbeat(this.#services, row, () => readProgress(progress))
    const { files, bytes, damaged } = await this.#writeArchive(kind, now, neededBytes, progress).finally(stopHeartbeat)
    log.info({ files, bytes }, `the ${describeJob(row)} was made`)
    if (damaged.length > 0)
      log.error(
        { damaged: damaged.slice(0, maxDamagedLogged), count: damaged.length },
        'pictures or recordings are damaged: replace these files, named by their SHA-256, with copies from a backup stored on another machine; backups on this machine share the damaged bytes',
      )
    return { status: 'done' }
  }

  async #writeArchive(
    kind: BackupKind,
    now: Date,
    minFreeBytes: number,
    progress: SharedArrayBuffer,
  ): Promise<BackupResult> {
    const { settings, db } = this.#services
    const { dataDir } = settings
    const name = `${kind}-${formatTimestamp(now)}`
    const keyFingerprint = await readMasterKeyFingerprint(settings)
    const job: CreateJob = { dataDir, kind, now, keyFingerprint, minFreeBytes, progress }
    try {
      // PostgreSQL streams its rows, so it needs no thread.
      if (db.engine === 'postgres') return await createTrackedBackup(job, db.engineDriver as PostgresDriver)
      return (await this.#runInThread({ create: job })).created!
    } finally {
      // Not thrown: it would hide why the backup failed.
      await removeUnfinished(dataDir, name).catch((error: unknown) =>
        this.#services.log.error({ err: error }, 'an unfinished backup could not be removed'),
      )
    }
  }

  async #runInThread(job: BackupThreadJob): Promise<BackupThreadAnswer> {
    if (this.#isStopped) throw new Error('Keeper is stopping')
    const thread = new JobThread<BackupThreadJob, BackupThreadAnswer>(getThreadFile('backup-thread', import.meta.url))
    this.#thread = thread
    try {
      return await thread.run(job)
    } finally {
      this.#thread = undefined
      await thread.end()
    }
  }

  async #check({ id, path }: Archive, row: BackupJobRow): Promise<Outcome> {
    const { settings, now, log, db } = this.#services
    const progress = createProgress()
    const keyFingerprint = await readMasterKeyFingerprint(settings)
    const stopHeartbeat = startHeartbeat(this.#services, row, () => readProgress(progress))
    const inspection = this.#runInThread({ inspect: { path, keyFingerprint, progress } })
    const { refused = null, inspected } = await inspection.finally(stopHeartbeat)
    if (refused) log.warn({ backup: id, reason: refused }, 'a backup didn’t pass its check')
    const contents = inspected ? json({ counts: inspected.counts, sealed: await this.#countReadable(inspected) }) : null
    const values = { checked_at: now().getTime(), problem: refused, contents }
    await db.write(
      db
        .insertInto('backup_checks')
        .values({ backup: id, ...values })
        .onConflict((conflict) => conflict.column('backup').doUpdateSet(values)),
    )
    return { status: 'done' }
  }

  async #countReadable({ sealed, sealedTotal }: ArchiveContents): Promise<{ total: number; readable: number }> {
    let unreadableCount = 0
    for (const { text, binding } of sealed)
      if ((await openSealed(this.#services, text, binding)) === undefined) unreadableCount += 1
    return { total: sealedTotal, readable: sealedTotal - unreadableCount }
  }

  /** For the start of the only process: every running job was left by a killed process. */
  closeAbandoned(): Promise<void> {
    return closeAbandonedJobs(this.#services, Number.MAX_SAFE_INTEGER)
  }
}

function describeJob({ kind, scheduled }: BackupJobRow): string {
  if (kind === 'check') return 'check of a backup'
  return scheduled ? 'scheduled backup' : 'backup'
}

/** Errors of a thread arrive as text. */
export const isDiskFull = (error: unknown) =>
  error instanceof Error && (error.name === 'DiskFull' || error.message.startsWith('DiskFull'))

function formatMegabytes(bytes: number): string {
  return `${Math.max(1, Math.ceil(bytes / 1e6)).toLocaleString('en-US')} MB`
}

const unfinishedAutomaticBackup = /^(nightly|before-restore)-\d{8}T\d{6}Z\.unfinished$/

/** Unfinished backups with the prefix `keeper` stay, since a running command may be writing them. */
async function removeUnfinished(dataDir: string, name: string): Promise<void> {
  const folder = getBackupsFolder(dataDir)
  for (const existing of await listNames(folder))
    if (existing === `${name}.unfinished` || unfinishedAutomaticBackup.test(existing))
      await rm(join(folder, existing), { recursive: true, force: true })
}
