import type { Agent } from '../agents/agents.ts'
import { builtInAgents } from '../agents/built-in-agents.ts'
import { getProviderInfo } from '../providers/registry.ts'
import { demoIds } from './demo-ids.ts'

type SampleAgentFields = Pick<Agent, 'slug' | 'name' | 'purpose'> & Partial<Agent>

function createSampleAgent(fields: SampleAgentFields): Agent {
  return {
    id: `sample-${fields.slug}`,
    model: getProviderInfo('openai').settings.model,
    agent_class: 'Standard',
    context_scope: 'user_input',
    memory_enabled: false,
    tools: [],
    permissions: [],
    config: {},
    status: 'ready',
    model_provider: 'openai',
    model_settings: getProviderInfo('openai').settings,
    visibility: 'public',
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    rev: 1,
    owner_id: null,
    may: { run: true, edit: false, share: false, remove: false },
    visitors_spend_owner_key: false,
    visitor_daily_usd: null,
    ...fields,
  }
}

/** Shown while the server can't be reached. Read-only; their runs are mocks. */
export const sampleAgents: Agent[] = builtInAgents.map(createSampleAgent)

export const demoAgent = createSampleAgent({
  id: demoIds.agent,
  slug: demoIds.agent,
  name: 'Demo Agent',
  purpose: 'Shows what the workspace of an agent looks like. Its answers are mocks, and it can’t be changed.',
})

export function findSampleAgent(idOrSlug: string): Agent | undefined {
  return [demoAgent, ...sampleAgents].find((agent) => agent.id === idOrSlug || agent.slug === idOrSlug)
}

export const isSampleAgent = (agent: Pick<Agent, 'id'>) => agent.id === demoAgent.id || agent.id.startsWith('sample-')

export function createMockAnswer(agent: Pick<Agent, 'name'>, input: string): string {
  return `This is a mock answer from ${agent.name}, because the server can’t be reached. You wrote: “${input}”`
}
