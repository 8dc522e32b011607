import { Problem } from '#server/http/problem.ts'
import type { HandlerCall, ServedCall } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { findSiteAgent } from './site-agent.ts'

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
  'agents.messages': requireSession(({ query }) => query.sessionId),
  'chat.rename': requireSession(({ params }) => params.sessionId),
  'chat.remove': requireSession(({ params }) => params.sessionId),
  'chat.showBranch': requireSession(({ params }) => params.sessionId),
  'runs.stream': requireRun(({ params }) => params.runId),
  'runs.stop': requireRun(({ params }) => params.runId),
  'runs.audio': requireRun(({ params }) => params.runId),
}

export function getSiteCalls(services: Services, calls: ServedCall[]): ServedCall[] {
  const getCallName = ({ area, name }: ServedCall) => `${area}.${name}`
  return calls
    .filter((call) => getCallName(call) in siteCallGuards)
    .map((call) => {
      const guard = siteCallGuards[getCallName(call)]
      if (!guard) return call
      return {
        ...call,
        handler: async (input) => {
          await guard(services, await findAgentOfSite(services, input), input as unknown as SiteCallInput)
          return call.handler(input)
        },
      }
    })
}

async function findAgentOfSite(services: Services, { site }: Pick<HandlerCall<ServedCall['endpoint']>, 'site'>) {
  return site ? findSiteAgent(services, site.domainId) : undefined
}

function requireAgent(getValue: (input: SiteCallInput) => unknown): SiteCallGuard {
  return (_services, agent, input) => {
    const requestedAgent = getValue(input)
    if (!agent || (requestedAgent !== agent.id && requestedAgent !== agent.slug))
      throw createNotFoundProblem('Agent not found')
  }
}

function requireSession(getValue: (input: SiteCallInput) => unknown): SiteCallGuard {
  return async ({ db }, agent, input) => {
    const id = String(getValue(input))
    const session = await db.selectFrom('chat_sessions').select('agent_id').where('id', '=', id).executeTakeFirst()
    if (!agent || session?.agent_id !== agent.id) throw createNotFoundProblem('Session not found')
  }
}

function requireRun(getValue: (input: SiteCallInput) => unknown): SiteCallGuard {
  return async ({ db }, agent, input) => {
    const id = String(getValue(input))
    const run = await db.selectFrom('runs').select('agent_id').where('id', '=', id).executeTakeFirst()
    if (!agent || run?.agent_id !== agent.id) throw createNotFoundProblem('Run not found')
  }
}

function createNotFoundProblem(message: string): Problem {
  return new Problem('not-found', { message })
}
