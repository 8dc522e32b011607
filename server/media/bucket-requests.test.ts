import { Buffer } from 'node:buffer'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { Problem } from '#server/http/problem.ts'
import { BucketRequests } from './bucket-requests.ts'

const checksum = 'a'.repeat(64)
/** More than the buffers between a bucket and a reader hold. */
const whole = Buffer.alloc(24 * 1024 * 1024, 'The tide forgives. ')
const timeoutMs = 400

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

type Answering = (range: { from: number; to: number }, answer: ServerResponse, request: IncomingMessage) => void

/** A local bucket with one file, answering range by range. */
async function bucketThat(answers: Answering) {
  const requestedRanges: string[] = []
  server = createServer((request, answer) => {
    const [, from = 0, to = 0] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '')?.map(Number) ?? []
    requestedRanges.push(`${from}-${to}`)
    answers({ from, to }, answer, request)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const settings = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ bucket: 'keeper', prefix: '', region: 'eu', accessKeyId: 'id', secretAccessKey: 'secret-canary' },
  }
  const requests = new BucketRequests(settings, { fetch, sleep: async () => undefined }, timeoutMs)
  return { asked: requestedRanges, requests }
}

const head = (answer: ServerResponse, { from, to }: { from: number; to: number }, status = 206) =>
  answer.writeHead(status, { 'content-length': to - from + 1 })

async function all(chunks: AsyncGenerator<Buffer> | undefined, between = async (_read: number) => {}): Promise<Buffer> {
  const read: Buffer[] = []
  let bytes = 0
  for await (const chunk of chunks ?? []) {
    read.push(chunk)
    bytes += chunk.byteLength
    await between(bytes)
  }
  return Buffer.concat(read)
}

it('a slow reader gets the whole file with a single request', async () => {
  const { asked: requestedRanges, requests } = await bucketThat((range, answer) => {
    head(answer, range).end(whole.subarray(range.from, range.to + 1))
  })
  let rests = 0
  const slowly = async (read: number) => {
    // A pause in the middle, longer than the timeout.
    if (read > (rests + 1) * 8 * 1024 * 1024) await pause(timeoutMs * 1.5).then(() => rests++)
  }
  expect((await all(await requests.get(checksum, 0, whole.length), slowly)).equals(whole)).toBe(true)
  expect({ rests, requestedRangeCount: requestedRanges.length }).toEqual({ rests: 2, requestedRangeCount: 1 })
})

it('an interrupted, short or stalled response is resumed', async () => {
  const ends = [
    (answer: ServerResponse) => answer.destroy(),
    (answer: ServerResponse) => answer.socket?.end(),
    () => undefined,
  ]
  const { asked: requestedRanges, requests } = await bucketThat((range, answer) => {
    head(answer, range)
    const end = ends.shift()
    const until = end ? range.from + 1000 : range.to + 1
    answer.write(whole.subarray(range.from, until), () => (end ? end(answer) : answer.end()))
  })
  const expected = whole.subarray(50, 200_000)
  expect((await all(await requests.get(checksum, 50, 200_000))).equals(expected)).toBe(true)
  expect(requestedRanges).toEqual(['50-199999', '1050-199999', '2050-199999', '3050-199999'])
})

it('a response without progress fails after three attempts, without the key', async () => {
  const { asked: requestedRanges, requests } = await bucketThat((range, answer) => {
    head(answer, range)
    if (range.from === 0) answer.write(whole.subarray(0, 1000))
    setImmediate(() => answer.destroy())
  })
  const failure = await all(await requests.get(checksum, 0, 5000)).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(Problem)
  const { code, cause } = failure as Problem
  expect(code).toBe('media-unavailable')
  expect(String(cause)).toMatch(/The bucket/)
  expect(JSON.stringify([String(failure), String(cause)])).not.toContain('canary')
  expect(requestedRanges.length).toBeGreaterThanOrEqual(3)
})

it("a bucket that restarts from the beginning isn't treated as resuming", async () => {
  const { requests } = await bucketThat((range, answer) => {
    head(answer, { from: 0, to: 4999 }, range.from === 0 ? 206 : 200)
    answer.write(whole.subarray(0, 1000), () =>
      range.from === 0 ? answer.destroy() : answer.end(whole.subarray(1000, 5000)),
    )
  })
  const failure = await all(await requests.get(checksum, 0, 5000)).catch((error: unknown) => error)
  expect((failure as Problem).code).toBe('media-unavailable')
})

it('a reader who stops ends the response', async () => {
  const closed = Promise.withResolvers<void>()
  const { requests } = await bucketThat((range, answer, request) => {
    request.socket.once('close', () => closed.resolve())
    head(answer, range).write(whole.subarray(range.from, range.to + 1))
  })
  for await (const chunk of (await requests.get(checksum, 0, whole.length)) ?? []) {
    expect(chunk.byteLength).toBeGreaterThan(0)
    break
  }
  await closed.promise
})
