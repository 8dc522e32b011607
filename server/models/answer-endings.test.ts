import { beforeEach, describe, expect, it } from 'vitest'
import { runModelToEnd } from '#tests/fakes/model-providers/run-model-to-end.ts'
import {
  startScriptedServer,
  toChunk,
  toNamedStream,
  toStream,
  toUsageChunk,
} from '#tests/fakes/model-providers/scripted-server.ts'
import { resetBreakers } from './breaker.ts'

beforeEach(resetBreakers)

const endMarker = '[DONE]'

async function requestAnswer(
  body: string,
  { type, isCut, stream = true }: { type?: string; isCut?: boolean; stream?: boolean } = {},
) {
  const { baseUrl } = await startScriptedServer(() => ({
    body,
    ...(type !== undefined && { type }),
    ...(isCut && { isCut }),
  }))
  const result = await runModelToEnd({ provider: 'openai', baseUrl, maxRetries: 0, stream })
  const notes = result.events.flatMap((event) => (event.type === 'note' ? [event.text] : []))
  return { ...result, notes }
}

describe('the finish reason of an answer', () => {
  const failing = [
    'error',
    'network_error',
    'insufficient_system_resource',
    'malformed_function_call',
    'abort',
    'cancelled',
    'ERROR',
    'Network_Error',
  ]
  it.each(failing)('%s fails with and without text', async (reason) => {
    const withText = await requestAnswer(
      toStream(toChunk({ content: 'Seven herons ' }), toChunk({}, reason), toUsageChunk(12, 5), endMarker),
    )
    expect(withText).toMatchObject({ outcome: 'interrupted', text: 'Seven herons ' })
    expect((await requestAnswer(toStream(toChunk({}, reason), toUsageChunk(12, 0), endMarker))).outcome).toBe(
      'provider-failed',
    )
    const responseBody = JSON.stringify({
      choices: [{ message: { role: 'assistant', content: '' }, finish_reason: reason }],
    })
    expect((await requestAnswer(responseBody, { stream: false })).outcome).toBe('provider-failed')
  })

  it.each([
    ['sensitive', 'content-filter'],
    ['MAX_TOKENS', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['stop', 'stop'],
    ['STOP', 'stop'],
    ['end_turn', 'stop'],
    ['eos_token', 'stop'],
    ['COMPLETE', 'stop'],
    ['', 'stop'],
  ])('%s ends as %s without a note', async (reason, outcome) => {
    const result = await requestAnswer(toStream(toChunk({ content: 'Seven herons.' }), toChunk({}, reason), endMarker))
    expect(result).toMatchObject({ outcome: `ok:${outcome}`, text: 'Seven herons.', notes: [] })
  })

  it('an unknown finish reason is quoted in a note', async () => {
    const result = await requestAnswer(
      toStream(toChunk({ content: 'Seven herons.' }), toChunk({}, 'tide_turned'), endMarker),
    )
    expect(result).toMatchObject({ outcome: 'ok:other', notes: [expect.stringContaining('“tide_turned”')] })
  })

  it('a finish reason with an error in the choice fails with that error', async () => {
    const error = { code: 502, message: 'upstream lost' }
    const last = toChunk({ content: '' }, 'error', { error })
    expect((await requestAnswer(toStream(toChunk({ content: 'Seven ' }), last, endMarker))).outcome).toBe('interrupted')
    const first = await requestAnswer(toStream(last, endMarker))
    expect(first.outcome).toBe('provider-failed')
    expect(first.failure?.message).toContain('upstream lost')
  })
})

describe('the form of an answer', () => {
  const complete = toStream(toChunk({ content: 'Seven herons.' }), toChunk({}, 'stop'), toUsageChunk(12, 5))
  const responseBody = JSON.stringify({
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Seven herons.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 },
  })
  const expectedAnswer = {
    outcome: 'ok:stop',
    text: 'Seven herons.',
    finish: { usage: { input_tokens: 12, output_tokens: 5, estimated: false } },
  }

  it('is complete with a finish reason and a clean close, without an end mark', async () => {
    expect(await requestAnswer(complete)).toMatchObject(expectedAnswer)
  })

  it('is complete with an end mark and no finish reason', async () => {
    expect(
      await requestAnswer(toStream(toChunk({ content: 'Seven herons.' }), toUsageChunk(12, 5), endMarker)),
    ).toMatchObject(expectedAnswer)
  })

  it('is interrupted when it is cut, whatever its content', async () => {
    expect((await requestAnswer(toStream(toChunk({ content: 'Seven ' })), { isCut: true })).outcome).toBe('interrupted')
    expect((await requestAnswer(complete, { isCut: true })).outcome).toBe('interrupted')
    expect((await requestAnswer(toStream(toChunk({ content: 'Seven ' })))).outcome).toBe('interrupted')
  })

  it.each([
    'text/plain; charset=utf-8',
    'application/json',
    '',
    'application/octet-stream',
    'text/event-stream; charset=latin1',
  ])('is read as a stream under the label "%s"', async (type) => {
    expect(await requestAnswer(`${complete}${toStream(endMarker)}`, { type })).toMatchObject(expectedAnswer)
    expect(await requestAnswer(`: hello\n\n${complete}`, { type, stream: false })).toMatchObject(expectedAnswer)
  })

  it.each(['application/json', 'text/event-stream', 'text/plain', ''])(
    'is read as one answer under the label "%s"',
    async (type) => {
      expect(await requestAnswer(responseBody, { type })).toMatchObject(expectedAnswer)
      expect(await requestAnswer(`\n  ${responseBody}`, { type, stream: false })).toMatchObject(expectedAnswer)
    },
  )

  it('is refused as an HTML page with any content type', async () => {
    for (const type of ['text/html', 'application/json', 'text/event-stream'])
      expect((await requestAnswer('<!doctype html><title>Sign in</title>', { type })).outcome).toBe('provider-protocol')
  })

  it('is recognized as an error in every form', async () => {
    const error = { error: { message: 'Invalid key', type: 'authentication_error' } }
    for (const body of [JSON.stringify(error), JSON.stringify([error]), toStream(error)])
      for (const stream of [true, false]) expect((await requestAnswer(body, { stream })).outcome).toBe('key-rejected')
  })
})

