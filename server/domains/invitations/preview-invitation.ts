import type { invitations } from '#contract/domains/invitations.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import { Problem } from '#server/http/problem.ts'
import { countAttempts } from '#server/http/throttle.ts'
import type { Services } from '#server/services.ts'
import { requireOpenInvitation } from './require-open-invitation.ts'

const previewThrottle = { kind: 'invitation-look', limit: 100, windowMs: 15 * 60 * 1000 }

export async function previewInvitation(
  services: Services,
  token: string,
  address: string,
): Promise<EndpointOutput<typeof invitations.look>> {
  const attempts = await countAttempts(services, previewThrottle, address)
  if (!attempts.isWithinLimit) throw new Problem('too-many', { retryAfterSeconds: attempts.waitSeconds })
  const row = await requireOpenInvitation(services, token)
  return {
    domain: { id: row.domain_id, name: row.domain_name, description: row.domain_description },
    invitedBy: row.sender_name,
    email: row.email,
    role: row.role,
    note: row.note,
    expiresAt: new Date(row.expires_at).toISOString(),
  }
}
