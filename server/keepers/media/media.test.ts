import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import decodeWebp, { init } from '@jsquash/webp/decode.js'
import * as fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ownAccount } from '#contract/accounts/own-account.ts'
import { boardSharing } from '#contract/boards/board-sharing.ts'
import { boards } from '#contract/boards/boards.ts'
import { keeperMedia, type Media, maxMediaBytes } from '#contract/keepers/media.ts'
import { moments } from '#contract/keepers/moments.ts'
import { getMediaPath } from '#server/media/folder-media.ts'
import { readMediaQuota } from '#server/media/media-quota.ts'
import { sweepMedia } from '#server/media/sweep-media.ts'
import { newId } from '#server/values/new-id.ts'
import { dayMs, minuteMs } from '#server/values/time-units.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { createHeic } from '#tests/heic-file.ts'
import { createJpeg, createPng, withOrientation } from '#tests/picture-files.ts'
import { removeRequestId } from '#tests/remove-request-id.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { readDimensions } from './inspect-media.ts'
import { shrinkPicture } from './shrink-picture.ts'
import { createSmallVersions } from './small-versions.ts'

const png = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.alloc(3000, 7)])

describe.each(engines)('files of a keeper, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'], { perTest: true })
  let keeperId: string
  beforeEach(async () => {
    keeperId = (await createTestKeeper(ada)).id
  })

  interface UploadOptions {
    mime?: string
    query?: string
    actor?: Actor
    targetId?: string
    headers?: Record<string, string>
  }
  const send = async (body: NonNullable<RequestInit['body']>, options: UploadOptions = {}) => {
    const { mime = 'image/png', query = '', actor = ada, targetId = keeperId, headers = {} } = options
    const init = { method: 'POST', body, headers: { 'content-type': mime, ...headers }, duplex: 'half' }
    const response = await actor.fetch(`/api/keeper/keepers/${targetId}/media${query}`, init as RequestInit)
    const { data, error } = (await response.json()) as { data: Media; error: string }
    return { status: response.status, data, error }
  }
  const fetchBytes = (id: string, actor = ada, headers: Record<string, string> = {}) =>
    actor.fetch(`/api/keeper/media/${id}`, { headers })
  const getFolder = () => join(app.services.settings.dataDir, 'media')
  const listFilesOnDisk = () =>
    existsSync(getFolder()) ? readdirSync(getFolder()).flatMap((part) => readdirSync(join(getFolder(), part))) : []

  it('are returned byte for byte with safe headers', async () => {
    const { status, data } = await send(png, { query: '?name=quay%20"1".png&alt=The%20quay&width=8&height=6' })
    expect(status).toBe(200)
    const sha256 = createHash('sha256').update(png).digest('hex')
    expect(data).toMatchObject({
      kind: 'image',
      mime: 'image/png',
      bytes: png.length,
      sha256,
      alt: 'The quay',
      width: 8,
    })
    const response = await fetchBytes(data.id)
    expect(Buffer.from(await response.arrayBuffer())).toEqual(png)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="quay -1.png"')
    expect(response.headers.get('cache-control')).toBe('no-store')
    const part = await fetchBytes(data.id, ada, { range: 'bytes=1-3' })
    expect({ status: part.status, part: await part.text() }).toEqual({ status: 206, part: 'PNG' })
    expect((await fetchBytes(data.id, ada, { range: `bytes=${png.length}-` })).status).toBe(416)
  })

  it('are private to their owner in every call', async () => {
    const { data } = await send(png)
    const ben = await app.as('ben')
    for (const [method, body] of [
      ['GET', undefined],
      ['DELETE', undefined],
      ['PUT', JSON.stringify({ alt: 'mine' })],
    ] as const) {
      const callAsBen = async (id: string) => {
        const headers: Record<string, string> = body ? { 'content-type': 'application/json' } : {}
        const response = await ben.fetch(`/api/keeper/media/${id}`, { method, ...(body && { body }), headers })
        return `${response.status} ${removeRequestId(await response.text())}`
      }
      expect(await callAsBen(data.id)).toBe(await callAsBen('0'.repeat(32)))
      expect(await callAsBen(data.id)).toMatch(/^404 /)
    }
    expect((await send(png, { actor: ben })).status).toBe(404)
    expect((await fetchBytes(data.id)).status).toBe(200)
    expect((await app.visitor().fetch(`/api/keeper/media/${data.id}`)).status).toBe(401)
  })

  it('are uploaded once per id, which nobody else can use', async () => {
    const query = `?id=${'a'.repeat(32)}`
    const first = await send(png, { query })
    const repeated = await send(Buffer.concat([png, png]), { query })
    expect(repeated).toEqual(first)
    const ben = await app.as('ben')
    const bensKeeper = await createTestKeeper(ben)
    expect((await send(png, { query, actor: ben, targetId: bensKeeper.id })).status).toBe(409)
    expect((await send(png, { query: '?id=short' })).status).toBe(400)
    const responses = await Promise.all([1, 2].map(() => send(png, { query: `?id=${'b'.repeat(32)}` })))
    expect(responses.map(({ status }) => status)).toEqual([200, 200])
    expect(await app.services.db.selectFrom('media').select('id').execute()).toHaveLength(2)
  })

  it.each([
    ['markup labeled as a picture', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/png', 400],
    ['a page labeled as a GIF', '<html><script>alert(1)</script></html>', 'image/gif', 400],
    ['bytes of no format labeled as sound', Buffer.from([1, 2, 3, 4]), 'audio/mpeg', 400],
    ['a JPEG XL labeled as a picture', Buffer.from('\0\0\0\x0cftypjxl \0\0\0\0jxl '), 'image/png', 400],
    ['an SVG', '<svg/>', 'image/svg+xml', 415],
    ['a page', '<html/>', 'text/html', 415],
    ['JSON', '{}', 'application/json', 415],
    ['nothing', '', 'image/png', 400],
  ])('reject %s with a message and store nothing', async (_, body, mime, status) => {
    const response = await send(body, { mime })
    expect(response.status).toBe(status)
    expect(response.error).toMatch(/\w+ .+\.$/)
    expect(listFilesOnDisk()).toEqual([])
    expect(await app.services.db.selectFrom('media').selectAll().execute()).toEqual([])
  })

  it.each([
    ['audio/mpeg', Buffer.from('ID3\x04rest')],
    ['audio/webm', Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 1])],
    ['audio/ogg', Buffer.from('OggS...')],
    ['audio/mp4', Buffer.concat([Buffer.from([0, 0, 0, 20]), Buffer.from('ftypM4A \0\0\0\0M4A ')])],
    ['image/heic', Buffer.concat([Buffer.from([0, 0, 0, 20]), Buffer.from('ftypheic\0\0\0\0mif1')])],
    ['image/avif', Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypmif1\0\0\0\0miafavif')])],
    ['application/pdf', Buffer.from('%PDF-1.7')],
    ['text/plain', Buffer.from('Grüße vom Kai')],
  ])('accept a real %s with parameters in its type', async (mime, bytes) => {
    const { status, data } = await send(bytes, { mime: `${mime}; codecs=opus` })
    expect({ status, mime: data.mime, bytes: data.bytes }).toEqual({ status: 200, mime, bytes: bytes.length })
  })

  it('are limited to 50 MB, declared or not', async () => {
    const chunk = Buffer.alloc(1024 * 1024, 1)
    const stream = (chunkCount: number, extraBytes: number) => {
      let sentChunks = 0
      return new ReadableStream<Uint8Array>({
        pull(controller) {
          if (sentChunks === 0) controller.enqueue(Buffer.concat([png.subarray(0, 8), chunk.subarray(8)]))
          else if (sentChunks < chunkCount) controller.enqueue(chunk)
          else {
            if (extraBytes > 0) controller.enqueue(chunk.subarray(0, extraBytes))
            controller.close()
          }
          sentChunks++
        },
      })
    }
    const maxSizeUpload = await send(stream(50, 0))
    expect({ status: maxSizeUpload.status, bytes: maxSizeUpload.data.bytes }).toEqual({
      status: 200,
      bytes: maxMediaBytes,
    })
    const filesBefore = listFilesOnDisk()
    const tooLong = await send(stream(50, 1))
    expect({ status: tooLong.status, error: tooLong.error }).toEqual({
      status: 413,
      error: 'Keeper accepts at most 50 MB here. Send a smaller file.',
    })
    const declared = await send(png, { headers: { 'content-length': String(maxMediaBytes + 1) } })
    expect(declared.status).toBe(413)
    expect(listFilesOnDisk()).toEqual(filesBefore)
  })

  it('are limited per day, independent of deletions', async () => {
    const limit = 64 * 1024
    app.services.settings.limits.mediaBytesPerPerson = limit
    const createQuarterOfLimit = (number: number) => Buffer.concat([png, Buffer.alloc(limit / 4 - png.length, number)])
    const statuses: number[] = []
    for (let number = 0; number < 12; number++) {
      const { status, data } = await send(createQuarterOfLimit(number))
      statuses.push(status)
      if (status === 200) expect((await ada.call(keeperMedia.remove, { params: { id: data.id } })).status).toBe(200)
    }
    expect(statuses).toEqual([...Array(8).fill(200), ...Array(4).fill(429)])
    expect(listFilesOnDisk()).toHaveLength(8)
    expect((await send(createQuarterOfLimit(20))).error).toMatch(
      /including deleted ones: 1 MB\. Send this file tomorrow/,
    )
    expect(
      (
        await send(createQuarterOfLimit(20), {
          actor: await app.as('ben'),
          targetId: (await createTestKeeper(await app.as('ben'))).id,
        })
      ).status,
    ).toBe(200)
    app.passTime(dayMs)
    expect((await send(createQuarterOfLimit(21))).status).toBe(200)
  })

  it('are limited per person, with a message that states the usage', async () => {
    app.services.settings.limits.mediaBytesPerPerson = 2 * png.length - 1
    const first = await send(png)
    expect(first.status).toBe(200)
    const createUndeclaredBody = () => new Blob([png]).stream()
    for (const body of [png, createUndeclaredBody()]) {
      const refused = await send(body)
      expect(refused.status).toBe(413)
      expect(refused.error).toMatch(/take 1 MB of the 1 MB .* Delete some, or ask your administrator/)
    }
    expect(await app.services.db.selectFrom('media').select('id').execute()).toEqual([{ id: first.data.id }])
    const maxBytes = 2 * png.length - 1
    const ben = await app.as('ben')
    expect((await ada.call(ownAccount.storage)).data).toMatchObject({
      files: 1,
      bytes: png.length,
      mostBytes: maxBytes,
    })
    expect((await ben.call(ownAccount.storage)).data).toMatchObject({ files: 0, bytes: 0, mostBytes: maxBytes })
    expect((await send(png, { actor: ben, targetId: (await createTestKeeper(ben)).id })).status).toBe(200)
    expect((await ada.call(keeperMedia.remove, { params: { id: first.data.id } })).status).toBe(200)
    expect((await send(png)).status).toBe(200)
    app.services.settings.limits.mediaBytesPerPerson = 0
    expect((await ada.call(ownAccount.storage)).data.mostBytes).toBe(null)
    expect((await send(png)).status).toBe(200)
  })

  const createBrokenBody = () =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(png)
        controller.error(new Error('the connection was lost'))
      },
    })

  it('stay unchanged when a repeated upload breaks off', async () => {
    const id = newId(Date.now())
    expect((await send(png, { query: `?id=${id}` })).status).toBe(200)
    expect((await send(createBrokenBody(), { query: `?id=${id}` })).error).toBe(
      'The upload was interrupted. Send it again.',
    )
    expect((await fetchBytes(id)).status).toBe(200)
    expect(app.logLines.filter((line) => line.includes('unexpected'))).toEqual([])
  })

  it('leave no row or bytes when an upload breaks off', async () => {
    expect((await send(createBrokenBody())).error).toBe('The upload was interrupted. Send it again.')
    expect(listFilesOnDisk()).toEqual([])
    expect(await app.services.db.selectFrom('media').selectAll().execute()).toEqual([])
    expect(app.logLines.filter((line) => line.includes('unexpected'))).toEqual([])
  })

  it('can be deleted only while no entry shows them', async () => {
    const { data } = await send(png)
    const moment = await ada.call(moments.create, { params: { id: keeperId }, body: { body: '', mediaIds: [data.id] } })
    expect(moment.data.media).toMatchObject([{ id: data.id }])
    const refused = await ada.call(keeperMedia.remove, { params: { id: data.id } })
    expect({ status: refused.status, error: refused.body.error }).toEqual({
      status: 409,
      error: 'A moment uses this file. Remove it there first.',
    })
    await ada.call(moments.update, { params: { id: moment.data.id }, body: { body: 'words', mediaIds: [] } })
    expect((await ada.call(keeperMedia.remove, { params: { id: data.id } })).status).toBe(200)
    expect((await fetchBytes(data.id)).status).toBe(404)
  })

  it('can have a description, which can be removed', async () => {
    const { data } = await send(png)
    const describeIt = async (alt: string | null) =>
      (await ada.call(keeperMedia.describe, { params: { id: data.id }, body: { alt } })).data.alt
    expect(await describeIt(' The quay ')).toBe('The quay')
    expect(await describeIt(null)).toBeNull()
  })

  it('are swept 30 days after their last use, the bytes with the last row', async () => {
    const unattached = (await send(png)).data
    const attached = (await send(Buffer.concat([png, png]))).data
    const createdMoment = await ada.call(moments.create, {
      params: { id: keeperId },
      body: { body: 'a', mediaIds: [attached.id] },
    })
    const getPath = (media: Media) => getMediaPath(app.services.settings.dataDir, media.sha256)
    for (const days of [14, 14, 1]) {
      app.passTime(days * dayMs)
      await sweepMedia(app.services)
      expect((await fetchBytes(unattached.id)).status).toBe(200)
    }
    app.passTime(dayMs + 1000)
    await sweepMedia(app.services)
    expect((await fetchBytes(unattached.id)).status).toBe(404)
    expect(existsSync(getPath(unattached))).toBe(false)
    expect(existsSync(getPath(attached))).toBe(true)

    await ada.call(moments.update, { params: { id: createdMoment.data.id }, body: { mediaIds: [] } })
    app.passTime(29 * dayMs)
    await sweepMedia(app.services)
    const reattached = await ada.call(moments.update, {
      params: { id: createdMoment.data.id },
      body: { mediaIds: [attached.id] },
    })
    expect(reattached.data.media).toHaveLength(1)
    app.passTime(20 * dayMs)
    await sweepMedia(app.services)
    expect((await fetchBytes(attached.id)).status).toBe(200)

    await ada.call(moments.remove, { params: { id: createdMoment.data.id } })
    await sweepMedia(app.services)
    expect((await fetchBytes(attached.id)).status).toBe(200)
    await app.services.db.deleteFrom('moments').where('id', '=', createdMoment.data.id).execute()
    await sweepMedia(app.services)
    expect((await fetchBytes(attached.id)).status).toBe(404)
    expect(existsSync(getPath(attached))).toBe(false)
  })
})

