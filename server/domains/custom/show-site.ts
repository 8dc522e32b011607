import type { customDomains } from '#contract/domains/custom-domains.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import type { Site } from '#server/http/host-check.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { findSiteAgent } from './site-agent.ts'

/** Content of the request's custom host. @throws Problem 404 on the server's own host */
export async function showSite(
  services: Pick<Services, 'db'>,
  site: Site | null,
): Promise<EndpointOutput<typeof customDomains.site>> {
  const domain =
    site &&
    (await services.db
      .selectFrom('domains')
      .select(['name', 'description'])
      .where('id', '=', site.domainId)
      .where('custom_domain_verified', '=', true)
      .executeTakeFirst())
  if (!site || !domain) throw new Problem('not-found', { message: 'There’s nothing at this address.' })
  return { domain, agentSlug: (await findSiteAgent(services, site.domainId))?.slug ?? null }
}
