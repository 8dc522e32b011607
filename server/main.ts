import { existsSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { sweepAccounts } from './accounts/own/delete-accounts.ts'
import { warnAboutOtherHosts } from './accounts/passkeys/passkey-host.ts'
import { getAdminSocketPath, listenForAdmin } from './administration/admin-socket.ts'
import { syncSecret } from './administration/rotate-secret.ts'
import { closeAbandonedGoldenRuns, interruptGoldenRuns } from './agents/golden/execute-golden-run.ts'
import { closeAbandonedRuns } from './agents/runs/close-abandoned-runs.ts'
import { startRunSync } from './agents/runs/sync-runs.ts'
import { releaseReservations } from './agents/usage/budget-reservations.ts'
import { createApp } from './app.ts'
import { canRestart, executeRestore, restartProcess } from './backups/restore-backup.ts'
import { finishRestore, type RestorePlan, recoverRestore, undoRestore } from './backups/restore-plan.ts'
import { syncBoardSessions } from './boards/live/session-sync.ts'
import { createDataFolder } from './db/data-folder.ts'
import { type Database, openDatabase } from './db/database.ts'
import { findNetworkFileSystem } from './db/file-system.ts'
import { migrate } from './db/migrate.ts'
import { migrations } from './db/migrations/index.ts'
import {
  isReadableByOthers,
  type ModeRepair,
  restrictDataFolder,
  restrictFilesBelow,
  restrictNewFiles,
} from './db/private-files.ts'
import { syncCustomHosts } from './domains/custom/custom-hosts.ts'
import { startRechecking } from './domains/custom/recheck-custom-domains.ts'
import type { NodeBindings } from './http/client-address.ts'
import type { EgressRules } from './http/egress.ts'
import { createHttpServer, limitUnsentBytes } from './http/http-server.ts'
import { InFlightRequests } from './http/in-flight-requests.ts'
import { createLog, type Log } from './http/log.ts'
import { createWebFiles } from './http/web-files.ts'
import { resumeEmbedding, stopEmbedding } from './keepers/memory-cards/embedding-job.ts'
import { stopScanner } from './keepers/memory-cards/vector-sets.ts'
import { startKeeperJobs } from './keepers/scheduler.ts'
import { freeAbandonedImports, stopImports } from './keepers/transfer/execute-import.ts'
import { closeAbandonedTranscriptions, stopTranscriptions } from './keepers/voice/execute-transcription.ts'
import { readMasterSecret } from './keys/master-key.ts'
import { syncModelServices } from './keys/model-services/model-services.ts'
import { canDeleteMedia } from './media/sweep-media.ts'
import { BadCatalog, loadCatalog } from './models/catalog/catalog.ts'
import { startIndexing } from './search-index/index-pending.ts'
import type { Services } from './services.ts'
import { BadSetting, readEnvironment, readSettings, type Settings } from './settings/settings.ts'
import { addSystemEntries } from './start/add-system-entries.ts'
import { announceStart } from './start/announce.ts'
import { createServices } from './start/create-services.ts'
import { startEmailJobs } from './start/email-jobs.ts'
import { startHourlyJobs } from './start/hourly-jobs.ts'
import { limitHeapGrowth } from './start/memory-flags.ts'
import { prepareProcess, toDatabaseSettings } from './start/prepare-process.ts'
import { isMain } from './start/require-node.ts'
import { explainStartupError } from './start/startup-errors.ts'
import { hourMs } from './values/time-units.ts'

/** Time running answers have to finish after SIGTERM before they are marked interrupted. */
const runGraceMs = 20_000
/** Time interrupted answers have to store their end. */
const abortGraceMs = 5_000
/** Time other requests have to finish, counted from SIGTERM, and at least this long after the runs ended. */
const requestGraceMs = 5_000
const requestGraceAfterRunsMs = 1_000
/** Longer than the 60 s of common proxies: the client must close first, or a request meets a closed connection. */
const keepAliveTimeoutMs = 75_000

interface StartOptions {
  now?: () => Date
  egress?: EgressRules
}

export async function main({ now = () => new Date(), egress = {} }: StartOptions = {}): Promise<void> {
  try {
    await start(now, egress)
  } catch (error) {
    const line = explainStartupError(error)
    if (line === undefined) throw error
    process.stderr.write(`Keeper cannot start: ${line}\n`)
    process.exit(1)
  }
}

async function start(now: () => Date, egress: EgressRules): Promise<void> {
  const settings = readSettings(readEnvironment(process.cwd(), process.env))
  const log = createLog(settings.logLevel)
  prepareProcess(settings)
  for (const note of settings.notes) log.warn(note)
  const { http, https, noProxy } = settings.proxy
  const proxies = [...new Set([https, http])].flatMap((proxy) => (proxy ? [new URL(proxy).host] : []))
  if (proxies.length > 0) log.info({ noProxy }, `outgoing requests go through ${proxies.join(' and ')}`)
  loadModelCatalog(settings.modelCatalog)
  for (const { name, ignored } of settings.mcpServers)
    if (ignored.length > 0)
      log.warn(
        { server: name, ignored },
        'KEEPER_MCP_SERVERS has unknown fields; a server has url, headers and trusted',
      )
  restrictNewFiles()
  createDataFolder(settings.dataDir)
  const modeRepair = restrictDataFolder(settings.dataDir)
  logModeRepair(log, modeRepair)
  if (isReadableByOthers('.env')) log.warn('other accounts on this machine can read .env: chmod 600 .env')
  let restore = await recoverRestore(settings.dataDir)
  const { db, applied, backup } = await openMigratedDatabase(settings, log, now).catch(async (error: unknown) => {
    if (!restore?.isRestored) throw error
    log.error({ err: error }, 'the restored data can’t be opened, so the previous data is put back')
    restore = await undoRestore(settings.dataDir, restore)
    return openMigratedDatabase(settings, log, now)
  })
  if (backup) log.info({ backup }, 'a backup was taken before the migration')
  const services = createServices({
    db,
    settings,
    log,
    now,
    egress,
    masterSecret: await readMasterSecret(settings.secret, settings.dataDir),
  })
  if (restore) await finishRestore(services, restore)
  if (db.engine === 'sqlite') await services.backups.closeAbandoned()
  // Opened before anything is cached that another process may change.
  await services.bus.open(db, log)
  const stopModelServices = await syncModelServices(services)
  await addSystemEntries(services)
  // SQLite belongs to this process alone; on PostgreSQL, other processes may have live runs.
  const leaseExpiredBefore = db.engine === 'sqlite' ? Number.POSITIVE_INFINITY : undefined
  await closeAbandonedRuns(services, leaseExpiredBefore)
  await releaseReservations(
    services,
    leaseExpiredBefore === undefined ? undefined : { reservedBefore: leaseExpiredBefore },
  )
  await closeAbandonedGoldenRuns(services, leaseExpiredBefore)
  await resumeEmbedding(services, { leaseExpiredBefore })
  await closeAbandonedTranscriptions(services, leaseExpiredBefore)
  if (db.engine === 'sqlite') await freeAbandonedImports(services)
  const stopRunSync = startRunSync(services)
  let stopKeeperJobs = async () => {}
  let stopIndexing = async () => {}
  let stopEmailJobs = async () => {}
  const stopSecretCheck = syncSecret(services)
  const stopHostRefresh = await syncCustomHosts(services)
  const stopRechecking = startRechecking(services)
  const stopBoardSync = syncBoardSessions(services)
  const stopBackups = services.backups.start()
  const stopSweeps = startHourlyJobs(services)

  const adminPath = settings.databaseUrl ? null : getAdminSocketPath(settings.dataDir)
  const adminSocket = adminPath ? await listenForAdmin(services, adminPath) : null
  const app = createApp(services, createWebFiles(getWebDirectory()))
  const server = createHttpServer(fetchApp)
  const requests = new InFlightRequests(server)
  limitUnsentBytes(requests.connections)
  function fetchApp(request: Request, bindings: NodeBindings): Response | Promise<Response> {
    const { outgoing } = bindings
    if (outgoing) bindings.onStreamStart = () => requests.excludeStream(outgoing)
    return app.fetch(request, bindings)
  }
  // Bodies have their own read deadlines: a large import takes long to upload.
  Object.assign(server, { headersTimeout: 10_000, requestTimeout: 4 * hourMs, keepAliveTimeout: keepAliveTimeoutMs })
  // The signal handlers come before the announcement, since a signal can follow it right away.
  let isStopping = false
  /** Ends all work; returns with the database still open. */
  const drain = async () => {
    const stopRequestedAt = performance.now()
    requests.startDraining()
    const keepersStopped = Promise.all([stopKeeperJobs(), stopIndexing(), stopEmailJobs()])
    const importsPaused = Promise.race([
      stopImports(services),
      new Promise((resolve) => setTimeout(resolve, runGraceMs)),
    ])
    await interruptGoldenRuns(services)
    await stopEmbedding(services)
    await endRuns(services)
    await stopTranscriptions(services)
    await services.traceExporter?.stop()
    await requests.waitForAnswers(
      Math.max(requestGraceMs - (performance.now() - stopRequestedAt), requestGraceAfterRunsMs),
    )
    server.closeAllConnections()
    stopRunSync()
    await keepersStopped
    await importsPaused
    stopSecretCheck()
    stopHostRefresh()
    stopModelServices()
    stopRechecking()
    stopBoardSync()
    stopSweeps()
    adminSocket?.close()
    await stopScanner(services)
  }
  const closeDatabase = async () => {
    await services.bus.close()
    await db.close()
  }
  const stop = async (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(1)
    isStopping = true
    log.info({ signal, runs: services.runs.size }, 'stopping')
    app.refuseNewRequests()
    server.close()
    const backupsStopped = stopBackups()
    await drain()
    await backupsStopped
    await closeDatabase()
    process.exit(0)
  }
  const restoreAndRestart = async (plan: RestorePlan) => {
    if (isStopping) return
    isStopping = true
    app.refuseNewRequests('restoring')
    await drain()
    await executeRestore(services, plan, closeDatabase)
    restartProcess(settings.port)
    process.exit(1)
  }
  if (canRestart(services))
    services.backups.startRestore = (plan) => {
      restoreAndRestart(plan).catch((error: unknown) => {
        log.fatal({ err: error }, 'the restore failed: exiting for a restart')
        process.exit(1)
      })
    }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(settings.port, settings.host, resolve)
  })
  limitHeapGrowth()
  const { port } = server.address() as AddressInfo
  settings.port = port
  // Start background jobs only after the port is bound.
  if (!isStopping) {
    stopKeeperJobs = startKeeperJobs(services)
    stopIndexing = startIndexing(services)
    stopEmailJobs = startEmailJobs(services)
    void sweepAccounts(services)
    if (modeRepair.restrictedCount > 0)
      restrictFilesBelow(settings.dataDir).then(
        (repair) => logModeRepair(log, { ...repair, restrictedCount: 0 }),
        (error: unknown) => log.warn({ err: error }, 'file modes in the data folder could not be checked'),
      )
    warnAboutOtherHosts(services).catch((error: unknown) =>
      log.warn({ err: error }, 'could not check the host names of passkeys'),
    )
    canDeleteMedia(services).catch((error: unknown) =>
      log.warn({ err: error }, 'could not check which server the bucket belongs to'),
    )
  }
  await announceStart(services, applied.length === migrations.length)
}

