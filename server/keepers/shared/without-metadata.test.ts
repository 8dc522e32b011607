import { readFile } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { sharingInDomains } from '#contract/domains/sharing-in-domains.ts'
import type { Media } from '#contract/keepers/media.ts'
import { moments } from '#contract/keepers/moments.ts'
import { getMediaPath } from '#server/media/folder-media.ts'
import type { MediaStore } from '#server/media/media-store.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { insertDomain } from '#tests/insert-domain.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { loadChunksWithoutMetadata } from '../media/send-bytes.ts'
import { removeMetadata } from './without-metadata.ts'

const secret = 'GPS 59.9139 N, 10.7522 E'
const both = Buffer.concat
const latin = (text: string) => Buffer.from(text, 'latin1')

/** EXIF with orientation and location. */
function tiff(orientation: number, order: 'II' | 'MM' = 'II'): Buffer {
  const bytes = Buffer.alloc(38)
  const short = (value: number, at: number) =>
    order === 'II' ? bytes.writeUInt16LE(value, at) : bytes.writeUInt16BE(value, at)
  const long = (value: number, at: number) =>
    order === 'II' ? bytes.writeUInt32LE(value, at) : bytes.writeUInt32BE(value, at)
  bytes.write(order, 0, 'latin1')
  short(42, 2)
  long(8, 4)
  short(2, 8)
  for (const [index, [tag, type, value]] of [
    [0x0112, 3, orientation],
    [0x8825, 4, 38],
  ].entries()) {
    const at = 10 + index * 12
    short(tag ?? 0, at)
    short(type ?? 0, at + 2)
    long(1, at + 4)
    if (type === 3) short(value ?? 0, at + 8)
    else long(value ?? 0, at + 8)
  }
  return both([bytes, latin(secret)])
}

/** EXIF with one tag. */
const alone = (orientation: number) =>
  Buffer.from(
    `4d4d002a00000008000101120003000000010000000000000000`.replace(/^(.{36})..../, `$1000${orientation}`),
    'hex',
  )

const segment = (code: number, body: Buffer) => {
  const head = Buffer.from([0xff, code, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return both([head, body])
}
const jfif = segment(0xe0, latin('JFIF\0\x01\x01\0\0\x01\0\x01\0\0'))
const profile = segment(0xe2, latin('ICC_PROFILE\0\x01\x01colours'))
const adobe = segment(0xee, latin('Adobe\0d\0\0\0\0\x01'))
const tables = segment(0xdb, Buffer.alloc(65))
/** Contains stuffed bytes, a restart marker and a run of 0xff, none of which ends the scan. */
const scan = both([segment(0xda, Buffer.alloc(10)), Buffer.from([1, 0xff, 0, 2, 0xff, 0xd0, 3, 0xff, 0xff, 0, 4])])
const start = Buffer.from([0xff, 0xd8])
const end = Buffer.from([0xff, 0xd9])
const exifIn = (orientation: number) => segment(0xe1, both([latin('Exif\0\0'), tiff(orientation)]))
const film = latin(`ftypmp42 a film behind the picture ${secret}`)
const createJpeg = (orientation: number) =>
  both([
    start,
    jfif,
    exifIn(orientation),
    segment(0xe1, latin(`http://ns.adobe.com/xap/1.0/\0${secret}`)),
    segment(0xed, latin(`Photoshop 3.0\0${secret}`)),
    segment(0xe2, latin(`MPF\0${secret}`)),
    segment(0xfe, latin(secret)),
    profile,
    adobe,
    tables,
    scan,
    segment(0xfe, latin(secret)),
    tables,
    scan,
    end,
    film,
  ])
const jpegWithout = (orientation?: number) =>
  both([
    start,
    jfif,
    ...(orientation ? [segment(0xe1, both([latin('Exif\0\0'), alone(orientation)]))] : []),
    profile,
    adobe,
    tables,
    scan,
    tables,
    scan,
    end,
  ])

const chunk = (type: string, body: Buffer = Buffer.alloc(0)) => {
  const named = both([latin(type), body])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(body.length, 0)
  frame.writeUInt32BE(crc32(named), 4)
  return both([frame.subarray(0, 4), named, frame.subarray(4)])
}
const sign = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const header = chunk('IHDR', Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]))
const gamma = chunk('gAMA', Buffer.from([0, 0, 0xb1, 0x8f]))
const pixels = chunk('IDAT', Buffer.alloc(150_000, 5))
const textChunks = ['tEXt', 'zTXt', 'iTXt', 'tIME', 'prVt'].map((type) => chunk(type, latin(secret)))
const createPng = (orientation: number) =>
  both([
    sign,
    header,
    gamma,
    chunk('eXIf', tiff(orientation, 'MM')),
    ...textChunks,
    pixels,
    ...textChunks,
    chunk('IEND'),
    film,
  ])
