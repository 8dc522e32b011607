import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Selectable } from 'kysely'
import type { BackupJob, BackupProblem } from '#contract/administration/backups.ts'
import type { Database, Write } from '#server/db/database.ts'
import { UniqueViolation } from '#server/db/database-errors.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Services } from '#server/services.ts'
import { toIsoTime, toIsoTimeOrNull } from '#server/values/iso-time.ts'
import { getBackupsFolder } from './archives.ts'

export type BackupJobRow = Selectable<Schema['backup_jobs']>
export type JobServices = Pick<Services, 'db' | 'settings' | 'log' | 'now' | 'newId'>

/** A job whose process was killed frees its slot after this time. */
const leaseMs = 60_000
const heartbeatMs = 1_000
const maxJobs = 50
const maxRecentJobs = 10

interface JobInput {
  kind: BackupJob['kind']
  backup: string
  totalBytes: number
  isScheduled?: boolean
  /** Unique for a due time and attempt, so that only one process makes a scheduled backup. */
  occasion?: string
}

/** Undefined while another job runs in any process, or if another process took this occasion. */
export async function claimJob(
  services: JobServices,
  { kind, backup, totalBytes, isScheduled = false, occasion }: JobInput,
  extraWrites: readonly Write[] = [],
): Promise<BackupJobRow | undefined> {
  const { db } = services
  const now = services.now().getTime()
  await closeAbandonedJobs(services, now)
  const row: BackupJobRow = {
    id: services.newId(),
    kind,
    backup,
    scheduled: isScheduled,
    slot: 1,
    occasion: occasion ?? null,
    status: 'running',
    done_bytes: 0,
    total_bytes: totalBytes,
    problem: null,
    started_at: now,
    finished_at: null,
    lease_until: now + leaseMs,
  }
  try {
    await db.batch([db.insertInto('backup_jobs').values(row), ...extraWrites])
    return row
  } catch (error) {
    if (error instanceof UniqueViolation) return undefined
    throw error
  }
}

/** Closes the job of a killed process. `leaseExpiredBefore` is infinite when the only process starts. */
export async function closeAbandonedJobs(
  { db, settings, now }: JobServices,
  leaseExpiredBefore = now().getTime(),
): Promise<void> {
  const running = await findRunningJob(db)
  if (!running || running.lease_until >= leaseExpiredBefore) return
  const path = join(getBackupsFolder(settings.dataDir), running.backup)
  const isDone = running.kind === 'create' && existsSync(path)
  await db.write(
    db
      .updateTable('backup_jobs')
      .set({
        slot: null,
        status: isDone ? 'done' : 'interrupted',
        ...(!isDone && { occasion: null }),
        finished_at: now().getTime(),
      })
      .where('id', '=', running.id)
      .where('lease_until', '<', leaseExpiredBefore),
  )
  if (running.kind === 'create') await rm(`${path}.unfinished`, { recursive: true, force: true })
}

export const findRunningJob = (db: Database): Promise<BackupJobRow | undefined> =>
  db.selectFrom('backup_jobs').selectAll().where('slot', '=', 1).executeTakeFirst()

export const listRecentJobs = (db: Database): Promise<BackupJobRow[]> =>
  db
    .selectFrom('backup_jobs')
    .selectAll()
    .where('slot', 'is', null)
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxRecentJobs)
    .execute()

/** The problem of the last scheduled backup of any process. */
export async function findLastScheduledProblem(db: Database): Promise<'failed' | 'no-room' | null> {
  const last = await db
    .selectFrom('backup_jobs')
    .select(['status', 'problem'])
    .where('scheduled', '=', true)
    .where('status', 'in', ['done', 'failed'])
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (last?.status !== 'failed') return null
  return last.problem === 'no-room' ? 'no-room' : 'failed'
}

/** Renews the lease and saves the progress until the returned function is called. */
export function startHeartbeat({ db, log, now }: JobServices, { id }: BackupJobRow, readDoneBytes: () => number) {
  const timer = setInterval(() => {
    db.write(
      db
        .updateTable('backup_jobs')
        .set({ done_bytes: readDoneBytes(), lease_until: now().getTime() + leaseMs })
        .where('id', '=', id)
        .where('slot', '=', 1),
    ).catch((error: unknown) => log.warn({ err: error }, 'the progress of a backup could not be saved'))
  }, heartbeatMs)
  timer.unref()
  return () => clearInterval(timer)
}

export async function finishJob(
  { db, now }: JobServices,
  { id, total_bytes }: BackupJobRow,
  outcome: { status: 'done' } | { status: 'failed'; problem: BackupProblem } | { status: 'interrupted' },
  extraWrites: readonly Write[] = [],
): Promise<void> {
  const values = {
    slot: null,
    status: outcome.status,
    problem: outcome.status === 'failed' ? outcome.problem : null,
    finished_at: now().getTime(),
    ...(outcome.status === 'done' && { done_bytes: total_bytes }),
    ...(outcome.status === 'interrupted' && { occasion: null }),
  }
  const newestIds = db.selectFrom('backup_jobs').select('id').orderBy('started_at', 'desc').limit(maxJobs)
  await db.batch([
    db.updateTable('backup_jobs').set(values).where('id', '=', id),
    db.deleteFrom('backup_jobs').where('slot', 'is', null).where('id', 'not in', newestIds),
    ...extraWrites,
  ])
}

export const toJobView = (row: BackupJobRow): BackupJob => ({
  id: row.id,
  kind: row.kind,
  backup_id: row.backup,
  is_scheduled: row.scheduled,
  status: row.status,
  done_bytes: row.done_bytes,
  total_bytes: row.total_bytes,
  problem: row.problem,
  started_at: toIsoTime(row.started_at),
  finished_at: toIsoTimeOrNull(row.finished_at),
})
