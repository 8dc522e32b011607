import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runModelToEnd } from '#tests/fakes/model-providers/run-model-to-end.ts'
import { startScriptedServer, toChunk, toNamedStream, toStream } from '#tests/fakes/model-providers/scripted-server.ts'
import {
  type FakeReply,
  type ProviderFake,
  startProviderFake,
} from '#tests/fakes/model-providers/start-provider-fake.ts'
import { createVirtualRuntime } from '#tests/fakes/model-providers/virtual-runtime.ts'
import { resetBreakers } from './breaker.ts'
import { runMockModel } from './mock-model.ts'
import type { ModelEvent, ModelMessage } from './model-request.ts'
import { ToolCallAssembler } from './tool-call-chunks.ts'

const weather = {
  name: 'look_up_the_weather',
  description: 'Tells the weather of a place.',
  parameters: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
}
const getCalls = (events: ModelEvent[]) => events.flatMap((event) => (event.type === 'tool-call' ? [event.call] : []))

describe.each<'openai' | 'anthropic' | 'together'>(['openai', 'anthropic', 'together'])('%s', (provider) => {
  let fake: ProviderFake
  let reply: FakeReply = {}
  beforeAll(async () => {
    fake = await startProviderFake({ provider, answer: () => reply })
  })
  afterAll(() => fake.close())
  beforeEach(resetBreakers)
  const callModel = (stream: boolean, options: { messages?: ModelMessage[]; mustCall?: string; model?: string } = {}) =>
    runModelToEnd({ provider, baseUrl: fake.baseUrl, stream, tools: [weather], ...options })
  const getSentBody = () => fake.requests.at(-1)?.body as Record<string, unknown>

  it.each([true, false])('yields calls after the text and before the finish (stream: %s)', async (stream) => {
    reply = {
      text: 'Let me look.',
      calls: [
        { name: 'look_up_the_weather', arguments: { place: 'Łódź “centre” \n 🌱' } },
        { name: 'look_up_the_weather', arguments: { place: 'Paris' } },
      ],
    }
    const exchange = await callModel(stream)
    expect(exchange).toMatchObject({ outcome: 'ok:tool-calls', text: 'Let me look.' })
    const types = exchange.events.map(({ type }) => type)
    expect(types.slice(-3)).toEqual(['tool-call', 'tool-call', 'finish'])
    expect(types.lastIndexOf('text')).toBeLessThan(types.indexOf('tool-call'))
    expect(getCalls(exchange.events)).toMatchObject([
      { name: 'look_up_the_weather', arguments: { place: 'Łódź “centre” \n 🌱' } },
      { name: 'look_up_the_weather', arguments: { place: 'Paris' } },
    ])
    expect(new Set(getCalls(exchange.events).map(({ id }) => id)).size).toBe(2)
  })

  it.each([true, false])('arguments that are not JSON are reported, not thrown (stream: %s)', async (stream) => {
    const exchange = await callModel(stream, { model: 'fault-finish-tool-calls-broken' })
    expect(getCalls(exchange.events)).toMatchObject([
      { arguments: {}, unreadable: expect.stringMatching(provider === 'anthropic' && !stream ? /object/ : /JSON/) },
    ])
  })

  it('returns all of a hundred calls in one answer', async () => {
    expect(getCalls((await callModel(true, { model: 'fault-finish-tool-calls-many' })).events)).toHaveLength(100)
  })

  it('is sent the tools, the previous calls and their results', async () => {
    reply = { text: 'Sunny.' }
    const call = { id: 'one', name: 'look_up_the_weather', arguments: { place: 'Paris' } }
    const exchange = await callModel(true, {
      mustCall: 'look_up_the_weather',
      messages: [
        { role: 'user', content: 'How is it in Paris?' },
        { role: 'assistant', content: '', toolCalls: [call, { ...call, id: 'two' }] },
        { role: 'tool', content: 'sunny', callId: 'one', name: call.name, failed: false },
        { role: 'tool', content: 'no such place', callId: 'two', name: call.name, failed: true },
      ],
    })
    expect(exchange.outcome).toBe('ok:stop')
    const body = JSON.stringify(getSentBody())
    for (const part of ['Tells the weather of a place.', '"required":["place"]', 'sunny', 'no such place'])
      expect(body).toContain(part)
    const { messages, tool_choice, tools } = getSentBody() as {
      messages: Record<string, unknown>[]
      tool_choice: unknown
      tools: unknown[]
    }
    expect(tools).toHaveLength(1)
    if (provider === 'anthropic') {
      expect(tool_choice).toMatchObject({ type: 'tool', name: 'look_up_the_weather' })
      expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
      expect(messages[1]?.content).toMatchObject([
        { type: 'tool_use', id: 'one', input: { place: 'Paris' } },
        { type: 'tool_use', id: 'two' },
      ])
      expect(messages[2]?.content).toMatchObject([
        { type: 'tool_result', tool_use_id: 'one', content: 'sunny' },
        { type: 'tool_result', tool_use_id: 'two', is_error: true },
      ])
    } else {
      expect(tool_choice).toMatchObject({ function: { name: 'look_up_the_weather' } })
      expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'tool'])
      expect(messages[2]).toMatchObject({
        tool_calls: [{ id: 'one', function: { name: 'look_up_the_weather', arguments: '{"place":"Paris"}' } }, {}],
      })
      expect(messages[3]).toMatchObject({ tool_call_id: 'one', content: 'sunny' })
    }
  })

  it('an answer interrupted in its calls is charged, not retried', async () => {
    reply = { calls: [{ name: 'look_up_the_weather', arguments: { place: 'Paris' } }] }
    fake.script(['end-before-finish'])
    const exchange = await callModel(true)
    expect(exchange.outcome).toBe('interrupted')
    expect(exchange.attempts).toBe(1)
    expect(getCalls(exchange.events).length).toBe(0)
    expect(exchange.failure).toMatchObject({ hasAnswerStarted: true, lostResponseCount: 0 })
  })
})

