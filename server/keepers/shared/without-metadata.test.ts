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
const concat = Buffer.concat
const toLatin1 = (text: string) => Buffer.from(text, 'latin1')

/** EXIF with orientation and location. */
function createTiff(orientation: number, order: 'II' | 'MM' = 'II'): Buffer {
  const bytes = Buffer.alloc(38)
  const writeShort = (value: number, offset: number) =>
    order === 'II' ? bytes.writeUInt16LE(value, offset) : bytes.writeUInt16BE(value, offset)
  const writeLong = (value: number, offset: number) =>
    order === 'II' ? bytes.writeUInt32LE(value, offset) : bytes.writeUInt32BE(value, offset)
  bytes.write(order, 0, 'latin1')
  writeShort(42, 2)
  writeLong(8, 4)
  writeShort(2, 8)
  for (const [index, [tag, type, value]] of [
    [0x0112, 3, orientation],
    [0x8825, 4, 38],
  ].entries()) {
    const offset = 10 + index * 12
    writeShort(tag ?? 0, offset)
    writeShort(type ?? 0, offset + 2)
    writeLong(1, offset + 4)
    if (type === 3) writeShort(value ?? 0, offset + 8)
    else writeLong(value ?? 0, offset + 8)
  }
  return concat([bytes, toLatin1(secret)])
}

/** EXIF with one tag. */
const createCleanTiff = (orientation: number) =>
  Buffer.from(
    `4d4d002a00000008000101120003000000010000000000000000`.replace(/^(.{36})..../, `$1000${orientation}`),
    'hex',
  )

const toSegment = (code: number, body: Buffer) => {
  const head = Buffer.from([0xff, code, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return concat([head, body])
}
const jfif = toSegment(0xe0, toLatin1('JFIF\0\x01\x01\0\0\x01\0\x01\0\0'))
const profile = toSegment(0xe2, toLatin1('ICC_PROFILE\0\x01\x01colours'))
const adobe = toSegment(0xee, toLatin1('Adobe\0d\0\0\0\0\x01'))
const tables = toSegment(0xdb, Buffer.alloc(65))
/** Contains stuffed bytes, a restart marker and a run of 0xff, none of which ends the scan. */
const scan = concat([toSegment(0xda, Buffer.alloc(10)), Buffer.from([1, 0xff, 0, 2, 0xff, 0xd0, 3, 0xff, 0xff, 0, 4])])
const start = Buffer.from([0xff, 0xd8])
const end = Buffer.from([0xff, 0xd9])
const createExif = (orientation: number) => toSegment(0xe1, concat([toLatin1('Exif\0\0'), createTiff(orientation)]))
const film = toLatin1(`ftypmp42 a film behind the picture ${secret}`)
const createJpeg = (orientation: number) =>
  concat([
    start,
    jfif,
    createExif(orientation),
    toSegment(0xe1, toLatin1(`http://ns.adobe.com/xap/1.0/\0${secret}`)),
    toSegment(0xed, toLatin1(`Photoshop 3.0\0${secret}`)),
    toSegment(0xe2, toLatin1(`MPF\0${secret}`)),
    toSegment(0xfe, toLatin1(secret)),
    profile,
    adobe,
    tables,
    scan,
    toSegment(0xfe, toLatin1(secret)),
    tables,
    scan,
    end,
    film,
  ])
const createCleanJpeg = (orientation?: number) =>
  concat([
    start,
    jfif,
    ...(orientation ? [toSegment(0xe1, concat([toLatin1('Exif\0\0'), createCleanTiff(orientation)]))] : []),
    profile,
    adobe,
    tables,
    scan,
    tables,
    scan,
    end,
  ])

const toPngChunk = (type: string, body: Buffer = Buffer.alloc(0)) => {
  const named = concat([toLatin1(type), body])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(body.length, 0)
  frame.writeUInt32BE(crc32(named), 4)
  return concat([frame.subarray(0, 4), named, frame.subarray(4)])
}
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const header = toPngChunk('IHDR', Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]))
const gamma = toPngChunk('gAMA', Buffer.from([0, 0, 0xb1, 0x8f]))
const pixels = toPngChunk('IDAT', Buffer.alloc(150_000, 5))
const textChunks = ['tEXt', 'zTXt', 'iTXt', 'tIME', 'prVt'].map((type) => toPngChunk(type, toLatin1(secret)))
const createPng = (orientation: number) =>
  concat([
    signature,
    header,
    gamma,
    toPngChunk('eXIf', createTiff(orientation, 'MM')),
    ...textChunks,
    pixels,
    ...textChunks,
    toPngChunk('IEND'),
    film,
  ])
