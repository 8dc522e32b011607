import type { PlatformRole } from '#contract/accounts/accounts.ts'
import type { SessionMethod } from '#contract/accounts/session-methods.ts'
import type { ConnectionScope } from '#contract/connections/scopes.ts'
import type { Permission } from '#contract/endpoint.ts'

export interface ConnectedProgram {
  id: string
  name: string
  scopes: readonly ConnectionScope[]
  /** `null`: all keepers. */
  keeperIds: readonly string[] | null
  topics: readonly string[] | null
  withoutMoods: boolean
  purpose: string
  monthlyLimitMicros: number | null
  /** The address an OAuth token was issued for; `null` for personal tokens. */
  resource: string | null
}

export interface Person {
  id: string
  email: string
  name: string | null
  nickname: string | null
  roles: readonly PlatformRole[]
  permissions: ReadonlySet<Permission>
  sessionId: string
  sessionExpiresAt: number
  sessionMethod: SessionMethod | null
  /** When the person last proved who they are in this session (ms); `null`: never or unknown. */
  provedAt: number | null
  /** Administrators need a second factor, which this session lacks; it has no permissions until then. */
  secondFactorMissing: boolean
  /** The session is locked: only calls that work while locked are answered. */
  isLocked: boolean
  /** Milliseconds; set if the owner asked for the account's deletion. */
  deletesAt: number | null
  /** Set if a connected program calls on behalf of the person; roles and permissions are empty then. */
  connection?: ConnectedProgram
}
