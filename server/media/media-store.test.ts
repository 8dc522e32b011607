import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { detectMediaType, sniffedBytes } from '#contract/keepers/detect-media-type.ts'
import { type MediaMime, mediaTypeAliases, mediaTypes } from '#contract/keepers/media.ts'
import { readSettings } from '#server/settings/settings.ts'
import { dayMs } from '#server/values/time-units.ts'
import { type BucketFake, startBucket } from '#tests/fakes/bucket.ts'
import { mediaSamples, sharedFormats } from '#tests/media-samples.ts'
import { BucketMedia } from './bucket-media.ts'
import { BucketRequests } from './bucket-requests.ts'
import { FolderMedia } from './folder-media.ts'
import { type MediaStore, readWholeMedia } from './media-store.ts'
import { parseRange } from './send-media.ts'
import { measureMp3Seconds } from './store-recording.ts'

const hashText = (text: string) => createHash('sha256').update(text).digest('hex')
const folders: string[] = []
const buckets: BucketFake[] = []
const sleptMs: number[] = []

afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))))
afterEach(async () => {
  await Promise.all(buckets.splice(0).map((bucket) => bucket.close()))
  sleptMs.length = 0
})

async function createFolderMedia(): Promise<FolderMedia & { dataDir: string }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'keeper-media-'))
  folders.push(dataDir)
  return Object.assign(new FolderMedia(dataDir), { dataDir })
}

async function createBucketMedia() {
  const bucket = await startBucket()
  buckets.push(bucket)
  const folder = await createFolderMedia()
  const settings = readSettings(bucket.environment).bucket
  if (!settings) throw new Error('no bucket')
  const runtime = { fetch, sleep: async (ms: number) => void sleptMs.push(ms) }
  return { bucket, folder, store: new BucketMedia(settings, folder, runtime) }
}

const readText = async (store: MediaStore, sha256: string, start: number, end: number) => {
  const toBuffers: Buffer[] = []
  for await (const chunk of store.read(sha256, start, end)) toBuffers.push(chunk)
  return Buffer.concat(toBuffers).toString()
}
const listNamesBefore = async (store: MediaStore, time: number) => {
  const listAllNames: string[] = []
  for await (const page of store.listOlderThan(time)) listAllNames.push(...page)
  return listAllNames.toSorted()
}
const toBuffers = (...texts: string[]) => texts.map((text) => Buffer.from(text))

