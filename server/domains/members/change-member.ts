import type { DomainMember, MemberRole } from '#contract/domains/domains.ts'
import type { Person } from '#server/accounts/person.ts'
import { auditing } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { holdDomain, requireDomainTo, retryOnConflict } from '../domain-access.ts'
import { tellDomain } from '../tell-domain.ts'
import { ownerStays, requireMember } from './list-members.ts'

/** @throws Problem 404 for people who aren't members, 403 for one's own role, 409 for the owner's */
export async function changeMember(
  services: Services,
  person: Person,
  { id, userId }: { id: string; userId: string },
  role: MemberRole,
): Promise<DomainMember> {
  return retryOnConflict(async () => {
    const found = await requireDomainTo(services, person, id, 'manageMembers')
    if (userId === found.domain.owner_id) throw ownerStays()
    if (userId === person.id)
      throw new Problem('forbidden', { message: 'You can’t change your own role. Ask the owner or another admin.' })
    const before = await requireMember(services, person, found.domain, userId)
    if (before.role === role) return before
    await services.db.batch([
      ...holdDomain(services, person, found),
      requireChanges(
        services.db
          .updateTable('domain_members')
          .set({ role })
          .where('domain_id', '=', id)
          .where('person_id', '=', userId)
          .where('role', '=', before.role as MemberRole),
      ),
      auditing(services, {
        action: 'member-role-changed',
        actor: person,
        personId: userId,
        domainId: id,
        subject: role,
        details: { from: before.role, to: role },
      }),
    ])
    await tellDomain(services, id)
    return { ...before, role }
  })
}
