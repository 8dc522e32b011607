import { accounts } from '#contract/accounts/accounts.ts'
import { call } from '#web/api.ts'

const patienceMs = 10_000

/** What one may do here. A server that never answers counts as one that cannot be reached, so that pages can say so. */
export const askForSession = (patience = patienceMs) =>
  call(accounts.session, { signal: AbortSignal.timeout(patience) })