describe.each(['folder', 'bucket'])('media in a %s', (kind) => {
  let store: MediaStore
  beforeEach(async () => {
    store = kind === 'folder' ? await createFolderMedia() : (await createBucketMedia()).store
  })

  it('are stored by hash and read whole, in part, or not at all', async () => {
    const stored = await store.write(toBuffers('half a ', 'song'), new Date())
    expect(stored).toEqual({ sha256: hashText('half a song'), bytes: 11 })
    expect(await store.getSize(stored.sha256)).toBe(11)
    expect(await readText(store, stored.sha256, 0, 11)).toBe('half a song')
    expect(await readText(store, stored.sha256, 5, 8)).toBe('a s')
    expect(await readText(store, stored.sha256, 4, 4)).toBe('')
    expect((await readWholeMedia(store, stored.sha256)).toString()).toBe('half a song')
    expect(await store.getSize(hashText('nothing'))).toBeUndefined()
    expect((await readWholeMedia(store, hashText('nothing'))).length).toBe(0)
  })

  it('interrupted while writing leave nothing', async () => {
    const writeInterrupted = async function* () {
      yield Buffer.from('half')
      throw new Error('interrupted')
    }
    await expect(store.write(writeInterrupted(), new Date())).rejects.toThrow('interrupted')
    expect(await listNamesBefore(store, Number.POSITIVE_INFINITY)).toEqual([])
  })

  it('survive listing while being written; only old unfinished ones are deleted', async () => {
    const listAllNames = () => listNamesBefore(store, Number.POSITIVE_INFINITY)
    let listed: string[] = []
    async function* writeSlowly() {
      yield Buffer.from('half ')
      listed = await listAllNames()
      await store.removeUnfinished(Date.now() - dayMs)
      yield Buffer.from('a song')
    }
    const { sha256 } = await store.write(writeSlowly(), new Date())
    expect(listed).toEqual([])
    expect(await readText(store, sha256, 0, 11)).toBe('half a song')
    await store.removeUnfinished(Number.POSITIVE_INFINITY)
    expect(await listAllNames()).toEqual([sha256])
  })

  it('round-trip when empty or large', async () => {
    const large = Buffer.alloc(3_000_000, 'keeper')
    const { sha256 } = await store.write([large], new Date())
    expect((await readWholeMedia(store, sha256)).equals(large)).toBe(true)
    expect(await store.write([], new Date())).toEqual({ sha256: hashText(''), bytes: 0 })
    expect(await store.getSize(hashText(''))).toBe(0)
  })

  it('are swept when old, unless they were written again', async () => {
    const texts = Array.from({ length: 7 }, (_, index) => `song ${index}`)
    for (const text of texts) await store.write(toBuffers(text), new Date())
    const hashes = texts.map(hashText).toSorted()
    const later = Date.now() + dayMs
    expect(await listNamesBefore(store, Date.now() - dayMs)).toEqual([])
    expect(await listNamesBefore(store, later)).toEqual(hashes)
    expect(await store.removeIfOlder(hashes[0] ?? '', Date.now() - dayMs)).toBe(false)
    expect(await store.removeIfOlder(hashes[0] ?? '', later)).toBe(true)
    expect(await store.removeIfOlder(hashes[0] ?? '', later)).toBe(false)
    expect(await listNamesBefore(store, later)).toEqual(hashes.slice(1))
  })
})

