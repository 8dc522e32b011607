import {
  type BackupJob,
  type BackupProblem,
  countedEntities,
  type RestorePreview,
} from '#contract/administration/backups.ts'
import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { BackupRefused } from '#server/db/backup-archive.ts'
import { migrations } from '#server/db/migrations/index.ts'
import { restoreBackup } from '#server/db/restore.ts'
import { badField, Problem } from '#server/http/problem.ts'
import { readMasterKeyFingerprint } from '#server/keys/provider-keys.ts'
import type { Services } from '#server/services.ts'
import { getPublicUrl } from '#server/settings/public-url.ts'
import { toIsoTime } from '#server/values/iso-time.ts'
import { hourMs } from '#server/values/time-units.ts'
import { type Archive, requireArchive, summarizeArchive } from './archives.ts'
import { finishJob, toJobView } from './backup-jobs.ts'
import { isDiskFull } from './backup-runner.ts'
import { measureBackup } from './backup-space.ts'
import { type RestorePlan, writeRestorePlan } from './restore-plan.ts'
import { showBackups } from './show-overview.ts'

/** Age up to which a successful check counts. */
const checkLifetimeMs = hourMs
/** Space that stays free next to the copy of the backup and the backup of the current data. */
const reserveBytes = 64 * 1024 * 1024

/** @throws Problem 404; 409 without a recent, successful check */
export async function previewRestore(services: Services, id: string): Promise<RestorePreview> {
  const archive = await requireArchive(services.settings.dataDir, id)
  const { checkedAt, contents } = await requireRecentCheck(services, archive)
  const [backup] = await showBackups(services, [archive])
  const createdAt = (await summarizeArchive(archive)).createdAt ?? archive.createdAt
  const counts = []
  for (const entity of countedEntities) {
    const in_backup = contents.counts[entity]
    if (in_backup === undefined) continue
    counts.push({ entity, in_backup, ...(await countCurrentRows(services, entity, createdAt)) })
  }
  return {
    backup: backup!,
    checked_at: toIsoTime(checkedAt),
    sealed: contents.sealed,
    counts,
    space: {
      needed_bytes: await measureRestore(services, archive),
      free_bytes: await services.backups.getFreeBytes(services.settings.dataDir),
    },
    host: getHost(services),
  }
}

/** Restarts the server to replace all its data. @throws Problem 400, 404, 409, 422 or 507; nothing has changed then */
export async function startRestore(
  services: Services,
  person: Person,
  id: string,
  { host }: { host: string },
): Promise<BackupJob> {
  const { backups, settings, now } = services
  const archive = await requireArchive(settings.dataDir, id)
  if (!backups.startRestore)
    throw new Problem('unprocessable', {
      message:
        'This server can’t restore while it runs. Stop every process of Keeper, then run "npm run restore -- <data folder>/backups/<name of the backup>" and start Keeper.',
    })
  if (host.trim().toLowerCase() !== getHost(services))
    throw badField('host', `Type ${getHost(services)} to confirm that all data of this server is replaced.`)
  await requireRecentCheck(services, archive)
  await backups.requireSpace(await measureRestore(services, archive))
  const row = await backups.claimRestore(archive, [
    insertAudit(services, { action: 'backup-restore-started', actor: person, subject: id }),
  ])
  const plan = {
    jobId: row.id,
    backup: id,
    actorId: person.id,
    totalBytes: row.total_bytes,
    startedAt: now().getTime(),
    attempts: 0,
    problem: null,
  }
  try {
    await writeRestorePlan(settings.dataDir, plan)
  } catch (error) {
    await finishJob(services, row, { status: 'failed', problem: 'failed' })
    throw error
  }
  backups.startRestore(plan)
  return toJobView(row)
}

async function requireRecentCheck({ db, now }: Services, { id }: Archive) {
  const check = await db.selectFrom('backup_checks').selectAll().where('backup', '=', id).executeTakeFirst()
  if (!check || check.checked_at < now().getTime() - checkLifetimeMs || check.checked_at > now().getTime())
    throw new Problem('conflict', { message: 'Check this backup first. A check is valid for an hour.' })
  if (check.problem || !check.contents)
    throw new Problem('conflict', { message: 'This backup didn’t pass its check, so it can’t be restored.' })
  return { checkedAt: check.checked_at, contents: check.contents }
}

async function countCurrentRows({ db }: Services, entity: (typeof countedEntities)[number], createdAt: number) {
  const table = entity as 'moments'
  const [row] = await db.longRead(
    db
      .selectFrom(table)
      .select(({ fn, case: when }) => [
        fn.countAll<number | string>().as('now'),
        fn
          .sum<number | string | null>(when().when('created_at', '>', createdAt).then(1).else(0).end())
          .as('created_since'),
      ]),
  )
  return { now: Number(row?.now ?? 0), created_since: Number(row?.created_since ?? 0) }
}

async function measureRestore(services: Services, archive: Archive): Promise<number> {
  const [{ bytes }, { copyBytes }] = await Promise.all([summarizeArchive(archive), measureBackup(services)])
  return bytes + copyBytes + reserveBytes
}

const getHost = (services: Services) => new URL(getPublicUrl(services)).host

/** Whether this process can start itself again; elsewhere, a restore needs the command. */
export function canRestart(services: Services): boolean {
  const isChildProcess = process.send !== undefined
  return services.db.engine === 'sqlite' && typeof process.execve === 'function' && !isChildProcess
}

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
    await writeRestorePlan(dataDir, { ...plan, problem: toBackupProblem(error) }).catch((reason: unknown) =>
      log.error({ err: reason }, 'the reason could not be saved'),
    )
  }
}

function toBackupProblem(error: unknown): BackupProblem {
  if (error instanceof BackupRefused) return error.reason
  return isDiskFull(error) ? 'no-room' : 'failed'
}

/** Replaces this process, on the same port. Returns only if that fails. */
export function restartProcess(port: number): void {
  const { env, execArgv, execPath, argv } = process
  process.execve?.(execPath, [execPath, ...execArgv, ...argv.slice(1)], { ...env, PORT: String(port) })
}
