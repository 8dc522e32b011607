import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { getProviderInfo } from '#contract/providers/registry.ts'
import { canaryKey, canaryPrompt, shortLimits } from '#tests/fakes/model-providers/run-model-to-end.ts'
import { type ProviderFake, startProviderFake } from '#tests/fakes/model-providers/start-provider-fake.ts'
import { createVirtualRuntime } from '#tests/fakes/model-providers/virtual-runtime.ts'
import { listOutcomes } from '#tests/fault-outcomes.ts'
import { resetBreakers } from './breaker.ts'
import { ModelFailure } from './model-failure.ts'
import type { ModelEvent } from './model-request.ts'
import { speak } from './speak.ts'

let fake: ProviderFake
beforeAll(async () => {
  fake = await startProviderFake({ provider: 'elevenlabs', slowMs: 5 })
})
afterAll(() => fake.close())
beforeEach(() => {
  resetBreakers()
  fake.requests.length = 0
})

const voiceId = '21m00Tcm4TlvDq8ikWAM'
const say = (
  model = 'eleven_multilingual_v2',
  changes: Partial<Parameters<typeof speak>[1]> = {},
  runtime = createVirtualRuntime(),
  onEvent?: Parameters<typeof speak>[2],
) =>
  speak(
    runtime,
    {
      settings: { ...getProviderInfo('elevenlabs').settings, model, retry: { max_retries: 2, retry_delay_ms: 100 } },
      text: canaryPrompt,
      voiceId,
      credential: { key: canaryKey, baseUrl: fake.baseUrl },
      signal: new AbortController().signal,
      limits: shortLimits,
      ...changes,
    },
    onEvent,
  )

it('a text is sent to the URL of the voice', async () => {
  const events: ModelEvent[] = []
  const { mime, bytes } = await say(undefined, {}, undefined, (event) => events.push(event))
  expect(mime).toBe('audio/mpeg')
  expect(bytes.length).toBeGreaterThan(1000)
  expect([...bytes.subarray(0, 2)]).toEqual([0xff, 0xfb])
  expect(events).toEqual([
    { type: 'attempt', number: 1 },
    {
      type: 'finish',
      reason: 'stop',
      usage: { input_tokens: Math.ceil(canaryPrompt.length / 4), output_tokens: 0, estimated: true },
    },
  ])
  expect(fake.requests[0]).toMatchObject({
    path: `/v1/text-to-speech/${voiceId}?output_format=mp3_44100_64`,
    body: { text: canaryPrompt, model_id: 'eleven_multilingual_v2' },
  })
  expect(fake.requests[0]?.headers['xi-api-key']).toBe(canaryKey)
})

it('speech is retried after a broken connection', async () => {
  fake.script(['reset-before-body'])
  const runtime = createVirtualRuntime()
  const events: string[] = []
  await say(undefined, {}, runtime, (event) => events.push(event.type))
  expect(events).toEqual(['attempt', 'retry', 'attempt', 'finish'])
  expect(runtime.waits).toEqual([100])
})

it.each(
  listOutcomes({
    'provider-refused': 'status-400 status-422',
    'provider-quota': 'status-400-credit status-402 status-429-quota',
    'request-too-large': 'status-400-context status-413',
    'key-rejected': 'status-401 status-401-permission status-403 ok-error-json echo-key',
    'voice-missing': 'status-404',
    'provider-timeout x3': 'status-408 status-504',
    'provider-busy x3': `
      status-409 status-425 status-429 status-503 status-529 retry-after-seconds retry-after-negative
      retry-after-garbage retry-after-past`,
    'provider-failed x3': 'status-500 status-502-html',
    'provider-busy': 'retry-after-day',
    'provider-protocol': `
      redirect-301 redirect-302 redirect-307 redirect-308 ok-html ok-empty html-as-promised-type no-content huge-body`,
    'provider-unreachable x3': 'reset-before-answer close-before-answer reset-after-headers body-cut',
    'provider-timeout': 'headers-never body-never',
  }),
)('%s ends as %s', async (fault, outcome) => {
  const [code, attemptCount] = outcome.split(' x')
  const attempts = Number(attemptCount ?? 1)
  const longerLimits = fault === 'huge-body' ? { firstByteMs: 5000, idleMs: 5000 } : {}
  const failure: unknown = await say(`fault-${fault}`, { limits: { ...shortLimits, ...longerLimits } }).catch(
    (error: unknown) => error,
  )
  expect(failure).toBeInstanceOf(ModelFailure)
  expect(failure).toMatchObject({ code, attempts })
  expect(fake.requests).toHaveLength(attempts)
  expect(JSON.stringify([failure, String(failure)])).not.toContain(canaryKey.slice(3, 15))
})

it.each([
  ['body-cut', true],
  ['huge-body', true],
  ['reset-after-headers', true],
  ['status-500', false],
  ['ok-error-json', false],
  ['ok-html', false],
  ['reset-before-answer', false],
])('after %s, records whether a charged answer had started: %s', async (fault, hasAnswerStarted) => {
  const settings = {
    ...getProviderInfo('elevenlabs').settings,
    model: `fault-${fault}`,
    retry: { max_retries: 0, retry_delay_ms: 100 },
  }
  const limits = { ...shortLimits, firstByteMs: 5000, idleMs: 5000 }
  await expect(say(undefined, { settings, limits })).rejects.toMatchObject({ hasAnswerStarted })
})

it('an empty first chunk does not hide that a charged recording has started', async () => {
  const chunks = [new Uint8Array(), Buffer.from('ID3 sound')]
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks.shift()
      if (chunk) controller.enqueue(chunk)
      else controller.error(new Error('cut'))
    },
  })
  const runtime = createVirtualRuntime({ fetch: async () => new Response(body) })
  const settings = { ...getProviderInfo('elevenlabs').settings, retry: { max_retries: 0, retry_delay_ms: 100 } }
  await expect(say(undefined, { settings }, runtime)).rejects.toMatchObject({ hasAnswerStarted: true })
})

it('a text too long for one recording is refused before sending', async () => {
  await expect(say(undefined, { text: '🌱'.repeat(10_001) })).rejects.toMatchObject({
    code: 'request-too-large',
    attempts: 0,
    message: 'A recording can hold at most 10,000 characters. Shorten the text or split it into parts.',
  })
  expect(fake.requests).toEqual([])
  await say(undefined, { text: '🌱'.repeat(10_000) })
})

it('a voice that would change the URL is refused', async () => {
  for (const voice of ['', '../user', 'a/b', 'x?y=1', 'é']) {
    await expect(say(undefined, { voiceId: voice })).rejects.toMatchObject({
      code: 'voice-missing',
      message: expect.stringContaining('config.voice_id'),
    })
  }
  expect(fake.requests).toEqual([])
})

it.each([
  ['audio/wav', 'audio/wav'],
  ['Audio/MPEG; rate=44100', 'audio/mpeg'],
  ['application/octet-stream', 'audio/mpeg'],
])('a recording sent as %s is treated as %s', async (sent, mime) => {
  const fetch: typeof globalThis.fetch = async () => new Response('ID3 sound', { headers: { 'content-type': sent } })
  expect((await say(undefined, {}, createVirtualRuntime({ fetch }))).mime).toBe(mime)
})
