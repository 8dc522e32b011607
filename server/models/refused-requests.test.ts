import { beforeEach, describe, expect, it } from 'vitest'
import { runModelToEnd } from '#tests/fakes/model-providers/run-model-to-end.ts'
import { startScriptedServer, toChunk, toRefusal, toStream } from '#tests/fakes/model-providers/scripted-server.ts'
import { resetBreakers } from './breaker.ts'

beforeEach(resetBreakers)

const createGoogleError = (code: number, message: string, fields: object) => [{ error: { code, message, ...fields } }]

const unavailableModels: [what: string, status: number, message: string, fields?: object][] = [
  [
    'a model that Groq decommissioned',
    400,
    'The model `old` has been decommissioned.',
    { code: 'model_decommissioned' },
  ],
  ['a model without a host on OpenRouter', 404, 'No endpoints found for vendor/old:free.', { code: 404 }],
  ['a name unknown to OpenRouter', 400, 'vendor/old is not a valid model ID', { code: 400 }],
  ["DeepSeek's error for an unknown model", 400, 'Model Not Exist', { code: 'invalid_request_error' }],
  ["GitHub's error for an unknown model", 400, 'Unknown model: old', { code: 'unknown_model' }],
  [
    'a model that Together only rents out',
    400,
    'Unable to access non-serverless model old. Start an endpoint for it.',
    { code: 'invalid_request_error' },
  ],
  ['a missing deployment', 404, 'The API deployment does not exist for this resource.', { code: 'DeploymentNotFound' }],
  ['a deployment that cannot chat', 400, 'The operation does not work with old.', { code: 'OperationNotSupported' }],
  [
    'a model that cannot chat',
    404,
    'This model answers on another endpoint, v1/completions.',
    { param: 'model', code: null },
  ],
  ['a model that is retired', 410, 'This model has been retired.'],
]

const textsTooLong: [dialect: string, status: number, answer: object][] = [
  [
    'xAI',
    400,
    {
      code: 'invalid argument',
      error: "This model's maximum prompt length is 131072 but the request has 537812 tokens.",
    },
  ],
  ['Moonshot', 400, toRefusal('Your request exceeded model token limit: 131072 (requested: 140000)')],
  ['Z.AI', 400, { error: { code: '1261', message: 'Prompt too long' } }],
  ['Zhipu', 400, { error: { code: '1261', message: 'Prompt exceeds max length' } }],
  ['vLLM', 400, toRefusal('The decoder prompt (length 5000) is longer than the maximum model length of 4096.')],
  ['Anthropic', 400, toRefusal('input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000')],
  ['Copilot', 400, toRefusal('prompt token count of 135557 exceeds the limit of 128000')],
  ['Qwen', 400, toRefusal('Range of input length should be [1, 129024]')],
  ['Bedrock', 400, { Message: 'Input is too long for requested model.' }],
  ['GitHub Models', 413, toRefusal('Request body too large. Max size: 8000 tokens.', { code: 'tokens_limit_reached' })],
  ['Ollama', 500, toRefusal('input length exceeds maximum context length', { type: 'api_error' })],
  ['LM Studio within its answer', 200, { error: { message: 'The model has a context length of only 4096 tokens.' } }],
  [
    'llama.cpp within its answer',
    200,
    { error: { code: 500, type: 'server_error', message: 'the request exceeds the available context size' } },
  ],
]

const upstreamCause = (raw: string) => ({
  error: { message: 'Provider returned error', code: 400, metadata: { raw, provider_name: 'Crucible' } },
})

