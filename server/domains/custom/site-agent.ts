import type { Services } from '#server/services.ts'

export function findSiteAgent(
  { db }: Pick<Services, 'db'>,
  domainId: string,
): Promise<{ id: string; slug: string } | undefined> {
  return db
    .selectFrom('domains')
    .innerJoin('agents', 'agents.id', 'domains.lead_agent_id')
    .select(['agents.id', 'agents.slug'])
    .where('domains.id', '=', domainId)
    .where('domains.custom_domain_verified', '=', true)
    .where('agents.visibility', '=', 'public')
    .where('agents.agent_class', '=', 'Lead')
    .executeTakeFirst()
}
