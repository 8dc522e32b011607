import { beforeEach, describe, expect, it } from 'vitest'
import { canaryPrompt, canarySystem, runModelToEnd } from '#tests/fakes/model-providers/run-model-to-end.ts'
import {
  type ScriptedRequest,
  startScriptedServer,
  toChunk,
  toRefusal,
  toStream,
} from '#tests/fakes/model-providers/scripted-server.ts'
import { resetBreakers } from './breaker.ts'
import { forgetQuirks } from './quirks.ts'

beforeEach(() => {
  resetBreakers()
  forgetQuirks()
})

const goodStream = toStream(toChunk({ content: 'Seven herons.' }), toChunk({}, 'stop'), '[DONE]')
const goodMessage = JSON.stringify({
  type: 'message',
  content: [{ type: 'text', text: 'Seven herons.' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 12, output_tokens: 5 },
})
const createTool = (name: string) => ({
  name,
  description: 'Looks something up.',
  parameters: { type: 'object', properties: {} },
})

async function requestWithRefusals(
  refuse: (request: ScriptedRequest) => object | string | undefined,
  options: Partial<Parameters<typeof runModelToEnd>[0]> = {},
) {
  const server = await startScriptedServer((request) => {
    const error = refuse(request)
    const body = typeof error === 'string' ? error : JSON.stringify(error)
    if (error !== undefined)
      return { status: 400, type: typeof error === 'string' ? 'text/plain' : 'application/json', body }
    return request.path.startsWith('/v1/messages')
      ? { type: 'application/json', body: goodMessage }
      : { body: goodStream }
  })
  const run = async () => {
    const result = await runModelToEnd({
      provider: 'openai',
      model: 'house-model',
      baseUrl: server.baseUrl,
      ...options,
    })
    const notes = result.events.flatMap((event) => (event.type === 'note' ? [event.text] : []))
    return { ...result, notes, body: server.requests.at(-1)?.body, count: server.requests.splice(0).length }
  }
  return { first: await run(), second: await run() }
}

describe('a refused parameter', () => {
  it.each(['prefix:gpt-7-mini', 'openai/gpt-7-mini', 'ft:gpt-7-mini:acme'])(
    'a refused parameter of %s is renamed, a second one omitted, both remembered',
    async (model) => {
      const { first, second } = await requestWithRefusals(
        ({ body }) => {
          const code = 'unsupported_parameter'
          if ('max_tokens' in body)
            return toRefusal('max_tokens is not supported here; use max_completion_tokens', {
              param: 'max_tokens',
              code,
            })
          if ('temperature' in body && body.temperature !== 1)
            return toRefusal(
              'temperature does not support 0.7 with this model. Only the default (1) value is supported.',
              { param: 'temperature' },
            )
          return undefined
        },
        { model },
      )
      expect(first).toMatchObject({ outcome: 'ok:stop', text: 'Seven herons.', count: 3, attempts: 3 })
      expect(first.body).toMatchObject({ max_completion_tokens: 200 })
      expect(first.notes).toEqual([
        expect.stringContaining('max_completion_tokens'),
        expect.stringContaining('temperature'),
      ])
      expect(second).toMatchObject({ outcome: 'ok:stop', count: 1, notes: [] })
      expect(Object.keys(second.body)).not.toContain('temperature')
    },
  )

  it.each([
    ['an object', { code: 'invalid_argument', error: 'presencePenalty is not an argument of this model' }],
    ['plain text', 'presence_penalty is not supported by this model'],
    [
      'a list',
      [
        {
          error: {
            code: 400,
            message: 'Unknown name "presence_penalty": Cannot find field.',
            status: 'INVALID_ARGUMENT',
          },
        },
      ],
    ],
    [
      'FastAPI',
      {
        detail: [
          {
            loc: ['body', 'presence_penalty'],
            msg: 'Extra inputs are not permitted: presence_penalty',
            type: 'extra_forbidden',
          },
        ],
      },
    ],
    [
      'Mistral',
      {
        object: 'error',
        message: { detail: [{ loc: ['body', 'presence_penalty'], msg: 'Extra inputs are not permitted' }] },
        type: 'invalid_request_error',
        param: null,
      },
    ],
    [
      'OpenRouter',
      {
        error: {
          message: 'Provider returned error',
          code: 400,
          metadata: { raw: JSON.stringify(toRefusal('Unsupported parameter.', { param: 'presence_penalty' })) },
        },
      },
    ],
  ])('is recognized in an error given as %s', async (_, error) => {
    const { first } = await requestWithRefusals(({ body }) => ('presence_penalty' in body ? error : undefined), {
      presencePenalty: 0.5,
    })
    expect(first).toMatchObject({ outcome: 'ok:stop', count: 2 })
  })

  it('is not sent at its default value', async () => {
    const { first } = await requestWithRefusals(() => undefined, { presencePenalty: 0, frequencyPenalty: 0, topP: 1 })
    expect(Object.keys(first.body)).not.toEqual(expect.arrayContaining(['presence_penalty']))
    for (const name of ['presence_penalty', 'frequency_penalty', 'top_p']) expect(first.body).not.toHaveProperty(name)
  })

  it("is left out with Anthropic's API under a deployment name", async () => {
    const message = 'temperature cannot be set for this model'
    const { first, second } = await requestWithRefusals(
      ({ body }) =>
        'temperature' in body ? { type: 'error', error: { type: 'invalid_request_error', message } } : undefined,
      { provider: 'anthropic', model: 'deployment-7', stream: false },
    )
    expect(first).toMatchObject({ outcome: 'ok:stop', count: 2 })
    expect(second.count).toBe(1)
  })

  it.each([
    ['stream_options', "Unsupported parameter: 'stream_options'"],
    ['tool_choice', '`tool_choice` of type "function" is not supported by this model'],
    ['max_tokens', 'Unrecognized request argument supplied: max_tokens'],
  ])('%s is left out as well', async (name, message) => {
    const { first } = await requestWithRefusals(({ body }) => (name in body ? { error: { message } } : undefined), {
      tools: [createTool('look_up')],
      mustCall: 'look_up',
    })
    expect(first).toMatchObject({ outcome: 'ok:stop', count: 2 })
    expect(first.body.tools).toHaveLength(1)
  })

  it('isn’t omitted if the error mentions it for another reason', async () => {
    const { first } = await requestWithRefusals(() =>
      toRefusal('Your organization must be verified to use this model with temperature.'),
    )
    expect(first).toMatchObject({ outcome: 'provider-refused', count: 1 })
  })

  it('is retried only a few times', async () => {
    const { first } = await requestWithRefusals(({ body }) => toRefusal(`${Object.keys(body).at(-1)} is not supported`))
    expect(first.outcome).toBe('provider-refused')
    expect(first.count).toBeLessThan(10)
  })
})

it('max tokens are lowered to the model’s maximum', async () => {
  const { first, second } = await requestWithRefusals(({ body }) =>
    body.max_tokens > 128
      ? toRefusal(`max_tokens is too large: ${body.max_tokens}. This model supports at most 128 completion tokens.`, {
          param: 'max_tokens',
        })
      : undefined,
  )
  expect(first).toMatchObject({ outcome: 'ok:stop', count: 2 })
  expect(second).toMatchObject({ count: 1, body: { max_tokens: 128 } })
})

it.each([
  { object: 'error', message: 'this template has no system role', type: 'BadRequestError', param: null, code: 400 },
  { error: { message: "Role 'system' is not supported by this model" } },
  { error: { message: 'Developer instruction is not enabled for models/gemma-3-27b-it', status: 'INVALID_ARGUMENT' } },
])('the purpose is added to the first message without a system role: %j', async (error) => {
  const { first, second } = await requestWithRefusals(({ body }) =>
    body.messages.some(({ role }: { role: string }) => role === 'system' || role === 'developer') ? error : undefined,
  )
  expect(first).toMatchObject({ outcome: 'ok:stop', count: 2 })
  expect(first.body.messages).toEqual([{ role: 'user', content: `${canarySystem}\n\n${canaryPrompt}` }])
  expect(second.count).toBe(1)
})

describe('a tool with a refused schema', () => {
  it.each([
    toRefusal("Invalid schema for function 'broken_one': schema must be an object.", {
      param: 'tools[1].function.parameters',
    }),
    { error: { message: 'Invalid schema for function "broken_one"' } },
    {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'tools.1.custom.input_schema: input_schema does not support oneOf',
      },
    },
  ])('is omitted while the others stay: %j', async (error) => {
    const { first } = await requestWithRefusals(
      ({ body }) => (JSON.stringify(body.tools).includes('broken_one') ? error : undefined),
      { tools: [createTool('look_up'), createTool('broken_one')] },
    )
    expect(first).toMatchObject({ outcome: 'ok:stop', count: 2, notes: [expect.stringContaining('broken_one')] })
    expect(first.body.tools).toHaveLength(1)
  })
})