it('text that follows a thinking chunk with stop is read', async () => {
  const result = await requestAnswer(
    toStream(
      toChunk({ reasoning_content: 'Hm. ' }, 'stop'),
      toChunk({ content: 'Seven herons.' }),
      toChunk({}, 'stop'),
      endMarker,
    ),
  )
  expect(result).toMatchObject({ outcome: 'ok:stop', text: 'Seven herons.' })
})

it('the whole answer at the end of a stream is not repeated', async () => {
  const last = {
    choices: [{ index: 0, message: { role: 'assistant', content: 'Seven herons.' }, finish_reason: 'stop' }],
  }
  const repeated = toStream(toChunk({ content: 'Seven ' }), toChunk({ content: 'herons.' }), last, endMarker)
  expect(await requestAnswer(repeated)).toMatchObject({ outcome: 'ok:stop', text: 'Seven herons.' })
  const started = toStream(toChunk({ content: 'Seven ' }), last, endMarker)
  expect(await requestAnswer(started)).toMatchObject({ outcome: 'ok:stop', text: 'Seven herons.' })
})

it('a stream whose events hold no answer is unreadable', async () => {
  expect((await requestAnswer(toStream({ progress: 7 }, endMarker))).outcome).toBe('provider-protocol')
})

it.each([
  { reasoning_text: 'Count them.' },
  { thinking: 'Count them.' },
  { reasoning: { content: 'Count them.' } },
  { content: '', reasoning_details: [{ type: 'reasoning.text', text: 'Count them.', index: 0 }] },
  { reasoning_details: [{ type: 'reasoning.summary', summary: 'Count them.', index: 0 }] },
])('thinking is read from %o', async (delta) => {
  const result = await requestAnswer(
    toStream(toChunk(delta), toChunk({ content: 'Seven herons.' }), toChunk({}, 'stop'), endMarker),
  )
  expect(result).toMatchObject({ outcome: 'ok:stop', text: 'Seven herons.' })
  expect(result.events).toContainEqual({ type: 'reasoning', delta: 'Count them.' })
})

it.each([
  ['text', 'Count them.'],
  ['parts', [{ type: 'text', text: 'Count them.' }]],
])('thinking sent as %s in a content list is read once', async (_, thinking) => {
  const content = [
    { type: 'thinking', thinking },
    { type: 'text', text: 'Seven herons.' },
  ]
  const result = await requestAnswer(toStream(toChunk({ content }), toChunk({}, 'stop'), endMarker))
  expect(result).toMatchObject({ outcome: 'ok:stop', text: 'Seven herons.' })
  expect(result.events).toContainEqual({ type: 'reasoning', delta: 'Count them.' })
})

it("separates Anthropic's thinking from its answer", async () => {
  const body = toNamedStream(
    { type: 'message_start', message: { usage: { input_tokens: 12, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Let me count them.' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'max_tokens' }, usage: { output_tokens: 200 } },
    { type: 'message_stop' },
  )
  const { baseUrl } = await startScriptedServer(() => ({ body }))
  const result = await runModelToEnd({ provider: 'anthropic', baseUrl })
  expect(result).toMatchObject({ outcome: 'ok:length', text: '' })
  expect(result.events).toContainEqual({ type: 'reasoning', delta: 'Let me count them.' })
})