it.each([
  [0, { width: 128, height: 64 }],
  [1, { width: 64, height: 128 }],
  [2, { width: 128, height: 64 }],
  [3, { width: 64, height: 128 }],
])('a HEIC with %i quarter turns is %j', (quarterTurns, dimensions) => {
  expect(readDimensions(createHeic({ columns: 2, quarterTurns }))).toEqual(dimensions)
})

/** `red` or `blue`, for the corners from the top left clockwise. */
async function readCorners(webp: Buffer | undefined): Promise<{ width: number; height: number; corners: string[] }> {
  if (!webp) throw new Error('There is no small version')
  const { data, width, height } = await decodeWebp(new Uint8Array(webp).buffer)
  const getColor = (x: number, y: number) => {
    const offset = (y * width + x) * 4
    return (data[offset] ?? 0) > (data[offset + 2] ?? 0) ? 'red' : 'blue'
  }
  const right = width - 9
  const bottom = height - 9
  return { width, height, corners: [getColor(8, 8), getColor(right, 8), getColor(right, bottom), getColor(8, bottom)] }
}

describe('a small version', () => {
  let large: Buffer
  let wide: Buffer
  beforeAll(async () => {
    await init({ wasmBinary: await readFile('node_modules/@jsquash/webp/codec/dec/webp_dec.wasm') } as never)
    large = await createJpeg(1600, 900, { noise: 0.4 })
    wide = await createJpeg(1400, 700)
  })

  it('has 640 px on its longest side and the shape of the picture', async () => {
    const small = await shrinkPicture(large, 'image/jpeg')
    expect(await readCorners(small)).toMatchObject({ width: 640, height: 360, corners: ['red', 'blue', 'blue', 'red'] })
    expect(small?.length).toBeLessThan(large.length / 4)
    const png = createPng(1300, 2600)
    expect(await readCorners(await shrinkPicture(png, 'image/png'))).toMatchObject({ width: 320, height: 640 })
  })

  it.each([
    [1, 640, 'red blue blue red'],
    [2, 640, 'blue red red blue'],
    [3, 640, 'blue red red blue'],
    [4, 640, 'red blue blue red'],
    [5, 320, 'red red blue blue'],
    [6, 320, 'red red blue blue'],
    [7, 320, 'blue blue red red'],
    [8, 320, 'blue blue red red'],
  ])('the small version of a picture with orientation %i is upright', async (orientation, width, corners) => {
    const jpeg = withOrientation(wide, orientation)
    const small = await readCorners(await shrinkPicture(jpeg, 'image/jpeg'))
    expect({ width: small.width, corners: small.corners.join(' ') }).toEqual({ width, corners })
    expect(readDimensions(jpeg)).toEqual(orientation < 5 ? { width: 1400, height: 700 } : { width: 700, height: 1400 })
  })

  it('is created for no small, animated, enormous or unsupported file', async () => {
    expect(await shrinkPicture(await createJpeg(600, 400), 'image/jpeg')).toBeUndefined()
    expect(await shrinkPicture(createPng(1400, 700, { extraChunk: 'acTL' }), 'image/png')).toBeUndefined()
    expect(await shrinkPicture(large, 'image/heic')).toBeUndefined()
    const bomb = createPng(1400, 700)
    bomb.writeUInt32BE(60_000, 16)
    bomb.writeUInt32BE(60_000, 20)
    expect(await shrinkPicture(bomb, 'image/png')).toBeUndefined()
  })

  it('a broken picture fails without affecting the next one', async () => {
    expect(await shrinkPicture(large.subarray(0, 100), 'image/jpeg')).toBeUndefined()
    const corrupt = Buffer.from(large)
    corrupt.fill(0xff, 800, 4000)
    await shrinkPicture(corrupt, 'image/jpeg').catch(() => undefined)
    expect(await readCorners(await shrinkPicture(large, 'image/jpeg'))).toMatchObject({ width: 640 })
  })

  it('dimensions of any bytes are plausible or missing', () => {
    const starts = ['\xff\xd8\xff\xe0', '\x89PNG\r\n\x1a\n', 'RIFF\0\0\0\0WEBPVP8X', '\0\0\0\x18ftypheic', 'GIF89a']
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 400 }), (start, content) => {
        const dimensions = readDimensions(Buffer.concat([Buffer.from(start, 'latin1'), content]))
        return dimensions === undefined || Math.max(dimensions.width, dimensions.height) <= 100_000
      }),
      { numRuns: 500 },
    )
  })
})

