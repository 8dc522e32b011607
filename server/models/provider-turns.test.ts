import { beforeEach, expect, it } from 'vitest'
import { type ModelRunResult, runModelToEnd } from '#tests/fakes/model-providers/run-model-to-end.ts'
import {
  type ScriptedRequest,
  startScriptedServer,
  toChunk,
  toNamedStream,
  toStream,
} from '#tests/fakes/model-providers/scripted-server.ts'
import { resetBreakers } from './breaker.ts'
import type { ModelMessage } from './model-request.ts'

beforeEach(resetBreakers)

const lookUpTool = { name: 'look_up', description: 'Looks up.', parameters: { type: 'object', properties: {} } }
type Question = Parameters<typeof runModelToEnd>[0]

async function requestTwice(
  first: string,
  {
    provider = 'openai',
    accept,
    second,
  }: { provider?: Question['provider']; accept?(request: ScriptedRequest): boolean; second: string },
) {
  const server = await startScriptedServer((request, number) => {
    if (number === 1) return { body: first }
    if (accept && !accept(request))
      return { status: 400, type: 'application/json', body: '{"error":{"message":"the state was not sent back"}}' }
    return { body: second }
  })
  const question: ModelMessage = { role: 'user', content: 'What is alpha?' }
  const requestModel = (messages: ModelMessage[], model = 'thinker') =>
    runModelToEnd({ provider, baseUrl: server.baseUrl, model, tools: [lookUpTool], messages, maxRetries: 0 })
  const firstResult = await requestModel([question])
  const messages = [question, ...getTurnMessages(firstResult)]
  const secondResult = await requestModel(messages)
  return { firstResult, secondResult, server, ask: requestModel, messages }
}

function getTurnMessages({ events, text, finish }: ModelRunResult): ModelMessage[] {
  const toolCalls = events.flatMap((event) => (event.type === 'tool-call' ? [event.call] : []))
  const results = toolCalls.map(
    ({ id, name }): ModelMessage => ({ role: 'tool', content: 'a letter', callId: id, name, failed: false }),
  )
  return [{ role: 'assistant', content: text, toolCalls, turn: finish?.turn }, ...results]
}

const finalAnswer = toStream(toChunk({ content: 'A letter.' }), toChunk({}, 'stop'), '[DONE]')
const call = { index: 0, id: 'g1', type: 'function', function: { name: 'look_up', arguments: '{"query":"alpha"}' } }

it('a thought signature is sent back with its call', async () => {
  const extra_content = { google: { thought_signature: 'SIG-1' } }
  const { secondResult, server } = await requestTwice(
    toStream(
      toChunk({ role: 'assistant', tool_calls: [{ ...call, extra_content }] }),
      toChunk({}, 'tool_calls'),
      '[DONE]',
    ),
    {
      accept: ({ body }) => body.messages[2].tool_calls[0].extra_content?.google.thought_signature === 'SIG-1',
      second: finalAnswer,
    },
  )
  expect(secondResult).toMatchObject({ outcome: 'ok:stop', text: 'A letter.' })
  expect(server.requests[1]?.body.messages[2].tool_calls[0]).toEqual({
    id: 'g1',
    type: 'function',
    function: { name: 'look_up', arguments: '{"query":"alpha"}' },
    extra_content,
  })
})

it.each(['I should look this up.', ''])('sends reasoning_content back with its calls: "%s"', async (thought) => {
  const { secondResult } = await requestTwice(
    toStream(
      toChunk({ role: 'assistant', content: null, reasoning_content: thought }),
      toChunk({ tool_calls: [call] }),
      toChunk({}, 'tool_calls'),
    ),
    { accept: ({ body }) => body.messages[2].reasoning_content === thought, second: finalAnswer },
  )
  expect(secondResult.outcome).toBe('ok:stop')
})

