import { createHash } from 'node:crypto'
import type { MCPClient } from '@ai-sdk/mcp'
import { truncate } from '#contract/truncate.ts'
import { withoutUnseen } from '#server/models/data-in-prompts.ts'
import { scrub } from '#server/models/scrub.ts'
import type { Services } from '#server/services.ts'
import type { McpServer } from '#server/settings.ts'
import { repairHints } from './repair-hints.ts'
import type { Tool, ToolResult } from './tool.ts'
import { getHost, toolServerId } from './tool-server-id.ts'

const listMs = 5000
const callMs = 60_000
const keptMs = 60 * 60_000
/** A server that did not answer is left alone for so long. */
const silentMs = 30_000
const mostPages = 20
const mostTools = 200
const mostAnswerBytes = 2 * 1024 * 1024
const longestName = 64

interface Offer {
  tools: Tool[]
  /** Why the server told nothing. */
  reason: string | null
  until: number
}

/** What each server offered last; one list a process, asked for on first use. */
const offers = new WeakMap<Services, Map<string, Promise<Offer>>>()

/** What each connected MCP server offers; `reason` says why it could not be read just now. Never throws. */
export async function mcpOffers(
  services: Services,
  servers: readonly McpServer[] = services.settings.mcpServers,
): Promise<{ server: McpServer; tools: Tool[]; reason: string | null }[]> {
  return Promise.all(
    servers.map(async (server) => {
      const { tools, reason } = await offerOf(services, server)
      return { server, tools, reason }
    }),
  )
}

async function offerOf(services: Services, server: McpServer): Promise<Offer> {
  const known = offers.get(services) ?? new Map<string, Promise<Offer>>()
  offers.set(services, known)
  const now = services.now().getTime()
  const before = known.get(server.name)
  const kept = await before
  if (kept && kept.until > now) return kept
  // Whoever came at the same moment asked already.
  const asked = known.get(server.name)
  if (asked && asked !== before) return asked
  const asking = askForTools(services, server).then(
    (tools): Offer => ({ tools, reason: null, until: now + keptMs }),
    (error: unknown): Offer => ({
      // What was there an hour ago is better than nothing; a call will tell.
      tools: kept?.tools ?? [],
      reason: reasonFor(error, server),
      until: now + silentMs,
    }),
  )
  known.set(server.name, asking)
  return asking
}

async function askForTools(services: Services, server: McpServer): Promise<Tool[]> {
  return withClient(services, server, AbortSignal.timeout(listMs), async (client, options) => {
    const tools: Tool[] = []
    let cursor: string | undefined
    for (let page = 0; page < mostPages && tools.length < mostTools; page += 1) {
      const answer = await client.listTools({ ...(cursor && { params: { cursor } }), options })
      for (const tool of answer.tools.map((listed) => toolOf(server, listed))) {
        const twin = tools.find(({ name }) => name === tool.name)
        // Of two with one name the first counts; if either writes or can send, a person is asked.
        if (twin) {
          twin.writes ||= tool.writes
          twin.sends ||= tool.sends
        } else tools.push(tool)
      }
      cursor = answer.nextCursor
      if (!cursor) break
    }
    return tools.slice(0, mostTools)
  })
}

type Listed = Awaited<ReturnType<MCPClient['listTools']>>['tools'][number]

function toolOf(server: McpServer, listed: Listed): Tool {
  const title = listed.title ?? listed.annotations?.title ?? listed.name
  return {
    name: nameFor(server.name, listed.name),
    description: truncate(withoutUnseen(listed.description ?? title), 2000),
    parameters: { type: 'object', ...(listed.inputSchema as Record<string, unknown>) },
    // Both have to be declared; the other hints say nothing about who has to be asked.
    writes: listed.annotations?.readOnlyHint !== true,
    sends: listed.annotations?.openWorldHint !== false,
    source: server.name,
    server: { id: toolServerId(server), name: server.name, host: getHost(server.url), tool: listed.name },
    title: () => `${truncate(withoutUnseen(title), 80)} (${server.name})`,
    // The server checks them itself, by the schema it gave.
    parse: (given) => given,
    run: ({ services, signal }, args) => callTool(services, server, listed.name, { args, signal }),
  }
}

