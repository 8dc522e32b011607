import type { Services } from '#server/services.ts'

/** The ids of the owner and the members. */
export async function peopleOf({ db }: Services, domainId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('domains')
    .select('owner_id as id')
    .where('id', '=', domainId)
    .unionAll(db.selectFrom('domain_members').select('person_id as id').where('domain_id', '=', domainId))
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Tells everybody in a domain that it is other than it was, and whoever else it concerns: who did it, who just left.
 * What it tells of is done: where nobody can be found out, nobody is told, and their pages find it when they look.
 */
export async function tellDomain(services: Services, domainId: string, others: readonly string[] = []): Promise<void> {
  const there = await peopleOf(services, domainId).catch((error: unknown) => {
    services.log.error({ err: error, domainId }, 'a change of a domain could not be told')
    return []
  })
  const concerned = new Set([...there, ...others])
  for (const personId of concerned) services.live.tell(personId, { type: 'domains-changed', domainId })
}

/** As {@link tellDomain}, of every domain in which somebody is: what they gave is there to be read, or not any more. */
export async function tellDomainsOf(services: Services, personId: string): Promise<void> {
  const { db, log } = services
  const domains = await db
    .selectFrom('domains')
    .select('id')
    .where('owner_id', '=', personId)
    .union(db.selectFrom('domain_members').select('domain_id as id').where('person_id', '=', personId))
    .execute()
    .catch((error: unknown) => {
      log.error({ err: error, personId }, 'a change of an account could not be told')
      return []
    })
  for (const { id } of domains) await tellDomain(services, id)
}
