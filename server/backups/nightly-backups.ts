import { statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { BackupProblem } from '#contract/diagnostics/diagnostics.ts'
import { type BackupResult, listBackups, removeOlderBackups } from '#server/db/backup.ts'
import type { Database } from '#server/db/database.ts'
import { readFreeBytes } from '#server/db/media-for-backup.ts'
import { listNames } from '#server/db/missing-files.ts'
import { getSqliteFiles } from '#server/db/sqlite-files.ts'
import type { Log } from '#server/http/log.ts'
import { readMasterKeyFingerprint } from '#server/keys/provider-keys.ts'
import type { Settings } from '#server/settings/settings.ts'
import { getThreadFile, JobThread } from '#server/threads/job-thread.ts'
import { hourMs } from '#server/values/time-units.ts'
import type { BackupJob } from './backup-thread.ts'

const checkIntervalMs = 60_000
const minUptimeMs = 10 * 60 * 1000
const overdueAfterMs = 26 * hourMs
const retryAfterMs = 6 * hourMs
const nightHours = { from: 2, to: 5 }
const minFreeFactor = 3
const maxDamagedLogged = 20

interface NightlyBackupOptions {
  db: Database
  settings: Settings
  log: Log
  now(): Date
  getFreeBytes?: typeof readFreeBytes
}

export class NightlyBackups {
  readonly #options: NightlyBackupOptions
  readonly #startedAt: number
  #failedAt = Number.NEGATIVE_INFINITY
  #problem: BackupProblem | null = null
  #running: Promise<boolean> | undefined
  #thread: JobThread<BackupJob, BackupResult> | undefined
  #isStopped = false

  constructor(options: NightlyBackupOptions) {
    this.#options = options
    this.#startedAt = options.now().getTime()
  }

  get maxBackups(): number {
    return this.#options.db.engine === 'sqlite' ? this.#options.settings.nightlyBackups : 0
  }

  get problem(): BackupProblem | null {
    return this.#problem
  }

  get isUpLongEnoughForBackup(): boolean {
    return this.#msSince(this.#startedAt) > overdueAfterMs
  }

  start(): () => Promise<void> {
    const check = () => void this.createIfDue()
    const timer = setInterval(check, checkIntervalMs)
    timer.unref()
    return async () => {
      clearInterval(timer)
      this.#isStopped = true
      await this.#thread?.end()
      await this.#running
    }
  }

  /** Whether a backup was made. Never throws: failures are logged and set `problem`. */
  createIfDue(): Promise<boolean> {
    this.#running ??= this.#createIfDue().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async #createIfDue(): Promise<boolean> {
    const { log } = this.#options
    try {
      if (!(await this.#isDue())) return false
      this.#problem = await this.#create()
      if (this.#problem) this.#failedAt = this.#options.now().getTime()
      return this.#problem === null
    } catch (error) {
      if (this.#isStopped) return false
      this.#failedAt = this.#options.now().getTime()
      this.#problem = 'failed'
      log.error({ err: error }, 'the nightly backup failed')
      return false
    }
  }

  async #isDue(): Promise<boolean> {
    if (this.maxBackups === 0 || this.#isStopped) return false
    const now = this.#options.now()
    if (this.#msSince(this.#startedAt) < minUptimeMs || this.#msSince(this.#failedAt) < retryAfterMs) return false
    const backups = await listBackups(this.#options.settings.dataDir, now)
    const lastBackupAt = backups[0]?.madeAt ?? Number.NEGATIVE_INFINITY
    if (this.#msSince(lastBackupAt) > overdueAfterMs) return true
    if (now.getHours() < nightHours.from || now.getHours() >= nightHours.to) return false
    const lastNightlyAt = backups.find(({ kind }) => kind === 'nightly')?.madeAt ?? Number.NEGATIVE_INFINITY
    return lastNightlyAt < new Date(now).setHours(nightHours.from, 0, 0, 0)
  }

  /** Milliseconds; infinite for a future time, which a wrong clock recorded. */
  #msSince(time: number): number {
    const elapsedMs = this.#options.now().getTime() - time
    return elapsedMs < 0 ? Number.POSITIVE_INFINITY : elapsedMs
  }

  async #create(): Promise<BackupProblem | null> {
    const { settings, log, now, getFreeBytes = readFreeBytes } = this.#options
    const { dataDir } = settings
    await removeUnfinished(dataDir)
    const minFreeBytes = minFreeFactor * getDatabaseBytes(dataDir)
    if ((await getFreeBytes(dataDir)) < minFreeBytes) {
      log.warn({ needed: minFreeBytes }, 'nightly backup skipped: not enough free space on the disk of the data folder')
      return 'no-room'
    }
    if (this.#isStopped) throw new Error('Keeper is stopping')
    const thread = new JobThread<BackupJob, BackupResult>(getThreadFile('backup-thread', import.meta.url))
    this.#thread = thread
    try {
      const keyFingerprint = await readMasterKeyFingerprint(settings)
      const { files, bytes, damaged } = await thread.run({ dataDir, now: now(), keyFingerprint, minFreeBytes })
      const removed = await removeOlderBackups(dataDir, this.maxBackups, { kind: 'nightly', now: now() })
      log.info({ files, bytes, removed: removed.length }, 'the nightly backup was made')
      if (damaged.length > 0)
        log.error(
          { damaged: damaged.slice(0, maxDamagedLogged), count: damaged.length },
          'pictures or recordings are damaged: replace these files, named by their SHA-256, with copies from a backup stored on another machine; backups on this machine share the damaged bytes',
        )
      return null
    } finally {
      this.#thread = undefined
      await thread.end()
      // Not thrown: it would hide why the backup failed.
      await removeUnfinished(dataDir).catch((error: unknown) =>
        log.error({ err: error }, 'an unfinished backup could not be removed'),
      )
    }
  }
}

function getDatabaseBytes(dataDir: string): number {
  const { database } = getSqliteFiles(dataDir)
  const sizes = [database, `${database}-wal`].map((path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0)
  return sizes.reduce((total, size) => total + size, 0)
}

async function removeUnfinished(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'backups')
  for (const name of await listNames(folder))
    if (/^nightly-.*\.unfinished$/.test(name)) await rm(join(folder, name), { recursive: true, force: true })
}
