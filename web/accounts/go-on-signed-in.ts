import type { SignedIn } from '#contract/accounts/accounts.ts'
import { safeNext, safePath } from './safe-next.ts'
import { storeSession } from './stored-session.ts'

/** Loads the application as a new page. `to` overrides every other destination. */
export function goOnSignedIn(data: Partial<SignedIn> | null | undefined, to?: string): void {
  if (!storeSession(data)) throw new Error('The sign-in response is missing the user or the token')
  location.assign(to ?? safeNext(location.search, location.origin) ?? safePath(wanted(), location.origin) ?? '/root')
}

/** The path the guard refused; the router stores navigation state under `usr`. */
function wanted(): string | undefined {
  const path: unknown = (history.state as { usr?: { wanted?: unknown } | null } | null)?.usr?.wanted
  return typeof path === 'string' ? path : undefined
}
