import { invitations } from '#contract/domains/invitations.ts'
import type { ServedCall } from '#server/http/serve-area.ts'
import { unbuiltArea } from '#server/http/unbuilt.ts'
import type { Services } from '#server/services.ts'

export function invitationRoutes(_services: Services): ServedCall[] {
  return unbuiltArea('invitations', invitations)
}
