import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { en } from 'zod/locales'
import * as z from 'zod/mini'
import { defineEndpoint } from '#contract/endpoint.ts'
import { listEndpoints } from '#contract/index.ts'
import { problems } from '#contract/problems.ts'
import { DatabaseBusy, DiskFull, TransactionExpired } from '#server/db/database-errors.ts'
import { createTestApp, type TestApp } from '#tests/test-app.ts'
import { createLog } from './log.ts'
import { buildOpenApiDocument } from './openapi/build-document.ts'
import { Problem } from './problem.ts'
import { buildProblemResponseParts } from './problem-response.ts'
import { createRouter } from './router.ts'
import { type ServedCall, serveArea } from './serve-area.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp('sqlite')
})
afterAll(() => app.close())

const defineCall = (address: `GET /${string}`, more: object = {}) =>
  defineEndpoint(address, { summary: 's', access: 'public', response: z.object({ ok: z.boolean() }), ...more })
const toServedCall = (name: string, endpoint: unknown, handler: () => unknown = () => ({ ok: true })): ServedCall =>
  ({ area: 'test', name, endpoint, handler }) as ServedCall
const get = (calls: ServedCall[], path: string) =>
  createRouter(app.services, calls).fetch(new Request(`http://localhost${path}`))

it("a call without an access class doesn't start", () => {
  const naked = defineCall('GET /x', { access: undefined })
  expect(() => serveArea('test', { naked } as never, { naked: () => ({}) } as never)).toThrow(
    /test\.naked has no access class/,
  )
})

it("a call without a handler doesn't start", () => {
  expect(() => serveArea('test', { lonely: defineCall('GET /x') } as never, {} as never)).toThrow(
    /test\.lonely has no handler/,
  )
})

it("two unconditional calls on one route don't start; a conditional one does", () => {
  const [plain, also] = [toServedCall('plain', defineCall('GET /x')), toServedCall('also', defineCall('GET /x'))]
  expect(() => createRouter(app.services, [plain, also])).toThrow(/plain and also share one route/)
  const particular = toServedCall('particular', defineCall('GET /x', { match: { query: { a: '1' } } }))
  expect(() => createRouter(app.services, [plain, particular])).not.toThrow()
})

it('path parameters are decoded, and only GET calls answer HEAD, without a body', async () => {
  const params = z.object({ id: z.string(), part: z.string() })
  const received: unknown[] = []
  const handler = (input?: unknown) => {
    received.push((input as { params: unknown }).params)
    return { ok: true }
  }
  const router = createRouter(app.services, [
    toServedCall('part', defineCall('GET /cards/:id/:part', { params }), handler as never),
    toServedCall('made', { ...defineCall('GET /x'), method: 'POST', path: '/made' }),
  ])
  const send = (path: string, method = 'GET') => router.fetch(new Request(`http://localhost${path}`, { method }))
  expect((await send('/cards/a%20b%2Fc/caf%C3%A9')).status).toBe(200)
  expect((await send('/cards/100%/%FF')).status).toBe(200)
  const head = await send('/cards/1/2', 'HEAD')
  expect({ status: head.status, body: await head.text() }).toEqual({ status: 200, body: '' })
  expect(received).toEqual([
    { id: 'a b/c', part: 'café' },
    { id: '100%', part: '%FF' },
    { id: '1', part: '2' },
  ])
  expect((await send('/made', 'HEAD')).status).toBe(404)
})

it('the more specific call wins in any order, and none without a match', async () => {
  const plain = toServedCall('plain', defineCall('GET /x', { response: z.unknown() }), () => 'plain')
  const any = toServedCall(
    'any',
    defineCall('GET /x', { match: { query: { id: '*' } }, response: z.unknown() }),
    () => 'any',
  )
  const exact = toServedCall(
    'exact',
    defineCall('GET /x', { match: { query: { logs: 'true' } }, response: z.unknown() }),
    () => 'exact',
  )
  const readData = async (query: string) =>
    ((await (await get([plain, any, exact], `/x${query}`)).json()) as { data: string }).data
  expect({
    '': await readData(''),
    '?id=7': await readData('?id=7'),
    '?id=': await readData('?id='),
    '?logs=true': await readData('?logs=true'),
    '?logs=false': await readData('?logs=false'),
  }).toEqual({ '': 'plain', '?id=7': 'any', '?id=': 'any', '?logs=true': 'exact', '?logs=false': 'plain' })
  expect((await get([any, exact], '/x')).status).toBe(400)
})

it('a repeated query parameter is refused by name; unnamed ones are ignored', async () => {
  const plain = [toServedCall('plain', defineCall('GET /x', { response: z.unknown() }), () => 'plain')]
  const refused = await get(plain, '/x?a=1&a=1')
  expect({ status: refused.status, body: await refused.json() }).toMatchObject({
    status: 400,
    body: { fields: { a: 'Send it once.' } },
  })
  expect((await get(plain, '/x?=1&=1')).status).toBe(200)
})

