import { existsSync } from 'node:fs'
import { open, readFile, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { BackupProblem } from '#contract/administration/backups.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { syncFolder } from '#server/db/backup-archive.ts'
import { lockDataFolder } from '#server/db/data-folder.ts'
import { ignoreMissing, listNames } from '#server/db/file-system.ts'
import { getOldDataPaths, removeUnfinishedRestores, undoSwap } from '#server/db/restore.ts'
import { getSqliteFiles } from '#server/db/sqlite-files.ts'
import type { Services } from '#server/services.ts'

/** Stored in a file, because it has to survive a crash and the database that the restore replaces. */
export interface RestorePlan {
  jobId: string
  backup: string
  actorId: string
  totalBytes: number
  startedAt: number
  /** Number of starts with the restored data. After the second failed one, the old data is put back. */
  attempts: number
  problem: BackupProblem | null
}

const maxAttempts = 2
const getPlanPath = (dataDir: string) => join(dataDir, 'restore-plan.json')

export async function writeRestorePlan(dataDir: string, plan: RestorePlan): Promise<void> {
  const path = getPlanPath(dataDir)
  const handle = await open(`${path}.next`, 'w', 0o600)
  try {
    await handle.writeFile(JSON.stringify(plan))
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(`${path}.next`, path)
  await syncFolder(dataDir)
}

export async function removeRestorePlan(dataDir: string): Promise<void> {
  await rm(getPlanPath(dataDir), { force: true })
}

type RestoreOutcome = RestorePlan & { isRestored: boolean }

/**
 * Call before the database is opened: decides by the files whether the data was replaced, and undoes a half-done
 * restore.
 */
export async function recoverRestore(dataDir: string): Promise<RestoreOutcome | null> {
  const text = await readFile(getPlanPath(dataDir), 'utf8').catch(ignoreMissing)
  if (text === undefined) return null
  const plan = JSON.parse(text) as RestorePlan
  const lock = await lockDataFolder(dataDir)
  try {
    const isInterrupted = existsSync(getSqliteFiles(dataDir).restoring)
    const isRestored = !isInterrupted && plan.problem === null && (await hasOldDatabase(dataDir, plan))
    if (isRestored && plan.attempts < maxAttempts) {
      const updatedPlan = { ...plan, attempts: plan.attempts + 1 }
      await writeRestorePlan(dataDir, updatedPlan)
      return { ...updatedPlan, isRestored }
    }
    if (isInterrupted || isRestored) await undoSwap(dataDir, new Date(plan.startedAt))
    else await removeUnfinishedRestores(dataDir)
    return { ...plan, problem: plan.problem ?? 'failed', isRestored: false }
  } finally {
    lock.release()
  }
}

/** Puts the previous data back, for restored data that can't be opened. */
export async function undoRestore(dataDir: string, outcome: RestoreOutcome): Promise<RestoreOutcome> {
  const lock = await lockDataFolder(dataDir)
  try {
    await undoSwap(dataDir, new Date(outcome.startedAt))
  } finally {
    lock.release()
  }
  return { ...outcome, problem: 'failed', isRestored: false }
}

async function hasOldDatabase(dataDir: string, { startedAt }: RestorePlan): Promise<boolean> {
  const name = basename(getSqliteFiles(dataDir).database)
  const folders = await Promise.all(getOldDataPaths(dataDir, new Date(startedAt)).map(listNames))
  return folders.some((names) => names.includes(name))
}

/** Records the outcome, and ends the sessions and links that the backup brought back. Call before serving requests. */
export async function finishRestore(services: Services, outcome: RestoreOutcome): Promise<void> {
  const { db, settings, log, now } = services
  const { jobId, backup, actorId, totalBytes, startedAt, problem, isRestored } = outcome
  const isRecorded = await db.exists(
    db.selectFrom('backup_jobs').select('id').where('id', '=', jobId).where('slot', 'is', null),
  )
  const row = {
    kind: 'restore' as const,
    backup,
    scheduled: false,
    slot: null,
    occasion: null,
    status: isRestored ? ('done' as const) : ('failed' as const),
    done_bytes: isRestored ? totalBytes : 0,
    total_bytes: totalBytes,
    problem,
    started_at: startedAt,
    finished_at: now().getTime(),
    lease_until: startedAt,
  }
  if (!isRecorded)
    await db.batch([
      // The backup contains its own job, which was running when it was made.
      ...(isRestored ? [db.deleteFrom('backup_jobs').where('slot', '=', 1)] : []),
      db
        .insertInto('backup_jobs')
        .values({ id: jobId, ...row })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(row)),
      // Access that ended since the backup must not come back with it.
      ...(isRestored
        ? [
            ...(['sessions', 'connection_tokens', 'oauth_codes', 'pending_sign_ins'] as const).map((table) =>
              db.deleteFrom(table),
            ),
            db.deleteFrom('one_time_links').where('used_at', 'is', null),
          ]
        : []),
      insertAudit(services, {
        action: isRestored ? 'backup-restored' : 'backup-restore-failed',
        actor: { id: actorId },
        subject: backup,
      }),
    ])
  if (isRestored) {
    log.info({ backup }, 'a backup was restored; everyone has to sign in again')
    for (const path of getOldDataPaths(settings.dataDir, new Date(startedAt)))
      await rm(path, { recursive: true, force: true }).catch((error: unknown) =>
        log.warn({ err: error }, 'the data from before the restore could not be removed; it is also in a backup'),
      )
  } else log.error({ backup, problem }, 'a backup could not be restored; the data is as it was before')
  await removeRestorePlan(settings.dataDir)
}
