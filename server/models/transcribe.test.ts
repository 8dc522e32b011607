import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { canaryKey, shortLimits } from '#tests/fakes/model-providers/run-model-to-end.ts'
import { type ProviderFake, startProviderFake } from '#tests/fakes/model-providers/start-provider-fake.ts'
import { getMultipartField } from '#tests/fakes/model-providers/transcription-format.ts'
import { createVirtualRuntime } from '#tests/fakes/model-providers/virtual-runtime.ts'
import { listOutcomes } from '#tests/fault-outcomes.ts'
import { resetBreakers } from './breaker.ts'
import { ModelFailure } from './model-failure.ts'
import type { ModelEvent } from './model-request.ts'
import { type TranscriptionRequest, transcribe } from './transcribe.ts'

let openai: ProviderFake
let together: ProviderFake
beforeAll(async () => {
  openai = await startProviderFake({ provider: 'openai', slowMs: 5 })
  together = await startProviderFake({ provider: 'together', slowMs: 5 })
})
afterAll(() => Promise.all([openai.close(), together.close()]))
beforeEach(() => {
  resetBreakers()
  openai.requests.length = 0
  together.requests.length = 0
})

const listen = (
  changes: Partial<TranscriptionRequest> = {},
  note?: (event: ModelEvent) => void,
  runtime = createVirtualRuntime(),
) =>
  transcribe(
    runtime,
    {
      provider: 'openai',
      model: changes.provider === 'together' ? 'openai/whisper-large-v3' : 'whisper-1',
      recording: { bytes: Buffer.from('the sound itself'), mime: 'audio/webm' },
      credential: { key: canaryKey, baseUrl: (changes.provider === 'together' ? together : openai).baseUrl },
      retry: { max_retries: 2, retry_delay_ms: 100 },
      signal: new AbortController().signal,
      limits: shortLimits,
      ...changes,
    },
    note,
  )

it.each([
  ['openai', 'whisper-1'],
  ['together', 'openai/whisper-large-v3'],
] as const)('sends %s the recording with its type once and requests %s', async (provider, model) => {
  const events: ModelEvent[] = []
  const transcription = await listen({ provider }, (event) => events.push(event))
  expect(transcription).toEqual({ text: 'I keep my word, even when nobody looks.', language: 'english', seconds: 8.47 })
  const fake = provider === 'openai' ? openai : together
  expect(fake.requests).toHaveLength(1)
  const [request] = fake.requests
  if (!request) throw new Error('nothing was sent')
  const { method, path, headers, body } = request
  expect(method).toBe('POST')
  expect(path).toBe('/v1/audio/transcriptions')
  expect(headers.authorization).toBe(`Bearer ${canaryKey}`)
  expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
  expect(getMultipartField(body, 'model')).toEqual(model)
  expect(getMultipartField(body, 'response_format')).toBe('verbose_json')
  expect(body).toContain('filename="recording.webm"')
  expect(body).toContain('the sound itself')
  expect(events.at(-1)).toEqual({
    type: 'finish',
    reason: 'stop',
    usage: { input_tokens: 170, output_tokens: 0, estimated: false },
  })
})

it.each(
  listOutcomes({
    'provider-refused': 'status-400',
    'key-rejected': 'status-401 ok-error-json echo-key',
    'provider-quota': 'status-402 status-429-quota',
    'request-too-large': 'status-413-html',
    'provider-busy x3': 'status-429 status-503',
    'provider-failed x3': 'status-500',
    'provider-protocol': 'redirect-302 redirect-307 ok-html ok-empty no-content json-cut no-choices',
    'provider-unreachable x3': 'reset-before-answer body-cut',
    'provider-timeout': 'headers-never body-never',
  }),
)('%s ends as %s', async (fault, outcome) => {
  const [code, attemptCount] = outcome.split(' x')
  const attempts = Number(attemptCount ?? 1)
  openai.script(Array(attempts).fill(fault))
  const failure: unknown = await listen().catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ModelFailure)
  expect(failure).toMatchObject({ code, attempts })
  expect(openai.requests).toHaveLength(attempts)
  expect(JSON.stringify([failure, String(failure)])).not.toContain(canaryKey.slice(3, 15))
})

it.each([
  [
    { text: ' Words. ', duration: '2.5' },
    { text: 'Words.', language: null, seconds: 2.5 },
  ],
  [{ text: '' }, { text: '', language: null, seconds: null }],
  [
    { text: 'x', duration: -1, language: '' },
    { text: 'x', language: null, seconds: null },
  ],
])('the details of a transcript are read: %j', async (answer, expected) => {
  const fetch: typeof globalThis.fetch = async () => Response.json(answer)
  expect(await listen({}, undefined, createVirtualRuntime({ fetch }))).toEqual(expected)
})