async function openMigratedDatabase(settings: Settings, log: Log, now: () => Date) {
  const db = await openDatabase({
    ...toDatabaseSettings(settings),
    failureHandlers: {
      onWaiting: (message) => log.warn(message),
      onMaintenanceFailed: (error) => log.warn({ err: error }, 'database maintenance failed and will be retried'),
      // Unsaved work is lost either way; the supervisor starts a new process.
      onLost(error) {
        log.fatal({ err: error }, 'the database can no longer be written: exiting for a restart')
        process.exit(1)
      },
    },
  })
  try {
    logDatabase(log, settings.dataDir, db)
    const { applied, backup } = await migrate(db, migrations, { dataDir: settings.dataDir, now, backup: true })
    return { db, applied, backup }
  } catch (error) {
    await db.close()
    throw error
  }
}

function loadModelCatalog(path: string | null): void {
  try {
    loadCatalog(path)
  } catch (error) {
    if (error instanceof BadCatalog) throw new BadSetting(`KEEPER_MODEL_CATALOG (${path}): ${error.message}`)
    throw error
  }
}

function logModeRepair(log: Log, { wasFolderOpen, restrictedCount, unrestricted }: ModeRepair): void {
  if (restrictedCount === 0 && unrestricted.length === 0) return
  const details = {
    wasFolderOpen,
    restrictedCount,
    unrestricted: unrestricted.slice(0, 5),
    unrestrictedCount: unrestricted.length,
  }
  if (unrestricted.length === 0)
    log.warn(details, 'other accounts on this machine could read the data folder; access is now closed')
  else
    log.warn(
      details,
      'other accounts on this machine can read the data folder, and the mode of these files could not be changed',
    )
}

