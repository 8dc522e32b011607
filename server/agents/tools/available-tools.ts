import * as z from 'zod/mini'
import { builtInTools, type ToolDescription, type UnavailableTool } from '#contract/agents/tools.ts'
import { safeFetch } from '#server/http/egress.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { requireRefreshQuota } from '../model-lists/list-cache.ts'
import { runAgentTool } from './agent-tools.ts'
import { defineArguments, defineTextArgument } from './arguments.ts'
import { getSharedToolServers, getToolOffers, maxListAgeMs, type ToolServerHandle, toToolName } from './mcp-tools.ts'
import { listPersonalServerHandles } from './personal/personal-tool-servers.ts'
import type { Tool } from './tool.ts'
import { fetchTrustedServerIds } from './tool-servers.ts'

const openingPunctuation = /^[("'<[“‘„«]*$/
const closingPunctuation = /^[)"'>\]”’“»*.,;:!?…]*$/

/** Whether a text contains exactly this address, not just the start of a longer one. */
export function isTypedAddress(address: string, typedText: string): boolean {
  return typedText.split(/\s+/).some((word) => {
    const index = word.indexOf(address)
    return (
      index !== -1 &&
      openingPunctuation.test(word.slice(0, index)) &&
      closingPunctuation.test(word.slice(index + address.length))
    )
  })
}

const fetchArguments = z.object({
  url: defineTextArgument('The whole address, beginning with https:// or http://.', 2000),
})

export const httpFetchTool: Tool = {
  name: 'http_fetch',
  description: 'Reads the text of a web page, a JSON document or a text file at an address. Follows no redirects.',
  ...defineArguments(fetchArguments),
  writes: false,
  // The address itself can carry text to any allowed host.
  sends: true,
  wasTypedByPerson: (typedText, args) => isTypedAddress((args as z.output<typeof fetchArguments>).url, typedText),
  source: 'keeper',
  title: (args) => `Read ${(args as z.output<typeof fetchArguments>).url.slice(0, 120)}`,
  async run({ services, signal }, args) {
    const { url } = args as z.output<typeof fetchArguments>
    const { text, type } = await safeFetch(url, { ...services.egress, hosts: services.settings.fetchHosts, signal })
    return { text: `From ${url} (${type}):\n${text}`, summary: `${text.length.toLocaleString('en-US')} characters` }
  },
}

const coreTools = [runAgentTool, httpFetchTool]

export function findBuiltInTool({ keeperMemory }: Services, name: string): Tool | undefined {
  return [...keeperMemory.tools, ...coreTools].find((tool) => tool.name === name)
}

export async function listToolNames(
  services: Services,
  person: { id: string },
  requested: readonly string[] = [],
): Promise<string[]> {
  const listNames = async (options: { fresh: boolean }) =>
    (await listTools(services, person, options)).tools.map(({ name }) => name)
  const cachedNames = await listNames({ fresh: false })
  if (requested.every((name) => cachedNames.includes(name))) return cachedNames
  return listNames({ fresh: true }).catch((error: unknown) => {
    if (error instanceof Problem && error.kind === 'too-many') return cachedNames
    throw error
  })
}

/** Previous tools stay valid, so that an unreachable tool server never blocks other edits. */
export async function findUnknownTools(
  services: Services,
  person: { id: string },
  tools: readonly string[],
  previous: readonly string[] = [],
): Promise<{ names: string[]; message: string } | undefined> {
  const addedTools = tools.filter((tool) => !previous.includes(tool))
  if (addedTools.length === 0) return undefined
  const available = await listToolNames(services, person, addedTools)
  const names = addedTools.filter((tool) => !available.includes(tool))
  if (names.length === 0) return undefined
  return { names, message: `Unknown tools: ${names.join(', ')}. Available tools: ${available.join(', ')}.` }
}

export async function listTools(
  services: Services,
  person: { id: string },
  { fresh = false }: { fresh?: boolean } = {},
): Promise<{ tools: ToolDescription[]; unreachable: UnavailableTool[] }> {
  const servers = await getToolServers(services, person.id)
  if (fresh && servers.length > 0) await requireRefreshQuota(services, person, 'tool-list-fresh')
  const [offers, trustedIds] = await Promise.all([
    getToolOffers(services, servers, fresh ? 0 : maxListAgeMs.editing),
    fetchTrustedServerIds(services),
  ])
  const builtIn = builtInTools.flatMap((name) => findBuiltInTool(services, name) ?? [])
  const offeredTools = offers.flatMap(({ tools }) => tools)
  return {
    tools: [...builtIn, ...offeredTools].map(({ name, description, parameters, writes, sends, source, server }) => ({
      name,
      description,
      parameters,
      writes,
      sends: sends && !(server && trustedIds.has(server.id)),
      source,
    })),
    unreachable: offers.flatMap(({ server, reason, unusable }) => [
      ...(reason === null ? [] : [{ server: server.name, tool: null, reason }]),
      ...unusable.map(({ name, problem }) => ({ server: server.name, tool: name, reason: problem })),
    ]),
  }
}

async function getToolServers(services: Services, personId: string | null): Promise<ToolServerHandle[]> {
  const shared = getSharedToolServers(services)
  if (personId === null) return shared
  const personal = await listPersonalServerHandles(services, personId)
  return [...shared, ...personal.filter(({ name }) => !shared.some((server) => server.name === name))]
}

/** Makes no request if `names` is empty. @param personId owner of the personal servers to include */
export async function findMcpTools(
  services: Services,
  names: readonly string[],
  personId: string | null = null,
): Promise<McpToolLookup> {
  const lookup: McpToolLookup = { tools: new Map(), reasons: new Map() }
  if (names.length === 0) return lookup
  const servers = await getToolServers(services, personId)
  const matchingServers = servers.filter(({ name }) => names.some((tool) => tool.startsWith(`${name}__`)))
  for (const { server, tools, unusable, reason } of await getToolOffers(services, matchingServers)) {
    for (const tool of tools) if (names.includes(tool.name)) lookup.tools.set(tool.name, tool)
    for (const { name, problem } of unusable) lookup.reasons.set(toToolName(server.name, name), problem)
    const missing = names.filter((name) => name.startsWith(`${server.name}__`) && !lookup.tools.has(name))
    for (const name of missing) if (reason) lookup.reasons.set(name, reason)
  }
  return lookup
}

interface McpToolLookup {
  tools: Map<string, Tool>
  reasons: Map<string, string>
}
