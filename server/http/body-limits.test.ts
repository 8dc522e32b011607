import { afterAll, beforeAll, expect, it } from 'vitest'
import { listEndpoints } from '#contract/index.ts'
import { engines } from '#tests/engines.ts'
import { type Actor, createTestApp, type TestApp, toRequest } from '#tests/test-app.ts'
import { openUpload } from './upload.ts'

const defaultLimitBytes = 1024 * 1024
let app: TestApp
let ada: Actor
beforeAll(async () => {
  // Nothing here reaches the database, so one engine suffices.
  app = await createTestApp(engines[0] ?? 'sqlite')
  ada = await app.as('ada')
})
afterAll(() => app.close())

/** Calls with the same address share the largest of their limits. */
const addresses = [...Map.groupBy(listEndpoints(), ({ endpoint }) => `${endpoint.method} ${endpoint.path}`)].map(
  ([address, calls]) => ({
    address,
    endpoint: calls[0]?.endpoint ?? expect.fail(address),
    limitBytes: Math.max(...calls.map(({ endpoint }) => endpoint.maxBodyBytes ?? defaultLimitBytes)),
    isJson: calls.some(({ endpoint }) => endpoint.body ?? endpoint.match?.body),
    upload: calls.find(({ endpoint }) => endpoint.upload)?.endpoint.upload,
  }),
)

it('every JSON call reads a body up to its limit and not one byte more', async () => {
  const withBody = addresses.filter(({ isJson }) => isJson)
  for (const { address, endpoint, limitBytes } of withBody) {
    const statuses: number[] = []
    for (const bytes of [limitBytes, limitBytes + 1]) {
      const { path } = toRequest(endpoint)
      const headers = { 'content-type': 'application/json' }
      const response = await ada.fetch(path, { method: endpoint.method, headers, body: `[${' '.repeat(bytes - 2)}]` })
      statuses.push(response.status)
      const answer = (await response.json()) as { code: string; error: string | { message: string } }
      if (bytes <= limitBytes) expect(answer.code, `${address} with ${bytes} bytes`).not.toBe('too-large')
      else expect(JSON.stringify(answer), address).toContain(`at most ${limitBytes / 1024} KB`)
    }
    expect(statuses[0], address).not.toBe(413)
    expect(statuses[1], address).toBe(413)
    expect(Math.max(...statuses), address).toBeLessThan(500)
  }
  expect(withBody.length).toBeGreaterThan(80)
}, 60_000)

it('every upload with a declared length above its limit is refused unread', () => {
  const uploads = addresses.filter(({ upload }) => upload)
  expect(uploads.map(({ address }) => address).toSorted()).toEqual([
    'POST /api/boards/:id/pictures',
    'POST /api/boards/import/file',
    'POST /api/keeper/imports',
    'POST /api/keeper/keepers/:id/media',
    'PUT /api/boards/:id/pictures/:pictureId/small',
    'PUT /api/keeper/media/:id/small',
  ])
  for (const { endpoint, limitBytes, upload } of uploads)
    for (const mime of upload?.contentTypes ?? []) {
      const openWithLength = (length: number) => () => {
        const headers = { 'content-type': mime, 'content-length': String(length) }
        const request = new Request('http://localhost/', { method: 'POST', headers, body: new Uint8Array([1]) })
        return openUpload(request, { ...endpoint, upload }, limitBytes)
      }
      expect(openWithLength(limitBytes - 1)()).toMatchObject({ mime, declaredBytes: limitBytes - 1 })
      expect(openWithLength(limitBytes)()).toMatchObject({ mime, declaredBytes: limitBytes })
      expect(openWithLength(limitBytes + 1)).toThrow(`at most ${limitBytes / 1024 / 1024} MB`)
    }
})
