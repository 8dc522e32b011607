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
  /** 0 or left out: a free one. */
  port?: number
  /** Milliseconds between two words of a streamed answer. */
  wordDelayMs?: number
  /** Milliseconds between two bytes or pings of the slow behaviours. */
  slowMs?: number
  /** The only key that is accepted; left out: any key without `wrong` in it. */
  key?: string
  /** Answer requests without a key too, as a local server does. */
  keyless?: boolean
  /** Serve https with a certificate nobody trusts. */
  untrustedTls?: boolean
  /** Made of the last message by default. */
  answer?: (prompt: string, request: RecordedRequest) => string | FakeReply
}

/** What a good answer says, calls and is counted as. */
export interface FakeReply {
  text?: string
  calls?: FakeToolCall[]
  usage?: { input: number; output: number }
  /** Milliseconds before it begins. */
  afterMs?: number
  /** Its second half is streamed once this resolves. */
  rest?: Promise<unknown>
}

export interface ProviderFake {
  /** Without the version path: a base URL is `${url}/v1`. */
  url: string
  baseUrl: string
  /** Every request so far, in order. */
  requests: RecordedRequest[]
  /** How many requests are being answered just now. */
  answering(): number
  /**
   * Queues behaviours (names of `faults`, or 'reset-before-body'), one for each coming request; `ok` after they are
   * used up.
   */
  script(names: string[]): void
  close(): Promise<void>
}

/**
 * A model provider on a port of this machine. How it behaves is scripted, or asked for by the request itself: a
 * model called `fault-NAME`, or `[[fault:NAME]]` in the last message.
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
      return visit.whole(JSON.stringify({ error: { message: `This fake knows no behaviour "${name}".` } }), {}, 400)
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

/** Words with the space before them, as tokens come. */
function wordsOf(text: string): string[] {
  return text.match(/\s*\S+/g) ?? []
}