describe('chunks of tool calls', () => {
  const assemble = (chunks: Parameters<ToolCallAssembler['add']>[0][]) => {
    const calls = new ToolCallAssembler()
    for (const chunk of chunks) calls.add(chunk)
    return calls.getCalls()
  }

  it('are assembled by index, by id, or by order', () => {
    const twoCalls = [
      { name: 'a', arguments: { x: 1 } },
      { name: 'b', arguments: { y: 2 } },
    ]
    expect(
      assemble([
        { index: 0, id: '1', name: 'a', arguments: '{"x"' },
        { index: 1, id: '2', name: 'b', arguments: '{"y":' },
        { index: 0, arguments: ':1}' },
        { index: 1, arguments: '2}' },
      ]),
    ).toMatchObject(twoCalls)
    expect(
      assemble([
        { id: '1', name: 'a', arguments: '{"x":1}' },
        { id: '2', name: 'b', arguments: '{"y":' },
        { arguments: '2}' },
      ]),
    ).toMatchObject(twoCalls)
  })

  it.each<[string, Parameters<typeof assemble>[0]]>([
    [
      'one index and two ids',
      [
        { index: 0, id: 'call-a', name: 'search', arguments: '{"query":"alpha"}' },
        { index: 0, id: 'call-b', name: 'search', arguments: '{"query":"beta"}' },
      ],
    ],
    [
      'one index, two ids and arguments in chunks',
      [
        { index: 0, id: 'call-a', name: 'search', arguments: '' },
        { index: 0, arguments: '{"query":' },
        { index: 0, arguments: '"alpha"}' },
        { index: 0, id: 'call-b', name: 'search', arguments: '{"query":' },
        { index: 0, arguments: '"beta"}' },
      ],
    ],
    [
      'one index, no ids and each call in one chunk',
      [
        { index: 0, name: 'search', arguments: '{"query":"alpha"}' },
        { index: 0, name: 'search', arguments: '{"query":"beta"}' },
      ],
    ],
    [
      'neither indexes nor ids',
      [
        { name: 'search', arguments: '{"query":"alpha"}' },
        { name: 'search', arguments: '{"query":"beta"}' },
      ],
    ],
    [
      'the id and the name repeated in each chunk',
      [
        { index: 0, id: 'call-a', name: 'search', arguments: '{"query":' },
        { index: 0, id: 'call-a', name: 'search', arguments: '"alpha"}' },
        { index: 1, id: 'call-b', name: 'search', arguments: '{"query":' },
        { index: 1, id: 'call-b', name: 'search', arguments: '"beta"}' },
      ],
    ],
    [
      'the id after the name',
      [
        { index: 0, name: 'search' },
        { index: 0, id: 'call-a', arguments: '{"query":"alpha"}' },
        { index: 1, name: 'search', arguments: '{"query":"beta"}' },
        { index: 1, id: 'call-b' },
      ],
    ],
    [
      'names in chunks',
      [
        { index: 0, id: 'call-a', name: 'sea' },
        { index: 0, name: 'rch', arguments: '{"query":"alpha"}' },
        { index: 1, id: 'call-b', name: 'sea' },
        { index: 1, name: 'search' },
        { index: 1, arguments: '{"query":"beta"}' },
      ],
    ],
    [
      'a new index for each chunk of one id',
      [
        { index: 0, id: 'call-a', name: 'search', arguments: '{"query":' },
        { index: 1, id: 'call-a', arguments: '"alpha"}' },
        { index: 2, id: 'call-b', name: 'search', arguments: '{"query":"beta"}' },
      ],
    ],
  ])('are two calls with %s', (_, chunks) => {
    const calls = assemble(chunks)
    expect(calls.map(({ name, arguments: input }) => [name, input])).toEqual([
      ['search', { query: 'alpha' }],
      ['search', { query: 'beta' }],
    ])
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2)
  })

  it.each([
    [['{}', '{"query":"alpha"}']],
    [['{"query":', '{"query":"alpha"}']],
    [['{"query":"alpha"}', '{"query":"alpha"}']],
    [['"{\\"query\\":\\"alpha\\"}"']],
    [['```json\n{"query":"alpha"}\n```']],
    [['  {"query":"alpha"}\n']],
  ])('are understood if they have only one meaning: %j', (chunks) => {
    expect(assemble(chunks.map((text) => ({ index: 0, id: '1', name: 'a', arguments: text })))).toEqual([
      { id: '1', name: 'a', arguments: { query: 'alpha' } },
    ])
  })

  it('can contain raw line breaks', () => {
    expect(assemble([{ name: 'a', arguments: '{"text":"one\ntwo\t\\"three\\"","more":1}' }])).toMatchObject([
      { arguments: { text: 'one\ntwo\t"three"', more: 1 } },
    ])
  })

  it.each(['{"a":1}{"a":2}', '{"a":1', '{"a":1,}', "{'a':1}"])('ambiguous chunks are refused: %s', (text) => {
    expect(assemble([{ name: 'a', arguments: text }])).toMatchObject([
      { arguments: {}, unreadable: expect.any(String) },
    ])
  })

  it('calls without an id get one, calls without arguments an empty object', () => {
    expect(assemble([{ index: 0, name: 'a' }])).toEqual([{ id: 'call_0', name: 'a', arguments: {} }])
  })

  it.each([
    ['[1]', /not a JSON object/],
    ['null', /not a JSON object/],
    ['{"a":', /not valid JSON/],
    [`{"a":"${'x'.repeat(100_000)}"}`, /longer than/],
    [`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`, /nested too deeply/],
  ])('chunks that form %.20s are unreadable', (text, expectedText) => {
    expect(assemble([{ name: 'a', arguments: text }])).toEqual([
      { id: 'call_0', name: 'a', arguments: {}, unreadable: expect.stringMatching(expectedText) },
    ])
  })

  it('are limited in number and size', () => {
    const calls = assemble(Array.from({ length: 1000 }, (_, index) => ({ index, name: 'a', arguments: '{}' })))
    expect(calls).toHaveLength(256)
  })
})

