import { Buffer } from 'node:buffer'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { createAdaptorServer } from '@hono/node-server'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Media } from '#contract/keepers/media.ts'
import { moments } from '#contract/keepers/moments.ts'
import { runAdminCommand } from '#server/administration/admin-commands.ts'
import { Problem } from '#server/http/problem.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { type BucketFake, startBucket } from '#tests/fakes/bucket.ts'
import { type Actor, createTestApp, type TestApp } from '#tests/test-app.ts'
import { BucketRequests } from './bucket-requests.ts'
import { FolderMedia } from './folder-media.ts'
import { removeMedia, sweepMedia } from './sweep-media.ts'

const checksum = 'a'.repeat(64)
/** More than the buffers between a bucket and a reader hold. */
const largeFile = Buffer.alloc(24 * 1024 * 1024, 'The tide forgives. ')
const timeoutMs = 400

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

type AnswerRange = (range: { from: number; to: number }, answer: ServerResponse, request: IncomingMessage) => void

/** A local bucket with one file, answering range by range. */
async function startBucketThat(answerRange: AnswerRange) {
  const requestedRanges: string[] = []
  server = createServer((request, answer) => {
    const [, from = 0, to = 0] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '')?.map(Number) ?? []
    requestedRanges.push(`${from}-${to}`)
    answerRange({ from, to }, answer, request)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const settings = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bucket: 'keeper',
    prefix: '',
    region: 'eu',
    accessKeyId: 'id',
    secretAccessKey: 'secret-canary',
  }
  const requests = new BucketRequests(settings, { fetch, sleep: async () => undefined }, timeoutMs)
  return { requestedRanges, requests }
}

const writeHead = (answer: ServerResponse, { from, to }: { from: number; to: number }, status = 206) =>
  answer.writeHead(status, { 'content-length': to - from + 1 })

async function readAll(
  chunks: AsyncGenerator<Buffer> | undefined,
  afterChunk = async (_bytesRead: number) => {},
): Promise<Buffer> {
  const readChunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of chunks ?? []) {
    readChunks.push(chunk)
    bytes += chunk.byteLength
    await afterChunk(bytes)
  }
  return Buffer.concat(readChunks)
}

it('a slow reader gets the whole file with a single request', async () => {
  const { requestedRanges, requests } = await startBucketThat((range, answer) => {
    writeHead(answer, range).end(largeFile.subarray(range.from, range.to + 1))
  })
  let pauseCount = 0
  const readSlowly = async (bytesRead: number) => {
    // A pause in the middle, longer than the timeout.
    if (bytesRead > (pauseCount + 1) * 8 * 1024 * 1024) await pause(timeoutMs * 1.5).then(() => pauseCount++)
  }
  expect((await readAll(await requests.get(checksum, 0, largeFile.length), readSlowly)).equals(largeFile)).toBe(true)
  expect({ pauseCount, requestCount: requestedRanges.length }).toEqual({ pauseCount: 2, requestCount: 1 })
})

it('an interrupted, short or stalled response is resumed', async () => {
  const interruptions = [
    (answer: ServerResponse) => answer.destroy(),
    (answer: ServerResponse) => answer.socket?.end(),
    () => undefined,
  ]
  const { requestedRanges, requests } = await startBucketThat((range, answer) => {
    writeHead(answer, range)
    const interrupt = interruptions.shift()
    const until = interrupt ? range.from + 1000 : range.to + 1
    answer.write(largeFile.subarray(range.from, until), () => (interrupt ? interrupt(answer) : answer.end()))
  })
  const expected = largeFile.subarray(50, 200_000)
  expect((await readAll(await requests.get(checksum, 50, 200_000))).equals(expected)).toBe(true)
  expect(requestedRanges).toEqual(['50-199999', '1050-199999', '2050-199999', '3050-199999'])
})

it('a response without progress fails after three attempts, without the key', async () => {
  const { requestedRanges, requests } = await startBucketThat((range, answer) => {
    writeHead(answer, range)
    if (range.from === 0) answer.write(largeFile.subarray(0, 1000))
    setImmediate(() => answer.destroy())
  })
  const failure = await readAll(await requests.get(checksum, 0, 5000)).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(Problem)
  const { code, cause } = failure as Problem
  expect(code).toBe('media-unavailable')
  expect(String(cause)).toMatch(/The bucket/)
  expect(JSON.stringify([String(failure), String(cause)])).not.toContain('canary')
  expect(requestedRanges.length).toBeGreaterThanOrEqual(3)
})

it("a bucket that restarts from the beginning isn't treated as resuming", async () => {
  const { requests } = await startBucketThat((range, answer) => {
    writeHead(answer, { from: 0, to: 4999 }, range.from === 0 ? 206 : 200)
    answer.write(largeFile.subarray(0, 1000), () =>
      range.from === 0 ? answer.destroy() : answer.end(largeFile.subarray(1000, 5000)),
    )
  })
  const failure = await readAll(await requests.get(checksum, 0, 5000)).catch((error: unknown) => error)
  expect((failure as Problem).code).toBe('media-unavailable')
})

it('a reader who stops ends the response', async () => {
  const closed = Promise.withResolvers<void>()
  const { requests } = await startBucketThat((range, answer, request) => {
    request.socket.once('close', () => closed.resolve())
    writeHead(answer, range).write(largeFile.subarray(range.from, range.to + 1))
  })
  for await (const chunk of (await requests.get(checksum, 0, largeFile.length)) ?? []) {
    expect(chunk.byteLength).toBeGreaterThan(0)
    break
  }
  await closed.promise
})

