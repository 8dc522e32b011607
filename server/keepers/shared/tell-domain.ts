import type { Services } from '#server/services.ts'

/** Tells the open tabs of everybody in a domain that what is shared there is other than it was; never what. */
export async function tellDomain({ db, live }: Services, domainId: string): Promise<void> {
  const people = await db
    .selectFrom('domain_members')
    .select('person_id as id')
    .where('domain_id', '=', domainId)
    .union(db.selectFrom('domains').select('owner_id as id').where('id', '=', domainId))
    .execute()
  for (const { id } of people) live.tell(id, { type: 'domains-changed', domainId })
}
