import type { BoardSessions } from '#server/boards/live/board-sessions.ts'
import type { Mailer } from './accounts/mailer.ts'
import type { Person } from './accounts/person.ts'
import type { SessionCache } from './accounts/session-cache.ts'
import type { KeeperMemory } from './agents/keeper-memory.ts'
import type { ListCache } from './agents/model-lists/list-cache.ts'
import type { RunRegistry } from './agents/runs/execute/run-registry.ts'
import type { AuditLimit } from './audit/write-audit.ts'
import type { BackupRunner } from './backups/backup-runner.ts'
import type { Database } from './db/database.ts'
import type { CustomHosts } from './domains/custom/custom-hosts.ts'
import type { HostingDriver } from './domains/hosting/hosting-driver.ts'
import type { EgressRules } from './http/egress.ts'
import type { Log } from './http/log.ts'
import type { StreamSlots } from './http/stream-slots.ts'
import type { ModelServices } from './keys/model-services/model-services.ts'
import type { Sealer } from './keys/sealer.ts'
import type { LiveEvents } from './live/live-events.ts'
import type { ProcessBus } from './live/process-bus.ts'
import type { MediaStore } from './media/media-store.ts'
import type { ModelRuntime } from './models/run-model.ts'
import type { Metrics } from './monitoring/metrics.ts'
import type { TraceExporter } from './monitoring/trace-exporter.ts'
import type { PersonUsage } from './quota/person-usage.ts'
import type { Settings } from './settings/settings.ts'

export interface Services {
  db: Database
  settings: Settings
  now(): Date
  /** 32 hex characters starting with the time; in an idempotent create they repeat, so a retry gets the same id. */
  newId(): string
  newUnguessableId(): string
  /** Its `fetch` checks nothing: addresses chosen by other people go through `safeFetch` (server/http/egress.ts). */
  modelRuntime: ModelRuntime
  egress: EgressRules
  log: Log
  media: MediaStore
  mailer: Mailer
  /** `null` unless KEEPER_METRICS_TOKEN is set. */
  metrics: Metrics | null
  /** `null` unless an OTLP endpoint is set. */
  traceExporter: TraceExporter | null
  sealer: Sealer
  bus: ProcessBus
  live: LiveEvents
  boardSessions: BoardSessions
  runs: RunRegistry
  streams: StreamSlots
  keeperMemory: KeeperMemory
  modelLists: ListCache
  modelServices: ModelServices
  sessions: SessionCache
  /** The person a token belongs to; null for an unknown or expired session or a closed account. */
  authenticate(token: string): Promise<Person | null>
  usage: PersonUsage
  auditLimit: AuditLimit
  hosting: HostingDriver | null
  customHosts: CustomHosts
  backups: BackupRunner
}
