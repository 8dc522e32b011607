import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { getProviderInfo } from '#contract/providers/registry.ts'
import { canaryKey, canaryPrompt, shortLimits } from '#tests/fakes/model-providers/run-model-to-end.ts'
import { type ProviderFake, startProviderFake } from '#tests/fakes/model-providers/start-provider-fake.ts'
import { createVirtualRuntime } from '#tests/fakes/model-providers/virtual-runtime.ts'
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
  note?: Parameters<typeof speak>[2],
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
    note,
  )

it('sends a text to the URL of the voice', async () => {
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

it('speaks in the second attempt after a broken connection', async () => {
  fake.script(['reset-before-body'])
  const runtime = createVirtualRuntime()
  const events: string[] = []
  await say(undefined, {}, runtime, (event) => events.push(event.type))
  expect(events).toEqual(['attempt', 'retry', 'attempt', 'finish'])
  expect(runtime.waits).toEqual([100])
})

it.each<[fault: string, code: string, attempts: number]>([
  ['status-400', 'provider-refused', 1],
  ['status-400-credit', 'provider-quota', 1],
  ['status-400-context', 'request-too-large', 1],
  ['status-401', 'key-rejected', 1],
  ['status-401-permission', 'key-rejected', 1],
  ['status-402', 'provider-quota', 1],
  ['status-403', 'key-rejected', 1],
  ['status-404', 'voice-missing', 1],
  ['status-408', 'provider-timeout', 3],
  ['status-409', 'provider-busy', 3],
  ['status-413', 'request-too-large', 1],
  ['status-422', 'provider-refused', 1],
  ['status-425', 'provider-busy', 3],
  ['status-429', 'provider-busy', 3],
  ['status-429-quota', 'provider-quota', 1],
  ['status-500', 'provider-failed', 3],
  ['status-502-html', 'provider-failed', 3],
  ['status-503', 'provider-busy', 3],
  ['status-504', 'provider-timeout', 3],
  ['status-529', 'provider-busy', 3],
  ['retry-after-seconds', 'provider-busy', 3],
  ['retry-after-negative', 'provider-busy', 3],
  ['retry-after-garbage', 'provider-busy', 3],
  ['retry-after-past', 'provider-busy', 3],
  ['retry-after-day', 'provider-busy', 1],
  ['redirect-301', 'provider-protocol', 1],
  ['redirect-302', 'provider-protocol', 1],
  ['redirect-307', 'provider-protocol', 1],
  ['redirect-308', 'provider-protocol', 1],
  ['reset-before-answer', 'provider-unreachable', 3],
  ['close-before-answer', 'provider-unreachable', 3],
  ['reset-after-headers', 'provider-unreachable', 3],
  ['body-cut', 'provider-unreachable', 3],
  ['headers-never', 'provider-timeout', 1],
  ['body-never', 'provider-timeout', 1],
  ['ok-error-json', 'key-rejected', 1],
  ['ok-html', 'provider-protocol', 1],
  ['ok-empty', 'provider-protocol', 1],
  ['html-as-promised-type', 'provider-protocol', 1],
  ['no-content', 'provider-protocol', 1],
  ['huge-body', 'provider-protocol', 1],
  ['echo-key', 'key-rejected', 1],
])('%s ends as %s after %i attempts', async (fault, code, attempts) => {
  const slack = fault === 'huge-body' ? { firstByteMs: 5000, idleMs: 5000 } : {}
  const failure: unknown = await say(`fault-${fault}`, { limits: { ...shortLimits, ...slack } }).catch(
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
])('after %s, records whether a charged answer had started: %s', async (fault, answerStarted) => {
  const settings = {
    ...getProviderInfo('elevenlabs').settings,
    model: `fault-${fault}`,
    retry: { max_retries: 0, retry_delay_ms: 100 },
  }
  const limits = { ...shortLimits, firstByteMs: 5000, idleMs: 5000 }
  await expect(say(undefined, { settings, limits })).rejects.toMatchObject({ answerStarted })
})

it('refuses a text too long for one recording before sending', async () => {
  await expect(say(undefined, { text: '🌱'.repeat(10_001) })).rejects.toMatchObject({
    code: 'request-too-large',
    attempts: 0,
    message: 'A recording can hold at most 10,000 characters. Shorten the text or split it into parts.',
  })
  expect(fake.requests).toEqual([])
  await say(undefined, { text: '🌱'.repeat(10_000) })
})

it('refuses a voice that would change the URL', async () => {
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
])('treats a recording sent as %s as %s', async (sent, mime) => {
  const fetch: typeof globalThis.fetch = async () => new Response('ID3 sound', { headers: { 'content-type': sent } })
  expect((await say(undefined, {}, createVirtualRuntime({ fetch }))).mime).toBe(mime)
})
