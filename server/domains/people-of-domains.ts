import type { Database } from '#server/db/database.ts'

/** The ids of everybody this person shares a domain with, as a subquery. */
export function peopleOfDomainsOf(db: Database, personId: string) {
  const theirs = db
    .selectFrom('domains')
    .select('domains.id')
    .where('domains.owner_id', '=', personId)
    .union(db.selectFrom('domain_members').select('domain_id as id').where('person_id', '=', personId))
  return db
    .selectFrom('domains')
    .select('domains.owner_id as id')
    .where('domains.id', 'in', theirs)
    .union(db.selectFrom('domain_members').select('person_id as id').where('domain_id', 'in', theirs))
}
