import { existsSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { createAdaptorServer } from '@hono/node-server'
import { createSetupLink } from './accounts/one-time-link.ts'
import { adminSocketPath, listenForAdmin } from './administration/admin-socket.ts'
import { keepSecretInStep } from './administration/rotate-secret.ts'
import { addBuiltInAgents } from './agents/built-in-agents.ts'
import { addSystemClasses } from './agents/classes/system-classes.ts'
import { closeAbandonedGoldenRuns, interruptGoldenRuns } from './agents/golden/carry-out-golden-run.ts'
import { closeAbandonedRuns } from './agents/runs/close-abandoned-runs.ts'
import { keepRunsInStep } from './agents/runs/keep-runs-in-step.ts'
import { giveBackHolds } from './agents/usage/budget-holds.ts'
import { createApp } from './app.ts'
import { keepRoomsInStep } from './boards/live/rooms-of-all.ts'
import { createServices } from './create-services.ts'
import { openDatabase } from './db/database.ts'
import { migrate } from './db/migrate.ts'
import { migrations } from './db/migrations/index.ts'
import {
  closeDataFolder,
  closeFilesBelow,
  isReadableByOthers,
  keepNewFilesPrivate,
  type ModeRepair,
} from './db/private-files.ts'
import { keepCustomHosts } from './domains/custom/custom-hosts.ts'
import { keepRechecking } from './domains/custom/recheck.ts'
import { hourMs } from './hours-and-days.ts'
import type { NodeBindings } from './http/client-address.ts'
import type { EgressRules } from './http/egress.ts'
import { limitUnreadBytes } from './http/limit-unread-bytes.ts'
import { createLog, type Log } from './http/log.ts'
import { RequestsUnderWay } from './http/requests-under-way.ts'
import { createWebFiles } from './http/web-files.ts'
import { keepKeepersInStep } from './keepers/keep-in-step.ts'
import { pauseEmbedding, resumeEmbedding } from './keepers/memory-cards/embedding-job.ts'
import { endScanner } from './keepers/memory-cards/vector-sets.ts'
import { addSystemPatterns } from './keepers/patterns/system-patterns.ts'
import { addSystemTemplates } from './keepers/templates/system-templates.ts'
import { freeAbandonedImports, pauseImports } from './keepers/transfer/carry-out-import.ts'
import { addSystemKeeperTypes } from './keepers/types/system-keeper-types.ts'
import { closeAbandonedTranscriptions, endTranscriptions } from './keepers/voice/carry-out-transcription.ts'
import { syncModelServices } from './keys/model-services/model-services.ts'
import { readMasterSecret } from './keys/sealer.ts'
import { mayDeleteMedia } from './media/sweep-media.ts'
import { BadCatalog, loadCatalog } from './models/catalog/catalog.ts'
import { sweepAccounts } from './own-account/delete-accounts.ts'
import { ownAddress } from './own-address.ts'
import { isPlainFailure } from './plain-failures.ts'
import { prepareProcess } from './prepare-process.ts'
import type { Services } from './services.ts'
import { BadSetting, readEnvironment, readSettings } from './settings.ts'
import { sweepHourly } from './sweep-hourly.ts'

/** How long running answers may take to end after a SIGTERM before they are marked interrupted. */
const graceMs = 20_000
/** How long other requests may take to be answered, from the SIGTERM on; and how long those that a run kept waiting, after it. */
const answerMs = 5_000
const answerAfterRunsMs = 1_000
/** Longer than proxies keep theirs (60 s): who closes first must be who asks, or a request meets a closed connection. */
const keepAliveTimeout = 75_000

interface StartOptions {
  now?: () => Date
  egress?: EgressRules
}

/**
 * Starts the server; what stands in the way is one clear line on standard error and exit code 1.
 * @param options tests that start it in another process bring a clock and rules for connections; no setting does
 */
export async function main({ now = () => new Date(), egress = {} }: StartOptions = {}): Promise<void> {
  try {
    await start(now, egress)
  } catch (error) {
    const line = explain(error)
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
  if (proxies.length > 0) log.info({ noProxy }, `what is called outside goes through ${proxies.join(' and ')}`)
  loadModelCatalog(settings.modelCatalog)
  for (const { name, ignored } of settings.mcpServers)
    if (ignored.length > 0)
      log.warn(
        { server: name, ignored },
        'KEEPER_MCP_SERVERS has names that mean nothing here; a server has url, headers and trusted',
      )
  keepNewFilesPrivate()
  const modes = closeDataFolder(settings.dataDir)
  logModes(log, modes)
  if (isReadableByOthers('.env')) log.warn('other accounts of this machine can read .env: chmod 600 .env')
  const db = await openDatabase({
    dataDir: settings.dataDir,
    ...(settings.databaseUrl && { databaseUrl: settings.databaseUrl }),
    trouble: {
      upkeepFailed: (error) => log.warn({ err: error }, 'the database could not be looked after; it is tried again'),
      // What was under way could not be written any more; whoever started this process starts another.
      lost(error) {
        log.fatal({ err: error }, 'nothing can be written any more: the process ends, to be started again')
        process.exit(1)
      },
    },
  })
  const { backup } = await migrate(db, migrations, { dataDir: settings.dataDir, now, backup: true })
  if (backup) log.info({ backup }, 'a backup was taken before the database was brought up to date')
  const services = createServices({
    db,
    settings,
    log,
    now,
    egress,
    masterSecret: await readMasterSecret(settings.secret, settings.dataDir),
  })
  // Before anything is remembered that another process may change.
  await services.bus.open(db, log)
  const stopModelServices = await syncModelServices(services)
  await addBuiltInAgents(services)
  await addSystemKeeperTypes(services)
  await addSystemTemplates(services)
  await addSystemPatterns(services)
  await addSystemClasses(services)
  // The embedded database belongs to this process alone; on PostgreSQL others may be running theirs.
  const leaseEndedBefore = db.engine === 'sqlite' ? Number.POSITIVE_INFINITY : undefined
  await closeAbandonedRuns(services, leaseEndedBefore)
  await giveBackHolds(services, leaseEndedBefore === undefined ? undefined : { heldBefore: leaseEndedBefore })
  await closeAbandonedGoldenRuns(services, leaseEndedBefore)
  await resumeEmbedding(services, { leaseEndedBefore })
  await closeAbandonedTranscriptions(services, leaseEndedBefore)
  if (db.engine === 'sqlite') await freeAbandonedImports(services)
  const stopKeeping = keepRunsInStep(services)
  let stopKeepers = async () => {}
  const stopSecret = keepSecretInStep(services)
  const stopHosts = await keepCustomHosts(services)
  const stopRechecking = keepRechecking(services)
  const stopRooms = keepRoomsInStep(services)
  const stopBackups = services.backups.start()
  const stopSweeps = sweepHourly(services)

  const adminPath = settings.databaseUrl ? null : adminSocketPath(settings.dataDir)
  const adminSocket = adminPath ? await listenForAdmin(services, adminPath) : null
  const app = createApp(services, createWebFiles(webDirectory()))
  const server = createAdaptorServer({
    fetch: fetchApp as Parameters<typeof createAdaptorServer>[0]['fetch'],
  }) as Server
  const requests = new RequestsUnderWay(server)
  limitUnreadBytes(requests.connections)
  function fetchApp(request: Request, bindings: NodeBindings): Response | Promise<Response> {
    const { outgoing } = bindings
    if (outgoing) bindings.streamBegins = () => requests.leaveOut(outgoing)
    return app.fetch(request, bindings)
  }
  // Bodies have deadlines of their own where they are read: years of pictures take their time to come.
  Object.assign(server, { headersTimeout: 10_000, requestTimeout: 4 * hourMs, keepAliveTimeout })
  // Before it says that it is up: whoever reads that may tell it to stop at once.
  let stopping = false
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1)
    stopping = true
    log.info({ signal, runs: services.runs.size }, 'stopping')
    const toldAt = performance.now()
    app.refuseNewRequests()
    requests.end()
    server.close()
    const keepersStopped = stopKeepers()
    const backupsStopped = stopBackups()
    // A step may have a large file on its way to a bucket.
    const importsPaused = Promise.race([pauseImports(services), new Promise((resolve) => setTimeout(resolve, graceMs))])
    await interruptGoldenRuns(services)
    await pauseEmbedding(services)
    await endRuns(services)
    await endTranscriptions(services)
    await requests.answered(Math.max(answerMs - (performance.now() - toldAt), answerAfterRunsMs))
    // Whoever still listens to an event stream is cut now; the page reconnects by itself.
    server.closeAllConnections()
    stopKeeping()
    await keepersStopped
    await importsPaused
    await backupsStopped
    stopSecret()
    stopHosts()
    stopModelServices()
    stopRechecking()
    stopRooms()
    stopSweeps()
    adminSocket?.close()
    await endScanner(services)
    await services.bus.close()
    await db.close()
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(settings.port, settings.host, resolve)
  })
  const { port } = server.address() as AddressInfo
  settings.port = port
  // Not before: who finds the port taken must not mail and delete beside the Keeper that has it.
  if (!stopping) {
    stopKeepers = keepKeepersInStep(services)
    // Not awaited: neither a long account nor a bucket that cannot be reached keeps the others from the start.
    void sweepAccounts(services)
    if (modes.closed > 0)
      closeFilesBelow(settings.dataDir).then(
        (below) => logModes(log, { ...below, closed: 0 }),
        (error: unknown) => log.warn({ err: error }, 'the modes of files in the data folder could not be checked'),
      )
    mayDeleteMedia(services).catch((error: unknown) => log.warn({ err: error }, 'nobody could ask whose the bucket is'))
  }
  await announce(services)
}

