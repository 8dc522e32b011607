import { invitationDays } from '#contract/domains/invitations.ts'
import type { Services } from '#server/services.ts'
import { getPublicUrl } from '#server/settings/public-url.ts'
import { dayMs } from '#server/values/time-units.ts'
import { hashToken } from '#server/values/token.ts'

export const invitationLifetimeMs = invitationDays * dayMs

export function deriveInvitationLink(
  services: Services,
  { id, sent_at }: { id: string; sent_at: number },
): { link: string; hash: string } {
  const token = `kpi_${services.sealer.derive('invitation', `invitation|${id}|${sent_at}`)}`
  return { link: `${getPublicUrl(services)}/register?invitation=${token}`, hash: hashToken(token) }
}