/** `{server}__{tool}` as providers take it: letters, digits, _ and -, 64 at most; what is cut is told apart by a hash. */
export function nameFor(server: string, tool: string): string {
  const name = `${server}__${tool.replace(/[^A-Za-z0-9_-]/g, '_')}`
  if (name.length <= longestName && name === `${server}__${tool}`) return name
  const hash = createHash('sha256').update(tool).digest('hex').slice(0, 6)
  return `${name.slice(0, longestName - 7)}_${hash}`
}

async function callTool(
  services: Services,
  server: McpServer,
  name: string,
  { args, signal }: { args: unknown; signal: AbortSignal },
): Promise<ToolResult> {
  try {
    const both = AbortSignal.any([signal, AbortSignal.timeout(callMs)])
    const answer = await withClient(services, server, both, (client, options) =>
      client.callTool({ name, arguments: args as Record<string, unknown>, options }),
    )
    const text = textOf(answer)
    if ('isError' in answer && answer.isError) throw new ToolSaidNo(text || 'The tool failed without saying why.')
    return { text: text || 'The tool returned nothing.', summary: `${text.length.toLocaleString('en-US')} characters` }
  } catch (error) {
    if (error instanceof ToolSaidNo) throw new Error(error.message)
    throw new Error(`The tool server ${server.name} failed: ${reasonFor(error, server)}`)
  }
}

class ToolSaidNo extends Error {}

function textOf(answer: object): string {
  const { content, structuredContent } = answer as { content?: unknown; structuredContent?: unknown }
  const parts = Array.isArray(content) ? (content as Record<string, unknown>[]) : []
  const texts = parts.map((part) => {
    if (part.type === 'text') return String(part.text ?? '')
    const { text } = (part.resource ?? {}) as { text?: unknown }
    return typeof text === 'string' ? text : `[${String(part.type)}, not shown]`
  })
  if (texts.length > 0) return texts.join('\n')
  return structuredContent === undefined ? '' : JSON.stringify(structuredContent)
}

type RequestOptions = NonNullable<Parameters<MCPClient['listTools']>[0]>['options']

/** A client for one errand: servers come and go, and a session that was kept would have to be watched. */
async function withClient<T>(
  services: Services,
  server: McpServer,
  signal: AbortSignal,
  work: (client: MCPClient, options: RequestOptions) => Promise<T>,
): Promise<T> {
  // On first use: most installations have no tool servers.
  const { createMCPClient } = await import('@ai-sdk/mcp')
  const transport = {
    type: 'http' as const,
    url: server.url,
    headers: server.headers,
    redirect: 'error' as const,
    fetch: limited(services.modelRuntime.fetch, signal),
  }
  const client = await orAborted(
    signal,
    createMCPClient({ transport, clientName: 'keeper', initializationOptions: { signal }, onUncaughtError: () => {} }),
  )
  try {
    return await orAborted(signal, work(client, { signal }))
  } finally {
    void client.close().catch(() => undefined)
  }
}

function orAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    work.then(resolve, reject)
  })
}

/** Requests end with the errand, and no answer is read beyond what is sensible. */
function limited(given: typeof fetch, signal: AbortSignal): typeof fetch {
  return async (input, init) => {
    const both = init?.signal ? AbortSignal.any([init.signal, signal]) : signal
    const response = await given(input, { ...init, signal: both })
    if (!response.body) return response
    let bytes = 0
    const counting = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength
        if (bytes > mostAnswerBytes) controller.error(new TooLarge('The answer is larger than 2 MB.'))
        else controller.enqueue(chunk)
      },
    })
    const { status, statusText, headers } = response
    return repairHints(new Response(response.body.pipeThrough(counting), { status, statusText, headers }))
  }
}

class TooLarge extends Error {}

/** In words, without what stands in the headers. */
function reasonFor(error: unknown, { headers }: McpServer): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'It did not answer in time.'
  if (error instanceof DOMException && error.name === 'AbortError') return 'It was stopped.'
  for (let cause: unknown = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth += 1) {
    if (cause instanceof TooLarge) return cause.message
    if (/ECONNREFUSED|ENOTFOUND|fetch failed/.test(`${(cause as { code?: unknown }).code} ${cause.message}`))
      return 'It could not be reached.'
  }
  const secrets = Object.values(headers).flatMap((value) => [value, ...value.split(' ')])
  const words = error instanceof Error ? error.message : ''
  return scrub(words, { keys: secrets, privateTexts: [] }) || 'It gave no reason.'
}