const pngWithout = (orientation?: number) =>
  both([sign, header, gamma, ...(orientation ? [chunk('eXIf', alone(orientation))] : []), pixels, chunk('IEND')])

const riffChunk = (type: string, body: Buffer) => {
  const head = Buffer.alloc(8)
  head.write(type, 'latin1')
  head.writeUInt32LE(body.length, 4)
  return both([head, body, Buffer.alloc(body.length % 2)])
}
const webp = (...chunks: Buffer[]) => riffChunk('RIFF', both([latin('WEBP'), ...chunks]))
const extended = (flags: number) => riffChunk('VP8X', Buffer.from([flags, 0, 0, 0, 0, 0, 0, 0, 0, 0]))
const lossy = riffChunk('VP8 ', Buffer.alloc(301, 7))
const createWebp = (orientation: number) =>
  webp(extended(0x2c), profileChunk, lossy, riffChunk('EXIF', tiff(orientation)), riffChunk('XMP ', latin(secret)))
const profileChunk = riffChunk('ICCP', latin('colours'))
const webpWithout = (orientation?: number) =>
  orientation
    ? webp(extended(0x28), profileChunk, lossy, riffChunk('EXIF', alone(orientation)))
    : webp(extended(0x20), profileChunk, lossy)

const pngWithoutGamma = (orientation: number) =>
  both([sign, header, chunk('eXIf', alone(orientation)), pixels, chunk('IEND')])
const longExif = segment(0xe1, both([latin('Exif\0\0'), tiff(1), Buffer.alloc(65_000)]))
const many = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one)

