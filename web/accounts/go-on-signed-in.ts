import type { SignedIn } from '#contract/accounts/accounts.ts'
import { safeNext, safePath } from './safe-next.ts'
import { storeSession } from './stored-session.ts'

/** Into the application, as a new page: nothing of the signed-out one is left in memory. `to`: a path of it, before all others. */
export function goOnSignedIn(data: Partial<SignedIn> | null | undefined, to?: string): void {
  if (!storeSession(data)) throw new Error('The answer to the sign-in holds no user or no token')
  location.assign(to ?? safeNext(location.search, location.origin) ?? safePath(wanted(), location.origin) ?? '/root')
}

/** Where the guard turned a visitor away: the router keeps what is said along the way in `usr`. */
function wanted(): string | undefined {
  const path: unknown = (history.state as { usr?: { wanted?: unknown } | null } | null)?.usr?.wanted
  return typeof path === 'string' ? path : undefined
}
