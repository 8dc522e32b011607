import type { PlatformRole } from '#contract/accounts/accounts.ts'
import type { Permission } from '#contract/endpoint.ts'

export interface Person {
  id: string
  email: string
  name: string | null
  nickname: string | null
  roles: readonly PlatformRole[]
  permissions: ReadonlySet<Permission>
  sessionId: string
  sessionExpiresAt: number
  /** Milliseconds; set if the owner asked for the account's deletion. */
  deletesAt: number | null
}
