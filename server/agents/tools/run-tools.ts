import type { Services } from '#server/services.ts'
import type { AgentRow } from '../agent-view.ts'
import type { Runner } from '../runs/execute/runner.ts'
import { createBundleTools } from './agent-tools.ts'
import { findBuiltInTool, findMcpTools } from './available-tools.ts'
import type { Tool } from './tool.ts'

export async function getRunTools(
  services: Services,
  {
    runner,
    agent,
    rootAgent,
    callers = [],
    extraTools = [],
  }: {
    runner: Runner
    agent: AgentRow
    rootAgent: AgentRow
    callers?: readonly AgentRow[]
    extraTools?: Tool[]
  },
): Promise<{ tools: Tool[]; notes: string[] }> {
  const toolNames = agent.tools
  const isCoordinator = agent.agent_class === 'Coordinator'
  if (extraTools.length === 0 && toolNames.length === 0 && !isCoordinator) return { tools: [], notes: [] }
  if (agent.model_provider === 'elevenlabs') return { tools: [], notes: ['Agents that speak don’t use tools.'] }
  if (!runner.person) return { tools: [], notes: ['Visitors run this agent without its tools.'] }

  const { person } = runner
  // Results of personal servers are private, so no one else's agent in the path can call them or see them.
  const canUsePersonalServers = [agent, rootAgent, ...callers].every((caller) => caller.owner_id === person.id)
  const [bundleTools, mcpTools] = await Promise.all([
    createBundleTools(services, { agent, rootAgent, runner }),
    findMcpTools(
      services,
      toolNames.filter((name) => !findBuiltInTool(services, name)),
      canUsePersonalServers ? person.id : null,
    ),
  ])
  const notes: string[] = []
  const configuredTools = toolNames.flatMap((name) => {
    const tool = findBuiltInTool(services, name) ?? mcpTools.tools.get(name)
    const reason = mcpTools.reasons.get(name)
    if (!tool) notes.push(`The tool ${name} is unavailable, so the agent ran without it.${reason ? ` ${reason}` : ''}`)
    return tool ? [tool] : []
  })
  return { tools: ensureUniqueNames([...extraTools, ...bundleTools, ...configuredTools]), notes }
}

/** Leaves space for a suffix within the 64 characters that providers accept. */
const maxBaseNameLength = 60

function ensureUniqueNames(tools: Tool[]): Tool[] {
  const usedNames = new Set<string>()
  return tools.map((tool) => {
    let { name } = tool
    for (let number = 2; usedNames.has(name); number += 1) name = `${tool.name.slice(0, maxBaseNameLength)}_${number}`
    usedNames.add(name)
    return name === tool.name ? tool : { ...tool, name }
  })
}