describe('a picture without its metadata', () => {
  const createStore = (bytes: Buffer | undefined): Pick<MediaStore, 'getSize' | 'read'> => ({
    getSize: async () => bytes?.length,
    async *read(_, start, end) {
      yield bytes?.subarray(start, end) ?? Buffer.alloc(0)
    },
  })
  const rewritten = async (bytes: Buffer, mime: string) => {
    const fileChunks = await removeMetadata(createStore(bytes), 'a picture', mime)
    return (
      fileChunks &&
      both(
        fileChunks.map((fileChunk) =>
          Buffer.isBuffer(fileChunk) ? fileChunk : bytes.subarray(fileChunk.start, fileChunk.end),
        ),
      )
    )
  }

  it.each([
    ['a rotated JPEG', 'image/jpeg', createJpeg(6), jpegWithout(6)],
    ['an upright JPEG', 'image/jpeg', createJpeg(1), jpegWithout()],
    ['a JPEG with an invalid orientation', 'image/jpeg', createJpeg(77), jpegWithout()],
    ['a rotated PNG', 'image/png', createPng(8), pngWithout(8)],
    ['an upright PNG', 'image/png', createPng(1), pngWithout()],
    ['a rotated WebP', 'image/webp', createWebp(3), webpWithout(3)],
    ['an upright WebP', 'image/webp', createWebp(1), webpWithout()],
    ['a plain WebP', 'image/webp', webp(lossy), webp(lossy)],
  ])('keeps appearance and orientation of %s and nothing else', async (_, mime, bytes, expected) => {
    const written = await rewritten(bytes, mime)
    expect(written?.equals(expected)).toBe(true)
    expect(written?.includes('GPS')).toBe(false)
  })

  it.each([
    ['image/jpeg', createJpeg(6)],
    ['image/png', createPng(6)],
    ['image/webp', createWebp(6)],
  ])('ends safely for a %s that is truncated or corrupt', async (mime, bytes) => {
    const head = Math.min(bytes.length, 600)
    for (let index = 0; index < head; index += 2) {
      const cut = await rewritten(bytes.subarray(0, index), mime)
      expect(cut?.includes('GPS 59.9139 N, 10.7522 E'), `cut at ${index}`).toBe(false)
    }
    for (let index = 12; index < head; index += 5) {
      const broken = Buffer.from(bytes)
      broken[index] = 0xff
      const written = await rewritten(broken, mime)
      expect(written?.length).toBeLessThanOrEqual(bytes.length + 8)
    }
  })

  it('stops early in a picture of countless tiny parts', async () => {
    const parts = both(Array.from({ length: 60_000 }, (_, index) => chunk(index % 2 ? 'IDAT' : 'tEXt')))
    const written = await rewritten(both([sign, header, parts]), 'image/png')
    expect(written?.length).toBeLessThan(20_000 * 12)
  })

  const upright = tiff(1, 'MM')
  it.each([
    [
      'a PNG of 19,000 parts with EXIF',
      'image/png',
      both([sign, header, ...many(19_000, chunk('eXIf', upright)), pixels]),
    ],
    [
      'a WebP of 19,000 parts with EXIF',
      'image/webp',
      webp(extended(0x08), ...many(19_000, riffChunk('EXIF', upright))),
    ],
    ['a JPEG of 300 long parts with EXIF', 'image/jpeg', both([start, ...many(300, longExif), scan, end])],
  ])('reads %s once from start to end', async (_, mime, bytes) => {
    let read = 0
    const store: Pick<MediaStore, 'getSize' | 'read'> = {
      getSize: async () => bytes.length,
      async *read(_, from, to) {
        read += Math.min(to, bytes.length) - from
        yield bytes.subarray(from, to)
      },
    }
    await removeMetadata(store, 'a picture', mime)
    expect(read).toBeLessThan(1.1 * bytes.length + 200_000)
  })

  it('limits the chunks of a picture with scattered metadata', async () => {
    const parts = many(9500, both([chunk('IDAT', Buffer.alloc(20)), chunk('tEXt', latin(secret))]))
    const bytes = both([sign, header, ...parts, chunk('IEND')])
    expect((await removeMetadata(createStore(bytes), 'a picture', 'image/png'))?.length).toBeLessThanOrEqual(301)
    expect((await rewritten(bytes, 'image/png'))?.includes('GPS')).toBe(false)
  })

  it('takes the orientation from the first of several EXIF parts', async () => {
    const bytes = both([
      sign,
      header,
      chunk('eXIf', tiff(6, 'MM')),
      chunk('eXIf', tiff(3, 'MM')),
      pixels,
      chunk('IEND'),
    ])
    expect((await rewritten(bytes, 'image/png'))?.equals(pngWithoutGamma(6))).toBe(true)
  })

  it('is read once for concurrent requests, and again after a failure', async () => {
    let reads = 0
    let fails = true
    const bytes = createJpeg(6)
    const store: Pick<MediaStore, 'getSize' | 'read'> = {
      async getSize() {
        reads += 1
        if (fails) throw new Error('the disk is away')
        return bytes.length
      },
      read: createStore(bytes).read,
    }
    await expect(loadChunksWithoutMetadata(store, 'a', 'image/jpeg')).rejects.toThrow('the disk is away')
    fails = false
    const answers = await Promise.all(
      many(5, 'a').map((sha256) => loadChunksWithoutMetadata(store, sha256, 'image/jpeg')),
    )
    expect(answers).toEqual(many(5, await removeMetadata(createStore(bytes), 'a', 'image/jpeg')))
    expect(reads).toBe(2)
  })

  it('is cached by type and checksum, unless the file is missing', async () => {
    let file: Buffer | undefined
    let reads = 0
    const store: Pick<MediaStore, 'getSize' | 'read'> = {
      getSize: async () => file?.length,
      read(...requestedRange) {
        reads += 1
        return createStore(file).read(...requestedRange)
      },
    }
    const loadChunks = (sha256: string, mime = 'image/jpeg') => loadChunksWithoutMetadata(store, sha256, mime)
    expect(await loadChunks('a')).toEqual([])
    file = createJpeg(6)
    const fileChunks = await loadChunks('a')
    const once = reads
    expect({ fileChunks, once: once > 0 }).toEqual({
      fileChunks: await removeMetadata(createStore(file), 'a', 'image/jpeg'),
      once: true,
    })
    expect({ chunks: await loadChunks('a'), reads }).toEqual({ chunks: fileChunks, reads: once })
    expect(await loadChunks('a', 'image/gif')).toBeUndefined()
    await loadChunks('b')
    expect(reads).toBe(2 * once)
    for (let other = 0; other < 999; other++) await loadChunks(`other-${other}`)
    await loadChunks('b')
    expect(reads, 'recently read files stay cached').toBe(1001 * once)
    await loadChunks('a')
    expect(reads, 'a file not read for a thousand pictures is read again').toBe(1002 * once)
  })

  it('passes other files through, and returns nothing for a missing one', async () => {
    expect(await rewritten(latin(`GIF89a ${secret}`), 'image/gif')).toBeUndefined()
    expect(await removeMetadata(createStore(undefined), 'nowhere', 'image/jpeg')).toEqual([])
  })
})

