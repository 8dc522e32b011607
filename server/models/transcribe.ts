import { callProvider, type Exchange } from './http-exchange.ts'
import { asObject } from './json-values.ts'
import type { ModelEvent, ModelRuntime, ModelUsage } from './model-request.ts'
import { toCallUrl } from './provider-address.ts'
import { getProvider } from './providers/registry.ts'
import { readJsonBody } from './read-answer.ts'
import { requestWholeAnswer, type WholeAnswerRequest } from './request-whole-answer.ts'
import { createFailure, toFailureContext } from './translate-failure.ts'

export const transcribers = ['openai', 'together'] as const
export type Transcriber = (typeof transcribers)[number]

/** Recordings are priced by the second; the ledger counts a second as this many tokens. */
export const tokensPerSecond = 20

export interface TranscriptionRequest extends WholeAnswerRequest {
  provider: Transcriber
  recording: { bytes: Uint8Array; mime: string }
}

export interface Transcription {
  text: string
  language: string | null
  seconds: number | null
}

/** Providers recognize the audio format by its file extension. */
const fileExtensions: Record<string, string> = {
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/wav': 'wav',
  'audio/webm': 'webm',
  'audio/ogg': 'ogg',
  'audio/aac': 'aac',
  'audio/flac': 'flac',
}
const defaultTimeouts = { idleMs: 300_000, noProgressMs: 300_000 }

export async function transcribe(
  runtime: ModelRuntime,
  request: TranscriptionRequest,
  onEvent?: (event: ModelEvent) => void,
): Promise<Transcription> {
  const provider = getProvider(request.provider)
  return requestWholeAnswer(
    { ...runtime, timeouts: { ...defaultTimeouts, ...runtime.timeouts } },
    { ...request, provider, context: toFailureContext(provider, request.credential) },
    async (exchange) => {
      const answer = await fetchTranscription(runtime, exchange, request)
      return { answer, usage: toTranscriptionUsage(answer) }
    },
    onEvent,
  )
}

function toTranscriptionUsage({ seconds }: Transcription): ModelUsage {
  const input_tokens = Math.ceil((seconds ?? 0) * tokensPerSecond)
  return { input_tokens, output_tokens: 0, estimated: seconds === null }
}

async function fetchTranscription(
  runtime: ModelRuntime,
  exchange: Exchange,
  { provider: id, model, recording, credential }: TranscriptionRequest,
): Promise<Transcription> {
  const { transcription, ...provider } = getProvider(id)
  if (!transcription) throw createFailure(exchange.context, 'provider-refused')
  const form = new FormData()
  const file = new Blob([new Uint8Array(recording.bytes)], { type: recording.mime })
  form.set('file', file, `recording.${fileExtensions[recording.mime] ?? 'bin'}`)
  form.set('model', model)
  // Only Whisper returns language and duration.
  form.set('response_format', /whisper/i.test(model) ? 'verbose_json' : 'json')
  const response = await callProvider(runtime, exchange, {
    url: toCallUrl(provider, credential, transcription.path),
    headers: { ...provider.getHeaders(credential.key), ...credential.headers },
    body: form,
  })
  const { text, language, duration, usage } = asObject(await readJsonBody(response, exchange))
  if (typeof text !== 'string') {
    exchange.failAs('provider-protocol')
    throw exchange.failure
  }
  exchange.isComplete = true
  const rawSeconds = duration ?? asObject(usage).seconds
  const seconds = typeof rawSeconds === 'string' ? Number(rawSeconds) : rawSeconds
  return {
    text: text.trim(),
    language: typeof language === 'string' && language !== '' ? language.slice(0, 40) : null,
    seconds: typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0 ? seconds : null,
  }
}
