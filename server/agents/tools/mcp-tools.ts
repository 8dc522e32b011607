import { createHash } from 'node:crypto'
import { LruMap } from '#contract/lru-map.ts'
import { truncate } from '#contract/truncate.ts'
import { removeInvisible } from '#server/models/data-in-prompts.ts'
import type { Services } from '#server/services.ts'
import type { McpServer } from '#server/settings/settings.ts'
import { isObject } from '#server/values/is-object.ts'
import { hourMs } from '#server/values/time-units.ts'
import { type ListedTool, maxTools, readToolPage, readToolResult, type UnusableTool } from './read-tool-server.ts'
import { withRunSession } from './run-sessions.ts'
import type { Tool, ToolResult, ToolServerIdentity } from './tool.ts'
import { ToolServerFailure } from './tool-server-failure.ts'
import {
  type ProtocolEra,
  type ToolServerConnection,
  ToolServerSession,
  withListTimeout,
} from './tool-server-session.ts'

export const maxListAgeMs = { run: hourMs, editing: 60_000 }
const failureRetryMs = 30_000
const minFreshAgeMs = 1000
const maxServers = 200
const maxPages = 20
const maxListLength = 500_000
const maxNameLength = 64

const listTooLongText = `The tools of the server exceed ${maxListLength.toLocaleString('en-US')} characters in total.`

export interface ToolServerHandle {
  /** Derived from name and address, because a new address is a different server. */
  id: string
  name: string
  host: string
  ownerId?: string
  connect(): Promise<ToolServerConnection>
}

interface ToolOffer {
  tools: Tool[]
  unusable: UnusableTool[]
  failure: ToolServerFailure | null
  era: ProtocolEra | undefined
  fetchedAt: number
}

const offersByServices = new WeakMap<Services, LruMap<string, Promise<ToolOffer>>>()

export interface ServerOffer extends Pick<ToolOffer, 'tools' | 'unusable' | 'failure'> {
  server: ToolServerHandle
  reason: string | null
}

/** Each server's tools, at most `maxAgeMs` old; 0 fetches them again. Never throws. */
export async function getToolOffers(
  services: Services,
  servers: readonly ToolServerHandle[] = getSharedToolServers(services),
  maxAgeMs = maxListAgeMs.run,
): Promise<ServerOffer[]> {
  return Promise.all(
    servers.map(async (server) => {
      const { tools, unusable, failure } = await readOffer(services, server, maxAgeMs)
      return { server, tools, unusable, failure, reason: failure?.message ?? null }
    }),
  )
}

export function getSharedToolServers(
  { settings, modelRuntime }: Services,
  servers: readonly McpServer[] = settings.mcpServers,
): ToolServerHandle[] {
  return servers.map((server) => toHandle(server, modelRuntime.fetch))
}

function toHandle(server: McpServer, fetch: typeof globalThis.fetch): ToolServerHandle {
  const { name, url, headers } = server
  return {
    id: getToolServerId(server),
    name,
    host: getHost(url),
    connect: async () => ({ url, headers, fetch, secrets: Object.values(headers) }),
  }
}

/** The address is hashed because it can hold a secret. */
export function getToolServerId({ name, url }: Pick<McpServer, 'name' | 'url'>): string {
  return createHash('sha256').update(`${name}\n${url}`).digest('hex').slice(0, 32)
}

export function getHost(url: string): string {
  return new URL(url).host
}

export function forgetOffer(services: Services, serverId: string): void {
  offersByServices.get(services)?.delete(serverId)
}

async function readOffer(services: Services, server: ToolServerHandle, maxAgeMs: number): Promise<ToolOffer> {
  const cachedOffers = offersByServices.get(services) ?? new LruMap<string, Promise<ToolOffer>>(maxServers)
  offersByServices.set(services, cachedOffers)
  const now = services.now().getTime()
  const previous = cachedOffers.get(server.id)
  const lastOffer = await previous
  if (lastOffer && now - lastOffer.fetchedAt < getMaxAgeMs(lastOffer, maxAgeMs)) return lastOffer
  const concurrentOffer = cachedOffers.get(server.id)
  if (concurrentOffer && concurrentOffer !== previous) return concurrentOffer
  const pendingOffer = fetchServerTools(services, server, lastOffer?.era).then(
    (list): ToolOffer => ({ ...list, failure: null, fetchedAt: now }),
    (error: unknown): ToolOffer => ({
      tools: lastOffer?.tools ?? [],
      unusable: lastOffer?.unusable ?? [],
      failure:
        error instanceof ToolServerFailure ? error : new ToolServerFailure('The server’s tools couldn’t be read.'),
      era: undefined,
      fetchedAt: now,
    }),
  )
  cachedOffers.set(server.id, pendingOffer)
  return pendingOffer
}

function getMaxAgeMs({ failure }: ToolOffer, maxAgeMs: number): number {
  if (maxAgeMs === 0) return minFreshAgeMs
  return failure ? failureRetryMs : maxAgeMs
}

