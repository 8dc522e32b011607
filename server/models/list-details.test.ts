import { afterEach, expect, it } from 'vitest'
import { type ScriptedRequest, startScriptedServer } from '#tests/fakes/model-providers/scripted-server.ts'
import { createVirtualRuntime } from '#tests/fakes/model-providers/virtual-runtime.ts'
import { resetBreakers } from './breaker.ts'
import { forgetListedModels } from './catalog/listed-models.ts'
import { getLifecycle } from './catalog/model-lifecycle.ts'
import { getMaxInputTokens } from './context-windows.ts'
import { listModels } from './list-models.ts'
import { PriceBook } from './prices.ts'

afterEach(() => {
  resetBreakers()
  forgetListedModels()
})

async function listFrom(provider: string, answer: (request: ScriptedRequest, number: number) => unknown) {
  const paths: string[] = []
  const { baseUrl } = await startScriptedServer((request) => {
    paths.push(request.path)
    return { type: 'application/json', body: JSON.stringify(answer(request, paths.length)) }
  })
  const request = { provider, credential: { key: 'sk-key', baseUrl }, signal: new AbortController().signal }
  const models = await listModels(createVirtualRuntime(), request as Parameters<typeof listModels>[1])
  return { models, paths, baseUrl }
}

it("reads OpenAI's shutdown date, even if null", async () => {
  const { models } = await listFrom('openai', () => ({
    object: 'list',
    data: [
      { id: 'gpt-6-luna', object: 'model', created: 1, owned_by: 'system', shutdown_date: null },
      { id: 'gpt-4o', object: 'model', created: 1, owned_by: 'system', shutdown_date: '2027-01-14' },
      { id: 'gpt-9', object: 'model' },
    ],
  }))
  expect(models).toEqual([
    { id: 'gpt-6-luna', shutdownDate: null },
    { id: 'gpt-4o', shutdownDate: '2027-01-14' },
    { id: 'gpt-9' },
  ])
})

it('all pages of Anthropic are read, with window, limits and lifecycle', async () => {
  const { models, paths, baseUrl } = await listFrom('anthropic', ({ path }) =>
    path.includes('after_id')
      ? {
          data: [
            {
              type: 'model',
              id: 'claude-sonnet-4-5',
              display_name: 'Claude Sonnet 4.5',
              lifecycle: 'deprecated',
              deprecated_at: '2026-09-30T00:00:00Z',
              retires_at: '2026-11-30T00:00:00Z',
              max_input_tokens: 200_000,
              max_tokens: 64_000,
            },
          ],
          has_more: false,
          last_id: 'claude-sonnet-4-5',
        }
      : {
          data: [
            { type: 'model', id: 'claude-next', lifecycle: 'active', retires_at: null, max_input_tokens: 500_000 },
          ],
          has_more: true,
          last_id: 'claude next',
        },
  )
  expect(paths).toEqual(['/v1/models?limit=1000', '/v1/models?limit=1000&after_id=claude%20next'])
  expect(models).toEqual([
    { id: 'claude-next', window: 500_000, shutdownDate: null },
    {
      id: 'claude-sonnet-4-5',
      name: 'Claude Sonnet 4.5',
      window: 200_000,
      maxOutput: 64_000,
      shutdownDate: '2026-11-30',
      lifecycle: 'deprecated',
    },
  ])
  expect(getMaxInputTokens('anthropic', { model: 'claude-next', max_tokens: 100_000 }, { baseUrl })).toBe(300_000)
  expect(getMaxInputTokens('anthropic', { model: 'claude-next', max_tokens: 100_000 }), 'at another address').toBe(
    75_000,
  )
})

it('all pages of Google are read, with limits', async () => {
  const { models, paths } = await listFrom('google', (_, number) => ({
    models: [
      {
        name: `models/gemini-${number}`,
        displayName: `Gemini ${number}`,
        inputTokenLimit: 1_048_576,
        outputTokenLimit: 65_536,
        supportedGenerationMethods: ['generateContent'],
      },
      { name: 'models/embedding', supportedGenerationMethods: ['embedContent'] },
      { name: 'models/gemini-flash-preview-tts', supportedGenerationMethods: ['generateContent'] },
      { name: 'models/gemini-flash-native-audio-latest', supportedGenerationMethods: ['generateContent'] },
    ],
    ...(number === 1 && { nextPageToken: 'a/b' }),
  }))
  expect(paths).toEqual(['/v1/models?pageSize=1000', '/v1/models?pageSize=1000&pageToken=a%2Fb'])
  expect(models).toEqual(
    [1, 2].map((number) => ({
      id: `gemini-${number}`,
      name: `Gemini ${number}`,
      window: 1_048_576,
      maxOutput: 65_536,
    })),
  )
})

