import { accounts } from '#contract/accounts/accounts.ts'
import { call } from '#web/api/api.ts'
import { withTimeout } from '#web/api/with-timeout.ts'

export const fetchSession = (signal: AbortSignal, timeoutMs?: number) =>
  call(accounts.session, { signal: withTimeout(signal, timeoutMs) })
