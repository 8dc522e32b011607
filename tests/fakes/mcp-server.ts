import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { AuthorizationServerFake } from './authorization-server.ts'

export interface McpFakeTool {
  name: string
  description?: string
  inputSchema?: object
  annotations?: unknown
  /** Text of the result; throwing produces a result with `isError`. */
  call?(args: Record<string, unknown>): string | Promise<string>
  /** Replaces the whole list entry. */
  listed?: unknown
  /** Replaces the result of `call`. */
  result?: unknown
  /** Progress notifications before the result, `everyMs` apart. */
  progress?: { times: number; everyMs: number }
  /** Raw events before the result. */
  eventsBefore?: string
}

export type McpFault =
  | 'none'
  | 'silent'
  | 'http-500'
  | 'not-json'
  | 'huge'
  | 'rpc-error'
  /** Redirects to the same URL with a trailing slash, which answers. */
  | 'redirect-to-slash'
  /** Redirects to another origin. */
  | 'redirect-away'
  /** Requires an OAuth sign-in. */
  | 'unauthorized'
  /** Rejects all sessions issued so far. */
  | 'forgets-session'
  /** Rejects them with an answer instead of a status. */
  | 'forgets-session-rpc'
  | 'forgets-session-text'
  | 'forgets-session-410'
  /** Ends the stream without an answer. */
  | 'breaks-off'

export interface McpFake {
  url: string
  tools: McpFakeTool[]
  fault: McpFault
  /** Every JSON-RPC message received, with its request headers. */
  messages: { method: string; params: Record<string, unknown>; headers: IncomingMessage['headers'] }[]
  /** Replaces the content type of responses. */
  contentType: string | undefined
  /** Sessions that are still open. */
  sessions: Set<string>
  /** Extra fields on each page of the tool list. */
  pageExtras: object
  /** Names of the called tools, in order. */
  calledTools(): string[]
  close(): Promise<void>
}

/**
 * An MCP server over streamable HTTP with sessions, paged tools/list and tools/call, answering as JSON or (`events`)
 * as an event stream.
 */
