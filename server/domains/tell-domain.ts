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
