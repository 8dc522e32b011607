import type { InvitationWithLink } from '#contract/domains/invitations.ts'
import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { publishDomainChanged } from '../publish-domain-changed.ts'
import { countInvitations } from './count-invitations.ts'
import { emailInvitations } from './email-invitations.ts'
import { deriveInvitationLink, invitationLifetimeMs } from './invitation-link.ts'
import { selectInvitations, toInvitation } from './invitation-view.ts'
import { invitationClosed, requireInvitation } from './require-invitation.ts'

export async function resendInvitation(
  services: Services,
  person: Person,
  params: { id: string; invitationId: string },
): Promise<InvitationWithLink> {
  const { domain, invitation } = await requireInvitation(services, person, params)
  if (invitation.accepted_at !== null) throw invitationClosed('accepted')
  if (invitation.revoked_at !== null) throw invitationClosed('revoked')
  await countInvitations(services, person, 1)
  const { id, role } = invitation
  const now = services.now().getTime()
  // Must differ from the previous time even within a millisecond, or the link would be the same.
  const sent_at = Math.max(now, invitation.sent_at + 1)
  const { link, hash } = deriveInvitationLink(services, { id, sent_at })
  try {
    await services.db.batch([
      requireChanges(
        services.db
          .updateTable('invitations')
          .set({ sent_at, expires_at: now + invitationLifetimeMs, token_hash: hash, invited_by: person.id })
          .where('id', '=', id)
          .where('sent_at', '=', invitation.sent_at)
          .where('accepted_at', 'is', null)
          .where('revoked_at', 'is', null),
      ),
      insertAudit(services, { action: 'invitation-resent', actor: person, domainId: domain.id, subject: role }),
    ])
  } catch (error) {
    if (!(error instanceof UnexpectedChanges)) throw error
    throw new Problem('conflict', {
      message: 'This invitation was just accepted, revoked or sent again. Reload and try again.',
    })
  }
  await publishDomainChanged(services, domain.id)
  const email = { invitationId: id, to: invitation.email, from: person.name, domain: domain.name, role, link }
  const mailed = await emailInvitations(services, [{ ...email, note: invitation.note }])
  const row = await selectInvitations(services).where('invitations.id', '=', id).executeTakeFirst()
  if (!row) throw new Problem('not-found', { message: 'Invitation not found' })
  return { ...toInvitation(services, row), link, mailed: mailed.has(id) }
}
