import { builtInTools, type ToolDescription } from '#contract/agents/tools.ts'
import type { Services } from '#server/services.ts'
import { runAgentTool } from './agent-tools.ts'
import { httpFetchTool } from './http-fetch.ts'
import { mcpOffers } from './mcp-tools.ts'
import type { Tool } from './tool.ts'
import { trustedServerIds } from './tool-servers.ts'

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
  const [offers, trusted] = await Promise.all([mcpOffers(services), trustedServerIds(services)])
  const builtIn = builtInTools.flatMap((name) => builtInTool(services, name) ?? [])
  const offered = offers.flatMap(({ tools }) => tools)
  return {
    tools: [...builtIn, ...offered].map(({ name, description, parameters, writes, sends, source, server }) => ({
      name,
      description,
      parameters,
      writes,
      sends: sends && !(server && trusted.has(server.id)),
      source,
    })),
    unreachable: offers.flatMap(({ server, reason }) => (reason === null ? [] : [{ server: server.name, reason }])),
  }
}

/** The tools of MCP servers by name, of those that are there. Asks nobody when no name is given. */
export async function findMcpTools(services: Services, names: readonly string[]): Promise<Map<string, Tool>> {
  if (names.length === 0) return new Map()
  const tools = (await mcpOffers(services)).flatMap((offer) => offer.tools)
  return new Map(tools.filter(({ name }) => names.includes(name)).map((tool) => [tool.name, tool]))
}
