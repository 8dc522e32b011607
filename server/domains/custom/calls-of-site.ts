import { Problem } from '#server/http/problem.ts'
import type { Call, ServedCall } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { findSiteAgent } from './site-agent.ts'

type Agent = NonNullable<Awaited<ReturnType<typeof findSiteAgent>>>
interface Asked {
  params: Record<string, string>
  query: Record<string, unknown>
  body: Record<string, unknown>
}
/** @throws Problem 404, as for a random id, unless the request is about this agent */
type Guard = (services: Services, agent: Agent | undefined, asked: Asked) => Promise<void> | void

/** All calls of a custom host, with the value that must match the domain's Lead agent; others get 421. */
const guards: Record<string, Guard | null> = {
  'customDomains.site': null,
  'agents.bySlug': agentIn(({ query }) => query.slug),
  'agents.sessions': agentIn(({ query }) => query.agentId),
  'agents.createSession': agentIn(({ body }) => body.agentId),
  'agents.run': agentIn(({ body }) => body.agentId),
  'agents.messages': sessionIn(({ query }) => query.sessionId),
  'chat.rename': sessionIn(({ params }) => params.sessionId),
  'chat.remove': sessionIn(({ params }) => params.sessionId),
  'chat.showBranch': sessionIn(({ params }) => params.sessionId),
  'runs.stream': runIn(({ params }) => params.runId),
  'runs.stop': runIn(({ params }) => params.runId),
  'runs.audio': runIn(({ params }) => params.runId),
}

export function callsOfSite(services: Services, calls: ServedCall[]): ServedCall[] {
  const nameOf = ({ area, name }: ServedCall) => `${area}.${name}`
  return calls
    .filter((call) => nameOf(call) in guards)
    .map((call) => {
      const guard = guards[nameOf(call)]
      if (!guard) return call
      return {
        ...call,
        handler: async (asked) => {
          await guard(services, await agentOf(services, asked), asked as unknown as Asked)
          return call.handler(asked)
        },
      }
    })
}

async function agentOf(services: Services, { site }: Pick<Call<ServedCall['endpoint']>, 'site'>) {
  return site ? findSiteAgent(services, site.domainId) : undefined
}

function agentIn(find: (asked: Asked) => unknown): Guard {
  return (_services, agent, asked) => {
    const wanted = find(asked)
    if (!agent || (wanted !== agent.id && wanted !== agent.slug)) throw notFound('Agent not found')
  }
}

function sessionIn(find: (asked: Asked) => unknown): Guard {
  return async ({ db }, agent, asked) => {
    const id = String(find(asked))
    const session = await db.selectFrom('chat_sessions').select('agent_id').where('id', '=', id).executeTakeFirst()
    if (!agent || session?.agent_id !== agent.id) throw notFound('Session not found')
  }
}

function runIn(find: (asked: Asked) => unknown): Guard {
  return async ({ db }, agent, asked) => {
    const id = String(find(asked))
    const run = await db.selectFrom('runs').select('agent_id').where('id', '=', id).executeTakeFirst()
    if (!agent || run?.agent_id !== agent.id) throw notFound('Run not found')
  }
}

function notFound(message: string): Problem {
  return new Problem('not-found', { message })
}
