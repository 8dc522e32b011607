import { describe, expect, it } from 'vitest'
import { createEventStreamReader } from './api.ts'

function readAll(...chunks: string[]) {
  const events: [string, string][] = []
  const read = createEventStreamReader((event, data) => events.push([event, data]))
  for (const chunk of chunks) read(chunk)
  return events
}

describe('an event stream', () => {
  const text = 'event: text\ndata: {"delta":"Hi"}\n\n: still here\n\nevent: done\r\ndata: {}\r\n\r\n'
  const events = [
    ['text', '{"delta":"Hi"}'],
    ['done', '{}'],
  ]

  it('is read completely', () => {
    expect(readAll(text)).toEqual(events)
  })

  it('is read the same however it is chunked', () => {
    for (let size = 1; size < 9; size += 1) {
      const chunks = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
      expect(readAll(...chunks)).toEqual(events)
    }
  })

  it('joins data lines and works without an event name', () => {
    expect(readAll('data: one\ndata:two\n\n')).toEqual([['message', 'one\ntwo']])
  })

  it('reports nothing for an unfinished event', () => {
    expect(readAll('event: text\ndata: half')).toEqual([])
  })
})
