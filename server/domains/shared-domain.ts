import type { Services } from '#server/services.ts'

/** The ids of the people who own or belong to a domain that this person owns or belongs to; the person is among them. */
export function peopleSharingDomainWith(services: Services, personId: string) {
  const { db } = services
  const domainsOf = db
    .selectFrom('domains')
    .select('domains.id')
    .where('domains.owner_id', '=', personId)
    .union(
      db
        .selectFrom('domain_members')
        .select('domain_members.domain_id as id')
        .where('domain_members.person_id', '=', personId),
    )
  return db
    .selectFrom('domains')
    .select('domains.owner_id as person_id')
    .where('domains.id', 'in', domainsOf)
    .union(
      db
        .selectFrom('domain_members')
        .select('domain_members.person_id')
        .where('domain_members.domain_id', 'in', domainsOf),
    )
}
