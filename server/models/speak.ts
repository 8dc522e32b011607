import type { ModelSettings } from '#contract/agents/model-settings.ts'
import { estimateTokens } from './estimate-tokens.ts'
import { callProvider, type Exchange, readBodyChunks } from './http-exchange.ts'
import { parseJson } from './json-values.ts'
import type { ModelEvent, ModelRuntime } from './model-request.ts'
import { toCallUrl } from './provider-address.ts'
import { isProviderError } from './provider-error.ts'
import { getProvider } from './providers/registry.ts'
import { requestWholeAnswer, type WholeAnswerRequest } from './request-whole-answer.ts'
import { createFailure, toEmbeddedFailure, toFailureContext } from './translate-failure.ts'

export interface SpeechRequest extends Omit<WholeAnswerRequest, 'model' | 'retry'> {
  settings: ModelSettings
  text: string
  voiceId: string
}

export interface Speech {
  mime: string
  bytes: Uint8Array
}

/** Keeps recordings below the answer limit of 8 MB, above which they are charged and lost. */
const maxCharacters = 10_000
const tooLongText = `A recording can hold at most ${maxCharacters.toLocaleString('en-US')} characters. Shorten the text or split it into parts.`

/** The voice becomes part of the URL, so it must not change the path. */
const voiceIdPattern = /^[\w-]{1,64}$/

export async function speak(
  runtime: ModelRuntime,
  request: SpeechRequest,
  onEvent?: (event: ModelEvent) => void,
): Promise<Speech> {
  const { settings, text, voiceId, credential } = request
  const provider = getProvider('elevenlabs')
  const context = toFailureContext(provider, credential, [text])
  if (!voiceIdPattern.test(voiceId)) throw createFailure(context, 'voice-missing')
  if ([...text].length > maxCharacters) throw createFailure(context, 'request-too-large', { message: tooLongText })
  return requestWholeAnswer(
    runtime,
    { ...request, provider, context, model: settings.model, retry: settings.retry },
    async (exchange) => ({
      answer: await fetchSpeech(runtime, exchange, request),
      usage: { input_tokens: estimateTokens(text), output_tokens: 0, estimated: true },
    }),
    onEvent,
  )
}

async function fetchSpeech(
  runtime: ModelRuntime,
  exchange: Exchange,
  { settings, text, voiceId, credential }: SpeechRequest,
): Promise<Speech> {
  const { speech, ...provider } = getProvider('elevenlabs')
  if (!speech) throw createFailure(exchange.context, 'provider-refused')
  const response = await callProvider(runtime, exchange, {
    url: toCallUrl(provider, credential, speech.getPath(voiceId)),
    headers: { accept: 'audio/mpeg', ...provider.getHeaders(credential.key), ...credential.headers },
    body: speech.buildBody({ text, model: settings.model }),
  })
  const mime = readAudioType(response.headers.get('content-type')) ?? 'audio/mpeg'
  return { mime, bytes: await readAudio(response.body, exchange, mime) }
}

function readAudioType(contentType: string | null): string | undefined {
  return /^audio\/[\w.+-]{1,40}/i.exec(contentType ?? '')?.[0].toLowerCase()
}

/** HTML or JSON instead of audio. */
const startsLikeText = ([firstByte = 0]: Uint8Array) => '<{['.includes(String.fromCharCode(firstByte))

function isAudio(mime: string, bytes: Uint8Array): boolean {
  const [firstByte = 0, secondByte = 0] = bytes
  const isMp3 =
    (firstByte === 0xff && (secondByte & 0xe0) === 0xe0) || Buffer.from(bytes.subarray(0, 3)).toString() === 'ID3'
  return mime === 'audio/mpeg' ? isMp3 : bytes.length > 0 && !startsLikeText(bytes)
}

async function readAudio(
  body: ReadableStream<Uint8Array>,
  exchange: Exchange,
  mime: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  for await (const chunk of readBodyChunks(body, exchange)) {
    if (chunk.length === 0) continue
    exchange.resetSilence()
    exchange.recordProgress()
    // Errors and proxy pages aren't charged.
    if (chunks.length === 0 && startsLikeText(chunk)) exchange.hasAnswerStarted = false
    chunks.push(chunk)
  }
  const bytes = Buffer.concat(chunks)
  if (!isAudio(mime, bytes)) {
    const value = parseJson(bytes.toString())
    if (isProviderError(value)) exchange.fail(toEmbeddedFailure(exchange.context, value))
    else exchange.failAs('provider-protocol')
  }
  if (exchange.failure) throw exchange.failure
  exchange.isComplete = true
  return new Uint8Array(bytes)
}