it('context, prices, parameters and the next page are read from OpenRouter', async () => {
  const entry = {
    id: 'vendor/model',
    context_length: 200_000,
    pricing: { prompt: '0.0000001', completion: '0.0000005', input_cache_read: '0.00000001' },
    top_provider: { context_length: 131_072, max_completion_tokens: 8_192 },
    supported_parameters: ['temperature', 'tools', 'top_p'],
    expiration_date: '2027-02-01',
  }
  const { models, paths } = await listFrom('openai', (_, number) =>
    number === 1
      ? { data: [entry], links: { next: 'https://elsewhere.example/api/v1/models?offset=1' } }
      : { data: [{ id: 'vendor/auto', pricing: { prompt: '-1', completion: '-1' }, expiration_date: null }] },
  )
  expect(paths).toEqual(['/v1/models', '/v1/models?offset=1'])
  expect(models).toEqual([
    {
      id: 'vendor/model',
      window: 131_072,
      maxOutput: 8_192,
      refusedSettings: ['frequency_penalty', 'presence_penalty'],
      price: { input: 0.1, cachedInput: 0.01, output: 0.5 },
      shutdownDate: '2027-02-01',
    },
    { id: 'vendor/auto', shutdownDate: null },
  ])
  expect(new PriceBook().find('openai', 'vendor/model')).toEqual({ input: 0.1, cachedInput: 0.01, output: 0.5 })
  expect(new PriceBook().find('openai', 'vendor/auto')).toBeNull()
})

it.each(['openai', 'local-service'])('the window is read from the list of a local %s server', async (provider) => {
  const { models } = await listFrom(provider, () => ({
    data: [
      { id: 'vllm', max_model_len: 32_768 },
      { id: 'llama.cpp', meta: { n_ctx: 8192, n_ctx_train: 262_144 } },
      { id: 'llama.cpp, not loaded', meta: { n_ctx_train: 262_144 } },
      { id: 'lm-studio', max_context_length: 131_072, loaded_context_length: 4096 },
      { id: 'groq', context_window: 131_072 },
      { id: 'litellm', max_input_tokens: 1_000_000, max_output_tokens: 128_000 },
      { id: 'litellm, by its details', model_info: { max_input_tokens: 16_384 } },
      { id: 'github', limits: { max_input_tokens: 65_536, max_output_tokens: 4096 } },
      { id: 'deepinfra', metadata: { context_length: 163_840, max_tokens: 16_384 } },
      { id: 'texts', context_length: 0, top_provider: { context_length: null }, context_window: '40960' },
      { id: 'odd', max_model_len: 'many', meta: null, limits: [], metadata: 3 },
    ],
  }))
  expect(models.map(({ window }) => window)).toEqual([
    32_768,
    8192,
    262_144,
    4096,
    131_072,
    1_000_000,
    16_384,
    65_536,
    163_840,
    40_960,
    undefined,
  ])
})

