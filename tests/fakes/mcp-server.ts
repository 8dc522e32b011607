import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

export interface McpFakeTool {
  name: string
  description?: string
  inputSchema?: object
  annotations?: unknown
  /** The text of its result; throwing makes a result with `isError`. */
  call?(args: Record<string, unknown>): string | Promise<string>
}

export type McpTrouble = 'none' | 'silent' | 'http-500' | 'not-json' | 'huge' | 'rpc-error' | 'redirect'

export interface McpFake {
  url: string
  tools: McpFakeTool[]
  /** How it answers from now on. */
  trouble: McpTrouble
  /** Every JSON-RPC message so far, with the headers it came with. */
  messages: { method: string; params: Record<string, unknown>; headers: IncomingMessage['headers'] }[]
  /** The names of the tools that were called, in order. */
  called(): string[]
  close(): Promise<void>
}

/**
 * An MCP server over streamable HTTP on a port of this machine: initialize with a session id, tools/list by pages,
 * tools/call, answered as JSON or (`events`) as an event stream.
 */
export async function startMcpFake({
  tools = [],
  token,
  events = false,
  pageSize = 2,
}: {
  tools?: McpFakeTool[]
  /** Requests without `Authorization: Bearer …` are refused. */
  token?: string
  events?: boolean
  /** Tools a page of the list. */
  pageSize?: number
} = {}): Promise<McpFake> {
  const held = new Set<ServerResponse>()
  const server = createServer((incoming, response) => {
    void serve(incoming, response).catch((error: unknown) => response.destroy(error as Error))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  const fake: McpFake = {
    url,
    tools,
    trouble: 'none',
    messages: [],
    called: () =>
      fake.messages.filter(({ method }) => method === 'tools/call').map(({ params }) => String(params.name)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
        for (const response of held) response.destroy()
      }),
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    // There is no stream of its own accord, and sessions end by themselves.
    if (incoming.method !== 'POST') return void response.writeHead(405).end()
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const { id, method, params = {} } = JSON.parse(Buffer.concat(chunks).toString())
    fake.messages.push({ method, params, headers: incoming.headers })
    if (token && incoming.headers.authorization !== `Bearer ${token}`)
      return void response
        .writeHead(401, { 'content-type': 'text/plain' })
        .end(`no entry for ${incoming.headers.authorization}`)
    switch (fake.trouble) {
      case 'silent':
        held.add(response)
        return
      case 'http-500':
        return void response.writeHead(500).end('broken')
      case 'not-json':
        return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Hello</html>')
      case 'redirect':
        return void response.writeHead(307, { location: `${url}-elsewhere` }).end()
      case 'rpc-error':
        return answer(response, { id, error: { code: -32603, message: `internal error near Bearer ${token}` } })
      case 'huge':
        return answer(response, {
          id,
          result: { content: [{ type: 'text', text: 'x'.repeat(3 * 1024 * 1024) }], tools: [] },
        })
    }
    if (id === undefined) return void response.writeHead(202).end()
    answer(response, { id, ...(await resultOf(method, params)) })
  }

  async function resultOf(method: string, params: Record<string, unknown>): Promise<object> {
    if (method === 'initialize') {
      const { protocolVersion } = params
      const serverInfo = { name: 'fake', version: '1.0.0' }
      return { result: { protocolVersion, capabilities: { tools: { listChanged: false } }, serverInfo } }
    }
    if (method === 'tools/list') {
      const from = Number(params.cursor ?? 0)
      const page = fake.tools.slice(from, from + pageSize).map(({ call: _, inputSchema, ...tool }) => ({
        inputSchema: inputSchema ?? { type: 'object', properties: {} },
        ...tool,
      }))
      const more = from + pageSize < fake.tools.length
      return { result: { tools: page, ...(more && { nextCursor: String(from + pageSize) }) } }
    }
    if (method !== 'tools/call') return { error: { code: -32601, message: 'Method not found' } }
    const tool = fake.tools.find(({ name }) => name === params.name)
    if (!tool) return { error: { code: -32602, message: `Unknown tool: ${String(params.name)}` } }
    try {
      const text = (await tool.call?.((params.arguments ?? {}) as Record<string, unknown>)) ?? 'done'
      return { result: { content: [{ type: 'text', text }], isError: false } }
    } catch (error) {
      return { result: { content: [{ type: 'text', text: (error as Error).message }], isError: true } }
    }
  }

  function answer(response: ServerResponse, message: object): void {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    const session = { 'mcp-session-id': 'session-1' }
    if (events) {
      response.writeHead(200, { 'content-type': 'text/event-stream', ...session })
      void pause(1).then(() => response.end(`event: message\ndata: ${text}\n\n`))
    } else response.writeHead(200, { 'content-type': 'application/json', ...session }).end(text)
  }

  return fake
}
