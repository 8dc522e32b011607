import type { ModelSettings } from '#contract/agents/model-settings.ts'
import { bodyChunks } from './body-chunks.ts'
import { callProvider } from './call-provider.ts'
import { estimateTokens } from './estimate-tokens.ts'
import type { Exchange } from './exchange.ts'
import { defaultLimits, type ModelLimits } from './model-limits.ts'
import type { Credential, MayPayAgain, ModelEvent, ModelRuntime } from './model-request.ts'
import { baseUrlOf } from './provider-endpoint.ts'
import { type FailureContext, ownFailure, requireSendableKey } from './translate-failure.ts'
import { withRetries } from './with-retries.ts'

export interface SpeechRequest {
  settings: ModelSettings
  text: string
  voiceId: string
  credential: Credential
  signal: AbortSignal
  limits?: Partial<ModelLimits>
  mayPayAgain?: MayPayAgain
}

export interface Speech {
  /** Such as `audio/mpeg`. */
  mime: string
  bytes: Uint8Array
}

/** Half of the SDK's usual rate, still clear for a voice: 8,000 bytes for each second. */
const outputFormat = 'mp3_44100_64'
/** Spoken slowly, so many characters stay under the answer limit of 8 MB; a recording that exceeds it is paid for nothing. */
const mostCharacters = 10_000
const tooLong = `A recording holds at most ${mostCharacters.toLocaleString('en-US')} characters. Shorten the text, or have it spoken in parts.`
/** What the SDK calls whatever it is told; the real address takes its place. */
const sdkBaseUrl = 'https://api.elevenlabs.io/v1'

/**
 * Has ElevenLabs speak a text, under the same clocks, limits and retries as `runModel`. `note` is told of each
 * `attempt`, each `retry` and the `finish`.
 *
 * @throws ModelFailure
 */
export async function speak(
  runtime: ModelRuntime,
  request: SpeechRequest,
  note: (event: ModelEvent) => void = () => undefined,
): Promise<Speech> {
  const { settings, text, voiceId, credential, signal, mayPayAgain } = request
  const context: FailureContext = {
    provider: 'elevenlabs',
    secrets: { keys: credential.key ? [credential.key] : [], privateTexts: [text] },
  }
  const limits = { ...defaultLimits, ...request.limits }
  requireSendableKey(context, credential.key)
  // The voice becomes a part of the address, so it must not be able to point elsewhere.
  if (!/^[\w-]{1,64}$/.test(voiceId)) throw ownFailure(context, 'voice-missing')
  if ([...text].length > mostCharacters) throw ownFailure(context, 'request-too-large', { message: tooLong })

  let speech: Speech | undefined
  const call = { context, credential, retry: settings.retry, signal, limits, mayPayAgain }
  const events = withRetries(runtime, call, async function* (exchange) {
    speech = await recording(runtime, exchange, request)
    const usage = { input_tokens: estimateTokens(text), output_tokens: 0, estimated: true }
    yield { type: 'finish', reason: 'stop', usage }
  })
  for await (const event of events) note(event)
  if (!speech) throw ownFailure(context, 'provider-protocol')
  return speech
}

async function recording(runtime: ModelRuntime, exchange: Exchange, request: SpeechRequest): Promise<Speech> {
  const { settings, text, voiceId: voice, credential } = request
  let mime = 'audio/mpeg'
  const fetch: typeof globalThis.fetch = async (input, init = {}) => {
    const url = baseUrlOf('elevenlabs', credential) + String(input).slice(sdkBaseUrl.length)
    const response = await callProvider(runtime, exchange, { url, init, credential, type: 'audio' })
    mime = audioType(response.headers.get('content-type')) ?? mime
    const bytes = await wholeBody(response.body, exchange, mime)
    return new Response(bytes, { headers: { 'content-type': mime } })
  }
  try {
    const { createElevenLabs } = await import('@ai-sdk/elevenlabs')
    const model = createElevenLabs({ apiKey: credential.key ?? '', fetch }).speech(settings.model)
    const { audio } = await model.doGenerate({ text, voice, outputFormat, abortSignal: exchange.signal })
    return { mime, bytes: audio as Uint8Array }
  } catch (error) {
    throw exchange.failure ?? error
  }
}

/** `application/octet-stream` says nothing, so it stays what was asked for. */
function audioType(contentType: string | null): string | undefined {
  return /^audio\/[\w.+-]{1,40}/i.exec(contentType ?? '')?.[0].toLowerCase()
}

/** A page of a hotel's Wi-Fi, sent as sound, is none. */
function looksLike(mime: string, bytes: Uint8Array): boolean {
  const [first = 0, second = 0] = bytes
  const isMp3 = (first === 0xff && (second & 0xe0) === 0xe0) || Buffer.from(bytes.subarray(0, 3)).toString() === 'ID3'
  return mime === 'audio/mpeg' ? isMp3 : bytes.length > 0
}

async function wholeBody(
  body: ReadableStream<Uint8Array>,
  exchange: Exchange,
  mime: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bodyChunks(body, exchange)) {
    exchange.heard()
    chunks.push(chunk)
  }
  const bytes = Buffer.concat(chunks)
  if (!looksLike(mime, bytes)) exchange.failAs('provider-protocol')
  if (exchange.failure) throw exchange.failure
  exchange.complete = true
  return new Uint8Array(bytes)
}