async function fetchServerTools(
  services: Services,
  server: ToolServerHandle,
  era: ProtocolEra | undefined,
): Promise<Pick<ToolOffer, 'tools' | 'unusable' | 'era'>> {
  const neverAborted = new AbortController().signal
  return withListTimeout(services, neverAborted, async (signal) => {
    const session = await openSession(server, { signal, era })
    try {
      return { ...(await readAllPages(server, session, signal)), era: session.era }
    } finally {
      session.close()
    }
  })
}

async function readAllPages(
  server: ToolServerHandle,
  session: ToolServerSession,
  signal: AbortSignal,
): Promise<Pick<ToolOffer, 'tools' | 'unusable'>> {
  const tools = new Map<string, Tool>()
  const unusable: UnusableTool[] = []
  const seenCursors = new Set<string>()
  let cursor: string | undefined
  let totalLength = 0
  for (let page = 0; page < maxPages && tools.size + unusable.length < maxTools; page += 1) {
    const readPage = readToolPage(await session.listTools(cursor, signal), tools.size + unusable.length)
    if (!readPage) throw new ToolServerFailure('The server’s list of tools isn’t a list.')
    for (const listedTool of readPage.tools) {
      const tool = toTool(server, listedTool, session.era)
      const sameNameTool = tools.get(tool.name)
      // The first of two tools with the same name counts; permission is needed if either writes or sends.
      if (sameNameTool) mergePermissionFlags(sameNameTool, tool)
      else if (tools.size < maxTools) {
        totalLength += tool.description.length + JSON.stringify(tool.parameters).length
        if (totalLength <= maxListLength) tools.set(tool.name, tool)
        else unusable.push({ name: listedTool.name, problem: listTooLongText })
      }
    }
    unusable.push(...readPage.unusable.slice(0, maxTools - unusable.length))
    cursor = readPage.nextCursor
    if (cursor === undefined || seenCursors.has(cursor)) break
    // Many servers of the older protocols send an empty cursor on the last page.
    if (cursor === '' && session.era !== 'modern') break
    seenCursors.add(cursor)
  }
  for (const { name } of unusable) {
    const sameNameTool = tools.get(toToolName(server.name, name))
    if (sameNameTool) mergePermissionFlags(sameNameTool, { writes: true, sends: true })
  }
  return { tools: [...tools.values()], unusable }
}

function mergePermissionFlags(tool: Tool, { writes, sends }: Pick<Tool, 'writes' | 'sends'>): void {
  tool.writes ||= writes
  tool.sends ||= sends
}

function toTool(server: ToolServerHandle, listedTool: ListedTool, era: ProtocolEra): Tool {
  const { name, title, schema } = listedTool
  const identity: ToolServerIdentity = { id: server.id, name: server.name, host: server.host, tool: name }
  if (server.ownerId !== undefined) identity.isPersonal = true
  return {
    name: toToolName(server.name, name),
    description: listedTool.description,
    parameters: schema.schema,
    writes: !listedTool.isReadOnly,
    sends: !listedTool.isClosedWorld,
    source: server.name,
    server: identity,
    title: () => `${truncate(removeInvisible(title), 80)} (${server.name})`,
    // The server validates arguments against its own schema.
    parse(input) {
      if (!isObject(input ?? {})) throw new Error('The arguments must be an object.')
      const entries = Object.entries((input ?? {}) as Record<string, unknown>)
      return Object.fromEntries(entries.map(([key, value]) => [schema.originalNames.get(key) ?? key, value]))
    },
    run: ({ services, runId, signal }, args) =>
      callTool(services, server, { name, args: args as Record<string, unknown>, era, runId, signal }),
  }
}

/** `{server}__{tool}` in the format providers accept; a hash keeps shortened names unique. */
export function toToolName(server: string, tool: string): string {
  const name = `${server}__${tool.replace(/[^A-Za-z0-9_-]/g, '_')}`
  if (name.length <= maxNameLength && name === `${server}__${tool}`) return name
  const hash = createHash('sha256').update(tool).digest('hex').slice(0, 6)
  const suffix = `_${hash}`
  return name.slice(0, maxNameLength - suffix.length) + suffix
}

interface ToolRequest {
  name: string
  args: Record<string, unknown>
  era: ProtocolEra
  runId: string
  signal: AbortSignal
}

async function callTool(services: Services, server: ToolServerHandle, request: ToolRequest): Promise<ToolResult> {
  const { name, args, era, runId, signal } = request
  const limits = { ...services.settings.toolTimeouts, signal }
  const open = () => withListTimeout(services, signal, (listSignal) => openSession(server, { signal: listSignal, era }))
  let result: ReturnType<typeof readToolResult>
  try {
    const use = (session: ToolServerSession) => session.callTool(name, args, limits)
    result = readToolResult(await withRunSession(services, { runId, serverId: server.id, open, use }))
  } catch (error) {
    if (!(error instanceof ToolServerFailure)) throw error
    throw new Error(`The tool server ${server.name} failed: ${error.message}`)
  }
  const { text, isError } = result
  if (isError) throw new Error(text || 'The tool failed without saying why.')
  return { text: text || 'The tool returned nothing.', summary: `${text.length.toLocaleString('en-US')} characters` }
}

async function openSession(
  server: ToolServerHandle,
  options: { signal: AbortSignal; era: ProtocolEra | undefined },
): Promise<ToolServerSession> {
  return ToolServerSession.open(await server.connect(), options)
}
