import { toSlug } from '#contract/agents/agent-slug.ts'
import type { agents } from '#contract/agents/agents.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { type AgentRow, trialAgentId } from './agent-view.ts'
import { requireBuiltInAgent } from './intent/propose-agent.ts'
import { startAndStream, waitForReply } from './runs/follow-run.ts'
import { startRun } from './runs/start-run.ts'
import { buildNewAgent, type NewAgentFields } from './save-agent.ts'
import { validateAgent } from './validate-agent.ts'

/** Runs an agent that isn't stored. Its run is stored under a built-in agent, because runs belong to stored agents. */
export async function tryOutAgent(
  services: Services,
  person: Person,
  { agent: input, input: question }: { agent: NewAgentFields; input: string },
  streamAddress: string | undefined,
): Promise<Response | Reply<EndpointOutput<typeof agents.tryOut>>> {
  const agent: AgentRow = {
    ...buildNewAgent(services, person, input),
    id: trialAgentId,
    slug: input.slug || toSlug(input.name) || trialAgentId,
    status: 'ready',
    memory_enabled: false,
  }
  await validateAgent(services, person, agent)
  const { id: storedAgentId } = await requireBuiltInAgent(services, 'platform-agent', 'Agent not found')
  const runner = { person, visitor: null }
  const params = { input: question, origin: 'trial' as const, storedAgentId }
  if (streamAddress !== undefined) return startAndStream(services, { ...runner, address: streamAddress }, agent, params)
  return waitForReply(await startRun(services, runner, agent, { ...params, stream: false }))
}
