import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface ScriptedRequest {
  path: string
  headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: the body of any API
  body: any
}

export interface ScriptedAnswer {
  status?: number
  type?: string
  headers?: Record<string, string>
  /** Sent in one piece, or piece by piece. */
  body: string | string[]
  /** Breaks the connection behind the body. */
  isCut?: boolean
}

export interface ScriptedServer {
  baseUrl: string
  requests: ScriptedRequest[]
}

/** A server on this machine that answers each request as the test says; closed with the test. */
export async function startScriptedServer(
  answer: (request: ScriptedRequest, number: number) => ScriptedAnswer | Promise<ScriptedAnswer>,
): Promise<ScriptedServer> {
  const requests: ScriptedRequest[] = []
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const request = { path: incoming.url ?? '', headers: incoming.headers, body: text === '' ? null : JSON.parse(text) }
    requests.push(request)
    const { status = 200, type = 'text/event-stream', headers, body, isCut } = await answer(request, requests.length)
    response.writeHead(status, { ...(type && { 'content-type': type }), ...headers })
    for (const piece of [body].flat())
      await new Promise<void>((resolve) => response.write(piece, () => setImmediate(resolve)))
    if (isCut) response.socket?.destroy()
    else response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests }
}

/** Each value as one event of a stream; texts as they are. */
export function toStream(...events: (object | string)[]): string {
  return events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('')
}

/** One choice of a chat completion, streamed. */
export const toChunk = (delta: object, finish_reason: string | null = null, more: object = {}) => ({
  choices: [{ index: 0, delta, finish_reason, ...more }],
})

export const usageChunk = (prompt_tokens: number, completion_tokens: number, more: object = {}) => ({
  choices: [],
  usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens, ...more },
})

/** An answer of Anthropic, each event with its name. */
export function toNamedStream(...events: ({ type: string } & Record<string, unknown>)[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
}