it.each<[string, object[]]>([
  ['no index and no arguments', [{ tool_calls: [{ function: { name: 'a' } }, { function: { name: 'b' } }] }]],
  [
    'indexes as text',
    [
      {
        tool_calls: [
          { index: '0', function: { name: 'a' } },
          { index: '1', function: { name: 'b' } },
        ],
      },
      {
        tool_calls: [
          { index: '0', function: { arguments: '{}' } },
          { index: '1', function: { arguments: '{}' } },
        ],
      },
    ],
  ],
  [
    'one object per chunk',
    [{ tool_calls: { id: '1', function: { name: 'a' } } }, { tool_calls: { id: '2', function: { name: 'b' } } }],
  ],
])('a stream yields both calls with %s', async (_, deltas) => {
  const body = toStream(...deltas.map((delta) => toChunk(delta)), toChunk({}, 'tool_calls'), '[DONE]')
  const { baseUrl } = await startScriptedServer(() => ({ body }))
  const { events } = await runModelToEnd({ provider: 'openai', baseUrl, tools: [weather] })
  expect(getCalls(events)).toMatchObject([
    { name: 'a', arguments: {} },
    { name: 'b', arguments: {} },
  ])
})

it("Anthropic's input may start as an empty text", async () => {
  const block = { type: 'tool_use', id: 't1', name: 'a', input: '' }
  const body = toNamedStream(
    { type: 'message_start', message: { usage: null } },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"query":"alpha"}' } },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
  )
  const { baseUrl } = await startScriptedServer(() => ({ body: `${body}data: [DONE]\n\n` }))
  const { outcome, events } = await runModelToEnd({ provider: 'anthropic', baseUrl, tools: [weather] })
  expect(outcome).toBe('ok:tool-calls')
  expect(getCalls(events)).toMatchObject([{ name: 'a', arguments: { query: 'alpha' } }])
})

it('the mock calls the required tool once and notes its invented arguments', async () => {
  const request = {
    provider: 'openai' as const,
    tools: [weather, { ...weather, name: 'save_it', mockArguments: (input: string) => ({ text: input }) }],
    stream: true,
    signal: new AbortController().signal,
  }
  const collectEvents = async (messages: ModelMessage[], mustCall?: string) => {
    const events: ModelEvent[] = []
    for await (const event of runMockModel(createVirtualRuntime(), { ...request, messages, mustCall }))
      events.push(event)
    return events
  }
  const exchange: ModelMessage[] = [{ role: 'user', content: 'Keep this.' }]
  const events = await collectEvents(exchange)
  expect(events.map(({ type }) => type)).toEqual(['note', 'tool-call', 'finish'])
  expect(getCalls(events)).toEqual([{ id: 'mock-call', name: 'save_it', arguments: { text: 'Keep this.' } }])
  expect(getCalls(await collectEvents(exchange, 'look_up_the_weather'))).toEqual([])
  const result = { role: 'tool' as const, content: 'kept', callId: 'mock-call', name: 'save_it', failed: false }
  const nextEvents = await collectEvents([
    ...exchange,
    { role: 'assistant', content: '', toolCalls: getCalls(events) },
    result,
  ])
  expect(nextEvents.at(-1)).toMatchObject({ type: 'finish', reason: 'stop' })
  expect(getCalls(nextEvents)).toEqual([])
})
