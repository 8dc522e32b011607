import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { FakeProvider } from '#tests/fake-providers.ts'
import { anthropicSpeech } from './anthropic-speech.ts'
import { elevenlabsSpeech, elevenlabsVoices } from './elevenlabs-speech.ts'
import { embeddingSpeech } from './embedding-speech.ts'
import { faults } from './faults.ts'
import { openaiSpeech } from './openai-speech.ts'
import { selfSignedCertificate } from './self-signed-certificate.ts'
import type { FakeToolCall, Speech } from './speech.ts'
import { togetherSpeech } from './together-speech.ts'
import { fieldOf, transcriptionSpeech } from './transcription-speech.ts'
import { promptOf, type RecordedRequest, Visit } from './visit.ts'

export type { RecordedRequest } from './visit.ts'

const speeches: Record<FakeProvider, Speech> = {
  openai: openaiSpeech,
  anthropic: anthropicSpeech,
  together: togetherSpeech,
  elevenlabs: elevenlabsSpeech,
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
  /** The second half streams once this resolves. */
  rest?: Promise<unknown>
}

export interface ProviderFake {
  /** Without the version path. */
  url: string
  baseUrl: string
  /** All requests received, in order. */
  requests: RecordedRequest[]
  /** Number of requests in flight. */
  answering(): number
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
  let answering = 0
  const handle = (incoming: IncomingMessage, response: ServerResponse) => {
    void serve(incoming, response).catch((error: unknown) => response.destroy(error as Error))
  }
  const server = options.untrustedTls ? createSecureServer(selfSignedCertificate(), handle) : createServer(handle)
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => sockets.delete(socket))
  })
  const url = `${options.untrustedTls ? 'https' : 'http'}://127.0.0.1:${await listen(server, options.port ?? 0)}`

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const own = speeches[options.provider]
    const transcribes = incoming.url?.endsWith('/audio/transcriptions') && options.provider !== 'elevenlabs'
    const embeds = incoming.url?.endsWith('/embeddings')
    const speech = transcribes
      ? transcriptionSpeech(own, options.answer !== undefined)
      : embeds
        ? embeddingSpeech(own, options.provider, () => request.body)
        : own
    answering += 1
    response.once('close', () => {
      answering -= 1
    })
    if (queue[0] === 'reset-before-body') {
      queue.shift()
      requests.push(described(incoming, ''))
      incoming.socket.resetAndDestroy()
      return
    }
    const request = described(incoming, await bodyOf(incoming))
    requests.push(request)
    const {
      stream = false,
      model,
      model_id,
    } = (request.body ?? {}) as { stream?: boolean; model?: string; model_id?: string }
    const prompt = promptOf(request.body)
    const given = (options.answer ?? plausible)(prompt, request)
    const reply: FakeReply = typeof given === 'string' ? { text: given } : given
    const answer = {
      model: model ?? model_id ?? fieldOf(request.body, 'model') ?? '',
      words: wordsOf(reply.text ?? ''),
      finish: reply.calls ? ('tool-calls' as const) : ('stop' as const),
      usage: reply.usage ?? { input: 17, output: 23 },
      ...(reply.calls && { toolCalls: reply.calls }),
    }
    const { wordDelayMs = 0, slowMs = 20 } = options
    const { rest } = reply
    const visit = new Visit({ request, response, speech, stream, answer, wordDelayMs, slowMs, url, rest })

    const scripted = queue.shift()
    const name = scripted ?? askedFor(answer.model, prompt)
    const fault = faults[name]
    if (!fault)
      return visit.whole(JSON.stringify({ error: { message: `This fake has no behavior "${name}".` } }), {}, 400)
    if (name === 'ok' && !isKnown(request, options)) return visit.fail('401')
    if (name === 'ok' && request.method === 'GET')
      return visit.whole(JSON.stringify(listAt(request.path, speech)), { 'content-type': 'application/json' })
    if (reply.afterMs) await pause(reply.afterMs)
    await fault(visit)
  }

  return {
    url,
    baseUrl: `${url}/v1`,
    requests,
    answering: () => answering,
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

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

function described({ method = '', url: path = '', headers, socket }: IncomingMessage, body: string): RecordedRequest {
  return { method, path, headers, body: body === '' ? null : parsed(body), port: socket.remotePort }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function isKnown({ headers }: RecordedRequest, { key, keyless }: FakeOptions): boolean {
  const sent = String(
    headers['x-api-key'] ?? headers['xi-api-key'] ?? headers.authorization?.replace(/^Bearer /, '') ?? '',
  )
  if (sent === '') return keyless === true
  return key === undefined ? !sent.includes('wrong') : sent === key
}

function listAt(path: string, speech: Speech): object {
  return path.includes('/voices') ? elevenlabsVoices : speech.models(path)
}

function askedFor(model: string, prompt: string): string {
  return /^fault-(.+)$/.exec(model)?.[1] ?? /\[\[fault:([\w-]+)\]\]/.exec(prompt)?.[1] ?? 'ok'
}

function plausible(prompt: string): string {
  const subject = prompt.replace(/\s+/g, ' ').trim().slice(0, 60)
  return `You asked about “${subject}”. Let me think aloud, naïvely: a café, a 🌱 garden, and one small step today. That is all.`
}

/** Splits into words with their leading space, as tokens arrive. */
function wordsOf(text: string): string[] {
  return text.match(/\s*\S+/g) ?? []
}
