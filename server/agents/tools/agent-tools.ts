import * as z from 'zod/mini'
import { truncate } from '#contract/truncate.ts'
import type { Services } from '#server/services.ts'
import { canRun, findAgentFor, selectActiveOwner } from '../agent-access.ts'
import { type AgentRow, getBundleNames } from '../agent-view.ts'
import type { Runner } from '../runs/execute/runner.ts'
import { defineArguments, defineTextArgument } from './arguments.ts'
import type { Tool } from './tool.ts'

const maxInputLength = 20_000
const maxNameLength = 64

const runAgentArguments = z.object({
  agent: defineTextArgument('The slug of the agent.', 100),
  input: defineTextArgument('What to ask it. It knows nothing else of this conversation.', maxInputLength),
})

export const runAgentTool: Tool = {
  name: 'run_agent',
  description: 'Asks another agent of this platform, by its slug, and returns its answer.',
  ...defineArguments(runAgentArguments),
  writes: false,
  sends: false,
  source: 'keeper',
  title: (args) => `Ask ${(args as z.output<typeof runAgentArguments>).agent}`,
  async run({ services, runner, runSubAgent }, args) {
    const { agent: slug, input } = args as z.output<typeof runAgentArguments>
    const agent = runner.person ? await findAgentFor(services, runner.person, slug) : undefined
    if (!agent || !runner.person || !canRun(agent, runner.person))
      throw new Error(`There is no agent "${slug}" that this person can run.`)
    return runSubAgent(agent, input)
  },
}

const bundledAgentArguments = z.pick(runAgentArguments, { input: true })

/** The agents of a Coordinator's bundle as tools, looked up with the access of the root agent's owner. */
export async function createBundleTools(
  services: Services,
  { agent, rootAgent, runner }: { agent: AgentRow; rootAgent: AgentRow; runner: Runner },
): Promise<Tool[]> {
  if (agent.agent_class !== 'Coordinator') return []
  const tools = getBundleNames(agent).map(async (slug) => {
    const target = await findBundledAgent(services, rootAgent, slug)
    const visibleTarget = target && runner.person && (await findAgentFor(services, runner.person, target.id))
    return createBundledAgentTool(slug, target, Boolean(visibleTarget))
  })
  return Promise.all(tools)
}

function createBundledAgentTool(slug: string, target: AgentRow | undefined, isVisible: boolean): Tool {
  const name = `ask_${slug.replaceAll('-', '_')}`.slice(0, maxNameLength)
  const aboutText = target && (target.config.tagline || (isVisible ? truncate(target.purpose, 300) : ''))
  return {
    name,
    description: `Asks the agent ${target?.name ?? slug} and returns its answer.${aboutText ? ` What it is for: ${aboutText}` : ''}`,
    ...defineArguments(bundledAgentArguments),
    writes: false,
    sends: false,
    source: 'keeper',
    ...(target && { targetAgent: target }),
    title: () => `Ask ${target?.name ?? slug}`,
    async run({ runSubAgent }, args) {
      if (!target) throw new Error(`The agent "${slug}" is no longer available here.`)
      return runSubAgent(target, (args as z.output<typeof bundledAgentArguments>).input)
    },
    mockArguments: (input) => ({ input: truncate(input, maxInputLength) }),
  }
}

/** Built-in agents have no owner and can call other built-in and public agents. */
async function findBundledAgent(services: Services, rootAgent: AgentRow, slug: string): Promise<AgentRow | undefined> {
  if (rootAgent.owner_id !== null) {
    const owner = { id: rootAgent.owner_id }
    const agent = await findAgentFor(services, owner, slug)
    return agent && canRun(agent, owner) ? agent : undefined
  }
  return services.db
    .selectFrom('agents')
    .selectAll()
    .where('slug', '=', slug)
    .where((where) =>
      where.or([
        where('owner_id', 'is', null),
        where.and([where('visibility', '=', 'public'), where.exists(selectActiveOwner(services.db))]),
      ]),
    )
    .executeTakeFirst()
}
