import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { BoardSessions } from '#server/boards/live/board-sessions.ts'
import { authenticate } from '../accounts/authenticate.ts'
import { createMailer, type Mailer } from '../accounts/mailer.ts'
import { SessionCache } from '../accounts/session-cache.ts'
import { ListCache } from '../agents/model-lists/list-cache.ts'
import { RunRegistry } from '../agents/runs/execute/run-registry.ts'
import { AuditLimit } from '../audit/write-audit.ts'
import { BackupRunner } from '../backups/backup-runner.ts'
import { authenticateConnection, isConnectionToken } from '../connections/authenticate-connection.ts'
import type { Database } from '../db/database.ts'
import { CustomHosts } from '../domains/custom/custom-hosts.ts'
import { createHosting } from '../domains/hosting/create-hosting.ts'
import type { HostingDriver } from '../domains/hosting/hosting-driver.ts'
import type { EgressRules } from '../http/egress.ts'
import { nextIdempotentId } from '../http/idempotency.ts'
import type { Log } from '../http/log.ts'
import { StreamSlots } from '../http/stream-slots.ts'
import { keeperMemory } from '../keepers/prompt/keeper-memory.ts'
import { ModelServices } from '../keys/model-services/model-services.ts'
import { createSealer } from '../keys/sealer.ts'
import { LiveEvents } from '../live/live-events.ts'
import { ProcessBus } from '../live/process-bus.ts'
import { createMediaStore } from '../media/bucket-media.ts'
import type { ModelRuntime } from '../models/run-model.ts'
import { Metrics, observeDatabase } from '../monitoring/metrics.ts'
import { TraceExporter } from '../monitoring/trace-exporter.ts'
import { PersonUsage } from '../quota/person-usage.ts'
import type { Services } from '../services.ts'
import { findProxy } from '../settings/outgoing-proxy.ts'
import type { Settings } from '../settings/settings.ts'
import { newId, newUnguessableId } from '../values/new-id.ts'

interface ServiceDependencies {
  db: Database
  settings: Settings
  log: Log
  masterSecret: string
  now?: () => Date
  mailer?: Mailer
  modelRuntime?: Partial<ModelRuntime>
  egress?: EgressRules
  hosting?: HostingDriver | null
}

export function createServices(dependencies: ServiceDependencies): Services {
  const { db, settings, log } = dependencies
  const now = dependencies.now ?? (() => new Date())
  const modelRuntime: ModelRuntime = {
    fetch: (input, init) => fetch(input, init),
    sleep,
    now: () => now().getTime(),
    random: Math.random,
    timeouts: settings.modelTimeouts,
    ...dependencies.modelRuntime,
  }
  const bus = new ProcessBus()
  const { metricsToken, traceExport } = settings
  const metrics = metricsToken === null ? null : new Metrics({ version, database: db.engine })
  if (metrics) observeDatabase(db.engineDriver, (operation, seconds) => metrics.recordQuery(operation, seconds))
  const base: Omit<Services, 'backups'> = {
    db,
    settings,
    now,
    newId: () => nextIdempotentId() ?? newId(now().getTime()),
    newUnguessableId: () => nextIdempotentId() ?? newUnguessableId(),
    modelRuntime,
    egress: dependencies.egress ?? { findProxy: (address) => findProxy(address, settings.proxy) },
    log,
    media: createMediaStore(settings, modelRuntime),
    mailer: dependencies.mailer ?? createMailer(settings),
    metrics,
    traceExporter: traceExport && new TraceExporter({ target: traceExport, runtime: modelRuntime, log, version }),
    sealer: createSealer(dependencies.masterSecret),
    bus,
    live: new LiveEvents(bus),
    boardSessions: new BoardSessions(),
    runs: new RunRegistry(),
    streams: new StreamSlots(settings.limits),
    keeperMemory,
    modelLists: new ListCache(bus),
    modelServices: new ModelServices(settings, bus),
    sessions: new SessionCache(bus),
    auditLimit: new AuditLimit(),
    usage: new PersonUsage({ db, settings, log, now }),
    hosting:
      dependencies.hosting === undefined ? createHosting(settings.customDomains, modelRuntime) : dependencies.hosting,
    customHosts: new CustomHosts(bus),
    authenticate: (token) =>
      isConnectionToken(token) ? authenticateConnection(services, token) : authenticate(services, token),
  }
  // The same object, since rotating the secret replaces the sealer in it.
  const services: Services = Object.assign(base, { backups: new BackupRunner(base) })
  return services
}

/** Resolves early when the signal aborts. */
const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  setTimeout(ms, undefined, { signal }).catch(() => undefined)

/** From package.json, two folders above both the sources and the bundle. */
const version = readVersion()

function readVersion(): string {
  try {
    const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
    return (JSON.parse(text) as { version: string }).version
  } catch {
    return 'unknown'
  }
}
