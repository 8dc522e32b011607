import type { Domain } from '#contract/domains/domains.ts'
import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { requireDomainAccess, retryOnConflict } from './domain-access.ts'
import { toDomain } from './list-domains.ts'
import { createMemberNotFoundProblem } from './members/members.ts'
import { publishDomainChanged } from './publish-domain-changed.ts'

/** Removes a lead agent that isn't the new owner's from the custom domain, because visitors' runs are charged to the agent's owner. @throws Problem 409, 404 */
export async function transferDomain(services: Services, person: Person, id: string, userId: string): Promise<Domain> {
  const { db } = services
  await retryOnConflict(async () => {
    const { domain } = await requireDomainAccess(services, person, id, 'transfer')
    if (domain.is_primary)
      throw new Problem('conflict', {
        message: 'You can’t transfer your primary domain. Make another domain your primary one first.',
      })
    if (userId === person.id) throw new Problem('conflict', { message: 'You already own this domain.' })
    const recipient = await db
      .selectFrom('domain_members')
      .innerJoin('people', 'people.id', 'domain_members.person_id')
      .select(['domain_members.role', 'domain_members.agreed_at', 'people.deactivated_at', 'people.deletes_at'])
      .where('domain_members.domain_id', '=', id)
      .where('domain_members.person_id', '=', userId)
      .executeTakeFirst()
    if (!recipient) throw createMemberNotFoundProblem()
    // Ownership would imply an acceptance they never gave.
    if (recipient.agreed_at === null)
      throw new Problem('conflict', {
        message:
          'This person was added but hasn’t joined yet. You can only transfer a domain to someone who has joined.',
      })
    if (recipient.deactivated_at !== null)
      throw new Problem('conflict', { message: 'This account is deactivated. Choose another member.' })
    if (recipient.deletes_at !== null)
      throw new Problem('conflict', {
        message: 'This account is about to be deleted, and the domain would be deleted with it. Choose another member.',
      })
    const now = services.now().getTime()
    await db.batch([
      requireChanges(
        db
          .updateTable('domains')
          .set(({ selectFrom }) => ({
            owner_id: userId,
            lead_agent_id: selectFrom('agents')
              .select('agents.id')
              .whereRef('agents.id', '=', 'domains.lead_agent_id')
              .where('agents.owner_id', 'is', null),
            updated_at: now,
          }))
          .where('id', '=', id)
          .where('owner_id', '=', person.id)
          .where('is_primary', '=', false)
          .where(({ exists, selectFrom }) =>
            exists(
              selectFrom('people')
                .select('people.id')
                .where('people.id', '=', userId)
                .where('people.deactivated_at', 'is', null)
                .where('people.deletes_at', 'is', null),
            ),
          ),
      ),
      requireChanges(
        db
          .deleteFrom('domain_members')
          .where('domain_id', '=', id)
          .where('person_id', '=', userId)
          .where('agreed_at', 'is not', null),
      ),
      db.insertInto('domain_members').values({
        domain_id: id,
        person_id: person.id,
        role: 'admin',
        added_at: now,
        added_by: userId,
        agreed_at: now,
      }),
      insertAudit(services, {
        action: 'domain-transferred',
        actor: person,
        personId: userId,
        domainId: id,
        details: { from: recipient.role, to: 'owner' },
      }),
    ])
  })
  await publishDomainChanged(services, id)
  const { domain, role } = await requireDomainAccess(services, person, id, 'see')
  return toDomain(domain, role)
}
