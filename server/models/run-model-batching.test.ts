import { beforeEach, expect, test } from 'vitest'
import { type ModelRunResult, runModelToEnd } from '#tests/fakes/model-providers/run-model-to-end.ts'
import { createVirtualRuntime } from '#tests/fakes/model-providers/virtual-runtime.ts'
import { resetBreakers } from './breaker.ts'

beforeEach(resetBreakers)

const formatWordEvent = (content: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`
const stopEvents = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`

function runWithChunks(...chunks: string[]): Promise<ModelRunResult> {
  const createBody = () =>
    new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk))
        controller.close()
      },
    })
  const fetch = async () => new Response(createBody(), { headers: { 'content-type': 'text/event-stream' } })
  return runModelToEnd({ provider: 'openai', baseUrl: 'http://127.0.0.1:1/v1' }, createVirtualRuntime({ fetch }))
}

const collectChunks = ({ events }: ModelRunResult) =>
  events.flatMap((event) => (event.type === 'text' ? [event.delta] : []))

test('text that arrives together is yielded as one chunk', async () => {
  const result = await runWithChunks(
    formatWordEvent('The '),
    formatWordEvent('old ') + formatWordEvent('pear ') + formatWordEvent('tree'),
    formatWordEvent('.') + stopEvents,
  )
  expect(result.outcome).toBe('ok:stop')
  expect(collectChunks(result)).toEqual(['The ', 'old pear tree', '.'])
})

test('text that arrives with a fault is yielded before the failure', async () => {
  for (const faultyEvent of ['data: {"choices": [{"delta"\n\n', 'data: {"error": {"message": "Overloaded"}}\n\n']) {
    const result = await runWithChunks(
      formatWordEvent('The '),
      formatWordEvent('old ') + faultyEvent + formatWordEvent('pear '),
      stopEvents,
    )
    expect(result.outcome).toBe('interrupted')
    expect(collectChunks(result)).toEqual(['The ', 'old '])
  }
})

test('a last event without its blank line is read', async () => {
  const result = await runWithChunks(formatWordEvent('Under the pear tree'), stopEvents.trimEnd())
  expect(result.outcome).toBe('ok:stop')
  expect(collectChunks(result)).toEqual(['Under the pear tree'])
})

test('removes NUL and yields no empty text', async () => {
  const result = await runWithChunks(formatWordEvent('\0'), formatWordEvent('pear\0 tree') + stopEvents)
  expect(collectChunks(result)).toEqual(['pear tree'])
})
