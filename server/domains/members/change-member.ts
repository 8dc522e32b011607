import type { DomainMember, MemberRole } from '#contract/domains/domains.ts'
import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { lockDomain, requireDomainTo, retryOnConflict } from '../domain-access.ts'
import { publishDomainChanged } from '../publish-domain-changed.ts'
import { ownerCannotChange, requireMember } from './list-members.ts'

/** @throws Problem 404 for people who aren't members, 403 for one's own role, 409 for the owner's */
export async function changeMember(
  services: Services,
  person: Person,
  { id, userId }: { id: string; userId: string },
  role: MemberRole,
): Promise<DomainMember> {
  return retryOnConflict(async () => {
    const access = await requireDomainTo(services, person, id, 'manageMembers')
    if (userId === access.domain.owner_id) throw ownerCannotChange()
    if (userId === person.id)
      throw new Problem('forbidden', { message: 'You can’t change your own role. Ask the owner or another admin.' })
    const previousMember = await requireMember(services, person, access.domain, userId)
    if (previousMember.role === role) return previousMember
    await services.db.batch([
      ...lockDomain(services, person, access),
      requireChanges(
        services.db
          .updateTable('domain_members')
          .set({ role })
          .where('domain_id', '=', id)
          .where('person_id', '=', userId)
          .where('role', '=', previousMember.role as MemberRole),
      ),
      insertAudit(services, {
        action: 'member-role-changed',
        actor: person,
        personId: userId,
        domainId: id,
        subject: role,
        details: { from: previousMember.role, to: role },
      }),
    ])
    await publishDomainChanged(services, id)
    return { ...previousMember, role }
  })
}