it('the unit of a price is inferred from its size; conditional prices are ignored', async () => {
  const { models } = await listFrom('local-service', () => [
    {
      id: 'texts for a token',
      pricing: { prompt: '0.000003', completion: '0.000015', input_cache_write: '0.00000375' },
    },
    { id: 'numbers for a token', pricing: { prompt: 0.0000025, completion: 0.00001, input_cache_read: '-1' } },
    { id: 'together', type: 'chat', pricing: { hourly: 0, input: 0.88, output: 0.9, base: 0 } },
    { id: 'deepinfra', metadata: { pricing: { input_tokens: 0.5, output_tokens: 2, cache_read_tokens: 0.1 } } },
    { id: 'litellm', model_info: { input_cost_per_token: 2e-7, output_cost_per_token: 1e-6 } },
    { id: 'free', pricing: { prompt: '0', completion: '0' } },
    { id: 'rented', type: 'chat', pricing: { hourly: 0, input: 0, output: 0 } },
    { id: 'auto', pricing: { prompt: '-1', completion: '-1' } },
    { id: 'half', pricing: { prompt: '0.000001' } },
    { id: 'odd', pricing: { prompt: 'free', completion: Number.MAX_VALUE } },
  ])
  expect(models.map(({ price }) => price)).toEqual([
    { input: 3, output: 15, cacheWrite: 3.75 },
    { input: 2.5, output: 10 },
    { input: 0.88, output: 0.9 },
    { input: 0.5, output: 2, cachedInput: 0.1 },
    { input: 0.2, output: 1 },
    { input: 0, output: 0 },
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

it.each([
  ['openai', 'text-embedding-3-small'],
  ['openai', 'gpt-transcribe'],
  ['openai', 'gpt-4o-mini-tts'],
  ['openai', 'nomic-embed-text:latest'],
  ['openai', 'snowflake-arctic-embed2'],
  ['openai', 'openai/whisper-large-v3'],
  ['together', 'BAAI/bge-reranker-v2'],
])('marks non-chat models by name: %s, %s', async (provider, id) => {
  const chats = [{ id: 'embedded-helper' }, { id: 'mixtral-8x7b-instruct' }, { id: 'ttsuki-7b' }]
  const { models } = await listFrom(provider, () => ({ data: [...chats, { id }] }))
  expect(models).toEqual([...chats, { id, isForChat: false }])
})

it('marks non-chat models by their list details', async () => {
  const { models } = await listFrom('local-service', () => ({
    data: [
      { id: 'chat', type: 'vlm', task: 'image-text-to-text' },
      { id: 'lm-studio', type: 'embeddings' },
      { id: 'groq', active: false },
      { id: 'mistral', capabilities: { completion_chat: false } },
      { id: 'azure', capabilities: { chat_completion: false, inference: true } },
      { id: 'openrouter', architecture: { output_modalities: ['image'] } },
      { id: 'github', supported_output_modalities: ['embeddings'] },
      { id: 'vercel', type: 'image' },
      { id: 'text-embedding-by-name' },
      { id: 'azureml://registries/azure-openai/models/gpt-4o/versions/2', name: 'gpt-4o', task: 'chat-completion' },
      { id: 'azureml://registries/azure-openai/models/te3/versions/1', name: 'te3', task: 'embeddings' },
      { identifier: 'house/llama', model_type: 'llm' },
    ],
  }))
  const chats = models.filter(({ isForChat }) => isForChat !== false)
  expect(chats.map(({ id }) => id)).toEqual(['chat', 'gpt-4o', 'house/llama'])
  expect(models.map(({ id }) => id)).not.toContain('groq')
})

it('shutdown date and replacement are read from Mistral and Azure', async () => {
  const { models } = await listFrom('local-service', () => ({
    data: [
      { id: 'ministral-3b', deprecation: '2026-12-31T12:00:00Z', deprecation_replacement_model: 'ministral-8b' },
      { id: 'ministral-8b', deprecation: null, deprecation_replacement_model: null },
      { id: 'azure', deprecation: { inference: 1_807_660_800, fine_tune: 1 }, lifecycle_status: 'deprecated' },
      { id: 'odd', deprecation: { inference: 1e300 }, lifecycle_status: 3 },
    ],
  }))
  expect(models).toEqual([
    { id: 'ministral-3b', shutdownDate: '2026-12-31', replacement: 'ministral-8b' },
    { id: 'ministral-8b', shutdownDate: null },
    { id: 'azure', shutdownDate: '2027-04-14', lifecycle: 'deprecated' },
    { id: 'odd' },
  ])
  const state = { models, hasDefaultHost: false }
  expect(getLifecycle('local-service', 'ministral-3b', state, new Date('2026-11-28'))).toEqual({
    status: 'deprecated',
    shutdownDate: '2026-12-31',
    replacement: 'ministral-8b',
  })
})

it('all pages of a custom service are read', async () => {
  const { paths } = await listFrom('local-service', (_, number) => ({
    data: [{ id: `model-${number}` }],
    ...(number === 1 && { links: { next: '/models?offset=1' } }),
  }))
  expect(paths).toEqual(['/v1/models', '/v1/models?offset=1'])
})

it('an endless list is cut off', async () => {
  const { paths: same } = await listFrom('openai', () => ({ data: [{ id: 'a' }], links: { next: '/models?page=1' } }))
  expect(same.length).toBe(2)
  const { paths } = await listFrom('openai', (_, number) => ({
    data: [{ id: `model-${number}` }],
    links: { next: `?page=${number}` },
  }))
  expect(paths.length).toBe(20)
})

it.each([
  ['{}', {}, /without a list/],
  ['an invalid list', { data: 'gpt-4o' }, /without a list/],
  ['an empty list', { data: [] }, /lists no models/],
  ['entries without names', { data: [{ name: 'x' }, null, 3] }, /any model that Keeper can use/],
])('%s is reported as a problem, not an empty list', async (_, answer, message) => {
  await expect(listFrom('openai', () => answer)).rejects.toMatchObject({
    code: 'provider-protocol',
    message: expect.stringMatching(message),
  })
})

it.each([
  ['a missing page', { status: 404, body: '404 page not found' }],
  ['an error of LM Studio', { body: '{"error":"Unexpected endpoint or method. (GET /v1/v1/models)"}' }],
])('%s instead of a list suggests typing the name', async (_, answer) => {
  const { baseUrl } = await startScriptedServer(() => ({ type: 'application/json', ...answer }))
  const request = {
    provider: 'openai',
    credential: { key: 'sk-key', baseUrl },
    signal: new AbortController().signal,
  } as const
  await expect(listModels(createVirtualRuntime(), request)).rejects.toMatchObject({
    code: 'provider-not-found',
    message:
      'OpenAI has no model list at this address. Check its base address, which usually ends in /v1. If chats work, type the model name.',
  })
})