describe.each(engines)('shared pictures, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'])
  let id: string
  let mediaId: string
  let sha256: string
  beforeAll(async () => {
    id = await insertDomain(app, ada, [[ben, 'friend']])
    const keeper = await createTestKeeper(ada)
    const init = { method: 'POST', body: createJpeg(6), headers: { 'content-type': 'image/jpeg' } }
    const uploaded = await ada.fetch(`/api/keeper/keepers/${keeper.id}/media`, init)
    ;({ id: mediaId, sha256 } = ((await uploaded.json()) as { data: Media }).data)
    await ada.call(moments.create, { params: { id: keeper.id }, body: { body: 'At the quay', mediaIds: [mediaId] } })
    await ada.call(sharingInDomains.shareKeeper, {
      params: { id, keeperId: keeper.id },
      body: { parts: ['moments'], roles: ['friend'] },
    })
  })

  const read = async (actor: Actor, range?: string) => {
    const answer = await actor.fetch(`/api/domains/${id}/shared/media/${mediaId}`, { headers: range ? { range } : {} })
    const { status, headers } = answer
    const length = Number(headers.get('content-length'))
    return { status, range: headers.get('content-range'), length, bytes: Buffer.from(await answer.arrayBuffer()) }
  }

  it('reach others without the location, and stay unchanged on disk', async () => {
    const expected = jpegWithout(6)
    const bens = await read(ben)
    expect({ status: bens.status, benCount: bens.length }).toEqual({ status: 200, benCount: expected.length })
    expect(bens.bytes.equals(expected)).toBe(true)
    expect((await read(ada)).bytes.equals(createJpeg(6))).toBe(true)
    expect((await readFile(getMediaPath(app.services.settings.dataDir, sha256))).equals(createJpeg(6))).toBe(true)
  })

  it('support ranges of the stripped file', async () => {
    const strippedBytes = jpegWithout(6)
    for (let from = 0; from < strippedBytes.length; from += 7) {
      const to = Math.min(from + 40, strippedBytes.length - 1)
      const part = await read(ben, `bytes=${from}-${to}`)
      expect({ status: part.status, range: part.range }).toEqual({
        status: 206,
        range: `bytes ${from}-${to}/${strippedBytes.length}`,
      })
      expect(part.bytes.equals(strippedBytes.subarray(from, to + 1))).toBe(true)
    }
    expect((await read(ben, `bytes=${strippedBytes.length}-`)).status).toBe(416)
    expect((await read(ben, 'bytes=-2')).bytes.equals(end)).toBe(true)
  })
})
