import type { Mailer } from './accounts/mailer.ts'
import type { SessionCache } from './accounts/session-cache.ts'
import type { KeeperMemory } from './agents/keeper-memory.ts'
import type { ListCache } from './agents/model-lists/list-cache.ts'
import type { RunRegistry } from './agents/runs/run-registry.ts'
import type { AuditLimit } from './audit/audit-limit.ts'
import type { NightlyBackups } from './backups/nightly-backups.ts'
import type { BoardRooms } from './boards/live/board-rooms.ts'
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
import type { PersonUsage } from './quota/person-usage.ts'
import type { Settings } from './settings.ts'

/** What verbs are given instead of reaching for globals. Time, ids and the network come from here. */
export interface Services {
  db: Database
  settings: Settings
  now(): Date
  /**
   * 32 hexadecimal characters that begin with the time: ids of one time lie side by side in every index. Within a create under
   * an Idempotency-Key they are of a hash of person, address and key, and the same when it is carried out again.
   */
  newId(): string
  /** 128 random bits as 32 hexadecimal characters; under an Idempotency-Key of the same hash. */
  newUnguessableId(): string
  /**
   * The outside world as model calls see it: network, clock, chance. Its `fetch` is for addresses of the operator's and checks
   * none; what somebody else chose is read by `safeFetch` (server/http/egress.ts).
   */
  modelRuntime: ModelRuntime
  /** Which connections to addresses that somebody chose are allowed, beside the hosts of `settings.fetchHosts`; tests set their own. */
  egress: EgressRules
  log: Log
  /** Where pictures and recordings lie. */
  media: MediaStore
  mailer: Mailer
  sealer: Sealer
  /** What the processes on one database tell each other. */
  bus: ProcessBus
  live: LiveEvents
  /** Who is on which board now. */
  boardRooms: BoardRooms
  runs: RunRegistry
  /** The event streams that this process keeps open. */
  streams: StreamSlots
  /** What agents may know of keepers, and do in them. */
  keeperMemory: KeeperMemory
  /** What providers said they offer. */
  lists: ListCache
  /** The services that administrators added, beside those of the settings. */
  modelServices: ModelServices
  sessions: SessionCache
  /** How much people have in the database. */
  usage: PersonUsage
  auditLimit: AuditLimit
  /** Where custom domains are served from; `null`: no driver is set. */
  hosting: HostingDriver | null
  /** The host names that show a domain's public page. */
  customHosts: CustomHosts
  backups: NightlyBackups
}