function loadModelCatalog(path: string | null): void {
  try {
    loadCatalog(path)
  } catch (error) {
    if (error instanceof BadCatalog) throw new BadSetting(`KEEPER_MODEL_CATALOG (${path}): ${error.message}`)
    throw error
  }
}

function logModes(log: Log, { folderWasOpen, closed, stillOpen }: ModeRepair): void {
  if (closed === 0 && stillOpen.length === 0) return
  const details = { folderWasOpen, closed, stillOpen: stillOpen.slice(0, 5), stillOpenCount: stillOpen.length }
  if (stillOpen.length === 0)
    log.warn(details, 'other accounts of this machine could reach the data folder: it is closed to them now')
  else
    log.warn(
      details,
      'other accounts of this machine can reach the data folder, and the mode of these files could not be changed',
    )
}

/** Beside the bundle when bundled, in dist/ when run from the sources. */
function webDirectory(): string {
  const bundled = fileURLToPath(new URL('../web', import.meta.url))
  return existsSync(`${bundled}/index.html`) && import.meta.url.endsWith('.js')
    ? bundled
    : fileURLToPath(new URL('../dist/web', import.meta.url))
}

async function announce(services: Services): Promise<void> {
  const address = ownAddress(services)
  const lines = [`Keeper is at ${address}`]
  const someone = await services.db
    .selectFrom('role_grants')
    .select('person_id')
    .where('role', '=', 'super-admin')
    .limit(1)
    .executeTakeFirst()
  if (!someone) {
    const token = await createSetupLink(services)
    lines.push(`Open this once, within a day, to set it up: ${address}/register?setup=${token}`)
  }
  process.stdout.write(`${lines.join('\n')}\n`)
}

async function endRuns(services: Services): Promise<void> {
  const all = services.runs.all()
  const ended = Promise.all(all.map((run) => run.finished))
  await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, graceMs))])
  for (const run of services.runs.all()) run.abort.abort('shutdown')
  await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 5000))])
}

/** One line for what whoever runs the server can put right; undefined for a defect of ours. */
function explain(error: unknown): string | undefined {
  if (isPlainFailure(error)) return error.message
  if (!(error instanceof Error)) return undefined
  const { code, port } = error as NodeJS.ErrnoException & { port?: number }
  if (code === 'EADDRINUSE') return `port ${port} is used by another program. Stop it, or choose another with PORT.`
  if (code === 'EACCES' && port) return `this account may not use port ${port}. Choose one above 1023 with PORT.`
  if (code === 'EADDRNOTAVAIL') return 'HOST is no address of this machine.'
  return undefined
}

if (import.meta.main) await main()
