import type { ModelSettings } from '#contract/agents/model-settings.ts'
import { callProvider } from './call-provider.ts'
import type { Exchange } from './exchange.ts'
import { asObject } from './json-values.ts'
import { getLimits, type ModelLimits } from './model-limits.ts'
import type { Credential, MayPayAgain, ModelEvent, ModelRuntime } from './model-request.ts'
import { toCallUrl } from './provider-address.ts'
import { getProvider } from './providers/registry.ts'
import { readJsonBody } from './read-answer.ts'
import { type FailureContext, ownFailure, requireSendableKey } from './translate-failure.ts'
import { withRetries } from './with-retries.ts'

/** Those who write recordings down. */
export const transcribers = ['openai', 'together'] as const
export type Transcriber = (typeof transcribers)[number]

/** Recordings are sold by the second; in the ledger, which knows tokens, a second is so many. */
export const tokensPerSecond = 20

export interface TranscriptionRequest {
  provider: Transcriber
  model: string
  recording: { bytes: Uint8Array; mime: string }
  credential: Credential
  retry: ModelSettings['retry']
  signal: AbortSignal
  limits?: Partial<ModelLimits>
  mayPayAgain?: MayPayAgain
}

export interface Transcription {
  text: string
  /** As the provider calls it, such as `english`; null where it does not say. */
  language: string | null
  /** null where the provider does not say. */
  seconds: number | null
}

/** Providers tell the kind of a recording by the end of its name. */
const endings: Record<string, string> = {
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/wav': 'wav',
  'audio/webm': 'webm',
  'audio/ogg': 'ogg',
  'audio/aac': 'aac',
  'audio/flac': 'flac',
}
/** A long recording comes back whole: the first byte of its answer is as late as its last. */
const patience = { idleMs: 300_000, wallMs: 300_000 }

/**
 * Has a provider write a recording down, under the same clocks, limits and retries as `runModel`. `note` is told of each
 * `attempt`, each `retry` and the `finish`.
 *
 * @throws ModelFailure
 */
export async function transcribe(
  runtime: ModelRuntime,
  request: TranscriptionRequest,
  note: (event: ModelEvent) => void = () => undefined,
): Promise<Transcription> {
  const { model, credential, retry, signal, mayPayAgain } = request
  const provider = getProvider(request.provider)
  const context: FailureContext = {
    provider,
    secrets: { keys: credential.key ? [credential.key] : [], privateTexts: [] },
  }
  const limits = {
    ...getLimits({ timeouts: { ...patience, ...runtime.timeouts } }, credential, { isWhole: true }),
    ...request.limits,
  }
  requireSendableKey(context, credential.key)
  let transcription: Transcription | undefined
  const call = {
    provider,
    model,
    context,
    credential,
    retry,
    signal,
    limits,
    mayPayAgain,
  }
  const events = withRetries(runtime, call, async function* (exchange) {
    transcription = await written(runtime, exchange, request)
    yield { type: 'finish', reason: 'stop', usage: usageOf(transcription) }
  })
  for await (const event of events) note(event)
  if (!transcription) throw ownFailure(context, 'provider-protocol')
  return transcription
}

function usageOf({ seconds }: Transcription) {
  const input_tokens = Math.ceil((seconds ?? 0) * tokensPerSecond)
  return { input_tokens, output_tokens: 0, estimated: seconds === null }
}

async function written(
  runtime: ModelRuntime,
  exchange: Exchange,
  { provider: id, model, recording, credential }: TranscriptionRequest,
): Promise<Transcription> {
  const provider = getProvider(id)
  const form = new FormData()
  const file = new Blob([new Uint8Array(recording.bytes)], { type: recording.mime })
  form.set('file', file, `recording.${endings[recording.mime] ?? 'bin'}`)
  form.set('model', model)
  // Only Whisper says language and length itself.
  form.set('response_format', /whisper/i.test(model) ? 'verbose_json' : 'json')
  const response = await callProvider(runtime, exchange, {
    url: toCallUrl(provider, credential, '/audio/transcriptions'),
    headers: { ...provider.getHeaders(credential.key), ...credential.headers },
    body: form,
  })
  const { text, language, duration, usage } = asObject(await readJsonBody(response, exchange))
  if (typeof text !== 'string') {
    exchange.failAs('provider-protocol')
    throw exchange.failure
  }
  exchange.complete = true
  // Some send the duration as a text.
  const length = duration ?? asObject(usage).seconds
  const seconds = typeof length === 'string' ? Number(length) : length
  return {
    text: text.trim(),
    language: typeof language === 'string' && language !== '' ? language.slice(0, 40) : null,
    seconds: typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0 ? seconds : null,
  }
}