it('sends reasoning_details back as one list with joined chunks', async () => {
  const createTextDetail = (part: string, fields = {}) => ({ type: 'reasoning.text', index: 0, text: part, ...fields })
  const { secondResult, server } = await requestTwice(
    toStream(
      toChunk({ reasoning: 'Let me ', reasoning_details: [createTextDetail('Let me ')] }),
      toChunk({ reasoning: 'see.', reasoning_details: [createTextDetail('see.', { signature: 'S' })] }),
      toChunk({ reasoning_details: [{ type: 'reasoning.encrypted', index: 1, data: 'xyz' }], tool_calls: [call] }),
      toChunk({}, 'tool_calls'),
    ),
    { second: finalAnswer },
  )
  expect(secondResult.outcome).toBe('ok:stop')
  expect(server.requests[1]?.body.messages[2].reasoning_details).toEqual([
    { type: 'reasoning.text', index: 0, text: 'Let me see.', signature: 'S' },
    { type: 'reasoning.encrypted', index: 1, data: 'xyz' },
  ])
})

it('never sends state to another model or a later run', async () => {
  const {
    ask: requestModel,
    messages,
    server,
  } = await requestTwice(
    toStream(
      toChunk({
        reasoning_content: 'Secret.',
        tool_calls: [{ ...call, extra_content: { google: { thought_signature: 'SIG-1' } } }],
      }),
      toChunk({}, 'tool_calls'),
    ),
    { second: finalAnswer },
  )
  await requestModel(messages, 'another-model')
  expect(JSON.stringify(server.requests.at(-1)?.body)).not.toMatch(/SIG-1|Secret/)
  expect(JSON.stringify(server.requests[1]?.body)).toMatch(/SIG-1.*Secret/)
})

it("Anthropic's blocks go back in order, signed and without blank texts", async () => {
  const { secondResult, server } = await requestTwice(
    toNamedStream(
      { type: 'message_start', message: { usage: { input_tokens: 1 } } },
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Look ' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'it up.' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'S1' } },
      { type: 'content_block_start', index: 1, content_block: { type: 'redacted_thinking', data: 'R1' } },
      { type: 'content_block_start', index: 2, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 2, delta: { type: 'text_delta', text: '\n\n' } },
      {
        type: 'content_block_start',
        index: 3,
        content_block: { type: 'tool_use', id: 't1', name: 'look_up', input: {} },
      },
      { type: 'content_block_delta', index: 3, delta: { type: 'input_json_delta', partial_json: '{"query":' } },
      { type: 'content_block_delta', index: 3, delta: { type: 'input_json_delta', partial_json: '"alpha"}' } },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } },
      { type: 'message_stop' },
    ),
    {
      provider: 'anthropic',
      second: JSON.stringify({
        type: 'message',
        content: [{ type: 'text', text: 'A letter.' }],
        stop_reason: 'end_turn',
      }),
    },
  )
  expect(secondResult).toMatchObject({ outcome: 'ok:stop', text: 'A letter.' })
  expect(server.requests[1]?.body.messages).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'What is alpha?' }] },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Look it up.', signature: 'S1' },
        { type: 'redacted_thinking', data: 'R1' },
        { type: 'tool_use', id: 't1', name: 'look_up', input: { query: 'alpha' } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'a letter' }] },
  ])
})

it("Gemini's parts go back signed, other models' turns with a placeholder", async () => {
  const functionCall = { name: 'look_up', args: { query: 'alpha' } }
  const answer = (parts: object[], finishReason?: string) => ({
    candidates: [{ content: { role: 'model', parts }, ...(finishReason && { finishReason }) }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 4, thoughtsTokenCount: 6, totalTokenCount: 20 },
  })
  const {
    firstResult,
    secondResult,
    server,
    ask: requestModel,
    messages,
  } = await requestTwice(
    toStream(answer([{ text: 'I think.', thought: true }]), answer([{ functionCall, thoughtSignature: 'G1' }], 'STOP')),
    { provider: 'google', second: toStream(answer([{ text: 'A ' }]), answer([{ text: 'letter.' }], 'STOP')) },
  )
  expect(firstResult).toMatchObject({
    outcome: 'ok:tool-calls',
    finish: { usage: { input_tokens: 10, output_tokens: 10 } },
  })
  expect(firstResult.events).toContainEqual({ type: 'reasoning', delta: 'I think.' })
  expect(secondResult).toMatchObject({ outcome: 'ok:stop', text: 'A letter.' })
  const [firstRequest, secondRequest] = server.requests
  expect(firstRequest?.path).toBe('/v1/models/thinker:streamGenerateContent?alt=sse')
  expect(firstRequest?.body).toMatchObject({
    generationConfig: { maxOutputTokens: 200, thinkingConfig: { includeThoughts: true } },
    tools: [{ functionDeclarations: [{ name: 'look_up' }] }],
  })
  expect(secondRequest?.body.contents.slice(1)).toEqual([
    {
      role: 'model',
      parts: [
        { text: 'I think.', thought: true },
        { functionCall, thoughtSignature: 'G1' },
      ],
    },
    { role: 'user', parts: [{ functionResponse: { name: 'look_up', response: { result: 'a letter' } } }] },
  ])
  await requestModel(messages, 'another-model')
  expect(server.requests.at(-1)?.body.contents[1].parts).toEqual([
    { functionCall, thoughtSignature: 'skip_thought_signature_validator' },
  ])
})

