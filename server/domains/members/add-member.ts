import { sql } from 'kysely'
import type { DomainMember, MemberRole } from '#contract/domains/domains.ts'
import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { lockDomain, requireDomainTo, retryOnConflict } from '../domain-access.ts'
import { countInvitations } from '../invitations/count-invitations.ts'
import { publishDomainChanged } from '../publish-domain-changed.ts'
import { requireMember } from './list-members.ts'

/** Nothing of theirs is visible until they accept. @throws Problem 404; 409 for a member; 429 above 200 a day */
export async function addMember(
  services: Services,
  person: Person,
  id: string,
  { userId, role }: { userId: string; role: MemberRole },
): Promise<DomainMember> {
  const { db } = services
  return retryOnConflict(async () => {
    const access = await requireDomainTo(services, person, id, 'manageMembers')
    const candidate = await db
      .selectFrom('people')
      .leftJoin('domain_members', (join) =>
        join.onRef('domain_members.person_id', '=', 'people.id').on('domain_members.domain_id', '=', id),
      )
      .select(['domain_members.role', 'people.deactivated_at', 'people.email_folded'])
      .where('people.id', '=', userId)
      .executeTakeFirst()
    if (!candidate || candidate.deactivated_at !== null) throw new Problem('not-found', { message: 'Person not found' })
    if (candidate.role !== null || userId === access.domain.owner_id) throw createAlreadyMemberProblem()
    await countInvitations(services, person, 1)
    const now = services.now().getTime()
    await db.batch([
      ...lockDomain(services, person, access),
      db
        .updateTable('invitations')
        .set({ accepted_at: now, accepted_by: userId })
        .where('domain_id', '=', id)
        .where('email_folded', '=', candidate.email_folded)
        .where('accepted_at', 'is', null)
        .where('revoked_at', 'is', null)
        .where('expires_at', '>', now),
      requireChanges(
        db
          .insertInto('domain_members')
          .columns(['domain_id', 'person_id', 'role', 'added_at', 'added_by', 'agreed_at'])
          .expression(
            db
              .selectFrom('people')
              .select([
                sql.val(id).as('domain_id'),
                'people.id',
                sql<MemberRole>`${role}`.as('role'),
                sql.val(now).as('added_at'),
                sql.val(person.id).as('added_by'),
                sql<null>`null`.as('agreed_at'),
              ])
              .where('people.id', '=', userId)
              .where('people.deactivated_at', 'is', null),
          ),
      ),
      insertAudit(services, { action: 'member-added', actor: person, personId: userId, domainId: id, subject: role }),
    ])
    await publishDomainChanged(services, id)
    return requireMember(services, person, access.domain, userId)
  })
}

function createAlreadyMemberProblem(): Problem {
  const message = 'This person is already in the domain.'
  return new Problem('conflict', { message, fields: { userId: message } })
}