describe('a reasoning model that supports tools only on the Responses API', () => {
  const body = JSON.stringify(
    toRefusal(
      'Function tools with reasoning_effort are not supported for gpt-6.2-sol in /v1/chat/completions. Please use /v1/responses instead.',
      { param: 'reasoning_effort' },
    ),
  )
  const refused = { status: 400, type: 'application/json', body }
  const answered = toStream(
    { type: 'response.output_text.delta', delta: 'Seven herons.' },
    {
      type: 'response.completed',
      response: { status: 'completed', output: [], usage: { input_tokens: 12, output_tokens: 5 } },
    },
  )

  const call = { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'look_up' }
  const event = (name: string, fields: object) => ({
    type: `response.${name}`,
    output_index: 0,
    item_id: 'fc_1',
    ...fields,
  })
  const opened = event('output_item.added', { item: { ...call, arguments: '' } })
  const argumentsDone = event('function_call_arguments.done', { arguments: '{"query":"alpha"}' })
  const completed = (...output: object[]) => event('completed', { response: { status: 'completed', output } })
  it.each<[what: string, events: object[]]>([
    [
      'only in their own event',
      [opened, argumentsDone, event('output_item.done', { item: { ...call, arguments: '' } }), completed()],
    ],
    [
      'in pieces, without a final item',
      [
        opened,
        event('function_call_arguments.delta', { delta: '{"query":' }),
        event('function_call_arguments.delta', { delta: '"alpha"}' }),
        completed({ type: 'message', content: [] }),
      ],
    ],
    [
      'only in the last event',
      [
        event('output_item.done', { item: { type: 'reasoning', summary: [] } }),
        completed({ type: 'reasoning', summary: [] }, { ...call, arguments: '{"query":"alpha"}' }),
      ],
    ],
    [
      'in every event',
      [
        opened,
        argumentsDone,
        event('output_item.done', { item: { ...call, arguments: '{"query":"alpha"}' } }),
        completed({ ...call, arguments: '{"query":"alpha"}' }),
      ],
    ],
  ])('is called once with arguments that arrive %s', async (_, events) => {
    const server = await startScriptedServer(({ path }) =>
      path.endsWith('/responses') ? { body: toStream(...events) } : refused,
    )
    const result = await runModelToEnd({ provider: 'openai', baseUrl: server.baseUrl, tools: [createTool('look_up')] })
    const calls = result.events.flatMap((event) => (event.type === 'tool-call' ? [event.call] : []))
    expect(calls).toMatchObject([{ id: 'c1', name: 'look_up', arguments: { query: 'alpha' } }])
    expect(result.outcome).toBe('ok:tool-calls')
  })

  it('text that arrives only when it is complete is read', async () => {
    const events = [event('output_text.done', { text: 'Seven herons.' }), completed()]
    const server = await startScriptedServer(({ path }) =>
      path.endsWith('/responses') ? { body: toStream(...events) } : refused,
    )
    const result = await runModelToEnd({ provider: 'openai', baseUrl: server.baseUrl, tools: [createTool('look_up')] })
    expect(result).toMatchObject({ outcome: 'ok:stop', text: 'Seven herons.' })
  })

  it('is called on the Responses API directly from then on', async () => {
    const server = await startScriptedServer(({ path }) => (path.endsWith('/responses') ? { body: answered } : refused))
    const request = {
      provider: 'openai' as const,
      model: 'gpt-6.2-sol',
      baseUrl: server.baseUrl,
      tools: [createTool('look_up')],
    }
    expect(await runModelToEnd(request)).toMatchObject({ outcome: 'ok:stop', text: 'Seven herons.' })
    expect(await runModelToEnd(request)).toMatchObject({ outcome: 'ok:stop', attempts: 1 })
    expect(server.requests.map(({ path }) => path)).toEqual(['/v1/chat/completions', '/v1/responses', '/v1/responses'])
    expect(server.requests.at(-1)?.body).toMatchObject({
      store: false,
      include: ['reasoning.encrypted_content'],
      instructions: canarySystem,
      max_output_tokens: 200,
    })
  })

  it('runs without reasoning if the server has no Responses API', async () => {
    const server = await startScriptedServer(({ path, body }) => {
      if (path.endsWith('/responses')) return { status: 404, type: 'text/plain', body: '404 page not found' }
      if (body.reasoning_effort === 'none') return { body: goodStream }
      return refused
    })
    const request = {
      provider: 'openai' as const,
      model: 'gpt-6-luna',
      baseUrl: server.baseUrl,
      tools: [createTool('look_up')],
    }
    expect(await runModelToEnd(request)).toMatchObject({ outcome: 'ok:stop', text: 'Seven herons.' })
    expect(await runModelToEnd(request)).toMatchObject({ outcome: 'ok:stop', attempts: 1 })
  })
})
