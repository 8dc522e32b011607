import type { Invitation } from '#contract/domains/invitations.ts'
import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import type { Services } from '#server/services.ts'
import { publishDomainChanged } from '../publish-domain-changed.ts'
import { toInvitation } from './invitation-view.ts'
import { invitationClosed, requireInvitation } from './require-invitation.ts'

export async function revokeInvitation(
  services: Services,
  person: Person,
  params: { id: string; invitationId: string },
): Promise<Invitation> {
  const { invitation } = await requireInvitation(services, person, params)
  if (invitation.accepted_at !== null) throw invitationClosed('accepted')
  if (invitation.revoked_at !== null) return toInvitation(services, invitation)
  const revoked_at = services.now().getTime()
  const { id: domainId } = params
  try {
    await services.db.batch([
      requireChanges(
        services.db
          .updateTable('invitations')
          .set({ revoked_at })
          .where('id', '=', invitation.id)
          .where('accepted_at', 'is', null)
          .where('revoked_at', 'is', null),
      ),
      insertAudit(services, { action: 'invitation-revoked', actor: person, domainId, subject: invitation.role }),
    ])
  } catch (error) {
    if (error instanceof UnexpectedChanges) return revokeInvitation(services, person, params)
    throw error
  }
  await publishDomainChanged(services, domainId)
  return toInvitation(services, { ...invitation, revoked_at })
}
