import { ownAccount } from '#contract/accounts/own-account.ts'
import type { ServedCall } from '#server/http/serve-area.ts'
import { unbuiltArea } from '#server/http/unbuilt.ts'
import type { Services } from '#server/services.ts'

export function ownAccountRoutes(_services: Services): ServedCall[] {
  return unbuiltArea('ownAccount', ownAccount)
}
