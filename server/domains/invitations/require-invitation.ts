import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { type DomainAccess, requireDomainTo } from '../domain-access.ts'
import { type InvitationRow, selectInvitations } from './invitation-view.ts'

/** @throws Problem as {@link requireDomainTo}, and 404 for another domain's invitation */
export async function requireInvitation(
  services: Services,
  person: Pick<Person, 'id' | 'permissions'>,
  { id, invitationId }: { id: string; invitationId: string },
): Promise<DomainAccess & { invitation: InvitationRow }> {
  const access = await requireDomainTo(services, person, id, 'manageMembers')
  const invitation = await selectInvitations(services)
    .where('invitations.id', '=', invitationId)
    .where('invitations.domain_id', '=', id)
    .executeTakeFirst()
  if (!invitation) throw new Problem('not-found', { message: 'Invitation not found' })
  return { ...access, invitation }
}

export function invitationClosed(state: 'accepted' | 'revoked'): Problem {
  return new Problem('conflict', {
    message:
      state === 'accepted'
        ? 'This invitation has already been accepted.'
        : 'This invitation was revoked. Invite the person again to create a new one.',
  })
}
