import { afterEach, beforeEach, expect, it } from 'vitest'
import { type FakeProvider, fakeProviders } from '#tests/fake-providers.ts'
import { canaryKey } from '#tests/fakes/model-providers/run-model-to-end.ts'
import { type ProviderFake, startProviderFake } from '#tests/fakes/model-providers/start-provider-fake.ts'
import { createVirtualRuntime } from '#tests/fakes/model-providers/virtual-runtime.ts'
import { resetBreakers } from './breaker.ts'
import { listModels, listVoices } from './list-models.ts'

let fake: ProviderFake | undefined
beforeEach(resetBreakers)
afterEach(() => fake?.close())

const { signal } = new AbortController()
const createListRequest = async (provider: FakeProvider, key: string | null = canaryKey) => {
  fake = await startProviderFake({ provider })
  return { provider, credential: { key, baseUrl: fake.baseUrl }, signal }
}

// Anthropic's default page has 20 models.
it.each<[FakeProvider, string[]]>([
  ['openai', ['gpt-4o', 'gpt-4o-mini', 'gpt-4-turbo', 'gpt-5-mini']],
  [
    'anthropic',
    [
      'claude-sonnet-4-5-20250929',
      'claude-haiku-4-5-20251001',
      'claude-3-5-haiku-20241022',
      ...Array.from({ length: 20 }, (_, index) => `claude-3-haiku-202403${index + 10}`),
    ],
  ],
  ['together', ['meta-llama/Llama-3.3-70B-Instruct-Turbo', 'mistralai/Mixtral-8x7B-Instruct-v0.1']],
  ['elevenlabs', ['eleven_multilingual_v2', 'eleven_turbo_v2_5']],
])('lists the models of %s', async (provider, names) => {
  const models = await listModels(createVirtualRuntime(), await createListRequest(provider))
  expect(models.filter(({ isForChat }) => isForChat !== false).map(({ id }) => id)).toEqual(names)
  expect(fake?.requests[0]?.path).toMatch(/^\/v1\/models/)
})

it("non-chat models of OpenAI's list are left out", async () => {
  const { baseUrl } = (await createListRequest('openai')).credential
  const fetch: typeof globalThis.fetch = (url, init) =>
    globalThis.fetch(String(url).replace('https://api.openai.com/v1', baseUrl), init)
  const models = await listModels(createVirtualRuntime({ fetch }), {
    provider: 'openai',
    credential: { key: canaryKey, baseUrl: null },
    signal,
  })
  expect(models.map(({ id }) => id)).toEqual(['gpt-4o', 'gpt-4o-mini', 'gpt-4-turbo', 'gpt-5-mini'])
})

it('lists the voices of ElevenLabs', async () => {
  expect(await listVoices(createVirtualRuntime(), await createListRequest('elevenlabs'))).toEqual([
    { id: '21m00Tcm4TlvDq8ikWAM', name: 'Rachel' },
    { id: 'pNInz6obpgDQGcFmaJgB', name: 'Adam' },
  ])
})

it.each([...fakeProviders])('%s: reports a rejected key without quoting it', async (provider) => {
  const key = 'sk-wrong-0123456789abcdef'
  const failure: unknown = await listModels(createVirtualRuntime(), await createListRequest(provider, key)).catch(
    (error: unknown) => error,
  )
  expect(failure).toMatchObject({ name: 'ModelFailure', code: 'key-rejected', status: 401 })
  expect(String(failure)).not.toContain('0123456789')
})

it.each([
  ['redirect-302', 'provider-protocol'],
  ['ok-html', 'provider-protocol'],
  ['status-503', 'provider-busy'],
  ['huge-body', 'provider-protocol'],
])('a list fails without a retry on %s', async (fault, code) => {
  const request = await createListRequest('openai')
  fake?.script([fault])
  await expect(listModels(createVirtualRuntime(), request)).rejects.toMatchObject({ code })
  expect(fake?.requests).toHaveLength(1)
})
