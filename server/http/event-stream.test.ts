import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type EventSink, eventStream } from './event-stream.ts'
import { mostStreams, requireStreamRoom } from './stream-places.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function open() {
  const stopped = vi.fn()
  let sink: EventSink | undefined
  const response = eventStream('answers', (given) => {
    sink = given
    return stopped
  })
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const read = async () => new TextDecoder().decode((await reader.read()).value)
  return { response, reader, read, stopped, sink: sink as EventSink }
}

it('events go out as they come, each whole, and the end ends it once', async () => {
  const { read, reader, sink, stopped } = open()
  sink.send('text', { delta: 'a\n\nb: c' })
  expect(await read()).toBe('event: text\ndata: {"delta":"a\\n\\nb: c"}\n\n')
  sink.end()
  sink.end()
  sink.send('text', {})
  expect(await reader.read()).toEqual({ done: true, value: undefined })
  expect(stopped).toHaveBeenCalledTimes(1)
  expect(vi.getTimerCount()).toBe(0)
})

it('silence is broken every fifteen seconds', async () => {
  const { read, sink } = open()
  vi.advanceTimersByTime(15_000)
  expect(await read()).toBe(': still here\n\n')
  sink.end()
})

it('a reader who goes away leaves nothing behind: no timer, no follower', async () => {
  const { reader, sink, stopped } = open()
  await reader.cancel()
  expect(stopped).toHaveBeenCalledTimes(1)
  expect(vi.getTimerCount()).toBe(0)
  sink.send('text', {})
  sink.end()
  expect(stopped).toHaveBeenCalledTimes(1)
})

it('a reader who falls a mebibyte behind is cut', async () => {
  const { reader, sink, stopped } = open()
  for (let index = 0; index < 20; index++) sink.send('text', { delta: 'x'.repeat(64 * 1024) })
  expect(stopped).toHaveBeenCalledTimes(1)
  expect(vi.getTimerCount()).toBe(0)
  await expect(reader.read()).rejects.toThrow('fell behind')
})

it('a stream that ends while it begins leaves nothing behind', () => {
  const stopped = vi.fn()
  eventStream('tabs', (sink) => {
    sink.end()
    return stopped
  })
  expect(stopped).toHaveBeenCalledTimes(1)
  expect(vi.getTimerCount()).toBe(0)
})

it('there is room for five hundred of each kind, and for another one as soon as one ends, goes away or is cut', async () => {
  const many = Array.from({ length: mostStreams }, open)
  expect(() => requireStreamRoom('answers')).toThrow('Too many people listen')
  expect(() => requireStreamRoom('tabs')).not.toThrow()
  for (const one of many.slice(0, 2)) {
    one.sink.end()
    one.sink.end()
  }
  await many[2]?.reader.cancel()
  for (let index = 0; index < 20; index++) many[3]?.sink.send('text', { delta: 'x'.repeat(64 * 1024) })
  await expect(many[3]?.reader.read()).rejects.toThrow('fell behind')
  for (let freed = 0; freed < 4; freed++) {
    expect(() => requireStreamRoom('answers')).not.toThrow()
    many.push(open())
  }
  expect(() => requireStreamRoom('answers')).toThrow()
  for (const { sink } of many) sink.end()
})