describe('a refused request', () => {
  it.each(textsTooLong)('is too long in the dialect of %s', async (_, status, answer) => {
    for (const stream of [true, false]) {
      const body = stream && status === 200 ? toStream(answer) : JSON.stringify(answer)
      const server = await startScriptedServer(() => ({ status, body }))
      const result = await runModelToEnd({ provider: 'openai', baseUrl: server.baseUrl, stream })
      expect(result).toMatchObject({ outcome: 'context-too-long', attempts: 1 })
    }
  })

  it.each<[what: string, status: number, answer: object, outcome: string, says: string]>([
    [
      'the text of its cause',
      400,
      upstreamCause('It allows at most 1 image per prompt.'),
      'provider-refused',
      'at most 1 image',
    ],
    [
      'the JSON of its cause',
      400,
      upstreamCause(JSON.stringify(toRefusal('Too long.', { code: 'context_length_exceeded' }))),
      'context-too-long',
      'Too long.',
    ],
    [
      'a message that is an object',
      422,
      {
        object: 'error',
        message: { detail: [{ loc: ['body', 'messages', 3], msg: 'Extra inputs are not permitted' }] },
      },
      'provider-refused',
      'Extra inputs are not permitted',
    ],
    [
      'the fields of Baidu',
      400,
      { error_code: 336003, error_msg: 'odd number expected' },
      'provider-refused',
      'odd number',
    ],
    ['the fields of Bedrock', 400, { Message: 'Malformed input.' }, 'provider-refused', 'Malformed input.'],
    [
      'the fields of ASP.NET',
      400,
      { title: 'Validation failed.', errors: { $: [] } },
      'provider-refused',
      'Validation',
    ],
    [
      "vLLM's older fields",
      200,
      { object: 'error', message: 'Engine lost.', code: 500 },
      'provider-failed',
      'Engine lost.',
    ],
    [
      "MiniMax's balance",
      200,
      { choices: null, base_resp: { status_code: 1008, status_msg: 'insufficient balance' } },
      'provider-quota',
      'insufficient balance',
    ],
    [
      "Z.AI's success: false",
      200,
      { code: 401, msg: 'token expired', success: false },
      'key-rejected',
      'token expired',
    ],
    [
      "Cloudflare's list of errors",
      200,
      { success: false, errors: [{ code: 7009, message: 'Upstream is down' }], result: null },
      'provider-failed',
      'Upstream is down',
    ],
  ])('is quoted with %s', async (_, status, answer, outcome, quote) => {
    for (const stream of [true, false]) {
      const body = stream && status === 200 ? toStream(answer, '[DONE]') : JSON.stringify(answer)
      const server = await startScriptedServer(() => ({ status, body }))
      const { failure } = await runModelToEnd({ provider: 'openai', baseUrl: server.baseUrl, stream, maxRetries: 0 })
      expect(failure?.code).toBe(outcome)
      expect(failure?.message).toContain(quote)
    }
  })

  const exhausted = { status: 'RESOURCE_EXHAUSTED' }
  const inTwelveSeconds = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '12s' }]
  it.each([
    ['Rate limit reached. Please try again in 644ms.', 644],
    ['Rate limit reached. Please try again in 5.289s. Visit the console.', 5289],
    ['Please retry after 25 seconds.', 25_000],
    ['Please try again in 1m30.5s.', 90_500],
    ['Please try again in 2h3m1s.', 7_381_000],
    ['Please try again in 6m0s.', 360_000],
    ['Please try again in a moment.', undefined],
    ['Try again in 3 messages.', undefined],
  ])('is retried when its text says: %s', async (message, retryAfterMs) => {
    const error = { error: { message, code: 'rate_limit_exceeded' } }
    for (const status of [200, 429]) {
      const body = status === 200 ? toStream(error) : JSON.stringify(error)
      const server = await startScriptedServer(() => ({ status, body }))
      const { failure } = await runModelToEnd({ provider: 'openai', baseUrl: server.baseUrl, maxRetries: 0 })
      expect(failure).toMatchObject({ code: 'provider-busy', retryAfterMs })
    }
  })

  it('is quoted if the answer is only a message', async () => {
    const body = JSON.stringify({ message: 'no Route matched' })
    const server = await startScriptedServer(() => ({ body }))
    const { failure } = await runModelToEnd({ provider: 'openai', baseUrl: server.baseUrl, maxRetries: 0 })
    expect(failure).toMatchObject({ code: 'provider-failed', message: expect.stringContaining('no Route matched') })
  })

  it.each<[what: string, status: number, answer: object | string, outcome: string, says: RegExp]>([
    [
      'a list that contains a key error',
      400,
      createGoogleError(400, 'The API key is not valid.', { status: 'INVALID_ARGUMENT' }),
      'key-rejected',
      /The API key is not valid\./,
    ],
    [
      'a list that contains a quota error',
      429,
      createGoogleError(429, 'You exceeded your current quota.', exhausted),
      'provider-quota',
      /current quota/,
    ],
    [
      'a per-minute quota that says when it resets',
      429,
      createGoogleError(429, 'You exceeded your current quota. Please retry in 12s.', {
        ...exhausted,
        details: inTwelveSeconds,
      }),
      'provider-busy x3',
      /try again in 12 seconds/,
    ],
    ['a missing page', 404, '404 page not found', 'provider-not-found', /ends in \/v1/],
    ['HTML', 404, '<html>No model here</html>', 'provider-not-found', /ends in \/v1/],
    [
      'an unknown URL',
      404,
      toRefusal('Unknown request URL: POST /chat/completions.', { code: 'unknown_url' }),
      'provider-not-found',
      /ends in \/v1.*Unknown request URL/,
    ],
    ['a method that is not allowed', 405, 'Method Not Allowed', 'provider-not-found', /Method Not Allowed/],
    [
      'a missing model',
      404,
      { error: 'model "llama9" not found, try pulling it first' },
      'model-not-found',
      /Choose another model/,
    ],
    [
      "Anthropic's error for a missing model",
      404,
      { type: 'error', error: { type: 'not_found_error', message: 'model: bad model' } },
      'model-not-found',
      /Choose another model/,
    ],
    ['plain text of a proxy', 400, 'upstream said no', 'provider-refused', /upstream said no/],
  ])('a refused request with %s', async (_, status, answer, outcome, pattern) => {
    const server = await startScriptedServer(() => {
      if (typeof answer !== 'string') return { status, type: 'application/json', body: JSON.stringify(answer) }
      return { status, type: answer.startsWith('<') ? 'text/html' : 'text/plain', body: answer }
    })
    const result = await runModelToEnd({ provider: 'openai', baseUrl: server.baseUrl })
    expect(result.attempts === 1 ? result.outcome : `${result.outcome} x${result.attempts}`).toBe(outcome)
    expect(result.failure?.message).toMatch(pattern)
  })

  it.each(unavailableModels)('because of %s names the model as the cause', async (_, status, message, fields) => {
    const body = JSON.stringify({ error: { message, ...fields } })
    const server = await startScriptedServer(() => ({ status, type: 'application/json', body }))
    const result = await runModelToEnd({ provider: 'openai', baseUrl: server.baseUrl })
    expect(result.outcome).toBe('model-not-found')
    expect(result.attempts).toBe(1)
    expect(result.failure?.message).toMatch(/Choose another model/)
  })

  it('is not sent without a model', async () => {
    const server = await startScriptedServer(() => ({ status: 500, body: '' }))
    const result = await runModelToEnd({ provider: 'openai', model: '', baseUrl: server.baseUrl })
    expect(result.outcome).toBe('model-not-found')
    expect(server.requests.length).toBe(0)
    expect(result.failure?.message).toBe('No model is chosen. Choose one in the agent’s form.')
  })
})

