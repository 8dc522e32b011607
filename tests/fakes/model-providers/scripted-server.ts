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
  /** A single body, or chunks sent one at a time. */
  body: string | string[]
  /** Breaks the connection after the body. */
  isCut?: boolean
}

export interface ScriptedServer {
  baseUrl: string
  requests: ScriptedRequest[]
}

/** A server that answers each request as the test scripts it; closes with the test. */
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
    for (const chunk of [body].flat())
      await new Promise<void>((resolve) => response.write(chunk, () => setImmediate(resolve)))
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

/** Formats values as server-sent events; strings stay as they are. */
export function toStream(...events: (object | string)[]): string {
  return events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('')
}

export const toChunk = (delta: object, finish_reason: string | null = null, extra: object = {}) => ({
  choices: [{ index: 0, delta, finish_reason, ...extra }],
})

export const toUsageChunk = (prompt_tokens: number, completion_tokens: number, extra: object = {}) => ({
  choices: [],
  usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens, ...extra },
})

/** An error in OpenAI's format, which most compatible services share. */
export const toRefusal = (message: string, extraFields: object = {}) => ({
  error: { message, type: 'invalid_request_error', param: null, code: null, ...extraFields },
})

/** Anthropic's stream format, with named events. */
export function toNamedStream(...events: ({ type: string } & Record<string, unknown>)[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
}
