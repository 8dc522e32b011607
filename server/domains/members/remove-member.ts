import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { lockDomain, requireDomainTo, retryOnConflict } from '../domain-access.ts'
import { publishDomainChanged } from '../publish-domain-changed.ts'
import { ownerCannotChange, requireMember } from './list-members.ts'

/** Also removes everything they shared in this domain. @throws Problem 404 for people who aren't members, 409 for the owner */
export async function removeMember(
  services: Services,
  person: Person,
  { id, userId }: { id: string; userId: string },
): Promise<null> {
  const { db } = services
  return retryOnConflict(async () => {
    const visibleAccess = await requireDomainTo(services, person, id, 'see')
    const isOwner = userId === visibleAccess.domain.owner_id
    const isLeaving = userId === person.id && !isOwner
    const access = await requireDomainTo(services, person, id, isLeaving ? 'leave' : 'manageMembers')
    if (isOwner) throw ownerCannotChange()
    const member = await requireMember(services, person, access.domain, userId)
    await db.batch([
      ...lockDomain(services, person, access),
      requireChanges(db.deleteFrom('domain_members').where('domain_id', '=', id).where('person_id', '=', userId)),
      db.deleteFrom('domain_keepers').where('domain_id', '=', id).where('owner_id', '=', userId),
      db.deleteFrom('domain_journeys').where('domain_id', '=', id).where('owner_id', '=', userId),
      db.deleteFrom('domain_boards').where('domain_id', '=', id).where('owner_id', '=', userId),
      insertAudit(services, {
        action: isLeaving ? 'member-left' : 'member-removed',
        actor: person,
        personId: userId,
        domainId: id,
        subject: member.role,
      }),
    ])
    await publishDomainChanged(services, id, [userId])
    return null
  })
}
