import { agentClasses, contextScopes } from '#contract/agents/agent-constants.ts'
import { toSlug } from '#contract/agents/agent-slug.ts'
import {
  type AgentProposal,
  agentProposal,
  type intent,
  type KeeperTypeProposal,
  keeperTypeProposal,
  proposeAgentTool,
  submitKeeperTypeTool,
} from '#contract/agents/intent.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import { listProviderIds } from '#contract/providers/registry.ts'
import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import type { AgentRow } from '../agent-view.ts'
import type { Runner } from '../runs/execute/runner.ts'
import { startAndStream, waitForReply } from '../runs/follow-run.ts'
import { type RunParams, startRun } from '../runs/start-run.ts'
import { createFreeSlug, isSlugTaken, suggestSlug } from '../slugs.ts'
import { parseArguments } from '../tools/arguments.ts'
import { listToolNames } from '../tools/available-tools.ts'
import type { Tool } from '../tools/tool.ts'
import { validateAgent } from '../validate-agent.ts'
import { createMockKeeperType, createMockProposal } from './mock-proposals.ts'

interface ProposeAgentTool extends Tool {
  getProposal(): AgentProposal | null
}

async function createProposeAgentTool(services: Services, person: Person, input: string): Promise<ProposeAgentTool> {
  const tools = await listToolNames(services, person)
  const mockProposal = await createMockWithSlug(services, person, input)
  let lastProposal: AgentProposal | null = null
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
    parse: (args) => parseArguments(agentProposal, args),
    async run(context, args) {
      const proposal = args as AgentProposal
      await refuseTakenSlug(services, person, proposal.slug)
      await validateAgent(services, person, toAgentRow(context.agent, person, proposal))
      lastProposal = proposal
      return {
        text: 'The proposal is in front of the person now, who decides. Nothing is saved. Say in one or two sentences why it fits.',
        summary: `${proposal.name} (${proposal.agent_class ?? 'Standard'})`,
      }
    },
    mockArguments: () => mockProposal,
    getProposal: () => lastProposal,
  }
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

export async function answerIntent(
  services: Services,
  person: Person,
  input: string,
  { wantsStream, address }: { wantsStream: boolean; address: string },
): Promise<Response | Reply<EndpointOutput<typeof intent.ask>>> {
  const agent = await requireBuiltInAgent(services, 'platform-agent', 'Agent not found')
  const tool = await createProposeAgentTool(services, person, input)
  const runner: Runner = { person, visitor: null }
  const agentWithoutMemory = { ...agent, memory_enabled: false }
  const params = { input, origin: 'intent', extraTools: [tool] } satisfies Partial<RunParams>
  if (wantsStream) return startAndStream(services, { ...runner, address }, agentWithoutMemory, params)
  const run = await startRun(services, runner, agentWithoutMemory, { ...params, stream: false })
  const { data, options } = await waitForReply(run)
  const { response, run_id, mock_mode } = data
  return new Reply({ response, run_id, mock_mode, proposal: tool.getProposal() }, options)
}

export async function requireBuiltInAgent(
  services: Services,
  slug: 'kip' | 'platform-agent' | 'type-agent',
  notFoundMessage: string,
): Promise<AgentRow> {
  const agent = await services.db
    .selectFrom('agents')
    .selectAll()
    .where('id', '=', `built-in-${slug}`)
    .executeTakeFirst()
  if (!agent) throw new Problem('not-found', { message: notFoundMessage })
  return agent
}

const submitReminder = `\n\nYou did not call ${submitKeeperTypeTool} with valid arguments. Call it now, and don't answer in any other way.`

/**
 * @throws Problem 404 without a type agent; 422 without a usable type, or the run's own failure, both with the run id
 */
export async function extractType(
  services: Services,
  person: Person,
  description: string,
): Promise<EndpointOutput<typeof intent.extractType>> {
  const agent = await requireBuiltInAgent(services, 'type-agent', 'TypeAgent not found')
  let submittedType: KeeperTypeProposal | undefined
  const tool = createSubmitTool(description, (type) => {
    submittedType = type
  })
  let runId = ''
  for (const input of [description, description + submitReminder]) {
    const run = await startRun(
      services,
      { person, visitor: null },
      { ...agent, memory_enabled: false },
      { input, stream: false, origin: 'extraction', extraTools: [tool], mustCall: submitKeeperTypeTool },
    )
    runId = run.id
    const { data } = await waitForReply(run).catch((error: unknown) => {
      // A submitted type counts even if the text after it failed.
      if (submittedType) return { data: { mock_mode: false } }
      throw withFailurePrefix(error)
    })
    if (submittedType) return { type: submittedType, run_id: runId, mock_mode: data.mock_mode }
  }
  throw new Problem('unprocessable', { message: failureMessage, data: { run_id: runId } })
}

const failureMessage = 'TypeAgent extraction failed'

function withFailurePrefix(error: unknown): unknown {
  if (!(error instanceof Problem)) return error
  return new Problem(error.kind, { ...error.details, message: `${failureMessage}: ${error.message}` })
}

function createSubmitTool(description: string, submit: (type: KeeperTypeProposal) => void): Tool {
  return {
    name: submitKeeperTypeTool,
    description: 'Submits the keeper type that fits the description. Call it exactly once.',
    parameters: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'What the type is called, one to three words.' },
        purpose: { type: 'string', description: 'What its keepers hold, in one sentence.' },
        memoryPattern: {
          type: 'string',
          enum: keeperTypeProposal.shape.memoryPattern.options,
          description:
            'sole: one standing story; journal: things by date; tracker: values that are followed; palace: things by place.',
        },
        reason: { type: 'string', description: 'Why this pattern fits, in one sentence.' },
      },
      required: ['name', 'purpose', 'memoryPattern', 'reason'],
    },
    writes: false,
    sends: false,
    source: 'keeper',
    title: () => 'Submit the keeper type',
    parse: (args) => parseArguments(keeperTypeProposal, args),
    async run(_context, args) {
      submit(args as KeeperTypeProposal)
      return { text: 'Submitted. Nothing else is needed.', summary: (args as KeeperTypeProposal).name }
    },
    mockArguments: () => createMockKeeperType(description),
  }
}
