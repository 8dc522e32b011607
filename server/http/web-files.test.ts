import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createWebFiles, type WebFiles } from './web-files.ts'

const script = `console.log(${'1+'.repeat(2000)}1)`
const compressedByBuild = brotliCompressSync('console.log("from the build")')
let directory: string
let web: WebFiles

const write = (name: string, content: string | Uint8Array) => writeFileSync(join(directory, name), content)
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  web.serve(new Request('http://localhost/', { headers, method }), path)

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'keeper-web-'))
  mkdirSync(join(directory, 'assets'))
  write('index.html', '<title>Keeper</title>')
  write('login.html', '<title>Login</title>')
  write('icon.svg', '<svg/>')
  write('picture.png', 'PNG')
  write('assets/app.js', script)
  write('assets/ahead.js', 'console.log("from the build")')
  write('assets/ahead.js.br', compressedByBuild)
  web = createWebFiles(directory)
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

it.each([
  '/assets//app.js',
  '//assets/app.js',
  '/assets/./app.js',
  '/./assets/app.js',
  '/assets/../assets/app.js',
  '/assets/app.js/',
  '/assets/app.js/.',
  '/assets/APP.js',
  '/Assets/app.js',
  '/assets/app.js;v=1',
  '/assets\\app.js',
  '\\assets\\app.js',
  '/assets/app.js\0',
  '/assets/ahead.js.br',
  '/../index.html',
  '/login//',
  '//login',
  '//',
  '/keeper//1',
  '/./keeper',
  '/keeper/..',
])('the unnormalized path %o is not found', async (path) => {
  expect((await get(path)).status).toBe(404)
})

it.each(['/keeper/1', '/login/', '/people/Åse', '/index.html', '/assets/app.js', '/favicon.ico'])(
  'the address %s is found',
  async (path) => {
    expect((await get(path)).status).toBe(200)
  },
)

it('a client gets a coding it accepts, and caches vary on it', async () => {
  const getAccepting = async (encoding: string, path = '/assets/app.js') => {
    const response = await get(path, { 'accept-encoding': encoding })
    const { headers } = response
    const body = Buffer.from(await response.arrayBuffer())
    return { body, coding: headers.get('content-encoding'), vary: headers.get('vary'), etag: headers.get('etag') }
  }
  const [br, gzip, identity] = [
    await getAccepting('br'),
    await getAccepting('gzip, br;q=0'),
    await getAccepting('identity'),
  ]
  expect([br, gzip, identity].map(({ coding, vary }) => [coding, vary])).toEqual([
    ['br', 'Accept-Encoding'],
    ['gzip', 'Accept-Encoding'],
    [null, 'Accept-Encoding'],
  ])
  expect([brotliDecompressSync(br.body), gunzipSync(gzip.body), identity.body].map(String)).toEqual(
    Array.from({ length: 3 }, () => script),
  )
  expect(new Set([br.etag, gzip.etag, identity.etag]).size).toBe(3)
  expect((await getAccepting('br', '/assets/ahead.js')).body).toEqual(compressedByBuild)
  expect(await getAccepting('br, gzip', '/picture.png')).toMatchObject({ coding: null, vary: null })
})

it("a cached file isn't sent again, another version is", async () => {
  const first = await get('/login', { 'accept-encoding': 'br' })
  const etag = first.headers.get('etag') ?? ''
  for (const cachedEtag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const again = await get('/login', { 'accept-encoding': 'br', 'if-none-match': cachedEtag })
    expect({ status: again.status, text: await again.text(), etag: again.headers.get('etag') }).toEqual({
      status: 304,
      text: '',
      etag,
    })
    expect(again.headers.get('content-security-policy')).toBe(first.headers.get('content-security-policy'))
  }
  expect((await get('/login', { 'accept-encoding': 'gzip', 'if-none-match': etag })).status).toBe(200)
  expect((await get('/login', { 'accept-encoding': 'br', 'if-none-match': '"other"' })).status).toBe(200)
})

it('HEAD and ranges are answered like the whole file, HEAD without a body', async () => {
  const head = await get('/assets/app.js', {}, 'HEAD')
  expect({ status: head.status, text: await head.text(), etag: head.headers.get('etag') }).toEqual({
    status: 200,
    text: '',
    etag: expect.any(String),
  })
  const part = await get('/assets/app.js', { range: 'bytes=0-1' })
  expect({ status: part.status, text: await part.text() }).toEqual({ status: 200, text: script })
})

it('every address reports a missing build until there is one', async () => {
  rmSync(directory, { recursive: true })
  for (const path of ['/', '/assets/app.js', '//']) expect((await get(path)).status).toBe(503)
  mkdirSync(directory)
  write('index.html', '<title>Built since</title>')
  expect(await (await get('/keeper/1')).text()).toContain('Built since')
})

it('a replaced build is served once a file of the old one is missing', async () => {
  expect(await (await get('/keeper')).text()).toContain('Keeper')
  rmSync(join(directory, 'assets/app.js'))
  write('index.html', '<title>Next build</title>')
  write('assets/next.js', 'next')
  expect((await get('/assets/app.js')).status).toBe(404)
  expect(await (await get('/assets/next.js')).text()).toBe('next')
  expect(await (await get('/keeper')).text()).toContain('Next build')
})
