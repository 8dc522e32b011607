import { accounts } from '#contract/accounts/accounts.ts'
import { call } from '#web/api.ts'
import { withinPatience } from '#web/within-patience.ts'

/**
 * What one may do here.
 * @param left aborts when nobody waits any more: who signs out is not answered 401
 */
export const askForSession = (left: AbortSignal, patience?: number) =>
  call(accounts.session, { signal: withinPatience(left, patience) })
