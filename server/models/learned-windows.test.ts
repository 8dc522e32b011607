import { expect, it } from 'vitest'
import { askModel } from '#tests/fakes/model-providers/ask-model.ts'
import { startScriptedServer } from '#tests/fakes/model-providers/scripted-server.ts'
import { maxInputTokens } from './context-windows.ts'
import { findWindow } from './learn-from-refusal.ts'

it.each([
  ["This model's maximum context length is 8192 tokens. However, your messages resulted in 8452 tokens.", 8192],
  ['prompt is too long: 205000 tokens > 200000 maximum', 200_000],
  ['the request exceeds the available context size (4096 tokens), try increasing it', 4096],
  ['The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).', 1_048_576],
  ['Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length', 32_768],
  ['Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097. Given: 9000 `inputs` tokens', 4097],
  ['Trying to keep the first 5000 tokens when context the overflows, with a context length of only 4,096 tokens', 4096],
])('%s', (message, window) => {
  expect(findWindow(message)).toBe(window)
})

it.each(['Please reduce the length of the messages.', 'The context length was exceeded.', 'context length is 3', ''])(
  'nothing is learned of %j',
  (message) => {
    expect(findWindow(message)).toBeUndefined()
  },
)

it('is kept for that address and model, and used for the next request', async () => {
  const message = "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens."
  const { baseUrl } = await startScriptedServer(() => ({
    status: 400,
    type: 'application/json',
    body: JSON.stringify({ error: { message, type: 'invalid_request_error', code: 'context_length_exceeded' } }),
  }))
  const settings = { model: 'house-model', max_tokens: 192 }
  expect(maxInputTokens('openai', settings, { baseUrl })).toBe(149_856)
  expect(await askModel({ provider: 'openai', model: 'house-model', baseUrl })).toMatchObject({
    ending: 'context-too-long',
    attempts: 1,
  })
  expect(maxInputTokens('openai', settings, { baseUrl })).toBe(6_000)
  expect(maxInputTokens('openai', { ...settings, model: 'another' }, { baseUrl })).toBe(149_856)
  expect(maxInputTokens('openai', settings)).toBe(149_856)
})
