import * as z from 'zod/mini'
import { truncate } from '#contract/truncate.ts'
import type { Services } from '#server/services.ts'
import { activeOwner, findAgentFor, mayRun } from '../agent-access.ts'
import type { AgentRow } from '../agent-row.ts'
import { bundleOf } from '../bundle-of.ts'
import type { Runner } from '../runs/runner.ts'
import { argumentsAs, textArgument } from './arguments.ts'
import type { Tool } from './tool.ts'

const maxInputLength = 20_000
const maxNameLength = 64

const runAgentArguments = z.object({
  agent: textArgument('The slug of the agent.', 100),
  input: textArgument('What to ask it. It knows nothing else of this conversation.', maxInputLength),
})

export const runAgentTool: Tool = {
  name: 'run_agent',
  description: 'Asks another agent of this platform, by its slug, and returns its answer.',
  ...argumentsAs(runAgentArguments),
  writes: false,
  sends: false,
  source: 'keeper',
  title: (args) => `Ask ${(args as z.output<typeof runAgentArguments>).agent}`,
  async run({ services, runner, askAgent }, args) {
    const { agent: slug, input } = args as z.output<typeof runAgentArguments>
    const agent = runner.person ? await findAgentFor(services, runner.person, slug) : undefined
    if (!agent || !runner.person || !mayRun(agent, runner.person))
      throw new Error(`There is no agent "${slug}" that this person can run.`)
    return askAgent(agent, input)
  },
}

const askArguments = z.object({
  input: textArgument('What to ask it. It knows nothing else of this conversation.', maxInputLength),
})

/** The agents of a Coordinator's bundle as tools, looked up as the owner of the run's root agent. */
export async function bundleTools(
  services: Services,
  { agent, root, runner }: { agent: AgentRow; root: AgentRow; runner: Runner },
): Promise<Tool[]> {
  if (agent.agent_class !== 'Coordinator') return []
  const slugs = bundleOf(agent)
  const found = await Promise.all(slugs.map((slug) => findForBundle(services, root, slug)))
  const visible = await Promise.all(
    found.map((below) => below && runner.person && findAgentFor(services, runner.person, below.id)),
  )
  return slugs.map((slug, index) =>
    askTool(slug, found[index], visible[index] !== undefined && visible[index] !== null),
  )
}

function askTool(slug: string, below: AgentRow | undefined, seen: boolean): Tool {
  const name = `ask_${slug.replaceAll('-', '_')}`.slice(0, maxNameLength)
  const about = below && (below.config.tagline || (seen ? truncate(below.purpose, 300) : ''))
  return {
    name,
    description: `Asks the agent ${below?.name ?? slug} and returns its answer.${about ? ` What it is for: ${about}` : ''}`,
    ...argumentsAs(askArguments),
    writes: false,
    sends: false,
    source: 'keeper',
    ...(below && { asks: below }),
    title: () => `Ask ${below?.name ?? slug}`,
    async run({ askAgent }, args) {
      if (!below) throw new Error(`The agent "${slug}" is no longer available here.`)
      return askAgent(below, (args as z.output<typeof askArguments>).input)
    },
    mockArguments: (input) => ({ input: truncate(input, maxInputLength) }),
  }
}

/** Built-in agents have no owner and can call other built-in and public agents. */
async function findForBundle(services: Services, root: AgentRow, slug: string): Promise<AgentRow | undefined> {
  if (root.owner_id !== null) {
    const owner = { id: root.owner_id }
    const agent = await findAgentFor(services, owner, slug)
    return agent && mayRun(agent, owner) ? agent : undefined
  }
  return services.db
    .selectFrom('agents')
    .selectAll()
    .where('slug', '=', slug)
    .where((where) =>
      where.or([
        where('owner_id', 'is', null),
        where.and([where('visibility', '=', 'public'), where.exists(activeOwner(services.db))]),
      ]),
    )
    .executeTakeFirst()
}
