import fc from 'fast-check'
import { expect, it } from 'vitest'
import { EventStreamParser, type ServerSentEvent } from './read-answer.ts'

const encoder = new TextEncoder()

function parse(chunks: Uint8Array[], maxEventBytes = 1000): ServerSentEvent[] {
  const parser = new EventStreamParser(maxEventBytes)
  return [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()]
}

it.each(['\n', '\r\n', '\r'])('the same events are read wherever the bytes are cut (line end %j)', (newline) => {
  const text = `: hi\nevent: first\ndata: {"text":\ndata: "né🌱e"}\nid: 1\n\n\n\ndata:two\n\ndata: last`.replaceAll(
    '\n',
    newline,
  )
  const stream = encoder.encode(text)
  const expected = [
    { name: 'first', data: '{"text":\n"né🌱e"}' },
    { name: '', data: 'two' },
    { name: '', data: 'last' },
  ]
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(stream.length), { maxLength: stream.length }), (cuts) => {
      const edges = [0, ...cuts.sort((a, b) => a - b), stream.length]
      const chunks = edges.slice(1).map((edge, n) => stream.subarray(edges[n], edge))
      expect(parse(chunks)).toEqual(expected)
    }),
  )
})

it('events over the limit are refused, many small events accepted', () => {
  const bigEvent = encoder.encode(`data: ${'x'.repeat(1200)}\n\n`)
  expect(() => parse([bigEvent])).toThrow(RangeError)
  expect(() => parse([bigEvent.subarray(0, 600), bigEvent.subarray(600, 1100)])).toThrow(RangeError)
  expect(parse([encoder.encode('data: small\n\n'.repeat(500))])).toHaveLength(500)
})

it('bytes that are not UTF-8 and byte order marks are refused', () => {
  expect(() => parse([Uint8Array.of(0x64, 0xff, 0x0a)])).toThrow(TypeError)
  expect(() => parse([encoder.encode('\uFEFFdata: x\n\n')])).toThrow(TypeError)
})
