import type { Services } from '#server/services.ts'
import type { AgentRow } from '../agent-row.ts'
import type { Runner } from '../runs/runner.ts'
import { bundleTools } from './agent-tools.ts'
import { builtInTool, findMcpTools } from './known-tools.ts'
import type { Tool } from './tool.ts'

/** An agent's tools in a run, with notes about missing ones. Visitors' runs have none. */
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
    root: AgentRow
    askedBy?: readonly AgentRow[]
    own?: Tool[]
  },
): Promise<{ tools: Tool[]; notes: string[] }> {
  const named = agent.tools
  const bundled = agent.agent_class === 'Coordinator'
  if (own.length === 0 && named.length === 0 && !bundled) return { tools: [], notes: [] }
  if (agent.model_provider === 'elevenlabs') return { tools: [], notes: ["Agents that speak don't use tools."] }
  if (!runner.person) return { tools: [], notes: ['Visitors run this agent without its tools.'] }

  const { person } = runner
  // Results of personal servers are private, so no one else's agent in the path can call them or see them.
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
      notes.push(`The tool ${name} is unavailable, so the agent ran without it.${reason ? ` ${reason}` : ''}`)
    return tool ? [tool] : []
  })
  return { tools: withNamesOfTheirOwn([...own, ...bundle, ...listed]), notes }
}

/** Appends numbers to repeated names, which models can't tell apart. */
function withNamesOfTheirOwn(tools: Tool[]): Tool[] {
  const taken = new Set<string>()
  return tools.map((tool) => {
    let { name } = tool
    for (let number = 2; taken.has(name); number += 1) name = `${tool.name.slice(0, 60)}_${number}`
    taken.add(name)
    return name === tool.name ? tool : { ...tool, name }
  })
}
