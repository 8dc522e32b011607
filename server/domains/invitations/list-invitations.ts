import type { Invitation } from '#contract/domains/invitations.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { requireDomainTo } from '../domain-access.ts'
import { invitationRows, invitationView } from './invitation-view.ts'

const mostListed = 1000

/** The invitations of a domain, those sent last first. */
export async function listInvitations(services: Services, person: Person, domainId: string): Promise<Invitation[]> {
  await requireDomainTo(services, person, domainId, 'manageMembers')
  const rows = await invitationRows(services)
    .where('invitations.domain_id', '=', domainId)
    .orderBy('invitations.sent_at', 'desc')
    .orderBy('invitations.id')
    .limit(mostListed)
    .execute()
  return rows.map((row) => invitationView(services, row))
}