describe('a base address', () => {
  it.each([
    ['?api-version=2024-10-21', '/v1/chat/completions?api-version=2024-10-21'],
    ['/?api-version=2024-10-21', '/v1/chat/completions?api-version=2024-10-21'],
    ['/', '/v1/chat/completions'],
  ])('ending in %s puts the path before the query', async (suffix, path) => {
    const server = await startScriptedServer(() => ({
      body: toStream(toChunk({ content: 'Yes.' }), toChunk({}, 'stop')),
    }))
    expect((await runModelToEnd({ provider: 'openai', baseUrl: server.baseUrl + suffix })).outcome).toBe('ok:stop')
    expect(server.requests[0]?.path).toBe(path)
  })
})

describe('the tokens of an answer', () => {
  it.each<[what: string, usage: object, counts: object]>([
    [
      'cached input',
      {
        prompt_tokens: 10_000,
        completion_tokens: 100,
        total_tokens: 10_100,
        prompt_tokens_details: { cached_tokens: 9000 },
      },
      { input_tokens: 10_000, output_tokens: 100, cached_tokens: 9000 },
    ],
    [
      'thoughts counted only in the total',
      {
        prompt_tokens: 12,
        completion_tokens: 1,
        total_tokens: 303,
        completion_tokens_details: { reasoning_tokens: 290 },
      },
      { input_tokens: 12, output_tokens: 291 },
    ],
    [
      'thoughts counted in the completion',
      {
        prompt_tokens: 12,
        completion_tokens: 300,
        total_tokens: 312,
        completion_tokens_details: { reasoning_tokens: 290 },
      },
      { input_tokens: 12, output_tokens: 300 },
    ],
    [
      'the field names of DeepSeek',
      {
        prompt_tokens: 20,
        completion_tokens: 5,
        total_tokens: 25,
        prompt_cache_hit_tokens: 16,
        prompt_cache_miss_tokens: 4,
      },
      { input_tokens: 20, output_tokens: 5, cached_tokens: 16 },
    ],
  ])('the token counts of an answer with %s', async (_, usage, counts) => {
    const server = await startScriptedServer(() => ({
      body: toStream(toChunk({ content: 'Yes.' }), toChunk({}, 'stop'), { choices: [], usage }, '[DONE]'),
    }))
    const { finish } = await runModelToEnd({ provider: 'openai', baseUrl: server.baseUrl })
    expect(finish?.usage).toEqual({ ...counts, estimated: false })
  })

  it('are read from a choice and from texts', async () => {
    const usage = { prompt_tokens: '40', completion_tokens: 7 }
    const server = await startScriptedServer(() => ({
      body: toStream(toChunk({ content: 'Yes.' }), toChunk({}, 'stop', { usage }), '[DONE]'),
    }))
    const { finish } = await runModelToEnd({ provider: 'openai', baseUrl: server.baseUrl })
    expect(finish?.usage).toEqual({ input_tokens: 40, output_tokens: 7, estimated: false })
  })

  it('use the last chunk’s running counts', async () => {
    const createChunk = (text: string, completion_tokens: number) => ({
      ...toChunk({ content: text }),
      usage: { prompt_tokens: 10, completion_tokens, total_tokens: 10 + completion_tokens },
    })
    const server = await startScriptedServer(() => ({
      body: toStream(createChunk('a', 1), createChunk('b', 2), toChunk({}, 'stop')),
    }))
    const { finish } = await runModelToEnd({ provider: 'openai', baseUrl: server.baseUrl })
    expect(finish?.usage).toEqual({ input_tokens: 10, output_tokens: 2, estimated: false })
  })
})
