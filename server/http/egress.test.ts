import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { htmlToText } from '#contract/html-text.ts'
import { BadSetting, readSettings } from '#server/settings/settings.ts'
import { type OutgoingProxyFake, startOutgoingProxy } from '#tests/fakes/outgoing-proxy.ts'
import { safeFetch } from './egress.ts'
import { isPublicAddress } from './public-address.ts'

let server: Server
let port: number
let connectionCount = 0
let respond: (response: ServerResponse) => void
beforeAll(async () => {
  server = createServer((_, response) => respond(response))
  server.on('connection', () => {
    connectionCount += 1
  })
  // Listens on every local address, so that any connection back here is counted.
  await new Promise<void>((resolve) => server.listen(0, '::', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => new Promise((resolve) => server.close(resolve)))
beforeEach(() => {
  connectionCount = 0
  respond = (response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('the intranet')
})

const read = (host: string, options: Partial<Parameters<typeof safeFetch>[1]> = {}) =>
  safeFetch(`http://${host}:${port}/`, {
    hosts: ['*'],
    ports: [port],
    signal: new AbortController().signal,
    ...options,
  })

/** Spellings of non-public addresses: this machine, private networks, cloud metadata, embedded IPv4. */
const nonPublicAddresses = `
127.0.0.1 127.1 127.0.1 127.255.255.254 2130706433 0x7f000001 0x7f.1 0x7F.0.0.0x1 0177.0.0.1 0177.1 017700000001 ①②⑦.⓪.⓪.①
１２７.0.0.1 127。0。0。1 %31%32%37.0.0.1 127.0.0.1. 0 0.0.0.0 0x0 00000000000 0.1.2.3 localhost localhost. LOCALHOST ip6-localhost
10.0.0.1 10.255.255.255 167772161 172.16.0.1 172.31.255.255 0xac100001 192.168.0.1 192.168.1.254 0xc0a80001 3232235521 0300.0250.0.1
169.254.169.254 0xa9fea9fe 2852039166 0251.0376.0251.0376 169.254.1.1 100.64.0.1 100.127.255.255 100.100.100.200
192.0.0.1 192.0.0.170 192.0.2.1 192.88.99.1 198.18.0.1 198.51.100.7 203.0.113.7 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255
[::] [::1] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:7f00:0001] [::127.0.0.1] [::ffff:8.8.8.8]
[::ffff:0:127.0.0.1] [64:ff9b::7f00:1] [64:ff9b::127.0.0.1] [64:ff9b:1::1] [2002:7f00:1::] [2002:0a00:0001::1] [2001:0:7f00:1::]
[2001:db8::1] [2001:10::1] [2001:20::1] [fe80::1] [fec0::1] [fc00::1] [fd00:ec2::254] [ff02::1] [100::1] [3fff::1] [5f00::1] [4000::1]
`
  .trim()
  .split(/\s+/)

describe('non-public addresses', () => {
  it.each(nonPublicAddresses)('%s is refused', async (host) => {
    await expect(read(host)).rejects.toThrow(/isn’t a public host|couldn’t be reached|isn’t an address/)
    expect(connectionCount).toBe(0)
  })

  it('cover more than sixty spellings', () => {
    expect(new Set(nonPublicAddresses).size).toBeGreaterThan(60)
  })

  it('would be reached without the check (control)', async () => {
    const reached = await Promise.all(
      ['127.0.0.1', '0x7f.1', '[::1]', '[::ffff:7f00:1]', 'localhost.'].map((host) =>
        read(host, { canConnect: () => true }).catch(() => undefined),
      ),
    )
    expect(reached.filter(Boolean).length).toBeGreaterThan(3)
    expect(connectionCount).toBeGreaterThan(3)
  })

  it.each([
    ['private', ['10.0.0.7']],
    ['this machine', ['127.0.0.1']],
    ['public and private', ['93.184.215.14', '127.0.0.1']],
    ['private behind a public one in IPv6', ['2606:2800:21f:cb07::1', '::ffff:127.0.0.1']],
    ['nothing', []],
  ])('a name that resolves to %s is refused', async (_, addresses) => {
    await expect(read('rebound.example', { resolve: async () => addresses })).rejects.toThrow('isn’t a public host')
    expect(connectionCount).toBe(0)
  })

  it('a name that resolves differently the second time gains nothing', async () => {
    const answers = [['93.184.215.14'], ['127.0.0.1']]
    let lookupCount = 0
    const resolve = async () => answers[lookupCount++] ?? ['127.0.0.1']
    // The public address is unreachable from here. The test expects one lookup and no connection here.
    await expect(read('rebound.example', { resolve, canConnect: isPublicAddress })).rejects.toThrow()
    expect({ lookupCount, connectionCount }).toEqual({ lookupCount: 1, connectionCount: 0 })
  }, 10_000)

  it('connects to the checked address under the requested name', async () => {
    let host: string | undefined
    server.once('request', (request) => {
      host = request.headers.host
    })
    const checkedAddresses: string[] = []
    const canConnect = (address: string) => checkedAddresses.push(address) > 0
    const { text } = await read('pinned.example', { resolve: async () => ['127.0.0.1'], canConnect })
    expect({ text, host, checkedAddresses }).toEqual({
      text: 'the intranet',
      host: `pinned.example:${port}`,
      checkedAddresses: ['127.0.0.1'],
    })
  })
})

describe('refused before any lookup:', () => {
  const neverResolving = {
    hosts: ['*'],
    signal: new AbortController().signal,
    resolve: () => Promise.reject(new Error('asked')),
  }

  it.each([
    ['ftp://example.com/', /starting with http/],
    ['file:///etc/passwd', /starting with http/],
    ['gopher://127.0.0.1:80/_', /starting with http/],
    ['javascript:alert(1)', /starting with http/],
    ['//example.com', /starting with http/],
    ['http://', /starting with http/],
    ['http://user@example.com/', /username/],
    ['http://example.com@127.0.0.1/', /username/],
    ['http://a:b@example.com/', /username/],
    ['http://example.com:22/', /ports 80 and 443/],
    ['http://example.com:8080/', /ports 80 and 443/],
    ['https://example.com:6379/', /ports 80 and 443/],
    ['http://127.0.0.1/#@example.com', /isn’t a public host/],
    ['http://127.0.0.1\\@example.com/', /isn’t a public host/],
    ['http://127.0.0.1?example.com', /isn’t a public host/],
  ])('%s', async (address, message) => {
    await expect(safeFetch(address, neverResolving)).rejects.toThrow(message)
  })

  it('everything while no host is allowed, with a hint how to change that', async () => {
    await expect(safeFetch('http://example.com/', { ...neverResolving, hosts: [] })).rejects.toThrow(
      /KEEPER_FETCH_HOSTS/,
    )
  })

  it.each([
    ['example.com', ['example.com'], true],
    ['EXAMPLE.com.', ['example.com'], true],
    ['sub.example.com', ['example.com'], false],
    ['sub.example.com', ['*.example.com'], true],
    ['example.com', ['*.example.com'], false],
    ['notexample.com', ['*.example.com'], false],
    ['example.com.evil.net', ['example.com', '*.example.com'], false],
  ])('%s with the allowed hosts %s is allowed: %s', async (host, hosts, isAllowed) => {
    const result = safeFetch(`http://${host}/`, { ...neverResolving, hosts })
    await expect(result).rejects.toThrow(isAllowed ? /couldn’t be reached/ : /isn’t allowed to read/)
  })
})

describe('responses of a host', () => {
  const open = (options: Parameters<typeof read>[1] = {}) =>
    read('page.example', { resolve: async () => ['127.0.0.1'], canConnect: () => true, ...options })
  const respondWith = (type: string, body: string | Buffer, headers: Record<string, string> = {}, status = 200) => {
    respond = (response) => response.writeHead(status, { 'content-type': type, ...headers }).end(body)
  }

  it('HTML is reduced to its text', async () => {
    respondWith(
      'text/html; charset=utf-8',
      '<title>T</title><body><p>Caf&eacute; &amp; <b>more</b></p><script>x()</script>',
    )
    expect(await open()).toEqual({ type: 'text/html', text: 'T\n\nCafé & more' })
  })

  it('JSON and compressed text are returned unchanged', async () => {
    respondWith('application/json', '{"a":1}')
    expect((await open()).text).toBe('{"a":1}')
    respondWith('text/plain', gzipSync('packed'), { 'content-encoding': 'gzip' })
    expect((await open()).text).toBe('packed')
    respondWith('text/plain', brotliCompressSync('packed'), { 'content-encoding': 'br' })
    expect((await open()).text).toBe('packed')
    respondWith('text/plain; charset=iso-8859-1', Buffer.from('Grün', 'latin1'))
    expect((await open()).text).toBe('Grün')
  })

  it.each([301, 302, 303, 307, 308])('a redirect (%s) is reported and not followed', async (status) => {
    respondWith('text/plain', '', { location: `http://127.0.0.1:${port}/secret` }, status)
    await expect(open()).rejects.toThrow(/redirects to another address \(http:\/\/127/)
    expect(connectionCount).toBe(1)
  })

  it.each([
    ['image/png', 'x', {}, 200, /image\/png, which isn’t text/],
    ['application/octet-stream', 'x', {}, 200, /isn’t text/],
    ['', 'x', {}, 200, /isn’t text/],
    ['text/plain', 'x', {}, 404, /status 404/],
    ['text/plain', 'x', { 'content-encoding': 'zstd' }, 200, /encoding zstd/],
    ['text/plain; charset=klingon', 'x', {}, 200, /klingon/],
    ['text/plain', 'x'.repeat(1024 * 1024 + 1), {}, 200, /larger than 1 MB/],
    ['text/plain', gzipSync('x'.repeat(20 * 1024 * 1024)), { 'content-encoding': 'gzip' }, 200, /larger than 1 MB/],
    ['text/plain', 'no gzip', { 'content-encoding': 'gzip' }, 200, /couldn’t be reached/],
  ])('%s is refused (%#)', async (type, body, headers, status, message) => {
    respondWith(type, body, headers as Record<string, string>, status)
    await expect(open()).rejects.toThrow(message)
  })

  it('1 MB can still be read', async () => {
    respondWith('text/plain', 'x'.repeat(1024 * 1024))
    expect((await open()).text).toHaveLength(1024 * 1024)
  })

  it('a silent host or name server is waited for five seconds, or until a stop', async () => {
    respond = () => undefined
    const stop = new AbortController()
    const stopped = open({ signal: stop.signal })
    setTimeout(() => stop.abort(), 50)
    await expect(stopped).rejects.toThrow('Reading was stopped.')
    const silent = [open(), open({ resolve: () => new Promise(() => {}) })]
    for (const result of await Promise.allSettled(silent))
      expect(String((result as PromiseRejectedResult).reason)).toContain('within 5 seconds')
  }, 10_000)
})

describe('with a proxy', () => {
  let proxy: OutgoingProxyFake
  beforeAll(async () => {
    proxy = await startOutgoingProxy({ [`127.0.0.1:${port}`]: `127.0.0.1:${port}` }, { password: 'harbour' })
  })
  afterAll(() => proxy.close())
  const readThroughProxy = (host: string, options: Partial<Parameters<typeof safeFetch>[1]> = {}) =>
    read(host, { findProxy: () => proxy.url, resolve: async () => ['127.0.0.1'], canConnect: () => true, ...options })

  it('the proxy gets the checked address, never a name', async () => {
    let host: string | undefined
    server.once('request', (request) => {
      host = request.headers.host
    })
    expect((await readThroughProxy('pinned.example')).text).toBe('the intranet')
    expect({ host, requests: await proxy.requests() }).toEqual({
      host: `pinned.example:${port}`,
      requests: [`CONNECT 127.0.0.1:${port}`],
    })
  })

  it('the proxy never gets non-public addresses or unresolvable names', async () => {
    const previous = await proxy.requests()
    await expect(readThroughProxy('127.0.0.1', { canConnect: isPublicAddress })).rejects.toThrow('isn’t a public host')
    await expect(readThroughProxy('rebound.example', { canConnect: isPublicAddress })).rejects.toThrow(
      'isn’t a public host',
    )
    const { resolve, ...unresolved } = { resolve: undefined, findProxy: () => proxy.url }
    await expect(read('nowhere.invalid', unresolved)).rejects.toThrow('couldn’t look up nowhere.invalid')
    expect({ requests: await proxy.requests(), connectionCount }).toEqual({ requests: previous, connectionCount: 0 })
  })

  it.each([
    [
      'refuses',
      (url: string) => url.replace('harbour', 'wrong'),
      'This server’s proxy refused the connection (status 407).',
    ],
    ['is not there', () => 'http://127.0.0.1:9', 'couldn’t be reached'],
  ])('a proxy that %s is reported', async (_, changed, reason) => {
    await expect(readThroughProxy('page.example', { findProxy: () => changed(proxy.url) })).rejects.toThrow(reason)
    expect(connectionCount).toBe(0)
  })
})

it('public addresses are allowed', () => {
  for (const address of [
    '8.8.8.8',
    '93.184.215.14',
    '1.1.1.1',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700::1111',
    '2a00:1450::1',
  ])
    expect(isPublicAddress(address), address).toBe(true)
  for (const address of ['', 'example.com', '8.8.8', 'fe80::1%eth0', '2606:4700::1111%1'])
    expect(isPublicAddress(address), address).toBe(false)
})

it('a page of pure markup leaves no markup, in linear time', () => {
  expect(
    htmlToText('<p>one<!-- two --><div>three<svg><text>four</text></svg> &#x1F331;&#0;&lt;five&gt; 1 < 2 İ<B>x</B>'),
  ).toBe('one\nthree 🌱\ufffd<five> 1 < 2 İx')
  // Quadratic time would take minutes and fail the timeout.
  for (const text of ['<', '<!--', '<script>', '<p', '<p>', '&#', '</script', ' ', '\n', ' \n'])
    htmlToText(text.repeat(Math.floor(200_000 / text.length)))
})

it.each([
  ['', []],
  ['*', ['*']],
  [' Example.com , *.wiki.example ', ['example.com', '*.wiki.example']],
])('the setting "%s" allows %j', (value, hosts) => {
  expect(readSettings({ KEEPER_FETCH_HOSTS: value }).fetchHosts).toEqual(hosts)
})

it.each(['https://example.com', 'a b', '*.*', 'example.com/path', '**'])('the setting "%s" is refused', (value) => {
  expect(() => readSettings({ KEEPER_FETCH_HOSTS: value })).toThrow(BadSetting)
})
