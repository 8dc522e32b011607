import { expect, it } from 'vitest'
import { runModelToEnd } from '#tests/fakes/model-providers/run-model-to-end.ts'
import { startScriptedServer, toChunk, toStream } from '#tests/fakes/model-providers/scripted-server.ts'
import { createVirtualRuntime } from '#tests/fakes/model-providers/virtual-runtime.ts'
import { getMaxInputTokens } from './context-windows.ts'
import { toFailureKind } from './failure-kind.ts'
import { findWindow } from './learn-from-refusal.ts'
import { listModels } from './list-models.ts'

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

it.each([
  'Please reduce the length of the messages.',
  'The context length was exceeded.',
  'context length is 3',
  'Input image exceeds the limit of 4096 pixels.',
  '',
])('nothing is learned from %j', (message) => {
  expect(findWindow(message)).toBeUndefined()
})

it('a refused picture is no text that is too long', () => {
  const error = { codes: [], message: 'Input image exceeds the limit of 4096 pixels.', param: '' }
  expect(toFailureKind(400, error).code).toBe('provider-refused')
})

it('a learned window is stored by address and model and used for the next request', async () => {
  const message = "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens."
  const { baseUrl } = await startScriptedServer(() => ({
    status: 400,
    type: 'application/json',
    body: JSON.stringify({ error: { message, type: 'invalid_request_error', code: 'context_length_exceeded' } }),
  }))
  const settings = { model: 'house-model', max_tokens: 192 }
  expect(getMaxInputTokens('openai', settings, { baseUrl })).toBe(149_856)
  expect(await runModelToEnd({ provider: 'openai', model: 'house-model', baseUrl })).toMatchObject({
    outcome: 'context-too-long',
    attempts: 1,
  })
  expect(getMaxInputTokens('openai', settings, { baseUrl })).toBe(6_000)
  expect(getMaxInputTokens('openai', { ...settings, model: 'another' }, { baseUrl })).toBe(149_856)
  expect(getMaxInputTokens('openai', settings)).toBe(149_856)
})

it('a request is retried with a smaller answer limit, which is remembered', async () => {
  const formatMessage = (maxTokens: unknown) =>
    `'max_tokens' is too large: ${maxTokens}. The maximum context length is 4096 tokens and the request has 40 input tokens.`
  const server = await startScriptedServer(({ body }) =>
    Number(body.max_tokens) + 40 > 4096
      ? {
          status: 400,
          type: 'application/json',
          body: JSON.stringify({ error: { message: formatMessage(body.max_tokens), code: 400 } }),
        }
      : { body: toStream(toChunk({ content: 'Yes.' }), toChunk({}, 'stop')) },
  )
  const request = () => runModelToEnd({ provider: 'openai', model: 'small', baseUrl: server.baseUrl, maxTokens: 8000 })
  const first = await request()
  const second = await request()
  expect(first.outcome).toBe('ok:stop')
  expect(second.outcome).toBe('ok:stop')
  const sent = server.requests.map(({ body }) => Number(body.max_tokens))
  expect(sent).toEqual([8000, expect.any(Number), sent[1]])
  expect(sent[1]).toBeGreaterThan(3500)
  for (const { events } of [first, second])
    expect(events.flatMap((event) => (event.type === 'note' ? [event.text] : []))).toEqual([
      expect.stringMatching(/room for an answer of/),
    ])
})

it('doesn’t retry a request that is too long by itself', async () => {
  const { baseUrl, requests } = await startScriptedServer(() => ({
    status: 400,
    type: 'application/json',
    body: JSON.stringify({ error: { message: 'The maximum context length is 256 tokens.', code: 400 } }),
  }))
  const result = await runModelToEnd({
    provider: 'openai',
    model: 'tiny',
    baseUrl,
    messages: [{ role: 'user', content: 'word '.repeat(300) }],
    maxTokens: 8000,
  })
  expect(result.outcome).toBe('context-too-long')
  expect(requests.length).toBe(1)
})

it('the window comes from the model list, with the maximum answer length', async () => {
  const answer = { body: toStream(toChunk({ content: 'Yes.' }), toChunk({}, 'stop')) }
  const entry = { id: 'listed', context_length: 8192, top_provider: { max_completion_tokens: 2048 } }
  const server = await startScriptedServer(({ path }) =>
    path.endsWith('/models') ? { type: 'application/json', body: JSON.stringify({ data: [entry] }) } : answer,
  )
  const credential = { key: null, baseUrl: server.baseUrl }
  await listModels(createVirtualRuntime(), { provider: 'openai', credential, signal: new AbortController().signal })
  await runModelToEnd({ provider: 'openai', model: 'listed', baseUrl: server.baseUrl, maxTokens: 4000 })
  expect(server.requests.at(-1)?.body.max_tokens).toBe(2048)
})

it.each([
  ['a server that filled its window with a part of a request is noted', 2050, 20_000, 1],
  ['a server that read the whole request is not noted', 2700, 20_000, 0],
  ['a server that counts almost no tokens is not noted', 12, 20_000, 0],
])('%s', async (_, promptTokens, characterCount, noteCount) => {
  const usage = { prompt_tokens: promptTokens, completion_tokens: 5, total_tokens: promptTokens + 5 }
  const { baseUrl } = await startScriptedServer(() => ({
    body: toStream(toChunk({ content: 'Yes.' }), toChunk({}, 'stop'), { choices: [], usage }),
  }))
  const messages = [{ role: 'user' as const, content: 'a lamp '.repeat(characterCount / 7) }]
  const { events } = await runModelToEnd({ provider: 'openai', model: 'silent', baseUrl, messages })
  expect(events.filter((event) => event.type === 'note' && /may have read only part/.test(event.text))).toHaveLength(
    noteCount,
  )
})
