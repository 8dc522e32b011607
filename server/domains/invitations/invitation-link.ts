import { invitationDays } from '#contract/domains/invitations.ts'
import { dayMs } from '#server/hours-and-days.ts'
import { ownAddress } from '#server/own-address.ts'
import type { Services } from '#server/services.ts'
import { hashToken } from '#server/token.ts'

/** How long an invitation can be accepted after it was sent, or sent again, until it expires. */
export const invitationLifetimeMs = invitationDays * dayMs

/**
 * The link that accepts an invitation, and the hash that is all the database keeps of it. It is derived, so that it can be
 * shown again; another sending time makes another link.
 */
export function invitationLink(
  services: Services,
  { id, sent_at }: { id: string; sent_at: number },
): { link: string; hash: string } {
  const token = `kpi_${services.sealer.derive('invitation', `invitation|${id}|${sent_at}`)}`
  return { link: `${ownAddress(services)}/register?invitation=${token}`, hash: hashToken(token) }
}
