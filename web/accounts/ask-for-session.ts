import { accounts } from '#contract/accounts/accounts.ts'
import { call } from '#web/api.ts'
import { withinPatience } from '#web/within-patience.ts'

export const askForSession = (left: AbortSignal, patience?: number) =>
  call(accounts.session, { signal: withinPatience(left, patience) })
