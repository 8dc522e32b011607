import type { Database } from '#server/db/database.ts'

interface MembershipFilter {
  acceptedOnly: boolean
}

/** Subquery of owners and accepted members of the person's domains; adding someone reveals nothing until they accept. */
export function selectPeopleVisibleTo(db: Database, personId: string) {
  return selectPeopleIn(db, selectDomainsWith(db, personId, { acceptedOnly: false }), { acceptedOnly: true })
}

/** Subquery of people who can see this person: the owners and all members, pending ones too, of domains this person owns or accepted. */
export function selectPeopleWhoSee(db: Database, personId: string) {
  return selectPeopleIn(db, selectDomainsWith(db, personId, { acceptedOnly: true }), { acceptedOnly: false })
}

function selectDomainsWith(db: Database, personId: string, { acceptedOnly }: MembershipFilter) {
  const joinedDomains = db
    .selectFrom('domain_members')
    .select('domain_id as id')
    .where('person_id', '=', personId)
    .$if(acceptedOnly, (query) => query.where('agreed_at', 'is not', null))
  return db.selectFrom('domains').select('domains.id').where('domains.owner_id', '=', personId).union(joinedDomains)
}

function selectPeopleIn(
  db: Database,
  domains: ReturnType<typeof selectDomainsWith>,
  { acceptedOnly }: MembershipFilter,
) {
  const members = db
    .selectFrom('domain_members')
    .select('person_id as id')
    .where('domain_id', 'in', domains)
    .$if(acceptedOnly, (query) => query.where('agreed_at', 'is not', null))
  return db.selectFrom('domains').select('domains.owner_id as id').where('domains.id', 'in', domains).union(members)
}
