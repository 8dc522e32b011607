import type { Person } from '#server/accounts/person.ts'
import { auditing } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { holdDomain, requireDomainTo, retryOnConflict } from '../domain-access.ts'
import { tellDomain } from '../tell-domain.ts'
import { ownerStays, requireMember } from './list-members.ts'

/** Also removes everything they shared in this domain. @throws Problem 404 for people who aren't members, 409 for the owner */
export async function removeMember(
  services: Services,
  person: Person,
  { id, userId }: { id: string; userId: string },
): Promise<null> {
  const { db } = services
  return retryOnConflict(async () => {
    const seen = await requireDomainTo(services, person, id, 'see')
    const isOwner = userId === seen.domain.owner_id
    const isLeaving = userId === person.id && !isOwner
    const found = await requireDomainTo(services, person, id, isLeaving ? 'leave' : 'manageMembers')
    if (isOwner) throw ownerStays()
    const member = await requireMember(services, person, found.domain, userId)
    await db.batch([
      ...holdDomain(services, person, found),
      requireChanges(db.deleteFrom('domain_members').where('domain_id', '=', id).where('person_id', '=', userId)),
      db.deleteFrom('domain_keepers').where('domain_id', '=', id).where('owner_id', '=', userId),
      db.deleteFrom('domain_journeys').where('domain_id', '=', id).where('owner_id', '=', userId),
      db.deleteFrom('domain_boards').where('domain_id', '=', id).where('owner_id', '=', userId),
      auditing(services, {
        action: isLeaving ? 'member-left' : 'member-removed',
        actor: person,
        personId: userId,
        domainId: id,
        subject: member.role,
      }),
    ])
    await tellDomain(services, id, [userId])
    return null
  })
}
