import type { InvitationWithLink } from '#contract/domains/invitations.ts'
import type { Person } from '#server/accounts/person.ts'
import { auditing } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { tellDomain } from '../tell-domain.ts'
import { countInvitations } from './count-invitations.ts'
import { invitationLifetimeMs, invitationLink } from './invitation-link.ts'
import { invitationRows, invitationView } from './invitation-view.ts'
import { mailInvitations } from './mail-invitations.ts'
import { invitationIsOver, requireInvitation } from './require-invitation.ts'

/** A new link for another 14 days in the sender's name, replacing the previous one. */
export async function resendInvitation(
  services: Services,
  person: Person,
  params: { id: string; invitationId: string },
): Promise<InvitationWithLink> {
  const { domain, invitation } = await requireInvitation(services, person, params)
  if (invitation.accepted_at !== null) throw invitationIsOver('accepted')
  if (invitation.revoked_at !== null) throw invitationIsOver('revoked')
  await countInvitations(services, person, 1)
  const { id, role } = invitation
  const now = services.now().getTime()
  // Must differ from the previous time even within a millisecond, or the link would be the same.
  const sent_at = Math.max(now, invitation.sent_at + 1)
  const { link, hash } = invitationLink(services, { id, sent_at })
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
      auditing(services, { action: 'invitation-resent', actor: person, domainId: domain.id, subject: role }),
    ])
  } catch (error) {
    if (!(error instanceof UnexpectedChanges)) throw error
    throw new Problem('conflict', {
      message: 'This invitation was just accepted, revoked or sent again. Reload and try again.',
    })
  }
  await tellDomain(services, domain.id)
  const letter = { invitationId: id, to: invitation.email, from: person.name, domain: domain.name, role, link }
  const mailed = await mailInvitations(services, [{ ...letter, note: invitation.note }])
  const row = await invitationRows(services).where('invitations.id', '=', id).executeTakeFirst()
  if (!row) throw new Problem('not-found', { message: 'Invitation not found' })
  return { ...invitationView(services, row), link, mailed: mailed.has(id) }
}
