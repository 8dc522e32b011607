import { beforeEach, expect, test } from 'vitest'
import { type Asked, askModel } from '#tests/fakes/model-providers/ask-model.ts'
import { virtualRuntime } from '#tests/fakes/model-providers/virtual-runtime.ts'
import { resetBreakers } from './breaker.ts'

beforeEach(resetBreakers)

const word = (content: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`
const stop = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`

function answering(...pieces: string[]): Promise<Asked> {
  const body = () =>
    new ReadableStream({
      start(controller) {
        for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece))
        controller.close()
      },
    })
  const fetch = async () => new Response(body(), { headers: { 'content-type': 'text/event-stream' } })
  return askModel({ provider: 'openai', baseUrl: 'http://127.0.0.1:1/v1' }, virtualRuntime({ fetch }))
}

const collectChunks = ({ events }: Asked) => events.flatMap((event) => (event.type === 'text' ? [event.delta] : []))

test('yields text that arrives together as one chunk', async () => {
  const asked = await answering(word('The '), word('old ') + word('pear ') + word('tree'), word('.') + stop)
  expect(asked.ending).toBe('ok:stop')
  expect(collectChunks(asked)).toEqual(['The ', 'old pear tree', '.'])
})

test('yields text that arrives with a fault before failing', async () => {
  for (const trouble of ['data: {"choices": [{"delta"\n\n', 'data: {"error": {"message": "Overloaded"}}\n\n']) {
    const asked = await answering(word('The '), word('old ') + trouble + word('pear '), stop)
    expect(asked.ending).toBe('interrupted')
    expect(collectChunks(asked)).toEqual(['The ', 'old '])
  }
})

test('reads a last event without its blank line', async () => {
  const asked = await answering(word('Under the pear tree'), stop.trimEnd())
  expect(asked.ending).toBe('ok:stop')
  expect(collectChunks(asked)).toEqual(['Under the pear tree'])
})

test('removes NUL and yields no empty text', async () => {
  const asked = await answering(word('\0'), word('pear\0 tree') + stop)
  expect(collectChunks(asked)).toEqual(['pear tree'])
})
