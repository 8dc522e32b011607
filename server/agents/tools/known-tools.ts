import { builtInTools, type ToolDescription } from '#contract/agents/tools.ts'
import type { Services } from '#server/services.ts'
import { runAgentTool } from './agent-tools.ts'
import { httpFetchTool } from './http-fetch.ts'
import { mcpTools } from './mcp-tools.ts'
import type { Tool } from './tool.ts'

const ours = [runAgentTool, httpFetchTool]

export function builtInTool({ keeperMemory }: Services, name: string): Tool | undefined {
  return [...keeperMemory.tools, ...ours].find((tool) => tool.name === name)
}

/** Every name an agent's tool list may hold. */
export async function knownToolNames(services: Services): Promise<string[]> {
  return (await listTools(services)).tools.map(({ name }) => name)
}

/** Every tool an agent may name, and the servers that did not tell theirs. */
export async function listTools(
  services: Services,
): Promise<{ tools: ToolDescription[]; unreachable: { server: string; reason: string }[] }> {
  const { tools, unreachable } = await mcpTools(services)
  const builtIn = builtInTools.flatMap((name) => builtInTool(services, name) ?? [])
  return {
    tools: [...builtIn, ...tools].map(({ name, description, parameters, writes, sendsWhatWasTyped, source }) => ({
      name,
      description,
      parameters,
      writes,
      sends: sendsWhatWasTyped !== undefined,
      source,
    })),
    unreachable,
  }
}

/** The tools of MCP servers by name, of those that are there. Asks nobody when no name is given. */
export async function findMcpTools(services: Services, names: readonly string[]): Promise<Map<string, Tool>> {
  if (names.length === 0) return new Map()
  const { tools } = await mcpTools(services)
  return new Map(tools.filter(({ name }) => names.includes(name)).map((tool) => [tool.name, tool]))
}
