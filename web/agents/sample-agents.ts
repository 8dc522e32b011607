import type { Agent } from '#contract/agents/agents.ts'
import { getProviderInfo } from '#contract/providers/registry.ts'

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
export const sampleAgents: Agent[] = [
  createSampleAgent({
    slug: 'type-agent',
    name: 'Type Agent',
    purpose: 'Turns a description of what someone wants to keep into a keeper type.',
  }),
  createSampleAgent({
    slug: 'platform-agent',
    name: 'Platform Agent',
    purpose:
      'Answers questions about this Keeper: where things are, how they work, and which agent to make for a task.',
    context_scope: 'platform_wide',
  }),
  createSampleAgent({
    slug: 'code-agent',
    name: 'Code Agent',
    purpose: 'Reads, explains and writes code, and says plainly when it is not sure.',
    context_scope: 'codebase',
  }),
  createSampleAgent({
    slug: 'kip',
    name: 'Kip',
    purpose: 'The guide of this Keeper. Answers questions about keepers and agents and shows where things live.',
    agent_class: 'Lead',
    context_scope: 'platform_wide',
    memory_enabled: true,
    config: {
      tagline: 'Knows where everything is kept, and what is not worth keeping.',
      avatar: 'K',
      theme_color: '#b27a1c',
    },
  }),
  createSampleAgent({
    slug: 'ceox',
    name: 'CeoX',
    purpose: 'Weighs decisions with you: lays out the options, asks for what is missing, and keeps to what was said.',
    agent_class: 'Lead',
    memory_enabled: true,
    config: { tagline: 'Weighs decisions with you.', avatar: 'C', theme_color: '#34507a' },
  }),
]

export const demoAgent = createSampleAgent({
  id: 'demo-agent',
  slug: 'demo-agent',
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
