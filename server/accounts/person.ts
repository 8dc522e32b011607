import type { PlatformRole } from '#contract/accounts/accounts.ts'
import type { Permission } from '#contract/endpoint.ts'

/** Who makes a call: always from the bearer token, never from anything else in the request. */
export interface Person {
  id: string
  email: string
  name: string | null
  nickname: string | null
  roles: readonly PlatformRole[]
  permissions: ReadonlySet<Permission>
  sessionId: string
  /** Milliseconds. */
  sessionExpiresAt: number
  /** Milliseconds; when the account goes, where its owner asked for that. */
  deletesAt: number | null
}
