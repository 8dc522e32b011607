import type { SignInResult } from '#contract/accounts/accounts.ts'
import { getSafeNext, toSafePath } from './safe-next.ts'
import { storeSession } from './stored-session.ts'

/** Loads the application as a new page. `to` overrides every other destination. */
export function continueSignedIn(data: Partial<SignInResult> | null | undefined, to?: string): void {
  if (!storeSession(data)) throw new Error('The sign-in response is missing the user or the token')
  location.assign(
    to ?? getSafeNext(location.search, location.origin) ?? toSafePath(getRequestedPath(), location.origin) ?? '/root',
  )
}

/** The path the guard refused; the router stores navigation state under `usr`. */
function getRequestedPath(): string | undefined {
  const path: unknown = (history.state as { usr?: { wanted?: unknown } | null } | null)?.usr?.wanted
  return typeof path === 'string' ? path : undefined
}
