import { afterEach, expect, it } from 'vitest'
import { type ScriptedRequest, startScriptedServer } from '#tests/fakes/model-providers/scripted-server.ts'
import { virtualRuntime } from '#tests/fakes/model-providers/virtual-runtime.ts'
import { resetBreakers } from './breaker.ts'
import { forgetListedModels } from './catalog/listed-models.ts'
import { maxInputTokens } from './context-windows.ts'
import { listModels } from './list-models.ts'
import { PriceBook } from './prices.ts'

afterEach(() => {
  resetBreakers()
  forgetListedModels()
})

/** The list of a provider whose server answers like this, and what was asked of it. */
async function list(provider: string, answer: (request: ScriptedRequest, number: number) => unknown) {
  const paths: string[] = []
  const { baseUrl } = await startScriptedServer((request) => {
    paths.push(request.path)
    return { type: 'application/json', body: JSON.stringify(answer(request, paths.length)) }
  })
  const request = { provider, credential: { key: 'sk-key', baseUrl }, signal: new AbortController().signal }
  const models = await listModels(virtualRuntime(), request as Parameters<typeof listModels>[1])
  return { models, paths, baseUrl }
}

it('takes the day of a shutdown from OpenAI, also that there is none', async () => {
  const { models } = await list('openai', () => ({
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

it('reads every page of Anthropic, with window, limits and lifecycle', async () => {
  const { models, paths, baseUrl } = await list('anthropic', ({ path }) =>
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
  expect(maxInputTokens('anthropic', { model: 'claude-next', max_tokens: 100_000 }, { baseUrl })).toBe(300_000)
  expect(maxInputTokens('anthropic', { model: 'claude-next', max_tokens: 100_000 }), 'elsewhere').toBe(75_000)
})

it('reads every page of Google, with its limits', async () => {
  const { models, paths } = await list('google', (_, number) => ({
    models: [
      {
        name: `models/gemini-${number}`,
        displayName: `Gemini ${number}`,
        inputTokenLimit: 1_048_576,
        outputTokenLimit: 65_536,
        supportedGenerationMethods: ['generateContent'],
      },
      { name: 'models/embedding', supportedGenerationMethods: ['embedContent'] },
    ],
    ...(number === 1 && { nextPageToken: 'a/b' }),
  }))
  expect(paths).toEqual(['/v1/models?pageSize=1000', '/v1/models?pageSize=1000&pageToken=a%2Fb'])
  expect(models).toEqual(
    [1, 2].map((n) => ({ id: `gemini-${n}`, name: `Gemini ${n}`, window: 1_048_576, maxOutput: 65_536 })),
  )
})

it('takes context, prices for a million tokens and parameters from OpenRouter, and its next page at the same address', async () => {
  const entry = {
    id: 'vendor/model',
    context_length: 200_000,
    pricing: { prompt: '0.0000001', completion: '0.0000005', input_cache_read: '0.00000001' },
    top_provider: { context_length: 131_072, max_completion_tokens: 8_192 },
    supported_parameters: ['temperature', 'tools', 'top_p'],
    expiration_date: '2027-02-01',
  }
  const { models, paths } = await list('openai', (_, number) =>
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
      refuses: ['frequency_penalty', 'presence_penalty'],
      price: { input: 0.1, cachedInput: 0.01, output: 0.5 },
      shutdownDate: '2027-02-01',
    },
    { id: 'vendor/auto', shutdownDate: null },
  ])
  expect(new PriceBook().find('openai', 'vendor/model')).toEqual({ input: 0.1, cachedInput: 0.01, output: 0.5 })
  expect(new PriceBook().find('openai', 'vendor/auto')).toBeNull()
})

it('takes the window of vLLM, llama.cpp, LM Studio and Groq', async () => {
  const { models } = await list('openai', () => ({
    data: [
      { id: 'vllm', max_model_len: 32_768 },
      { id: 'llama.cpp', meta: { n_ctx_train: 8192 } },
      { id: 'lm-studio', max_context_length: 4096 },
      { id: 'groq', context_window: 131_072 },
      { id: 'odd', max_model_len: 'many', meta: null },
    ],
  }))
  expect(models.map(({ window }) => window)).toEqual([32_768, 8192, 4096, 131_072, undefined])
})

it('ends with a list that has no end', async () => {
  const { paths: same } = await list('openai', () => ({ data: [{ id: 'a' }], links: { next: '/models?page=1' } }))
  expect(same.length).toBe(2)
  const { paths } = await list('openai', (_, number) => ({
    data: [{ id: `model-${number}` }],
    links: { next: `?page=${number}` },
  }))
  expect(paths.length).toBe(20)
})

it.each([
  ['{}', {}, /no list/],
  ['a list that is none', { data: 'gpt-4o' }, /no list/],
  ['an empty list', { data: [] }, /lists no models/],
  ['entries without names', { data: [{ name: 'x' }, null, 3] }, /no model that can be used/],
])('%s is a problem in words, not an empty list', async (_, answer, message) => {
  await expect(list('openai', () => answer)).rejects.toMatchObject({
    code: 'provider-protocol',
    message: expect.stringMatching(message),
  })
})