function logDatabase(log: Log, dataDir: string, { engineDriver }: Database): void {
  if (engineDriver.server) {
    const { version, tls, isTransactionPooled } = engineDriver.server
    log.info({ version, tls, isTransactionPooled }, 'connected to PostgreSQL')
    return
  }
  const fileSystem = findNetworkFileSystem(dataDir)
  if (fileSystem)
    log.warn(
      { fileSystem },
      'the data folder is on a network or FUSE file system, where SQLite can lose data: use a local disk, or PostgreSQL',
    )
}

function getWebDirectory(): string {
  const bundled = fileURLToPath(new URL('../web', import.meta.url))
  return existsSync(`${bundled}/index.html`) && import.meta.url.endsWith('.js')
    ? bundled
    : fileURLToPath(new URL('../dist/web', import.meta.url))
}

async function endRuns(services: Services): Promise<void> {
  const runs = services.runs.list()
  const allFinished = Promise.all(runs.map((run) => run.finished))
  await Promise.race([allFinished, new Promise((resolve) => setTimeout(resolve, runGraceMs))])
  for (const run of services.runs.list()) run.abortController.abort('shutdown')
  await Promise.race([allFinished, new Promise((resolve) => setTimeout(resolve, abortGraceMs))])
}

if (isMain(import.meta)) await main()