export async function startMcpFake({
  tools = [],
  token,
  events = false,
  pageSize = 2,
  era = 'legacy',
  authorization,
}: {
  tools?: McpFakeTool[]
  /** Requires `Authorization: Bearer …`. */
  token?: string
  events?: boolean
  /** Tools per page. */
  pageSize?: number
  /** Protocol: sessions with `initialize`, the one of 2026-07-28, or the transport of 2024-11-05. */
  era?: 'legacy' | 'modern' | 'sse'
  /** Accepts only tokens of this server and says so as RFC 9728 requires. */
  authorization?: AuthorizationServerFake
} = {}): Promise<McpFake> {
  const openResponses = new Set<ServerResponse>()
  let lastSession = 0
  let legacyStream: ServerResponse | undefined
  const server = createServer((incoming, response) => {
    void serve(incoming, response).catch((error: unknown) => response.destroy(error as Error))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  const fake: McpFake = {
    url,
    tools,
    fault: 'none',
    messages: [],
    contentType: undefined,
    sessions: new Set(),
    pageExtras: {},
    calledTools: () =>
      fake.messages.filter(({ method }) => method === 'tools/call').map(({ params }) => String(params.name)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
        for (const response of openResponses) response.destroy()
      }),
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    if (authorization && incoming.url === '/.well-known/oauth-protected-resource/mcp')
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ resource: url, authorization_servers: [authorization.url], scopes_supported: ['tools'] }))
    const session = String(incoming.headers['mcp-session-id'] ?? '')
    if (incoming.method === 'DELETE') {
      fake.sessions.delete(session)
      return void response.writeHead(200).end()
    }
    if (era === 'sse' && incoming.method === 'GET' && incoming.url === '/mcp') {
      openResponses.add(response)
      legacyStream = response
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      return void response.write('event: endpoint\ndata: /messages?session=1\n\n')
    }
    if (era === 'sse' && !incoming.url?.startsWith('/messages')) return void response.writeHead(404).end()
    // The server never opens a stream on its own.
    if (incoming.method !== 'POST') return void response.writeHead(405).end()
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const { id, method, params = {} } = JSON.parse(Buffer.concat(chunks).toString())
    fake.messages.push({ method, params, headers: incoming.headers })
    if (authorization && !authorization.accepts(incoming.headers.authorization, url)) {
      const metadata = new URL('/.well-known/oauth-protected-resource/mcp', url)
      return void response
        .writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${metadata}", scope="tools"` })
        .end()
    }
    if (token && incoming.headers.authorization !== `Bearer ${token}`)
      return void response
        .writeHead(401, { 'content-type': 'text/plain' })
        .end(`no entry for ${incoming.headers.authorization}`)
    switch (fake.fault) {
      case 'silent':
        openResponses.add(response)
        return
      case 'http-500':
        return void response.writeHead(500).end('broken')
      case 'not-json':
        return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Hello</html>')
      case 'redirect-to-slash':
        if (incoming.url?.endsWith('/')) break
        return void response.writeHead(307, { location: '/mcp/' }).end()
      case 'redirect-away':
        return void response.writeHead(308, { location: 'https://elsewhere.example/mcp?key=1' }).end()
      case 'unauthorized':
        return void response.writeHead(401, { 'www-authenticate': 'Bearer error="invalid_token"' }).end()
      case 'forgets-session':
      case 'forgets-session-410':
      case 'forgets-session-rpc':
      case 'forgets-session-text': {
        if (session === '') break
        const { fault } = fake
        fake.sessions.delete(session)
        fake.fault = 'none'
        if (fault === 'forgets-session-rpc')
          return respond(response, { id, error: { code: -32600, message: `Unknown session id '${session}'` } })
        const status = { 'forgets-session': 404, 'forgets-session-410': 410, 'forgets-session-text': 200 }[fault]
        return void response
          .writeHead(status, { 'content-type': 'application/json' })
          .end('{"error":"Session not found"}')
      }
      case 'breaks-off':
        return void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing more\n\n')
      case 'rpc-error':
        return respond(response, { id, error: { code: -32603, message: `internal error near Bearer ${token}` } })
      case 'huge':
        return respond(response, {
          id,
          result: { content: [{ type: 'text', text: 'x'.repeat(3 * 1024 * 1024) }], tools: [] },
        })
    }
    if (id === undefined) return void response.writeHead(202).end()
    if (era === 'modern' && !params._meta?.['io.modelcontextprotocol/protocolVersion'])
      return void response.writeHead(400, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          jsonrpc: '2.0',
          id,
          error: {
            code: -32022,
            message: 'Unsupported protocol version',
            data: { supported: ['2026-07-28'], requested: '' },
          },
        }),
      )
    const { progress: { times, everyMs } = { times: 0, everyMs: 0 }, eventsBefore = '' } =
      fake.tools.find(({ name }) => name === params.name) ?? {}
    if (times > 0 || eventsBefore) {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(eventsBefore)
      const { progressToken } = params._meta ?? {}
      for (let progress = 1; progress <= times; progress += 1) {
        await delay(everyMs)
        const notification = { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress } }
        if (progressToken !== undefined) response.write(`data: ${JSON.stringify(notification)}\n\n`)
      }
    }
    respond(response, { id, ...(await createResult(method, params)) })
  }

  async function createResult(method: string, params: Record<string, unknown>): Promise<object> {
    if (method === 'initialize') {
      const { protocolVersion } = params
      const serverInfo = { name: 'fake', version: '1.0.0' }
      lastSession += 1
      fake.sessions.add(`session-${lastSession}`)
      return { result: { protocolVersion, capabilities: { tools: { listChanged: false } }, serverInfo } }
    }
    if (method === 'server/discover' && era === 'modern')
      return {
        result: {
          resultType: 'complete',
          supportedVersions: ['2026-07-28'],
          capabilities: { tools: {} },
          ttlMs: 0,
          cacheScope: 'private',
        },
      }
    if (method === 'tools/list') {
      const from = params.cursor === '' ? pageSize : Number(params.cursor ?? 0)
      const page = fake.tools
        .slice(from, from + pageSize)
        .map(({ name, description, inputSchema, annotations, listed }) =>
          listed === undefined
            ? { name, description, annotations, inputSchema: inputSchema ?? { type: 'object', properties: {} } }
            : listed,
        )
      const hasMore = from + pageSize < fake.tools.length
      const listResult = { tools: page, ...(hasMore && { nextCursor: String(from + pageSize) }), ...fake.pageExtras }
      return { result: era === 'modern' ? { resultType: 'complete', ...listResult } : listResult }
    }
    if (method !== 'tools/call') return { error: { code: -32601, message: 'Method not found' } }
    const tool = fake.tools.find(({ name }) => name === params.name)
    if (!tool) return { error: { code: -32602, message: `Unknown tool: ${String(params.name)}` } }
    if (tool.result !== undefined) return { result: tool.result }
    try {
      const text = (await tool.call?.((params.arguments ?? {}) as Record<string, unknown>)) ?? 'done'
      return {
        result: {
          content: [{ type: 'text', text }],
          isError: false,
          ...(era === 'modern' && { resultType: 'complete' }),
        },
      }
    } catch (error) {
      return { result: { content: [{ type: 'text', text: (error as Error).message }], isError: true } }
    }
  }

  function respond(response: ServerResponse, message: object): void {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    if (legacyStream) {
      legacyStream.write(`event: message\ndata: ${text}\n\n`)
      return void response.writeHead(202).end('Accepted')
    }
    const sessionHeader = { 'mcp-session-id': `session-${lastSession}` }
    if (response.headersSent) {
      response.end(`event: message\ndata: ${text}\n\n`)
    } else if (events) {
      response.writeHead(200, { 'content-type': fake.contentType ?? 'text/event-stream', ...sessionHeader })
      void delay(1).then(() => response.end(`event: message\ndata: ${text}\n\n`))
    } else
      response.writeHead(200, { 'content-type': fake.contentType ?? 'application/json', ...sessionHeader }).end(text)
  }

  return fake
}