it('a Gemini answer with continuations is read as one answer', async () => {
  const buildChunk = (text: string, fields: object) => ({
    candidates: [{ content: { role: 'model', parts: [{ text }] }, ...fields }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 4, totalTokenCount: 14 },
  })
  const server = await startScriptedServer(({ body }) =>
    body.continuationToken === 'T2'
      ? { body: toStream(buildChunk('herons.', { finishReason: 'STOP' })) }
      : { body: toStream(buildChunk('Seven ', { finishReason: 'CONTINUATION', continuationToken: 'T2' })) },
  )
  const result = await runModelToEnd({ provider: 'google', baseUrl: server.baseUrl, model: 'gemini-4-argon' })
  expect(result).toMatchObject({ outcome: 'ok:stop', text: 'Seven herons.', attempts: 1 })
  expect(server.requests).toHaveLength(2)
  expect(result.finish?.usage).toMatchObject({ input_tokens: 20, output_tokens: 8 })
})

it('a prompt blocked by Gemini ends as content-filter', async () => {
  const server = await startScriptedServer(() => ({ body: toStream({ promptFeedback: { blockReason: 'SAFETY' } }) }))
  expect((await runModelToEnd({ provider: 'google', baseUrl: server.baseUrl })).outcome).toBe('ok:content-filter')
})

it('the reasoning of a Responses model is sent back unchanged', async () => {
  const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'E1' }
  const functionCall = {
    type: 'function_call',
    id: 'fc_1',
    call_id: 'c1',
    name: 'look_up',
    arguments: '{"query":"alpha"}',
  }
  const server = await startScriptedServer(({ path }, number) => {
    if (!path.endsWith('/responses')) {
      const message = 'Function tools with reasoning_effort are not supported for this model in /v1/chat/completions.'
      return {
        status: 400,
        type: 'application/json',
        body: JSON.stringify({ error: { message, param: 'reasoning_effort' } }),
      }
    }
    const usage = { input_tokens: 10, output_tokens: 8, output_tokens_details: { reasoning_tokens: 6 } }
    if (number === 2)
      return {
        body: toStream(
          { type: 'response.reasoning_summary_text.delta', delta: 'Looking.' },
          { type: 'response.output_item.done', item: reasoning },
          { type: 'response.output_item.done', item: functionCall },
          { type: 'response.completed', response: { status: 'completed', usage } },
        ),
      }
    return {
      type: 'application/json',
      body: JSON.stringify({
        status: 'completed',
        usage,
        output: [{ type: 'message', content: [{ type: 'output_text', text: 'A letter.' }] }],
      }),
    }
  })
  const requestModel = (messages: ModelMessage[]) =>
    runModelToEnd({
      provider: 'openai',
      baseUrl: server.baseUrl,
      model: 'gpt-6.2-astra',
      tools: [lookUpTool],
      messages,
    })
  const question: ModelMessage = { role: 'user', content: 'What is alpha?' }
  const firstResult = await requestModel([question])
  expect(firstResult.outcome).toBe('ok:tool-calls')
  expect(firstResult.events).toContainEqual({ type: 'reasoning', delta: 'Looking.' })
  const secondResult = await requestModel([question, ...getTurnMessages(firstResult)])
  expect(secondResult).toMatchObject({ outcome: 'ok:stop', text: 'A letter.' })
  expect(server.requests.at(-1)?.body.input).toEqual([
    { role: 'user', content: 'What is alpha?' },
    reasoning,
    functionCall,
    { type: 'function_call_output', call_id: 'c1', output: 'a letter' },
  ])
})
