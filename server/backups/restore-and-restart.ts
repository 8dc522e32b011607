import type { BackupProblem } from '#contract/administration/backups.ts'
import { BackupRefused } from '#server/db/backup-archive.ts'
import { migrations } from '#server/db/migrations/index.ts'
import { restoreBackup } from '#server/db/restore.ts'
import { readMasterKeyFingerprint } from '#server/keys/provider-keys.ts'
import type { Services } from '#server/services.ts'
import { requireArchive } from './archives.ts'
import { isDiskFull } from './backup-runner.ts'
import { type RestorePlan, writeRestorePlan } from './restore-plan.ts'

/** Whether this process can start itself again; elsewhere, a restore needs the command. */
export const canRestart = (services: Services): boolean =>
  services.db.engine === 'sqlite' && typeof process.execve === 'function' && !process.send

/**
 * Never rejects: a failure is saved in the plan, and the next start reports it. `closeDatabase` must end every use of
 * the data folder.
 */
export async function executeRestore(
  services: Services,
  plan: RestorePlan,
  closeDatabase: () => Promise<void>,
): Promise<void> {
  const { settings, log, backups } = services
  const { dataDir } = settings
  const now = new Date(plan.startedAt)
  try {
    const keyFingerprint = await readMasterKeyFingerprint(settings)
    const { path } = await requireArchive(dataDir, plan.backup)
    const safetyBackup = await backups.createSafetyBackup(now)
    log.info({ backup: plan.backup, safetyBackup }, 'restoring a backup')
    await closeDatabase()
    await restoreBackup(path, { dataDir }, { migrations, now, keyFingerprint })
  } catch (error) {
    log.error({ err: error, backup: plan.backup }, 'the restore failed; the data is as it was before')
    await writeRestorePlan(dataDir, { ...plan, problem: toProblem(error) }).catch((reason: unknown) =>
      log.error({ err: reason }, 'the reason could not be saved'),
    )
  }
}

function toProblem(error: unknown): BackupProblem {
  if (error instanceof BackupRefused) return error.reason
  return isDiskFull(error) ? 'no-room' : 'failed'
}

/** Replaces this process, on the same port. Returns only if that fails. */
export function restartProcess(port: number): void {
  const { env, execArgv, execPath, argv } = process
  process.execve?.(execPath, [execPath, ...execArgv, ...argv.slice(1)], { ...env, PORT: String(port) })
}
