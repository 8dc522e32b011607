import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { detectMediaType, sniffedBytes } from '#contract/keepers/detect-media-type.ts'
import { type MediaMime, mediaTypeAliases, mediaTypes } from '#contract/keepers/media.ts'
import { mediaSamples, sharedFormats } from '#tests/media-samples.ts'

const types = Object.values(mediaTypes).flat() as MediaMime[]
const readLatin1 = (text: string) => Buffer.from(text, 'latin1')
const zeros = (head: Buffer) => Buffer.concat([head, Buffer.alloc(sniffedBytes)])

describe('the type of a file', () => {
  it.each(types)('%s is found under every label', (type) => {
    const shared = sharedFormats.find(({ bytes }) => bytes === type)?.labels ?? []
    const detected = types.map((label) => [label, detectMediaType(mediaSamples[type], label)])
    expect(Object.fromEntries(detected)).toEqual(
      Object.fromEntries(types.map((label) => [label, shared.includes(label) ? label : type])),
    )
    for (const label of ['', 'application/octet-stream', 'application/msword', 'image/x-unknown'])
      expect(detectMediaType(mediaSamples[type], label)).toBe(type)
  })

  it.each(types.filter((type) => type !== 'text/plain'))('%s is found in a long file, too', (type) => {
    expect(detectMediaType(zeros(mediaSamples[type]), 'text/plain')).toBe(type)
  })

  it('other names of a type count as its label', () => {
    for (const [alias, type] of Object.entries(mediaTypeAliases)) {
      const { bytes } = sharedFormats.find(({ labels }) => labels.includes(type)) ?? { bytes: type }
      expect(detectMediaType(mediaSamples[bytes], alias), alias).toBe(type)
    }
  })

  it.each([
    ['a text that begins like a film', 'The free ferry leaves at noon.'],
    ['a text that begins like a tag of sound', 'ID3 tags hold the title of a song.'],
    ['a text that begins like a GIF', 'GIF89a is a format.'],
    ['a text about PDF', 'Every file begins with %PDF-1.7.'],
    ['a text of one letter', 'a'],
    ['markup', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ])('%s is text if it says so', (_, text) => {
    expect(detectMediaType(Buffer.from(text), 'text/plain')).toBe('text/plain')
  })

  it.each([
    ['nothing', ''],
    ['markup that says it is a picture', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['a page that says it is a picture', '  <!doctype html><script>alert(1)</script>'],
    ['a program', '\x7fELF\x02\x01\x01\0'],
    ['a zip', 'PK\x03\x04\x14\0\0\0'],
    ['a JPEG XL', '\0\0\0\x0cftypjxl \0\0\0\0jxl '],
    ['a broken letter', 'Gr\xfc\xdfe'],
  ])('%s is of no accepted type', (_, text) => {
    expect(detectMediaType(readLatin1(text), 'image/png')).toBeUndefined()
  })

  it('a recording without `ftyp`, sound behind a long tag and text in UTF-16 are found', () => {
    expect(detectMediaType(readLatin1('\0\0\x10\0moov'), 'video/mp4')).toBe('video/quicktime')
    expect(detectMediaType(readLatin1('ID3\x04\0\0\0\x01\0\0'), 'audio/aac')).toBe('audio/aac')
    expect(detectMediaType(readLatin1('ID3\x04\0\0\0\0\0\0fLaC'), 'audio/mpeg')).toBe('audio/flac')
    expect(detectMediaType(readLatin1('Gr\xfc\xdfe'), 'text/plain')).toBe('text/plain')
    expect(detectMediaType(Buffer.from('\ufeffQuay', 'utf16le'), 'text/plain')).toBe('text/plain')
    expect(detectMediaType(Buffer.from('Kai '.repeat(255) + 'abcü').subarray(0, sniffedBytes), '')).toBe('text/plain')
  })

  it('any bytes under any label are an accepted type or none', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), fc.constantFrom(...types, ''), (head, label) => {
        const type = detectMediaType(head, label)
        return type === undefined || types.includes(type)
      }),
    )
  })
})
