import type { DomainRole } from '#contract/domains/domain-actions.ts'
import type { Domain } from '#contract/domains/domains.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { type DomainRow, hasAgreed } from './domain-access.ts'

export async function listDomains(services: Services, person: Pick<Person, 'id'>): Promise<Domain[]> {
  const rows = await selectDomains(services, person).execute()
  return rows
    .map(({ role: memberRole, agreed_at, ...row }) => {
      const role = row.owner_id === person.id ? 'owner' : memberRole
      return toDomain(row, role, hasAgreed(role, agreed_at))
    })
    .sort((a, b) => Number(b.isPrimary) - Number(a.isPrimary))
}

/** Selects ids by index first; one `or` across the join would scan all domains. */
export function selectDomains({ db }: Pick<Services, 'db'>, person: Pick<Person, 'id'>) {
  const ids = db
    .selectFrom('domains')
    .select('id')
    .where('owner_id', '=', person.id)
    .union(db.selectFrom('domain_members').select('domain_id as id').where('person_id', '=', person.id))
  return db
    .selectFrom('domains')
    .leftJoin('domain_members', (join) =>
      join.onRef('domain_members.domain_id', '=', 'domains.id').on('domain_members.person_id', '=', person.id),
    )
    .selectAll('domains')
    .select(['domain_members.role', 'domain_members.agreed_at'])
    .where('domains.id', 'in', ids)
    .orderBy('domains.name')
}

export function toDomain(row: DomainRow, role: DomainRole | null, agreed = true): Domain {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    description: row.description,
    ownerId: row.owner_id,
    isPrimary: row.is_primary && role === 'owner',
    customDomain: row.custom_domain,
    customDomainVerified: row.custom_domain_verified,
    permissions: role ? [{ role }] : [],
    agreed,
    leadAgentId: row.lead_agent_id,
    rev: row.rev,
  }
}