describe('a bucket', () => {
  it('receives existing bytes again at most once a day', async () => {
    const { bucket, store } = await createBucketMedia()
    const { sha256 } = await store.write(toBuffers('song'), new Date())
    await store.write(toBuffers('song'), new Date())
    const countPuts = () => bucket.requests.filter((request) => request.startsWith('PUT')).length
    expect(countPuts()).toBe(1)
    const object = bucket.objects.get(`of-keeper/media/${sha256}`)
    if (object) object.modified -= dayMs
    await store.write(toBuffers('song'), new Date())
    expect(countPuts()).toBe(2)
    expect(await store.removeIfOlder(sha256, Date.now() - dayMs / 2)).toBe(false)
  })

  it('leaves nothing in the data folder, and other objects alone', async () => {
    const { bucket, folder, store } = await createBucketMedia()
    await store.write(toBuffers('song'), new Date())
    expect(await listNamesBefore(folder, Number.POSITIVE_INFINITY)).toEqual([])
    const leftNames = await readdir(join(folder.dataDir, 'media'), { recursive: true })
    expect(leftNames.filter((name) => name.length > 2)).toEqual([])
    bucket.objects.set('of-keeper/media/readme.txt', { bytes: Buffer.from('mine'), modified: 0 })
    bucket.objects.set(`other-prefix/${hashText('mine')}`, { bytes: Buffer.from('mine'), modified: 0 })
    expect(await listNamesBefore(store, Date.now() - dayMs)).toEqual([])
  })

  it('still serves files of the data folder, and copies them on request', async () => {
    const { bucket, folder, store } = await createBucketMedia()
    const { sha256 } = await folder.write(toBuffers('an old song'), new Date())
    expect(await store.getSize(sha256)).toBe(11)
    expect(await readText(store, sha256, 3, 6)).toBe('old')
    expect(await store.copyFolder()).toBe(1)
    expect(await store.copyFolder()).toBe(0)
    await rm(folder.getPath(sha256))
    expect(await readText(store, sha256, 0, 11)).toBe('an old song')
    expect([...bucket.objects.keys()]).toEqual([`of-keeper/media/${sha256}`])
  })

  it('is retried on transient failures, and errors contain no keys', async () => {
    const { bucket, store } = await createBucketMedia()
    bucket.faults.push(500, 'reset', null, 503)
    const { sha256 } = await store.write(toBuffers('song'), new Date())
    expect(sleptMs).toEqual([200, 400, 200])
    expect(await store.getSize(sha256)).toBe(4)
    for (const [fault, attempts] of [
      [403, 1],
      [500, 3],
    ] as const) {
      bucket.faults.push(...Array.from({ length: attempts }, () => fault))
      const previousCount = bucket.requests.length
      const problem = await store.write(toBuffers('another'), new Date()).catch((error) => error)
      expect(problem).toMatchObject({ code: 'media-unavailable' })
      expect(bucket.requests.length - previousCount).toBe(attempts)
      expect(`${problem.message} ${problem.cause?.stack}`).not.toMatch(/canary|BUCKETKEY/)
    }
    expect(bucket.objects.size).toBe(1)
  })

  it('is resumed when interrupted; a truncated response is never accepted', async () => {
    const { bucket, store } = await createBucketMedia()
    const song = Buffer.alloc(100_000, 'song')
    const { sha256 } = await store.write([song], new Date())
    bucket.faults.push('cut-off')
    expect(await readText(store, sha256, 0, 100_000)).toBe(song.toString())
    bucket.faults.push(...Array(60).fill('cut-off'))
    await expect(readText(store, sha256, 0, 100_000)).rejects.toThrow()
  })

  it('rejects wrong keys', async () => {
    const { bucket, folder } = await createBucketMedia()
    const wrongSettings = readSettings({ ...bucket.environment, S3_SECRET_ACCESS_KEY: 'wrong-key' }).bucket
    if (!wrongSettings) throw new Error('no bucket')
    const store = new BucketMedia(wrongSettings, folder, { fetch, sleep: async () => undefined })
    await expect(store.getSize(hashText('song'))).rejects.toMatchObject({ code: 'media-unavailable' })
  })

  it('every operation on a missing bucket fails as temporary', async () => {
    const { bucket, folder } = await createBucketMedia()
    const missingBucket = readSettings({ ...bucket.environment, S3_BUCKET: 'never-created' }).bucket
    if (!missingBucket) throw new Error('no bucket')
    const store = new BucketMedia(missingBucket, folder, { fetch, sleep: async () => undefined })
    const requests = new BucketRequests(missingBucket, { fetch, sleep: async () => undefined })
    const temporaryFailure = { code: 'media-unavailable', cause: { message: expect.stringContaining('S3_BUCKET') } }
    await expect(store.write(toBuffers('song'), new Date())).rejects.toMatchObject(temporaryFailure)
    await expect(requests.remove(hashText('song'))).rejects.toMatchObject(temporaryFailure)
    await expect(listNamesBefore(store, Number.POSITIVE_INFINITY)).rejects.toMatchObject(temporaryFailure)
    await folder.write(toBuffers('song'), new Date())
    await expect(store.copyFolder()).rejects.toMatchObject(temporaryFailure)
    expect(await store.getSize(hashText('song'))).toBe(4)
  })
})

const createMp3Frame = (header: number[], bytes: number) =>
  Buffer.concat([Buffer.from(header), Buffer.alloc(bytes - 4)])
/** MPEG-1, 128 kbit/s, 44.1 kHz. */
const createMp3Frames = (count: number) =>
  Buffer.concat(Array.from({ length: count }, () => createMp3Frame([0xff, 0xfb, 0x90, 0], 417)))
const id3 = Buffer.concat([Buffer.from('ID3'), Buffer.from([4, 0, 0, 0, 0, 1, 2]), Buffer.alloc(130)])
const oldTag = Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125)])

