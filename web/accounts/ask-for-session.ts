import { accounts } from '#contract/accounts/accounts.ts'
import { call } from '#web/api.ts'

const patienceMs = 10_000

/**
 * What one may do here. A server that never answers counts as one that cannot be reached, so that pages can say so.
 * @param left aborts when nobody waits any more: who signs out is not answered 401
 */
export const askForSession = (left: AbortSignal, patience = patienceMs) =>
  call(accounts.session, { signal: AbortSignal.any([left, AbortSignal.timeout(patience)]) })
