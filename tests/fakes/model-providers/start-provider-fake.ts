import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { FakeProvider } from '#tests/fake-providers.ts'
import { anthropicFormat } from './anthropic-format.ts'
import { elevenlabsFormat, elevenlabsVoices } from './elevenlabs-format.ts'
import { createEmbeddingFormat } from './embedding-format.ts'
import { faults } from './faults.ts'
import { openaiFormat } from './openai-format.ts'
import { getLastPrompt, ProviderExchange, type RecordedRequest } from './provider-exchange.ts'
import type { FakeToolCall, ProviderFormat } from './provider-format.ts'
import { createSelfSignedCertificate } from './self-signed-certificate.ts'
import { togetherFormat } from './together-format.ts'
import { createTranscriptionFormat, getMultipartField } from './transcription-format.ts'

export type { RecordedRequest } from './provider-exchange.ts'

const formats: Record<FakeProvider, ProviderFormat> = {
  openai: openaiFormat,
  anthropic: anthropicFormat,
  together: togetherFormat,
  elevenlabs: elevenlabsFormat,
}

export interface FakeOptions {
  provider: FakeProvider
  /** 0 or absent picks a free port. */
  port?: number
  /** Milliseconds between two tokens of a streamed answer. */
  wordDelayMs?: number
  /** Milliseconds between two bytes or pings of slow behaviors. */
  slowMs?: number
  /** The only accepted key; absent accepts any key without `wrong` in it. */
  key?: string
  /** Accepts requests without a key, as a local server does. */
  keyless?: boolean
  /** Serves https with an untrusted certificate. */
  untrustedTls?: boolean
  /** Defaults to an answer built from the last message. */
  answer?: (prompt: string, request: RecordedRequest) => string | FakeReply
}

export interface FakeReply {
  text?: string
  calls?: FakeToolCall[]
  usage?: { input: number; output: number }
  /** Milliseconds before the answer starts. */
  afterMs?: number
  /** A complete answer, or the second half of a streamed one, is sent once this resolves. */
  continueAfter?: Promise<unknown>
}

export interface ProviderFake {
  /** Without the version path. */
  url: string
  baseUrl: string
  /** All requests received, in order. */
  requests: RecordedRequest[]
  getInFlightCount(): number
  /** Queues behaviors (names of `faults`, or 'reset-before-body'), one per request; then `ok`. */
  script(names: string[]): void
  close(): Promise<void>
}

/**
 * A model provider on a local port. Its behavior is scripted, or chosen by the request: a model named `fault-NAME`,
 * or `[[fault:NAME]]` in the last message.
 */
export async function startProviderFake(options: FakeOptions): Promise<ProviderFake> {
  const queue: string[] = []
  const requests: RecordedRequest[] = []
  const sockets = new Set<Socket>()
  let inFlightCount = 0
  const handle = (incoming: IncomingMessage, response: ServerResponse) => {
    void serve(incoming, response).catch((error: unknown) => response.destroy(error as Error))
  }
  const server = options.untrustedTls ? createSecureServer(createSelfSignedCertificate(), handle) : createServer(handle)
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => sockets.delete(socket))
  })
  const url = `${options.untrustedTls ? 'https' : 'http'}://127.0.0.1:${await listen(server, options.port ?? 0)}`

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const providerFormat = formats[options.provider]
    const isTranscription = incoming.url?.endsWith('/audio/transcriptions') && options.provider !== 'elevenlabs'
    const isEmbedding = incoming.url?.endsWith('/embeddings')
    let format = providerFormat
    if (isTranscription) format = createTranscriptionFormat(providerFormat, options.answer !== undefined)
    else if (isEmbedding) format = createEmbeddingFormat(providerFormat, options.provider, () => request.body)
    inFlightCount += 1
    response.once('close', () => {
      inFlightCount -= 1
    })
    if (queue[0] === 'reset-before-body') {
      queue.shift()
      requests.push(recordRequest(incoming, ''))
      incoming.socket.resetAndDestroy()
      return
    }
    const request = recordRequest(incoming, await readIncomingBody(incoming))
    requests.push(request)
    const {
      stream = false,
      model,
      model_id,
    } = (request.body ?? {}) as { stream?: boolean; model?: string; model_id?: string }
    const prompt = getLastPrompt(request.body)
    const chosenAnswer = (options.answer ?? createPlausibleAnswer)(prompt, request)
    const reply: FakeReply = typeof chosenAnswer === 'string' ? { text: chosenAnswer } : chosenAnswer
    const answer = {
      model: model ?? model_id ?? getMultipartField(request.body, 'model') ?? '',
      tokens: splitIntoTokens(reply.text ?? ''),
      finish: reply.calls ? ('tool-calls' as const) : ('stop' as const),
      usage: reply.usage ?? { input: 17, output: 23 },
      ...(reply.calls && { toolCalls: reply.calls }),
    }
    const { wordDelayMs = 0, slowMs = 20 } = options
    const { continueAfter } = reply
    const exchange = new ProviderExchange({
      request,
      response,
      format,
      isStreamed: stream,
      answer,
      wordDelayMs,
      slowMs,
      url,
      continueAfter,
    })

    const faultName = queue.shift() ?? findRequestedFault(answer.model, prompt)
    const fault = faults[faultName]
    if (!fault)
      return exchange.sendBody(
        JSON.stringify({ error: { message: `This fake has no behavior "${faultName}".` } }),
        {},
        400,
      )
    if (faultName === 'ok' && !isAuthorized(request, options)) return exchange.fail('401')
    if (faultName === 'ok' && request.method === 'GET')
      return exchange.sendBody(JSON.stringify(getListing(request.path, format)), { 'content-type': 'application/json' })
    if (reply.afterMs) await delay(reply.afterMs)
    await fault(exchange)
  }

  return {
    url,
    baseUrl: `${url}/v1`,
    requests,
    getInFlightCount: () => inFlightCount,
    script: (names) => void queue.push(...names),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

async function readIncomingBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

function recordRequest(
  { method = '', url: path = '', headers, socket }: IncomingMessage,
  body: string,
): RecordedRequest {
  return { method, path, headers, body: body === '' ? null : parseJsonOrText(body), port: socket.remotePort }
}

function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function isAuthorized({ headers }: RecordedRequest, { key, keyless }: FakeOptions): boolean {
  const sentKey = String(
    headers['x-api-key'] ?? headers['xi-api-key'] ?? headers.authorization?.replace(/^Bearer /, '') ?? '',
  )
  if (sentKey === '') return keyless === true
  return key === undefined ? !sentKey.includes('wrong') : sentKey === key
}

function getListing(path: string, format: ProviderFormat): object {
  return path.includes('/voices') ? elevenlabsVoices : format.listModels(path)
}

function findRequestedFault(model: string, prompt: string): string {
  return /^fault-(.+)$/.exec(model)?.[1] ?? /\[\[fault:([\w-]+)\]\]/.exec(prompt)?.[1] ?? 'ok'
}

function createPlausibleAnswer(prompt: string): string {
  const subject = prompt.replace(/\s+/g, ' ').trim().slice(0, 60)
  return `You asked about “${subject}”. Let me think aloud, naïvely: a café, a 🌱 garden, and one small step today. That is all.`
}

/** Splits into words with their leading space, as tokens arrive. */
function splitIntoTokens(text: string): string[] {
  return text.match(/\s*\S+/g) ?? []
}
