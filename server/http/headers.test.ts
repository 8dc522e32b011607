import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { listEndpoints } from '#contract/index.ts'
import { type App, createApp } from '#server/app.ts'
import { engines } from '#tests/engines.ts'
import { type Actor, createTestApp, type TestApp, toRequest } from '#tests/test-app.ts'
import { createWebFiles } from './web-files.ts'

const headersOfEveryResponse: Record<string, string> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; frame-src 'self' blob:; media-src 'self' blob:; manifest-src 'self'; worker-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types keeper",
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

function expectSecurityHeaders(response: Response, where: string): void {
  for (const [name, value] of Object.entries(headersOfEveryResponse))
    expect(response.headers.get(name), `${name} of ${where}`).toBe(value)
  expect(response.headers.get('permissions-policy'), where).toContain('camera=()')
  for (const name of response.headers.keys())
    expect(name, where).not.toMatch(/^access-control-|^server$|^x-powered-by$/)
}

// Headers are set before and after any query, so one engine suffices.
describe.each(engines.slice(0, 1))('headers, on %s', (engine) => {
  let app: TestApp
  let ada: Actor
  let appWithWeb: App
  const web = mkdtempSync(join(tmpdir(), 'keeper-web-'))
  beforeAll(async () => {
    app = await createTestApp(engine)
    ada = await app.as('ada')
    mkdirSync(join(web, 'assets'))
    for (const [name, text] of [
      ['index.html', '<!doctype html><title>Keeper</title>'],
      ['landing.html', '<!doctype html><title>Landing</title>'],
      ['login.html', '<!doctype html><title>Login</title>'],
      ['diagram.html', '<!doctype html><title>Diagram</title>'],
      ['assets/diagram-1a2b.js', 'draw()'],
      ['assets/app-1a2b.js', `console.log(${'1+'.repeat(2000)}1)`],
      ['secret.env', 'KEY=1'],
    ] as const)
      writeFileSync(join(web, name), text)
    appWithWeb = createApp(app.services, createWebFiles(web))
  })
  afterAll(async () => {
    await app.close()
    rmSync(web, { recursive: true })
  })

  const get = (path: string, init: RequestInit = {}) =>
    appWithWeb.fetch(
      new Request(`http://localhost${path}`, { ...init, headers: { host: 'localhost', ...init.headers } }),
    ) as Promise<Response>

  it.each([
    '/mcp/sse',
    '/mcp/.well-known/oauth-authorization-server',
    '/v1/models/',
    '/v1/engines',
    '/.well-known/openid-configuration/other',
    '/oauth/authorize/x',
    '/oauth/jwks',
  ])("%s isn't a page, because programs look there", async (path) => {
    const response = await get(path)
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toContain('application/json')
  })

  it('the consent page and unknown pages are the app', async () => {
    for (const path of ['/oauth/authorize', '/oauth', '/v1x', '/mcpx'])
      expect(await (await get(path)).text(), path).toContain('<title>Keeper')
  })

  it('every call sends the security headers and no-store, even when refused', async () => {
    for (const { area, name, endpoint } of listEndpoints()) {
      const { path, init } = toRequest(endpoint)
      for (const token of [null, ada.token]) {
        if (name === 'logout') continue
        const headers = {
          ...(init.headers as Record<string, string>),
          ...(token && { authorization: `Bearer ${token}` }),
        }
        const response = await get(path, { ...init, headers })
        expectSecurityHeaders(response, `${area}.${name} ${response.status}`)
        expect(response.headers.get('cache-control')).toBe('no-store')
        expect(response.headers.get('content-type')).toMatch(
          /^((application\/json|text\/event-stream|text\/csv); charset=utf-8(; header=present)?|application\/zip)$/,
        )
        expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/)
        await response.body?.cancel()
      }
    }
  })

  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'])(
    '%s of an unknown path under /api is refused with the security headers',
    async (method) => {
      const response = await get('/api/no/such/thing', { method })
      expectSecurityHeaders(response, method)
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(response.status).toBe(method === 'OPTIONS' ? 204 : 404)
      if (method === 'GET')
        expect(await response.json()).toMatchObject({
          success: false,
          code: 'not-found',
          requestId: expect.any(String),
        })
    },
  )

  it.each([
    ['/', 200, 'text/html', 'no-cache'],
    ['/login', 200, 'text/html', 'no-cache'],
    ['/keeper/1/anything', 200, 'text/html', 'no-cache'],
    ['/assets/app-1a2b.js', 200, 'text/javascript', 'public, max-age=31536000, immutable'],
    ['/assets/none.js', 404, 'text/plain', null],
    ['/../package.json', 404, 'text/plain', null],
    ['/..%2f..%2fetc%2fpasswd.txt', 404, 'text/plain', null],
    ['/%00.js', 404, 'text/plain', null],
    [`/${'a'.repeat(300)}.js`, 404, 'text/plain', null],
    ['/assets.js/x.js', 404, 'text/plain', null],
  ])('the page %s answers %i with the security headers', async (path, status, type, caching) => {
    const response = await get(path)
    expectSecurityHeaders(response, path)
    expect({
      status: response.status,
      type: response.headers.get('content-type')?.split(';')[0],
      cacheControl: response.headers.get('cache-control'),
    }).toEqual({ status, type, cacheControl: caching })
  })

  it('the diagram page is a sandbox that loads only its script', async () => {
    const page = await get('/diagram.html')
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts",
    )
    const script = await get('/assets/diagram-1a2b.js')
    expect(script.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(script.headers.get('access-control-allow-origin')).toBeNull()
    for (const [name, value] of Object.entries(headersOfEveryResponse)) {
      if (name !== 'content-security-policy') expect(page.headers.get(name), name).toBe(value)
      if (name !== 'cross-origin-resource-policy') expect(script.headers.get(name), name).toBe(value)
    }
    for (const path of ['/diagram', '/diagram.html/x', '/assets/app-1a2b.js'])
      expectSecurityHeaders(await get(path), path)
  })

  describe('a form posted before the script runs', () => {
    const form = 'application/x-www-form-urlencoded'
    const page = 'text/html,application/xhtml+xml,*/*;q=0.8'
    const post = async (path: string, type = form, accept = page) => {
      const body = new ReadableStream({ pull: (stream) => stream.error(new Error('read')) }, { highWaterMark: 0 })
      const init = { method: 'POST', body, duplex: 'half', headers: { 'content-type': type, accept } }
      return get(path, init as RequestInit)
    }

    it.each([
      ['/login', '/login'],
      ['/register?setup=abc&x=%0d%0a', '/register?setup=abc&x=%0d%0a'],
      ['/login?next=%2Fkeeper', '/login?next=%2Fkeeper'],
    ])('a form posted to %s redirects to that page without being read or logged', async (path, location) => {
      const previousLineCount = app.logLines.length
      const response = await post(path)
      expectSecurityHeaders(response, path)
      expect({
        status: response.status,
        location: response.headers.get('location'),
        response: await response.text(),
      }).toEqual({ status: 303, location, response: '' })
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(app.logLines.length).toBe(previousLineCount)
    })

    it.each([
      ['/login', 'application/json', page],
      ['/login', form, 'application/json'],
      ['/login', 'multipart/form-data; boundary=x', page],
      ['/login/', form, page],
      ['/Login', form, page],
      ['/logins', form, page],
      ['/', form, page],
      ['/root', form, page],
      ['/api/kam/auth/nothing', form, page],
    ])('a request to %s as %s for %s is refused as usual', async (path, type, accept) => {
      expect((await post(path, type, accept)).status).toBe(404)
    })
  })

  it('a file is compressed for clients that accept it; HEAD has no body', async () => {
    const br = await get('/assets/app-1a2b.js', { headers: { 'accept-encoding': 'gzip, br' } })
    const gzip = await get('/assets/app-1a2b.js', { headers: { 'accept-encoding': 'gzip' } })
    const plain = await get('/assets/app-1a2b.js')
    expect([br, gzip, plain].map(({ headers }) => headers.get('content-encoding'))).toEqual(['br', 'gzip', null])
    expect((await br.arrayBuffer()).byteLength).toBeLessThan((await plain.arrayBuffer()).byteLength / 10)
    expect(br.headers.get('vary')).toBe('Accept-Encoding')
    expect(await (await get('/', { method: 'HEAD' })).text()).toBe('')
  })

  it('a fault outside of calls gets a generic answer and a full log entry', async () => {
    const broken = createApp(app.services, { serve: () => Promise.reject(new Error('canary of a stack')) })
    const response = await broken.fetch(new Request('http://localhost/x', { headers: { host: 'localhost' } }))
    expectSecurityHeaders(response, 'a fault')
    const body = (await response.json()) as Record<string, string>
    expect({ status: response.status, code: body.code }).toEqual({ status: 500, code: 'internal' })
    expect(JSON.stringify(body)).not.toContain('canary')
    expect(app.logLines.find((line) => line.includes(body.requestId ?? 'none'))).toContain('canary of a stack')
  })

  it('a fault inside a call gets a generic answer with the logged request id', async () => {
    const spy = vi.spyOn(app.services.mailer, 'send').mockRejectedValue(new Error('unused'))
    const broken = createApp({
      ...app.services,
      now: () => {
        throw new Error('canary of a clock, key sk-canary0in0a0stack0trace')
      },
    })
    const response = await broken.fetch(
      new Request('http://localhost/api/kam/auth/login', {
        method: 'POST',
        headers: { host: 'localhost', 'content-type': 'application/json' },
        body: '{"email":"a@example.com","password":"x"}',
      }),
    )
    const text = await response.text()
    expect(response.status).toBe(500)
    expect(text).not.toContain('canary')
    expect(JSON.parse(text).error).toMatchObject({ code: 'internal', message: expect.stringContaining('request ID') })
    const line = app.logLines.find((candidate) => candidate.includes(JSON.parse(text).requestId)) ?? ''
    expect(line).toContain('canary of a clock')
    expect(line).toContain('request')
    expect(line).not.toContain('sk-canary')
    spy.mockRestore()
  })

  it('while stopping, new requests are answered 503 with the security headers', async () => {
    const stopping = createApp(app.services)
    stopping.refuseNewRequests()
    const response = await stopping.fetch(
      new Request('http://localhost/api/themes', { headers: { host: 'localhost' } }),
    )
    expectSecurityHeaders(response, 'stopping')
    expect({ status: response.status, retryAfter: response.headers.get('retry-after') }).toEqual({
      status: 503,
      retryAfter: '5',
    })
  })

  it('HEAD of a stream opens none', async () => {
    const subscribe = vi.spyOn(app.services.live, 'subscribe')
    const unsubscribe = vi.fn()
    subscribe.mockImplementation(() => unsubscribe)
    const response = await get('/api/events', { method: 'HEAD', headers: { authorization: `Bearer ${ada.token}` } })
    expect(response.status).toBe(200)
    expect(unsubscribe).toHaveBeenCalledTimes(subscribe.mock.calls.length)
  })
})
