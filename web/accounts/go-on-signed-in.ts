import type { SignedIn } from '#contract/accounts/accounts.ts'
import { safeNext } from './safe-next.ts'
import { storeSession } from './stored-session.ts'

/** Into the application, as a new page: nothing of the signed-out one is left in memory. */
export function goOnSignedIn(data: Partial<SignedIn> | null | undefined): void {
  if (!storeSession(data)) throw new Error('The answer to the sign-in holds no user or no token')
  location.assign(safeNext(location.search, location.origin) ?? '/root')
}
