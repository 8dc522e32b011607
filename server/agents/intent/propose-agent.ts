import type * as z from 'zod/mini'
import { agentClasses, contextScopes } from '#contract/agents/agent-constants.ts'
import { toSlug } from '#contract/agents/agent-slug.ts'
import { type AgentProposal, agentProposal, proposeAgentTool } from '#contract/agents/intent.ts'
import { listProviderIds } from '#contract/providers/registry.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import type { AgentRow } from '../agent-row.ts'
import { createFreeSlug, isSlugTaken, suggestSlug } from '../slugs.ts'
import { listToolNames } from '../tools/available-tools.ts'
import type { Tool } from '../tools/tool.ts'
import { validateAgent } from '../validate-agent.ts'
import { createMockProposal } from './mock-proposals.ts'

export interface ProposeAgentTool extends Tool {
  getProposal(): AgentProposal | null
}

export async function createProposeAgentTool(
  services: Services,
  person: Person,
  input: string,
): Promise<ProposeAgentTool> {
  const tools = await listToolNames(services, person)
  const mockProposal = await createMockWithSlug(services, person, input)
  let proposed: AgentProposal | null = null
  return {
    name: proposeAgentTool,
    description:
      'Proposes an agent to the person, as a filled form they can change, create or throw away. Call it when they want something done that an agent could do, and only once. Do not call it when they only ask a question.',
    parameters: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'What it is called, two or three words.' },
        slug: { type: 'string', description: 'Its short name: lowercase letters, numbers and single hyphens.' },
        purpose: { type: 'string', description: 'What it does and how, as instructions to it.' },
        agent_class: {
          type: 'string',
          enum: agentClasses.filter((name) => name !== 'Persona'),
          description: 'Standard for one task, Lead to be chatted with, Coordinator to run other agents.',
        },
        context_scope: { type: 'string', enum: [...contextScopes.filter(Boolean), 'general'] },
        memory_enabled: { type: 'boolean', description: 'Whether its chats are kept.' },
        tools: { type: 'array', items: { type: 'string', enum: tools } },
        config: {
          type: 'object',
          properties: {
            bundle: {
              type: 'array',
              items: { type: 'string' },
              description: 'Slugs of the agents a Coordinator runs.',
            },
            tagline: { type: 'string', description: 'One line under the name of a Lead.' },
          },
        },
        model_provider: { type: 'string', enum: listProviderIds() },
        model: { type: 'string' },
      },
      required: ['name', 'slug', 'purpose', 'agent_class', 'tools'],
    },
    writes: false,
    sends: false,
    source: 'keeper',
    title: (args) => {
      const name = (args as { name?: unknown } | null)?.name
      return typeof name === 'string' && name ? `Propose the agent “${name}”` : 'Propose an agent'
    },
    parse: (args) => parseOrExplain(agentProposal, args),
    async run(context, args) {
      const proposal = args as AgentProposal
      await refuseTakenSlug(services, person, proposal.slug)
      await validateAgent(services, person, toAgentRow(context.agent, person, proposal))
      proposed = proposal
      return {
        text: 'The proposal is in front of the person now, who decides. Nothing is saved. Say in one or two sentences why it fits.',
        summary: `${proposal.name} (${proposal.agent_class ?? 'Standard'})`,
      }
    },
    mockArguments: () => mockProposal,
    getProposal: () => proposed,
  }
}

/** @throws Error that lists each field and its problem */
export function parseOrExplain<Schema extends z.ZodMiniType>(schema: Schema, args: unknown): z.output<Schema> {
  const parsed = schema.safeParse(args)
  if (parsed.success) return parsed.data
  throw new Error(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join(' '))
}

async function refuseTakenSlug(services: Services, person: Person, slug: string | undefined): Promise<void> {
  if (!slug || !(await isSlugTaken(services, slug, person.id))) return
  const suggestedSlug = await suggestSlug(services, slug, person.id)
  throw new Error(`The slug "${slug}" cannot be used. Use "${suggestedSlug}".`)
}

function toAgentRow(platformAgent: AgentRow, person: Person, proposal: AgentProposal): AgentRow {
  return {
    ...platformAgent,
    owner_id: person.id,
    slug: proposal.slug ?? '',
    agent_class: proposal.agent_class ?? 'Standard',
    tools: proposal.tools ?? [],
    config: proposal.config ?? {},
  }
}

async function createMockWithSlug(
  services: Services,
  person: Person,
  input: string,
): Promise<AgentProposal | undefined> {
  const proposal = createMockProposal(input)
  if (!proposal) return undefined
  const slug = toSlug(proposal.name)
    ? await createFreeSlug(services, proposal.name, person.id)
    : await suggestSlug(services, 'agent', person.id)
  return { ...proposal, slug }
}