it.each([
  ['frames alone', createMp3Frames(100), 2.6122],
  ['frames between tags', Buffer.concat([id3, createMp3Frames(100), oldTag]), 2.6122],
  ['a padded frame', createMp3Frame([0xff, 0xfb, 0x92, 0], 418), 0.0261],
  ['64 kbit/s', createMp3Frame([0xff, 0xfb, 0x50, 0], 208), 0.0261],
  ['MPEG-2 at 22.05 kHz, 64 kbit/s', createMp3Frame([0xff, 0xf3, 0x80, 0], 208), 0.0261],
])('the length of an MP3 of %s is counted', (_, bytes, seconds) => {
  expect(measureMp3Seconds(bytes)).toBeCloseTo(seconds, 3)
})

it.each([
  ['nothing', Buffer.alloc(0)],
  ['a WAV', Buffer.from('RIFF0000WAVEfmt ')],
  ['a tag alone', id3],
  ['frames and then something else', Buffer.concat([createMp3Frames(3), Buffer.from('<html>')])],
  ['a frame of no known rate', createMp3Frame([0xff, 0xfb, 0x9c, 0], 417)],
  ['layer II', createMp3Frame([0xff, 0xfd, 0x90, 0], 417)],
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
])('of ten bytes, the range %j is %j', (header, range) => {
  expect(parseRange(header, 10)).toEqual(range)
})

const types = Object.values(mediaTypes).flat() as MediaMime[]
const readLatin1 = (text: string) => Buffer.from(text, 'latin1')
const padWithZeros = (head: Buffer) => Buffer.concat([head, Buffer.alloc(sniffedBytes)])

describe('the type of a file', () => {
  it.each(types)('%s is detected under every label', (type) => {
    const shared = sharedFormats.find(({ bytes }) => bytes === type)?.labels ?? []
    const detected = types.map((label) => [label, detectMediaType(mediaSamples[type], label)])
    expect(Object.fromEntries(detected)).toEqual(
      Object.fromEntries(types.map((label) => [label, shared.includes(label) ? label : type])),
    )
    for (const label of ['', 'application/octet-stream', 'application/msword', 'image/x-unknown'])
      expect(detectMediaType(mediaSamples[type], label)).toBe(type)
  })

  it.each(types.filter((type) => type !== 'text/plain'))('%s is also detected in a long file', (type) => {
    expect(detectMediaType(padWithZeros(mediaSamples[type]), 'text/plain')).toBe(type)
  })

  it('aliases of a type are treated like its label', () => {
    for (const [alias, type] of Object.entries(mediaTypeAliases)) {
      const { bytes } = sharedFormats.find(({ labels }) => labels.includes(type)) ?? { bytes: type }
      expect(detectMediaType(mediaSamples[bytes], alias), alias).toBe(type)
    }
  })

  it.each([
    ['a text that begins like a film', 'The free ferry leaves at noon.'],
    ['a text that begins like an audio tag', 'ID3 tags hold the title of a song.'],
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
    ['an invalid character', 'Gr\xfc\xdfe'],
  ])('%s has no accepted type', (_, text) => {
    expect(detectMediaType(readLatin1(text), 'image/png')).toBeUndefined()
  })

  it('a recording without `ftyp`, audio behind a long tag and UTF-16 text are detected', () => {
    expect(detectMediaType(readLatin1('\0\0\x10\0moov'), 'video/mp4')).toBe('video/quicktime')
    expect(detectMediaType(readLatin1('ID3\x04\0\0\0\x01\0\0'), 'audio/aac')).toBe('audio/aac')
    expect(detectMediaType(readLatin1('ID3\x04\0\0\0\0\0\0fLaC'), 'audio/mpeg')).toBe('audio/flac')
    expect(detectMediaType(readLatin1('Gr\xfc\xdfe'), 'text/plain')).toBe('text/plain')
    expect(detectMediaType(Buffer.from('\ufeffQuay', 'utf16le'), 'text/plain')).toBe('text/plain')
    expect(detectMediaType(Buffer.from('Kai '.repeat(255) + 'abcü').subarray(0, sniffedBytes), '')).toBe('text/plain')
  })

  it('any bytes under any label are recognized as an accepted type or refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), fc.constantFrom(...types, ''), (head, label) => {
        const type = detectMediaType(head, label)
        return type === undefined || types.includes(type)
      }),
    )
  })
})
