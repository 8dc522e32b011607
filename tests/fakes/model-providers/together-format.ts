import { openaiFormat } from './openai-format.ts'
import type { ErrorCause, FakeError, ProviderFormat } from './provider-format.ts'

/** OpenAI's format with Together's error ids, headers and finish reason. */
export const togetherFormat: ProviderFormat = {
  ...openaiFormat,
  formatBody: (answer) =>
    String(openaiFormat.formatBody(answer)).replace('"finish_reason":"stop"', '"finish_reason":"eos"'),
  formatClosing: (answer) =>
    openaiFormat.formatClosing(answer).map((event) => event.replace('"finish_reason":"stop"', '"finish_reason":"eos"')),
  createError: createTogetherError,
  formatErrorEvent: (cause) => `data: ${JSON.stringify(createTogetherError(cause).body)}\n\n`,
  // A bare list, unlike OpenAI's, with models of every kind.
  listModels: () =>
    [
      ['meta-llama/Llama-3.3-70B-Instruct-Turbo', 'chat'],
      ['mistralai/Mixtral-8x7B-Instruct-v0.1', 'chat'],
      ['black-forest-labs/FLUX.1-schnell', 'image'],
      ['BAAI/bge-large-en-v1.5', 'embedding'],
    ].map(([id, type]) => ({
      id,
      type,
      object: 'model',
      created: 0,
      display_name: id,
      pricing: { hourly: 0, input: 0.88, output: 0.88 },
    })),
  createHeaders: () => ({
    'x-api-received': '2026-02-07T14:39:10.000Z',
    etag: 'W/"b2-fake"',
    'x-ratelimit-limit': '10',
    'x-ratelimit-remaining': '9',
  }),
}

function createTogetherError(cause: ErrorCause): FakeError {
  const id = 'omJGfAkE-4YNCb4-9a8b7c6d5e4f3a2b'
  if (cause.name === '401') {
    const message = `Invalid API key provided. You can find your API key at https://api.together.xyz/settings/api-keys. (${cause.key})`
    return {
      status: 401,
      body: { id, error: { message, type: 'invalid_request_error', param: null, code: 'invalid_api_key' } },
    }
  }
  if (cause.name === '404') {
    const message = `Unable to access model ${cause.model}. Please visit https://api.together.ai/models to view the list of supported models.`
    return {
      status: 404,
      body: { id, error: { message, type: 'invalid_request_error', param: null, code: 'model_not_available' } },
    }
  }
  if (cause.name === '400-context') {
    const message =
      'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097. Given: 5000 `inputs` tokens and 2000 `max_new_tokens`'
    return { status: 400, body: { id, error: { message, type_: 'invalid_request_error', param: null, code: null } } }
  }
  if (cause.name === '429') {
    const message = 'Your request was throttled: the model is above its dynamic rate. Please slow down.'
    return {
      status: 429,
      body: {
        id,
        error: { message, type: 'rate_limit', error_type: 'dynamic_request_limited', param: null, code: null },
      },
    }
  }
  const error = openaiFormat.createError(cause)
  return { ...error, body: { id, ...(error.body as object) } }
}