it.each([
  ['has no messages', undefined],
  ['got English messages from another library', en().localeError],
])('length errors state the limit if the schema library %s', async (_, localeError) => {
  const previous = z.config().localeError
  onTestFinished(() => void z.config({ localeError: previous }))
  z.config({ localeError })
  const text = z.string().check(z.maxLength(1200))
  const shortList = z.array(z.string().check(z.maxLength(2))).check(z.maxLength(3))
  const body = z.object({ text, words: z.optional(shortList), more: z.optional(shortList) })
  const create = defineEndpoint('POST /x', { summary: 's', access: 'public', body, response: z.unknown() })
  const sent = { text: 'x'.repeat(1201), words: ['a', 'abc'], more: ['a', 'b', 'c', 'd'] }
  const refused = await createRouter(app.services, [toServedCall('long', create)]).fetch(
    new Request('http://localhost/x', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(sent),
    }),
  )
  expect({ status: refused.status, body: await refused.json() }).toMatchObject({
    status: 400,
    body: {
      fields: {
        text: 'Use at most 1,200 characters.',
        'words.1': 'Use at most 2 characters.',
        more: 'Use at most 3.',
      },
    },
  })
})

it('a response that breaks the contract fails in tests', async () => {
  const response = await get([toServedCall('wrong', defineCall('GET /x'), () => ({ ok: 'yes' }))], '/x')
  expect(response.status).toBe(500)
})

it('the OpenAPI document contains every call', async () => {
  const document = (await (await app.fetch('/api/openapi.json')).json()) as ReturnType<typeof buildOpenApiDocument>
  expect(document).toEqual(JSON.parse(JSON.stringify(buildOpenApiDocument())))
  const text = JSON.stringify(document)
  for (const { area, name, endpoint } of listEndpoints()) {
    expect(text, `${area}.${name}`).toContain(`"operationId":"${area}.${name}"`)
    const paths = document.paths as Record<
      string,
      Record<
        string,
        { security: unknown[]; 'x-alternatives'?: { security: unknown[]; operationId: string }[]; operationId: string }
      >
    >
    const shared = paths[endpoint.path.replace(/:(\w+)/g, '{$1}')]?.[endpoint.method.toLowerCase()]
    const operation = [shared, ...(shared?.['x-alternatives'] ?? [])].find(
      (operation) => operation?.operationId === `${area}.${name}`,
    )
    const signInMethodCount = endpoint.scope ? 2 : 1
    expect(operation?.security.length, `${area}.${name} says who may call it`).toBe(
      endpoint.access === 'public' ? 0 : signInMethodCount,
    )
  }
})

it('every problem has its status, and no detail of its cause', () => {
  const lines: string[] = []
  const context = { path: '/x', requestId: 'abc', log: createLog('debug', { write: (line) => void lines.push(line) }) }
  for (const [kind, { status, text }] of Object.entries(problems)) {
    const answer = buildProblemResponseParts(new Problem(kind as never, { cause: new Error('canary') }), context)
    expect(answer).toMatchObject({ status, body: { success: false, error: text, code: kind, requestId: 'abc' } })
    expect(JSON.stringify(answer)).not.toContain('canary')
  }
  expect(lines.filter((line) => line.includes('canary'))).toHaveLength(1)
})

it('a full disk is logged once a minute, however many writes fail', () => {
  const lines: string[] = []
  const log = createLog('debug', { write: (line) => void lines.push(line) })
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0)
  const failAt = (ms: number) => {
    clock.mockReturnValue(ms)
    buildProblemResponseParts(new DiskFull('full'), { path: '/x', requestId: 'abc', log })
    return lines.filter((line) => line.includes('the disk is full')).length
  }
  expect([0, 1, 30_000, 59_999, 60_000, 119_999, 120_000].map(failAt)).toEqual([1, 1, 1, 1, 2, 2, 3])
  clock.mockRestore()
})

it.each([
  [new DiskFull('full'), 507, undefined],
  [new DatabaseBusy('busy'), 503, '2'],
  [new TransactionExpired('slow'), 503, '2'],
  [new Error('sk-canary0never0shown'), 500, undefined],
  ['a thrown text', 500, undefined],
  [undefined, 500, undefined],
])('%s becomes %i', (thrown, status, retryAfter) => {
  const answer = buildProblemResponseParts(thrown, { path: '/x', requestId: 'abc', log: createLog('silent') })
  expect({ status: answer.status, retryAfter: answer.headers['retry-after'] }).toEqual({ status, retryAfter })
  expect(JSON.stringify(answer.body)).not.toContain('canary')
})
