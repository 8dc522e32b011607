import { builtInTools, type ToolDescription, type UnreachableTool } from '#contract/agents/tools.ts'
import type { Services } from '#server/services.ts'
import { runAgentTool } from './agent-tools.ts'
import { httpFetchTool } from './http-fetch.ts'
import { maxListAgeMs, mcpOffers, nameFor, sharedToolServers } from './mcp-tools.ts'
import type { Tool } from './tool.ts'
import { trustedServerIds } from './tool-servers.ts'

const ours = [runAgentTool, httpFetchTool]

export function builtInTool({ keeperMemory }: Services, name: string): Tool | undefined {
  return [...keeperMemory.tools, ...ours].find((tool) => tool.name === name)
}

/** Every name an agent's tool list may hold; of `wanted`, also those that a server has gained just now. */
export async function knownToolNames(services: Services, wanted: readonly string[] = []): Promise<string[]> {
  const names = async (fresh: boolean) => (await listTools(services, { fresh })).tools.map(({ name }) => name)
  const known = await names(false)
  return wanted.every((name) => known.includes(name)) ? known : names(true)
}

/** Every tool an agent may name, and the servers and tools that cannot be used, with the reasons. */
export async function listTools(
  services: Services,
  { fresh = false }: { fresh?: boolean } = {},
): Promise<{ tools: ToolDescription[]; unreachable: UnreachableTool[] }> {
  const servers = sharedToolServers(services)
  const [offers, trusted] = await Promise.all([
    mcpOffers(services, servers, fresh ? 0 : maxListAgeMs.editing),
    trustedServerIds(services),
  ])
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
    unreachable: offers.flatMap(({ server, reason, unusable }) => [
      ...(reason === null ? [] : [{ server: server.name, tool: null, reason }]),
      ...unusable.map(({ name, problem }) => ({ server: server.name, tool: name, reason: problem })),
    ]),
  }
}

/** The tools of MCP servers by name, and why others of these names are not there. Asks nobody when no name is given. */
export async function findMcpTools(services: Services, names: readonly string[]): Promise<FoundTools> {
  const found: FoundTools = { tools: new Map(), reasons: new Map() }
  if (names.length === 0) return found
  for (const { server, tools, unusable, reason } of await mcpOffers(services)) {
    for (const tool of tools) if (names.includes(tool.name)) found.tools.set(tool.name, tool)
    for (const { name, problem } of unusable) found.reasons.set(nameFor(server.name, name), problem)
    const missing = names.filter((name) => name.startsWith(`${server.name}__`) && !found.tools.has(name))
    for (const name of missing) if (reason) found.reasons.set(name, reason)
  }
  return found
}

interface FoundTools {
  tools: Map<string, Tool>
  reasons: Map<string, string>
}
