import type { Services } from '#server/services.ts'

export async function listDomainPersonIds({ db }: Services, domainId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('domains')
    .select('owner_id as id')
    .where('id', '=', domainId)
    .unionAll(db.selectFrom('domain_members').select('person_id as id').where('domain_id', '=', domainId))
    .execute()
  return rows.map(({ id }) => id)
}

export async function publishDomainChanged(
  services: Services,
  domainId: string,
  otherPersonIds: readonly string[] = [],
): Promise<void> {
  const domainPersonIds = await listDomainPersonIds(services, domainId).catch((error: unknown) => {
    services.log.error({ err: error, domainId }, 'a domain change could not be published')
    return []
  })
  const recipients = new Set([...domainPersonIds, ...otherPersonIds])
  for (const personId of recipients) services.live.publish(personId, { type: 'domains-changed', domainId })
}

export async function publishAllDomainsChanged(services: Services, personId: string): Promise<void> {
  const { db, log } = services
  const domains = await db
    .selectFrom('domains')
    .select('id')
    .where('owner_id', '=', personId)
    .union(db.selectFrom('domain_members').select('domain_id as id').where('person_id', '=', personId))
    .execute()
    .catch((error: unknown) => {
      log.error({ err: error, personId }, 'an account change could not be published')
      return []
    })
  for (const { id } of domains) await publishDomainChanged(services, id)
}
