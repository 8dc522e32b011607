import type { ModelSettings } from '#contract/agents/model-settings.ts'
import { bodyChunks } from './body-chunks.ts'
import { callProvider } from './call-provider.ts'
import { estimateTokens } from './estimate-tokens.ts'
import type { Exchange } from './exchange.ts'
import { getLimits, type ModelLimits } from './model-limits.ts'
import type { Credential, MayPayAgain, ModelEvent, ModelRuntime } from './model-request.ts'
import { parseJson } from './parse-json.ts'
import { toCallUrl } from './provider-address.ts'
import { isProviderError } from './provider-error.ts'
import { getProvider } from './providers/registry.ts'
import { type FailureContext, innerFailure, ownFailure, requireSendableKey } from './translate-failure.ts'
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

/** Spoken slowly, so many characters stay under the answer limit of 8 MB; a recording that exceeds it is paid for nothing. */
const mostCharacters = 10_000
const tooLong = `A recording holds at most ${mostCharacters.toLocaleString('en-US')} characters. Shorten the text, or have it spoken in parts.`
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
  const provider = getProvider('elevenlabs')
  const context: FailureContext = {
    provider,
    secrets: { keys: credential.key ? [credential.key] : [], privateTexts: [text] },
  }
  const limits = { ...getLimits(runtime, credential, { isWhole: true }), ...request.limits }
  requireSendableKey(context, credential.key)
  // The voice becomes a part of the address, so it must not be able to point elsewhere.
  if (!/^[\w-]{1,64}$/.test(voiceId)) throw ownFailure(context, 'voice-missing')
  if ([...text].length > mostCharacters) throw ownFailure(context, 'request-too-large', { message: tooLong })

  let speech: Speech | undefined
  const call = {
    provider,
    model: settings.model,
    context,
    credential,
    retry: settings.retry,
    signal,
    limits,
    mayPayAgain,
  }
  const events = withRetries(runtime, call, async function* (exchange) {
    speech = await recording(runtime, exchange, request)
    const usage = { input_tokens: estimateTokens(text), output_tokens: 0, estimated: true }
    yield { type: 'finish', reason: 'stop', usage }
  })
  for await (const event of events) note(event)
  if (!speech) throw ownFailure(context, 'provider-protocol')
  return speech
}

async function recording(
  runtime: ModelRuntime,
  exchange: Exchange,
  { settings, text, voiceId, credential }: SpeechRequest,
): Promise<Speech> {
  const { speech, ...provider } = getProvider('elevenlabs')
  if (!speech) throw ownFailure(exchange.context, 'provider-refused')
  const response = await callProvider(runtime, exchange, {
    url: toCallUrl(provider, credential, speech.getPath(voiceId)),
    headers: { accept: 'audio/mpeg', ...provider.getHeaders(credential.key), ...credential.headers },
    body: speech.buildBody({ text, model: settings.model }),
  })
  const mime = audioType(response.headers.get('content-type')) ?? 'audio/mpeg'
  return { mime, bytes: await wholeBody(response.body, exchange, mime) }
}

/** `application/octet-stream` says nothing, so it stays what was asked for. */
function audioType(contentType: string | null): string | undefined {
  return /^audio\/[\w.+-]{1,40}/i.exec(contentType ?? '')?.[0].toLowerCase()
}

/** A page of a hotel's Wi-Fi or an error, sent as sound, is none. */
function looksLike(mime: string, bytes: Uint8Array): boolean {
  const [first = 0, second = 0] = bytes
  const isMp3 = (first === 0xff && (second & 0xe0) === 0xe0) || Buffer.from(bytes.subarray(0, 3)).toString() === 'ID3'
  return mime === 'audio/mpeg' ? isMp3 : bytes.length > 0 && !'<{['.includes(String.fromCharCode(first))
}

async function wholeBody(
  body: ReadableStream<Uint8Array>,
  exchange: Exchange,
  mime: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bodyChunks(body, exchange)) {
    exchange.receive()
    exchange.advance()
    // Nobody charges for an error or the page of a proxy.
    if (chunks.length === 0 && '<{'.includes(Buffer.from(chunk.subarray(0, 1)).toString())) exchange.answerBegan = false
    chunks.push(chunk)
  }
  const bytes = Buffer.concat(chunks)
  if (!looksLike(mime, bytes)) {
    const value = parseJson(bytes.toString())
    exchange.fail(
      isProviderError(value)
        ? innerFailure(exchange.context, value)
        : ownFailure(exchange.context, 'provider-protocol'),
    )
  }
  if (exchange.failure) throw exchange.failure
  exchange.complete = true
  return new Uint8Array(bytes)
}
