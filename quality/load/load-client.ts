import { Agent, type IncomingMessage, request } from 'node:http'

export interface RequestOptions {
  token?: string
  body?: unknown
  bytes?: { mime: string; data: Buffer }
  headers?: Record<string, string>
}

export interface TimedResponse {
  status: number
  text: string
  ms: number
}

export interface StreamedResponse {
  status: number
  text(): string
  /** Resolves at the end; false if the connection broke. */
  finished: Promise<boolean>
  close(): void
}

/** A cheap HTTP client: the load generator must cost less than the server. */
export class LoadClient {
  readonly #host: string
  readonly #port: string
  readonly #agent: Agent
  onResponse: ((response: TimedResponse) => void) | undefined

  constructor(address: string, maxSockets = 64) {
    const { hostname, port } = new URL(address)
    this.#host = hostname
    this.#port = port
    this.#agent = new Agent({ keepAlive: true, maxSockets, scheduling: 'fifo' })
  }

  async request(method: string, path: string, options: RequestOptions = {}): Promise<TimedResponse> {
    const startedAt = performance.now()
    const answer = await this.#send(method, path, options, this.#agent)
    let text = ''
    answer.setEncoding('utf8')
    for await (const chunk of answer) text += chunk
    const response = { status: answer.statusCode ?? 0, text, ms: performance.now() - startedAt }
    this.onResponse?.(response)
    return response
  }

  /** Uses its own connection. `onChunk` receives each chunk, which is then not stored. */
  async stream(
    method: string,
    path: string,
    options: RequestOptions = {},
    onChunk?: (chunk: string) => void,
  ): Promise<StreamedResponse> {
    const headers = { ...options.headers, accept: 'text/event-stream' }
    const answer = await this.#send(method, path, { ...options, headers }, false)
    let text = ''
    answer.setEncoding('utf8')
    answer.on('data', (chunk: string) => {
      if (onChunk) onChunk(chunk)
      else text += chunk
    })
    const finished = new Promise<boolean>((resolve) => {
      answer.once('end', () => resolve(true))
      answer.once('close', () => resolve(false))
      answer.once('error', () => resolve(false))
    })
    return { status: answer.statusCode ?? 0, text: () => text, finished, close: () => answer.destroy() }
  }

  close(): void {
    this.#agent.destroy()
  }

  #send(method: string, path: string, options: RequestOptions, agent: Agent | false): Promise<IncomingMessage> {
    const { token, body, bytes } = options
    const json = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
    const payload = bytes?.data ?? json
    const headers: Record<string, string> = { ...options.headers }
    if (token) headers.authorization = `Bearer ${token}`
    if (payload) {
      headers['content-type'] ??= bytes ? bytes.mime : 'application/json'
      headers['content-length'] = String(payload.length)
    }
    return new Promise((resolve, reject) => {
      const outgoing = request({ host: this.#host, port: this.#port, method, path, headers, agent }, resolve)
      outgoing.once('error', reject)
      outgoing.end(payload)
    })
  }
}

/** Returns the `data` of an envelope, or a bare response. Throws if it was refused. */
export function parseData<T>({ status, text }: TimedResponse): T {
  if (status !== 200) throw new Error(`refused with ${status}: ${text.slice(0, 300)}`)
  const body = JSON.parse(text) as { success?: boolean; data?: T }
  return body.success === true ? (body.data as T) : (body as T)
}
