import { expect, it } from 'vitest'
import { parseRange } from './send-media.ts'
import { measureMp3Seconds } from './store-recording.ts'

const frame = (header: number[], bytes: number) => Buffer.concat([Buffer.from(header), Buffer.alloc(bytes - 4)])
/** MPEG-1, 128 kbit/s, 44.1 kHz. */
const second = (count: number) => Buffer.concat(Array.from({ length: count }, () => frame([0xff, 0xfb, 0x90, 0], 417)))
const id3 = Buffer.concat([Buffer.from('ID3'), Buffer.from([4, 0, 0, 0, 0, 1, 2]), Buffer.alloc(130)])
const oldTag = Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125)])

it.each([
  ['frames alone', second(100), 2.6122],
  ['frames between tags', Buffer.concat([id3, second(100), oldTag]), 2.6122],
  ['a padded frame', frame([0xff, 0xfb, 0x92, 0], 418), 0.0261],
  ['64 kbit/s', frame([0xff, 0xfb, 0x50, 0], 208), 0.0261],
  ['MPEG-2 at 22.05 kHz, 64 kbit/s', frame([0xff, 0xf3, 0x80, 0], 208), 0.0261],
])('the length of an MP3 of %s is counted', (_, bytes, seconds) => {
  expect(measureMp3Seconds(bytes)).toBeCloseTo(seconds, 3)
})

it.each([
  ['nothing', Buffer.alloc(0)],
  ['a WAV', Buffer.from('RIFF0000WAVEfmt ')],
  ['a tag alone', id3],
  ['frames and then something else', Buffer.concat([second(3), Buffer.from('<html>')])],
  ['a frame of no known rate', frame([0xff, 0xfb, 0x9c, 0], 417)],
  ['layer II', frame([0xff, 0xfd, 0x90, 0], 417)],
])('the length of %s is unknown', (_, bytes) => {
  expect(measureMp3Seconds(bytes)).toBeNull()
})

it.each([
  [null, undefined],
  ['bytes=0-', { start: 0, end: 9 }],
  ['bytes=3-5', { start: 3, end: 5 }],
  ['bytes=3-500', { start: 3, end: 9 }],
  ['bytes=-4', { start: 6, end: 9 }],
  ['bytes=-400', { start: 0, end: 9 }],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=-', undefined],
  ['bytes=5-3', undefined],
  ['bytes=0-1,3-4', undefined],
  ['bytes=a-b', undefined],
])('for ten bytes the range %j is %j', (header, range) => {
  expect(parseRange(header, 10)).toEqual(range)
})