const createCleanPng = (orientation?: number) =>
  concat([
    signature,
    header,
    gamma,
    ...(orientation ? [toPngChunk('eXIf', createCleanTiff(orientation))] : []),
    pixels,
    toPngChunk('IEND'),
  ])

const toRiffChunk = (type: string, body: Buffer) => {
  const head = Buffer.alloc(8)
  head.write(type, 'latin1')
  head.writeUInt32LE(body.length, 4)
  return concat([head, body, Buffer.alloc(body.length % 2)])
}
const joinWebp = (...chunks: Buffer[]) => toRiffChunk('RIFF', concat([toLatin1('WEBP'), ...chunks]))
const createVp8x = (flags: number) => toRiffChunk('VP8X', Buffer.from([flags, 0, 0, 0, 0, 0, 0, 0, 0, 0]))
const lossy = toRiffChunk('VP8 ', Buffer.alloc(301, 7))
const createWebp = (orientation: number) =>
  joinWebp(
    createVp8x(0x2c),
    profileChunk,
    lossy,
    toRiffChunk('EXIF', createTiff(orientation)),
    toRiffChunk('XMP ', toLatin1(secret)),
  )
const profileChunk = toRiffChunk('ICCP', toLatin1('colours'))
const createCleanWebp = (orientation?: number) =>
  orientation
    ? joinWebp(createVp8x(0x28), profileChunk, lossy, toRiffChunk('EXIF', createCleanTiff(orientation)))
    : joinWebp(createVp8x(0x20), profileChunk, lossy)

const createPngWithoutGamma = (orientation: number) =>
  concat([signature, header, toPngChunk('eXIf', createCleanTiff(orientation)), pixels, toPngChunk('IEND')])
const longExif = toSegment(0xe1, concat([toLatin1('Exif\0\0'), createTiff(1), Buffer.alloc(65_000)]))
const repeat = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one)