describe.each(engines)('small versions of pictures, on %s', (engine) => {
  let jpeg: Buffer
  let small: Buffer
  const { app, ada } = useTestApp(engine, ['ada'], { perTest: true })
  let keeperId: string
  beforeAll(async () => {
    jpeg = await createJpeg(1600, 900, { noise: 0.4 })
    small = await createJpeg(640, 360)
  })
  beforeEach(async () => {
    keeperId = (await createTestKeeper(ada)).id
  })

  const createAll = () => createSmallVersions(app.services, new AbortController().signal)
  const send = async (method: string, path: string, bytes: Buffer, { actor = ada, mime = 'image/jpeg' } = {}) => {
    const response = await actor.fetch(path, { method, body: new Uint8Array(bytes), headers: { 'content-type': mime } })
    return { status: response.status, ...((await response.json()) as { data: Media; error: string }) }
  }
  const upload = async (bytes = jpeg, query = '') =>
    (await send('POST', `/api/keeper/keepers/${keeperId}/media${query}`, bytes)).data
  const fetchFile = async (path: string, actor = ada) => {
    const response = await actor.fetch(path)
    const bytes = Buffer.from(await response.arrayBuffer())
    return { status: response.status, mime: response.headers.get('content-type'), bytes }
  }
  const countFiles = () =>
    readdirSync(join(app.services.settings.dataDir, 'media'), { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile(),
    ).length

  it('are created once by the server if the browser sends none within a minute', async () => {
    const { id } = await upload()
    expect(await createAll()).toBe(0)
    app.passTime(minuteMs)
    expect(await createAll()).toBe(1)
    expect(await createAll()).toBe(0)
    const response = await fetchFile(`/api/keeper/media/${id}?size=small`)
    expect(response).toMatchObject({ status: 200, mime: 'image/webp' })
    expect(response.bytes.length).toBeLessThan(jpeg.length / 4)
    expect((await fetchFile(`/api/keeper/media/${id}`)).bytes).toEqual(jpeg)
  })

  it('are created right away for a view that needs them, once for many views', async () => {
    const { id } = await upload()
    const responses = await Promise.all([1, 2, 3].map(() => fetchFile(`/api/keeper/media/${id}?size=small`)))
    expect(responses.map(({ mime }) => mime)).toEqual(Array(3).fill('image/webp'))
    app.passTime(minuteMs)
    expect(await createAll()).toBe(0)
    expect(countFiles()).toBe(2)
  })

  it('can come from the browser, and are then served unchanged', async () => {
    const { id } = await upload()
    expect(await send('PUT', `/api/keeper/media/${id}/small`, small)).toMatchObject({ status: 200 })
    app.passTime(minuteMs)
    expect(await createAll()).toBe(0)
    expect(await fetchFile(`/api/keeper/media/${id}?size=small`)).toEqual({
      status: 200,
      mime: 'image/jpeg',
      bytes: small,
    })
  })

  it.each([
    ['a picture of more than 640 px', () => createJpeg(700, 20), 'image/jpeg', 400],
    ['a text', () => Buffer.from('a text'), 'image/webp', 400],
    ['nothing', () => Buffer.alloc(0), 'image/webp', 400],
    ['a GIF', () => Buffer.from('GIF89a'), 'image/gif', 415],
    ['too many bytes', () => Buffer.alloc(1_100_000), 'image/jpeg', 413],
  ])('refuse %s', async (_, getBytes, mime, status) => {
    const { id } = await upload()
    expect((await send('PUT', `/api/keeper/media/${id}/small`, await getBytes(), { mime })).status).toBe(status)
    expect(await app.services.db.selectFrom('media').select('small_sha256').execute()).toEqual([{ small_sha256: null }])
  })

  it('belong to the owner alone, and to pictures alone', async () => {
    const { id } = await upload()
    const ben = await app.as('ben')
    expect((await send('PUT', `/api/keeper/media/${id}/small`, small, { actor: ben })).status).toBe(404)
    const text = await upload(Buffer.from('a text'))
    expect(text).toMatchObject({ mime: 'text/plain', kind: 'file' })
    expect((await send('PUT', `/api/keeper/media/${text.id}/small`, small)).status).toBe(400)
  })

  it('files that can’t be shrunk are their own small version and not retried', async () => {
    const broken = Buffer.concat([jpeg.subarray(0, 300), Buffer.alloc(90_000, 1)])
    const { id } = await upload(broken)
    app.passTime(minuteMs)
    expect(await createAll()).toBe(0)
    expect((await fetchFile(`/api/keeper/media/${id}?size=small`)).bytes).toEqual(broken)
    const { small_due_at } = await app.services.db.selectFrom('media').select('small_due_at').executeTakeFirstOrThrow()
    expect(small_due_at).toBeNull()
  })

  it('pictures with temporarily missing bytes are retried an hour later', async () => {
    await upload()
    app.passTime(minuteMs)
    const { read: readBytes } = app.services.media
    app.services.media.read = () => {
      throw new Error('The bucket cannot be reached')
    }
    expect(await createAll()).toBe(0)
    app.services.media.read = readBytes
    expect(await createAll()).toBe(0)
    app.passTime(60 * minuteMs)
    expect(await createAll()).toBe(1)
  })

  it('count in the quota, and are deleted with the picture', async () => {
    const { id } = await upload()
    const quotaBefore = await readMediaQuota(app.services, ada.id)
    await send('PUT', `/api/keeper/media/${id}/small`, small)
    const { bytes, files } = await readMediaQuota(app.services, ada.id)
    expect({ bytes, files }).toEqual({ bytes: quotaBefore.bytes + small.length, files: 1 })
    app.passTime(2 * dayMs)
    await sweepMedia(app.services)
    expect(countFiles()).toBe(2)
    await ada.call(keeperMedia.remove, { params: { id } })
    await sweepMedia(app.services)
    expect(countFiles()).toBe(0)
  })

  it('two pictures with the same bytes share one small file', async () => {
    for (const name of ['a', 'b']) await upload(jpeg, `?name=${name}`)
    app.passTime(minuteMs)
    expect(await createAll()).toBe(2)
    expect(countFiles()).toBe(2)
  })

  it('have the dimensions of the file, whatever was declared', async () => {
    const { id, width, height } = await upload(jpeg, '?width=100&height=4000')
    expect({ width, height }).toEqual({ width: 1600, height: 900 })
    const body = { body: 'The quay', mediaIds: [id] }
    const moment = await ada.call(moments.create, { params: { id: keeperId }, body })
    expect(moment.data.media).toMatchObject([{ id, width: 1600, height: 900 }])
  })

  it('exist for board pictures, for everyone who can open the board', async () => {
    const { data: board } = await ada.call(boards.create, { body: { name: 'Harbour' } })
    const path = `/api/boards/${board.id}/pictures`
    const one = await send('POST', path, jpeg)
    const two = await send('POST', `${path}?name=two`, jpeg)
    expect(await send('PUT', `${path}/${two.data.id}/small`, small)).toMatchObject({ status: 200 })
    app.passTime(minuteMs)
    expect(await createAll()).toBe(1)
    expect(await fetchFile(`${path}/${one.data.id}?size=small`)).toMatchObject({ status: 200, mime: 'image/webp' })
    expect((await fetchFile(`${path}/${two.data.id}?size=small`)).bytes).toEqual(small)
    expect((await fetchFile(`${path}/${two.data.id}`)).bytes).toEqual(jpeg)
    const { data } = await ada.call(boardSharing.makeLink, { params: { id: board.id } })
    const body = { token: data.link.split('#link=')[1], pictureId: two.data.id, size: 'small' }
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const response = await app.visitor().fetch('/api/board-links/picture', init)
    expect(Buffer.from(await response.arrayBuffer())).toEqual(small)
  })
})
