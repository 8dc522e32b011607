import { statSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { BackupTrouble } from '#contract/diagnostics/diagnostics.ts'
import { type BackupResult, backupsIn, removeOlderBackups } from '#server/db/backup.ts'
import type { Database } from '#server/db/database.ts'
import { freeBytes } from '#server/db/media-for-backup.ts'
import { sqliteFiles } from '#server/db/sqlite-files.ts'
import { hourMs } from '#server/hours-and-days.ts'
import type { Log } from '#server/http/log.ts'
import { fingerprintOfKeyInUse } from '#server/keys/key-in-use.ts'
import type { Settings } from '#server/settings.ts'
import { AskedThread } from '#server/threads/asked-thread.ts'
import { threadFile } from '#server/threads/thread-start.ts'
import type { BackupJob } from './backup-thread.ts'

const lookMs = 60_000
/** Whoever starts and stops it a few times in a row does not start a backup each time. */
const upForMs = 10 * 60 * 1000
/** A night is missed when the last one is older. */
const missedAfterMs = 26 * hourMs
/** What failed is not tried again every minute. */
const triedAgainAfterMs = 6 * hourMs
/** By the clock of the machine. */
const night = { from: 2, to: 5 }
/** The copy, its own look through it, and as much again for what people write meanwhile. */
const timesTheDatabase = 3
/** In one line of the log. */
const damagedTold = 20

interface Given {
  db: Database
  settings: Settings
  log: Log
  now(): Date
  /** Of the disk on which this folder lies. */
  freeOf?: typeof freeBytes
}

/**
 * With the embedded database, which one process has: a backup each night, and by day where a night was missed. What was
 * made is told by the folder of backups. PostgreSQL has backups of its own.
 */
export class NightlyBackups {
  readonly #given: Given
  readonly #upSince: number
  #failedAt = Number.NEGATIVE_INFINITY
  #trouble: BackupTrouble | null = null
  #underWay: Promise<boolean> | undefined
  #thread: AskedThread<BackupJob, BackupResult> | undefined
  #ended = false

  constructor(given: Given) {
    this.#given = given
    this.#upSince = given.now().getTime()
  }

  /** How many of them stay; 0: none is made. */
  get kept(): number {
    return this.#given.db.engine === 'sqlite' ? this.#given.settings.nightlyBackups : 0
  }

  /** Why the last try made none; null when it made one. */
  get trouble(): BackupTrouble | null {
    return this.#trouble
  }

  get isUpForLong(): boolean {
    return this.#since(this.#upSince) > missedAfterMs
  }

  /** Looks every minute. Returns the function that ends it, and what is under way. */
  start(): () => Promise<void> {
    const look = () => void this.makeIfDue()
    const timer = setInterval(look, lookMs)
    timer.unref()
    return async () => {
      clearInterval(timer)
      this.#ended = true
      await this.#thread?.end()
      await this.#underWay
    }
  }

  /** Answers whether one was made. It does not throw: a failure is a line in the log, and told by `trouble`. */
  makeIfDue(): Promise<boolean> {
    this.#underWay ??= this.#makeIfDue().finally(() => {
      this.#underWay = undefined
    })
    return this.#underWay
  }

  async #makeIfDue(): Promise<boolean> {
    const { log } = this.#given
    try {
      if (!(await this.#isDue())) return false
      this.#trouble = await this.#make()
      if (this.#trouble) this.#failedAt = this.#given.now().getTime()
      return this.#trouble === null
    } catch (error) {
      if (this.#ended) return false
      this.#failedAt = this.#given.now().getTime()
      this.#trouble = 'failed'
      log.error({ err: error }, 'the nightly backup failed')
      return false
    }
  }

  async #isDue(): Promise<boolean> {
    if (this.kept === 0 || this.#ended) return false
    const now = this.#given.now()
    if (this.#since(this.#upSince) < upForMs || this.#since(this.#failedAt) < triedAgainAfterMs) return false
    const all = await backupsIn(this.#given.settings.dataDir, now)
    const ofAnyKind = all[0]?.madeAt ?? Number.NEGATIVE_INFINITY
    if (this.#since(ofAnyKind) > missedAfterMs) return true
    if (now.getHours() < night.from || now.getHours() >= night.to) return false
    const ofNights = all.find(({ kind }) => kind === 'nightly')?.madeAt ?? Number.NEGATIVE_INFINITY
    return ofNights < new Date(now).setHours(night.from, 0, 0, 0)
  }

  /** Milliseconds. What seems to lie ahead was noted by a clock that was wrong, and is long over. */
  #since(time: number): number {
    const passed = this.#given.now().getTime() - time
    return passed < 0 ? Number.POSITIVE_INFINITY : passed
  }

  async #make(): Promise<BackupTrouble | null> {
    const { settings, log, now, freeOf = freeBytes } = this.#given
    const { dataDir } = settings
    await removeUnfinished(dataDir)
    const reserve = timesTheDatabase * databaseBytes(dataDir)
    if ((await freeOf(dataDir)) < reserve) {
      log.warn({ needed: reserve }, 'the nightly backup is left out: the disk of the data folder has too little room')
      return 'no-room'
    }
    if (this.#ended) throw new Error('Keeper is being stopped')
    const thread = new AskedThread<BackupJob, BackupResult>(threadFile('backup-thread', import.meta.url))
    this.#thread = thread
    try {
      const keyFingerprint = await fingerprintOfKeyInUse(settings)
      const { files, bytes, damaged } = await thread.ask({ dataDir, now: now(), keyFingerprint, reserve })
      const removed = await removeOlderBackups(dataDir, this.kept, { kind: 'nightly', now: now() })
      log.info({ files, bytes, removed: removed.length }, 'the nightly backup was made')
      if (damaged.length > 0)
        log.error(
          { damaged: damaged.slice(0, damagedTold), count: damaged.length },
          'pictures or recordings are not what they were when they were kept: put back older copies of these files, which are named by their SHA-256, from another machine',
        )
      return null
    } finally {
      this.#thread = undefined
      await thread.end()
      await removeUnfinished(dataDir)
    }
  }
}

function databaseBytes(dataDir: string): number {
  const { database } = sqliteFiles(dataDir)
  const sizes = [database, `${database}-wal`].map((path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0)
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Of a night that was cut off: no other process makes nightly ones here. */
async function removeUnfinished(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'backups')
  const names = await readdir(folder).catch(() => [])
  for (const name of names)
    if (/^nightly-.*\.unfinished$/.test(name)) await rm(join(folder, name), { recursive: true, force: true })
}