const png = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.alloc(3000, 7)])
const twoDaysMs = 48 * 60 * 60 * 1000

describe.each(engines)('a Keeper with a bucket, on %s', (engine) => {
  let bucket: BucketFake
  let app: TestApp
  let ada: Actor
  let keeperId: string
  beforeEach(async () => {
    bucket = await startBucket()
    app = await createTestApp(engine, {
      environment: bucket.environment,
      modelRuntime: { sleep: async () => undefined },
    })
    ada = await app.as('ada')
    keeperId = (await createTestKeeper(ada)).id
  })
  afterEach(async () => {
    await app.close()
    await bucket.close()
  })

  const uploadPicture = async () => {
    const init = { method: 'POST', body: png, headers: { 'content-type': 'image/png' } }
    const response = await ada.fetch(`/api/keeper/keepers/${keeperId}/media`, init)
    return { status: response.status, body: (await response.json()) as { data: Media; code: string; error: string } }
  }

  it('stores a picture behind the HTTP adapter, which replaces Response', async () => {
    const { Request, Response } = globalThis
    createAdaptorServer({ fetch: () => new Response() })
    try {
      expect(globalThis.Response).not.toBe(Response)
      expect((await uploadPicture()).status).toBe(200)
      expect(bucket.objects.size).toBe(1)
    } finally {
      Object.assign(globalThis, { Request, Response })
    }
  })

  it('stores a picture, serves it whole and in part, exports it and sweeps it', async () => {
    const { data } = (await uploadPicture()).body
    expect([...bucket.objects.values()].map(({ bytes }) => bytes.equals(png))).toEqual([true])
    const fullResponse = await ada.fetch(`/api/keeper/media/${data.id}`)
    expect(Buffer.from(await fullResponse.arrayBuffer()).equals(png)).toBe(true)
    const part = await ada.fetch(`/api/keeper/media/${data.id}`, { headers: { range: 'bytes=1-3' } })
    expect({ status: part.status, text: await part.text() }).toEqual({ status: 206, text: 'PNG' })

    const time = { occurredAt: '2026-11-20T10:00:00Z', localDate: '2026-11-20', timezone: 'UTC' }
    await ada.call(moments.create, {
      params: { id: keeperId },
      body: { body: 'At the quay', ...time, mediaIds: [data.id] },
    })
    const zip = Buffer.from(await (await ada.fetch(`/api/keeper/keepers/${keeperId}/export`)).arrayBuffer())
    expect(zip.includes(png.subarray(0, 2000))).toBe(true)

    app.passTime(twoDaysMs)
    expect(await sweepMedia(app.services)).toBe(0)
    await app.services.db.deleteFrom('media').where('id', '=', data.id).execute()
    expect(await sweepMedia(app.services)).toBe(1)
    expect(listBucketFiles(bucket)).toEqual([])
    expect((await ada.fetch(`/api/keeper/media/${data.id}`)).status).toBe(404)
  })

  it('refuses pictures without creating rows while the bucket is unreachable', async () => {
    await bucket.close()
    const { status, body } = await uploadPicture()
    expect({ status, code: body.code }).toEqual({ status: 503, code: 'media-unavailable' })
    expect(await app.services.db.selectFrom('media').select('id').execute()).toEqual([])
    expect(app.logLines.join('')).not.toMatch(/canary-secret|BUCKETKEY/)
    bucket = await startBucket()
  })

  it('copies files from the data folder by command', async () => {
    await new FolderMedia(app.services.settings.dataDir).write([png], new Date())
    expect(await runAdminCommand(app.services, ['media-to-bucket'])).toMatch(/^1 file was copied\./)
    expect(await runAdminCommand(app.services, ['media-to-bucket'])).toMatch(/^0 files were copied\./)
    expect(listBucketFiles(bucket).map(([, { bytes }]) => bytes.equals(png))).toEqual([true])
  })

  it("deletes nothing in another Keeper's bucket until it claims it", async () => {
    const { data } = (await uploadPicture()).body
    app.passTime(twoDaysMs)
    expect(await sweepMedia(app.services)).toBe(0)
    const otherApp = await createTestApp(engine, {
      environment: bucket.environment,
      modelRuntime: { sleep: async () => undefined },
    })
    try {
      await setCreatedAt(otherApp, new Date('2026-01-01T00:00:00Z'))
      otherApp.passTime(twoDaysMs)
      const [stored] = await app.services.db.selectFrom('media').select('sha256').execute()
      expect(await sweepMedia(otherApp.services)).toBe(0)
      await removeMedia(otherApp.services, [stored?.sha256 ?? ''])
      expect((await ada.fetch(`/api/keeper/media/${data.id}`)).status).toBe(200)
      expect(otherApp.logLines.filter((line) => line.includes('another Keeper')).length).toBe(2)
      expect(app.logLines.join('')).not.toContain('another Keeper')

      expect(await runAdminCommand(otherApp.services, ['media-to-bucket'])).toContain('belongs to this Keeper')
      expect(await sweepMedia(app.services)).toBe(0)
      expect(app.logLines.join('')).toContain('another Keeper')
      expect(await sweepMedia(otherApp.services)).toBe(1)
    } finally {
      await otherApp.close()
    }
  })
})

const setCreatedAt = ({ services }: TestApp, time: Date) =>
  services.db.write(sql`update keeper_migrations set applied_at = ${time.getTime()}`)

/** Without the owner's object. */
const listBucketFiles = ({ objects }: BucketFake) => [...objects].filter(([name]) => /media\/[0-9a-f]{64}$/.test(name))