describe('a picture without its metadata', () => {
  const createStore = (bytes: Buffer | undefined): Pick<MediaStore, 'getSize' | 'read'> => ({
    getSize: async () => bytes?.length,
    async *read(_, start, end) {
      yield bytes?.subarray(start, end) ?? Buffer.alloc(0)
    },
  })
  const removeAndJoin = async (bytes: Buffer, mime: string) => {
    const fileChunks = await removeMetadata(createStore(bytes), 'a picture', mime)
    return (
      fileChunks &&
      concat(
        fileChunks.map((fileChunk) =>
          Buffer.isBuffer(fileChunk) ? fileChunk : bytes.subarray(fileChunk.start, fileChunk.end),
        ),
      )
    )
  }

  it.each([
    ['a rotated JPEG', 'image/jpeg', createJpeg(6), createCleanJpeg(6)],
    ['an upright JPEG', 'image/jpeg', createJpeg(1), createCleanJpeg()],
    ['a JPEG with an invalid orientation', 'image/jpeg', createJpeg(77), createCleanJpeg()],
    ['a rotated PNG', 'image/png', createPng(8), createCleanPng(8)],
    ['an upright PNG', 'image/png', createPng(1), createCleanPng()],
    ['a rotated WebP', 'image/webp', createWebp(3), createCleanWebp(3)],
    ['an upright WebP', 'image/webp', createWebp(1), createCleanWebp()],
    ['a plain WebP', 'image/webp', joinWebp(lossy), joinWebp(lossy)],
  ])('keeps appearance and orientation of %s and nothing else', async (_, mime, bytes, expected) => {
    const stripped = await removeAndJoin(bytes, mime)
    expect(stripped?.equals(expected)).toBe(true)
    expect(stripped?.includes('GPS')).toBe(false)
  })

  it.each([
    ['image/jpeg', createJpeg(6)],
    ['image/png', createPng(6)],
    ['image/webp', createWebp(6)],
  ])('ends safely for a %s that is truncated or corrupt', async (mime, bytes) => {
    const head = Math.min(bytes.length, 600)
    for (let index = 0; index < head; index += 2) {
      const cut = await removeAndJoin(bytes.subarray(0, index), mime)
      expect(cut?.includes('GPS 59.9139 N, 10.7522 E'), `cut at ${index}`).toBe(false)
    }
    for (let index = 12; index < head; index += 5) {
      const broken = Buffer.from(bytes)
      broken[index] = 0xff
      const stripped = await removeAndJoin(broken, mime)
      expect(stripped?.length).toBeLessThanOrEqual(bytes.length + 8)
    }
  })

  it('stops early in a picture of countless tiny parts', async () => {
    const parts = concat(Array.from({ length: 60_000 }, (_, index) => toPngChunk(index % 2 ? 'IDAT' : 'tEXt')))
    const stripped = await removeAndJoin(concat([signature, header, parts]), 'image/png')
    expect(stripped?.length).toBeLessThan(20_000 * 12)
  })

  const upright = createTiff(1, 'MM')
  it.each([
    [
      'a PNG of 19,000 parts with EXIF',
      'image/png',
      concat([signature, header, ...repeat(19_000, toPngChunk('eXIf', upright)), pixels]),
    ],
    [
      'a WebP of 19,000 parts with EXIF',
      'image/webp',
      joinWebp(createVp8x(0x08), ...repeat(19_000, toRiffChunk('EXIF', upright))),
    ],
    ['a JPEG of 300 long parts with EXIF', 'image/jpeg', concat([start, ...repeat(300, longExif), scan, end])],
  ])('reads %s once from start to end', async (_, mime, bytes) => {
    let readBytes = 0
    const store: Pick<MediaStore, 'getSize' | 'read'> = {
      getSize: async () => bytes.length,
      async *read(_, from, to) {
        readBytes += Math.min(to, bytes.length) - from
        yield bytes.subarray(from, to)
      },
    }
    await removeMetadata(store, 'a picture', mime)
    expect(readBytes).toBeLessThan(1.1 * bytes.length + 200_000)
  })

  it('limits the chunks of a picture with scattered metadata', async () => {
    const parts = repeat(9500, concat([toPngChunk('IDAT', Buffer.alloc(20)), toPngChunk('tEXt', toLatin1(secret))]))
    const bytes = concat([signature, header, ...parts, toPngChunk('IEND')])
    expect((await removeMetadata(createStore(bytes), 'a picture', 'image/png'))?.length).toBeLessThanOrEqual(301)
    expect((await removeAndJoin(bytes, 'image/png'))?.includes('GPS')).toBe(false)
  })

  it('takes the orientation from the first of several EXIF parts', async () => {
    const bytes = concat([
      signature,
      header,
      toPngChunk('eXIf', createTiff(6, 'MM')),
      toPngChunk('eXIf', createTiff(3, 'MM')),
      pixels,
      toPngChunk('IEND'),
    ])
    expect((await removeAndJoin(bytes, 'image/png'))?.equals(createPngWithoutGamma(6))).toBe(true)
  })

  it('is read once for concurrent requests, and again after a failure', async () => {
    let readCount = 0
    let fails = true
    const bytes = createJpeg(6)
    const store: Pick<MediaStore, 'getSize' | 'read'> = {
      async getSize() {
        readCount += 1
        if (fails) throw new Error('the disk is unavailable')
        return bytes.length
      },
      read: createStore(bytes).read,
    }
    await expect(loadChunksWithoutMetadata(store, 'a', 'image/jpeg')).rejects.toThrow('the disk is unavailable')
    fails = false
    const results = await Promise.all(
      repeat(5, 'a').map((sha256) => loadChunksWithoutMetadata(store, sha256, 'image/jpeg')),
    )
    expect(results).toEqual(repeat(5, await removeMetadata(createStore(bytes), 'a', 'image/jpeg')))
    expect(readCount).toBe(2)
  })

  it('is cached by type and checksum, unless the file is missing', async () => {
    let file: Buffer | undefined
    let readCount = 0
    const store: Pick<MediaStore, 'getSize' | 'read'> = {
      getSize: async () => file?.length,
      read(...requestedRange) {
        readCount += 1
        return createStore(file).read(...requestedRange)
      },
    }
    const loadChunks = (sha256: string, mime = 'image/jpeg') => loadChunksWithoutMetadata(store, sha256, mime)
    expect(await loadChunks('a')).toEqual([])
    file = createJpeg(6)
    const fileChunks = await loadChunks('a')
    const readsPerFile = readCount
    expect(fileChunks).toEqual(await removeMetadata(createStore(file), 'a', 'image/jpeg'))
    expect(readsPerFile).toBeGreaterThan(0)
    expect(await loadChunks('a')).toEqual(fileChunks)
    expect(readCount).toBe(readsPerFile)
    expect(await loadChunks('a', 'image/gif')).toBeUndefined()
    await loadChunks('b')
    expect(readCount).toBe(2 * readsPerFile)
    for (let other = 0; other < 999; other++) await loadChunks(`other-${other}`)
    await loadChunks('b')
    expect(readCount, 'recently read files stay cached').toBe(1001 * readsPerFile)
    await loadChunks('a')
    expect(readCount, 'a file not read for a thousand pictures is read again').toBe(1002 * readsPerFile)
  })

  it('passes other files through, and returns nothing for a missing one', async () => {
    expect(await removeAndJoin(toLatin1(`GIF89a ${secret}`), 'image/gif')).toBeUndefined()
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

  const fetchMedia = async (actor: Actor, range?: string) => {
    const response = await actor.fetch(`/api/domains/${id}/shared/media/${mediaId}`, {
      headers: range ? { range } : {},
    })
    const { status, headers } = response
    const length = Number(headers.get('content-length'))
    return { status, range: headers.get('content-range'), length, bytes: Buffer.from(await response.arrayBuffer()) }
  }

  it('reach others without the location, and stay unchanged on disk', async () => {
    const expected = createCleanJpeg(6)
    const bensFile = await fetchMedia(ben)
    expect(bensFile.status).toBe(200)
    expect(bensFile.length).toBe(expected.length)
    expect(bensFile.bytes.equals(expected)).toBe(true)
    expect((await fetchMedia(ada)).bytes.equals(createJpeg(6))).toBe(true)
    expect((await readFile(getMediaPath(app.services.settings.dataDir, sha256))).equals(createJpeg(6))).toBe(true)
  })

  it('support ranges of the stripped file', async () => {
    const strippedBytes = createCleanJpeg(6)
    for (let from = 0; from < strippedBytes.length; from += 7) {
      const to = Math.min(from + 40, strippedBytes.length - 1)
      const part = await fetchMedia(ben, `bytes=${from}-${to}`)
      expect({ status: part.status, range: part.range }).toEqual({
        status: 206,
        range: `bytes ${from}-${to}/${strippedBytes.length}`,
      })
      expect(part.bytes.equals(strippedBytes.subarray(from, to + 1))).toBe(true)
    }
    expect((await fetchMedia(ben, `bytes=${strippedBytes.length}-`)).status).toBe(416)
    expect((await fetchMedia(ben, 'bytes=-2')).bytes.equals(end)).toBe(true)
  })
})
