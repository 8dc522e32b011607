import type { Services } from '#server/services.ts'
import type { AgentRow } from '../agent-row.ts'
import type { Runner } from '../runs/runner.ts'
import { bundleTools } from './agent-tools.ts'
import { builtInTool, findMcpTools } from './known-tools.ts'
import type { Tool } from './tool.ts'

/** What an agent may call in a run, and what has to be said about it. Visitors' runs have no tools at all. */
export async function toolsFor(
  services: Services,
  {
    runner,
    agent,
    root,
    askedBy = [],
    own = [],
  }: {
    runner: Runner
    agent: AgentRow
    /** The agent of the run, as whose owner bundles are looked up. */
    root: AgentRow
    /** The agents above it, which hear what it says. */
    askedBy?: readonly AgentRow[]
    /** Tools beside those the agent names. */
    own?: Tool[]
  },
): Promise<{ tools: Tool[]; notes: string[] }> {
  const named = agent.tools
  const bundled = agent.agent_class === 'Coordinator'
  if (own.length === 0 && named.length === 0 && !bundled) return { tools: [], notes: [] }
  if (agent.model_provider === 'elevenlabs') return { tools: [], notes: ['An agent that speaks uses no tools.'] }
  if (!runner.person) return { tools: [], notes: ['Visitors run this agent without its tools.'] }

  const { person } = runner
  // Results of personal servers belong to their owner: agents of other people neither call them nor see their results.
  const mayUsePersonalServers = [agent, root, ...askedBy].every((above) => above.owner_id === person.id)
  const [bundle, other] = await Promise.all([
    bundleTools(services, { agent, root, runner }),
    findMcpTools(
      services,
      named.filter((name) => !builtInTool(services, name)),
      mayUsePersonalServers ? person.id : null,
    ),
  ])
  const notes: string[] = []
  const listed = named.flatMap((name) => {
    const tool = builtInTool(services, name) ?? other.tools.get(name)
    const reason = other.reasons.get(name)
    if (!tool)
      notes.push(`The tool ${name} is not there just now; the agent ran without it.${reason ? ` ${reason}` : ''}`)
    return tool ? [tool] : []
  })
  return { tools: withNamesOfTheirOwn([...own, ...bundle, ...listed]), notes }
}

/** Two tools of one name would be one to a model; the later one gets a number. */
function withNamesOfTheirOwn(tools: Tool[]): Tool[] {
  const taken = new Set<string>()
  return tools.map((tool) => {
    let { name } = tool
    for (let number = 2; taken.has(name); number += 1) name = `${tool.name.slice(0, 60)}_${number}`
    taken.add(name)
    return name === tool.name ? tool : { ...tool, name }
  })
}
