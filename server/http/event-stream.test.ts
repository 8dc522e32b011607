import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createEventStream, type EventSink } from './event-stream.ts'
import type { StreamSlot } from './stream-slots.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function createSlot() {
  const release = vi.fn()
  let end: (() => void) | undefined
  const slot: StreamSlot = {
    kind: 'answers',
    release,
    onEvicted(endStream) {
      end = endStream
    },
  }
  return { slot, release, evict: () => end?.() }
}

function open() {
  const stopped = vi.fn()
  let sink: EventSink | undefined
  const { slot, release, evict } = createSlot()
  const response = createEventStream(slot, (newSink) => {
    sink = newSink
    return stopped
  })
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const read = async () => new TextDecoder().decode((await reader.read()).value)
  return { response, reader, read, stopped, release, evict, sink: sink as EventSink }
}

it('events are sent whole as they come, and the end closes the stream once', async () => {
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

it('an event stream sends a heartbeat every fifteen seconds', async () => {
  const { read, sink } = open()
  vi.advanceTimersByTime(15_000)
  expect(await read()).toBe(': still here\n\n')
  sink.end()
})

it('a reader who disconnects leaves no timer and no subscriber behind', async () => {
  const { reader, sink, stopped } = open()
  await reader.cancel()
  expect(stopped).toHaveBeenCalledTimes(1)
  expect(vi.getTimerCount()).toBe(0)
  sink.send('text', {})
  sink.end()
  expect(stopped).toHaveBeenCalledTimes(1)
})

it('a reader who falls a mebibyte behind is disconnected', async () => {
  const { reader, sink, stopped } = open()
  for (let index = 0; index < 20; index++) sink.send('text', { delta: 'x'.repeat(64 * 1024) })
  expect(stopped).toHaveBeenCalledTimes(1)
  expect(vi.getTimerCount()).toBe(0)
  await expect(reader.read()).rejects.toThrow('fell behind')
})

it('a stream that ends while starting leaves nothing behind', () => {
  const stopped = vi.fn()
  const { slot, release } = createSlot()
  createEventStream(slot, (sink) => {
    sink.end()
    return stopped
  })
  expect({
    stopCount: stopped.mock.calls.length,
    releaseCount: release.mock.calls.length,
  }).toEqual({ stopCount: 1, releaseCount: 1 })
  expect(vi.getTimerCount()).toBe(0)
})

it('an evicted stream flushes, ends cleanly and leaves nothing behind', async () => {
  const { read, reader, sink, stopped, release, evict } = open()
  sink.send('text', { delta: 'a' })
  evict()
  sink.send('text', { delta: 'b' })
  expect(await read()).toBe('event: text\ndata: {"delta":"a"}\n\n')
  expect(await reader.read()).toEqual({ done: true, value: undefined })
  expect({
    stopCount: stopped.mock.calls.length,
    releaseCount: release.mock.calls.length,
  }).toEqual({ stopCount: 1, releaseCount: 1 })
  expect(vi.getTimerCount()).toBe(0)
})

it('a stream releases its slot however it ends', async () => {
  const [ended, left, tooSlow] = [open(), open(), open()]
  ended.sink.end()
  await left.reader.cancel()
  for (let index = 0; index < 20; index++) tooSlow.sink.send('text', { delta: 'x'.repeat(64 * 1024) })
  await expect(tooSlow.reader.read()).rejects.toThrow('fell behind')
  for (const { release } of [ended, left, tooSlow]) expect(release).toHaveBeenCalled()
})
