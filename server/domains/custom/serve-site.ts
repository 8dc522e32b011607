import type { customDomains } from '#contract/domains/custom-domains.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import type { NodeBindings } from '#server/http/client-address.ts'
import type { Site } from '#server/http/host-check.ts'
import { createNoSuchAddressProblem, Problem } from '#server/http/problem.ts'
import { toProblemResponse } from '#server/http/problem-response.ts'
import { createRouter } from '#server/http/router.ts'
import type { ServedCall } from '#server/http/serve-area.ts'
import type { WebFiles } from '#server/http/web-files.ts'
import type { Services } from '#server/services.ts'

/** Custom hosts accept no tokens, since the owner of the host name could serve other pages there that read them. */
export function createSiteRouter(services: Services, calls: ServedCall[], web?: WebFiles) {
  const createWrongHostProblem = () => new Problem('wrong-host')
  const router = createRouter(services, getSiteCalls(services, calls), createWrongHostProblem)
  if (web) {
    router.get('/', ({ req }) => web.serve(req.raw, '/site.html'))
    // Paths without an extension would serve the app, which has a sign-in.
    for (const path of ['/favicon.ico', '/icon.svg', '/theme.js', '/diagram.html', '/assets/:file{[\\w.-]+\\.\\w+}'])
      router.get(path, ({ req }) => web.serve(req.raw, req.path))
  }
  router.notFound(({ req }) => toProblemResponse(services, req.raw, createWrongHostProblem()))

  return {
    async fetch(request: Request, bindings: NodeBindings): Promise<Response> {
      const response = hasToken(request)
        ? toProblemResponse(services, request, createWrongHostProblem())
        : await router.fetch(request, bindings)
      // No includeSubDomains: subdomains belong to the name's owner.
      response.headers.set('strict-transport-security', 'max-age=31536000')
      return response
    },
  }
}

function hasToken(request: Request): boolean {
  return /^\s*bearer\b/i.test(request.headers.get('authorization') ?? '')
}

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
  if (!site || !domain) throw createNoSuchAddressProblem()
  return { domain, agentSlug: (await findSiteAgent(services, site.domainId))?.slug ?? null }
}

function findSiteAgent(
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

type SiteAgent = NonNullable<Awaited<ReturnType<typeof findSiteAgent>>>
interface SiteCallInput {
  params: Record<string, string>
  query: Record<string, unknown>
  body: Record<string, unknown>
}
/** @throws Problem 404, the same as for an unknown id, if the request isn't about this agent */
type SiteCallGuard = (services: Services, agent: SiteAgent | undefined, input: SiteCallInput) => Promise<void> | void

/** All calls that a custom host serves, each with a check that it is about the domain's Lead agent. Others get 421. */
const siteCallGuards: Record<string, SiteCallGuard | null> = {
  'customDomains.site': null,
  'agents.bySlug': requireAgent(({ query }) => query.slug),
  'agents.sessions': requireAgent(({ query }) => query.agentId),
  'agents.createSession': requireAgent(({ body }) => body.agentId),
  'agents.run': requireAgent(({ body }) => body.agentId),
  'agents.messages': requireRow('chat_sessions', ({ query }) => query.sessionId),
  'chat.rename': requireRow('chat_sessions', ({ params }) => params.sessionId),
  'chat.remove': requireRow('chat_sessions', ({ params }) => params.sessionId),
  'chat.showBranch': requireRow('chat_sessions', ({ params }) => params.sessionId),
  'runs.stream': requireRow('runs', ({ params }) => params.runId),
  'runs.stop': requireRow('runs', ({ params }) => params.runId),
  'runs.audio': requireRow('runs', ({ params }) => params.runId),
}

function getSiteCalls(services: Services, calls: ServedCall[]): ServedCall[] {
  const getCallName = ({ area, name }: ServedCall) => `${area}.${name}`
  return calls
    .filter((call) => getCallName(call) in siteCallGuards)
    .map((call) => {
      const guard = siteCallGuards[getCallName(call)]
      if (!guard) return call
      return {
        ...call,
        handler: async (input) => {
          const agent = input.site ? await findSiteAgent(services, input.site.domainId) : undefined
          await guard(services, agent, input as unknown as SiteCallInput)
          return call.handler(input)
        },
      }
    })
}

function requireAgent(getValue: (input: SiteCallInput) => unknown): SiteCallGuard {
  return (_services, agent, input) => {
    const requestedAgent = getValue(input)
    if (!agent || (requestedAgent !== agent.id && requestedAgent !== agent.slug))
      throw createNotFoundProblem('Agent not found')
  }
}

function requireRow(table: 'chat_sessions' | 'runs', getId: (input: SiteCallInput) => unknown): SiteCallGuard {
  return async ({ db }, agent, input) => {
    const row = await db
      .selectFrom(table)
      .select('agent_id')
      .where('id', '=', String(getId(input)))
      .executeTakeFirst()
    if (!agent || row?.agent_id !== agent.id)
      throw createNotFoundProblem(table === 'runs' ? 'Run not found' : 'Session not found')
  }
}

function createNotFoundProblem(message: string): Problem {
  return new Problem('not-found', { message })
}
