import type { Database } from '#server/db/database.ts'

/** Whether only memberships count to which the member agreed; of an owner theirs always does. */
interface Counting {
  agreed: boolean
}

/**
 * The ids of everybody whose things are open to this person, as a subquery: of the domains they are in, the owners and the
 * members who agreed to be there. Who was only put there is not among them: whoever put them there learns nothing.
 */
export function peopleOpenTo(db: Database, personId: string) {
  return peopleIn(db, domainsWith(db, personId, { agreed: false }), { agreed: true })
}

/**
 * The other way round: the ids of everybody to whom this person's things are open, as a subquery: whoever is in a domain
 * that is this person's, or that this person agreed to, be it that they agreed themselves or not.
 */
export function peopleWhoSee(db: Database, personId: string) {
  return peopleIn(db, domainsWith(db, personId, { agreed: true }), { agreed: false })
}

function domainsWith(db: Database, personId: string, { agreed }: Counting) {
  const joined = db
    .selectFrom('domain_members')
    .select('domain_id as id')
    .where('person_id', '=', personId)
    .$if(agreed, (query) => query.where('agreed_at', 'is not', null))
  return db.selectFrom('domains').select('domains.id').where('domains.owner_id', '=', personId).union(joined)
}

function peopleIn(db: Database, domains: ReturnType<typeof domainsWith>, { agreed }: Counting) {
  const members = db
    .selectFrom('domain_members')
    .select('person_id as id')
    .where('domain_id', 'in', domains)
    .$if(agreed, (query) => query.where('agreed_at', 'is not', null))
  return db.selectFrom('domains').select('domains.owner_id as id').where('domains.id', 'in', domains).union(members)
}
