import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createApp } from '#server/app.ts'
import type { Database } from '#server/db/database.ts'
import { Problem } from '#server/http/problem.ts'
import { readSettings } from '#server/settings/settings.ts'
import { engines } from '#tests/engines.ts'
import { useListeningApp } from '#tests/use-test-app.ts'
import { CustomHosts } from './custom-hosts.ts'
import { isApex, readHostName } from './host-name.ts'

function createSlowDatabase() {
  const { promise, resolve } = Promise.withResolvers<{ id: string; custom_domain: string }[]>()
  const query = { select: () => query, where: () => query, execute: () => promise }
  return { db: { selectFrom: () => query } as unknown as Database, answer: resolve }
}

it('the latest load wins, in whatever order they finish', async () => {
  const hosts = new CustomHosts()
  const early = createSlowDatabase()
  const late = createSlowDatabase()
  const loads = [hosts.load(early.db), hosts.load(late.db)]
  late.answer([])
  await loads[1]
  early.answer([{ id: 'a', custom_domain: 'removed.example.org' }])
  await loads[0]
  expect(hosts.find('removed.example.org')).toBeUndefined()
})

it('only the exact name is found, no subdomain or parent', async () => {
  const hosts = new CustomHosts()
  const { db, answer } = createSlowDatabase()
  answer([{ id: 'a', custom_domain: 'www.example.org' }])
  await hosts.load(db)
  expect(hosts.find('www.example.org')).toEqual({ domainId: 'a' })
  for (const name of ['example.org', 'a.www.example.org', 'www.example.org.evil.example', '', '__proto__'])
    expect(hosts.find(name)).toBeUndefined()
})

const settings = readSettings({
  KEEPER_PUBLIC_URL: 'https://keeper.example.org',
  KEEPER_EDGE_HOST: 'Edge.Keeper.net',
})

describe('a host name', () => {
  it.each([
    ['memories.example.com', 'memories.example.com'],
    ['  HTTPS://Memories.Example.COM:8443/a/b?c=d#e ', 'memories.example.com'],
    ['memories.example.com.', 'memories.example.com'],
    ['example.com/', 'example.com'],
    ['müller.example.com', 'xn--mller-kva.example.com'],
    ['日本語テスト.com', 'xn--zckzah9945czlbtz6h.com'],
    ['память.рф', 'xn--80ayho4cq.xn--p1ai'],
    ['memories。example。com', 'memories.example.com'],
    ['a.co.uk', 'a.co.uk'],
    ['mykeeper.example.org', 'mykeeper.example.org'],
    ['keeper.example.org.example.com', 'keeper.example.org.example.com'],
    [`${`${'a'.repeat(61)}.`.repeat(4)}com`, `${`${'a'.repeat(61)}.`.repeat(4)}com`],
  ])('is parsed from %j', (typed, name) => {
    expect(readHostName(typed, settings)).toBe(name)
  })

  it.each([
    ['', /Enter a domain name/],
    ['   ', /Enter a domain name/],
    ['https://', /Enter a domain name/],
    ['memories', /isn’t a domain name/],
    ['two words.com', /isn’t a domain name/],
    ['a_b.example.com', /isn’t a domain name/],
    ['-a.example.com', /isn’t a domain name/],
    ['*.example.com', /isn’t a domain name/],
    ['a..example.com', /isn’t a domain name/],
    ['memories.example.com..', /isn’t a domain name/],
    [`${'a'.repeat(64)}.com`, /isn’t a domain name/],
    [`${'a.'.repeat(126)}com`, /at most 253/],
    ['memories.example.c0m', /isn’t a domain name/],
    ['ada@example.com', /email/],
    ['https://ada:secret@example.com', /email/],
    ['127.0.0.1', /IP address/],
    ['http://127.0.0.1:3000/', /IP address/],
    ['[::1]', /IP address/],
    ['2001:db8::1', /domain name/],
    ['2130706433', /IP address/],
    ['0x7f.1', /IP address/],
    ['0177.0.0.1', /IP address/],
    ['①②⑦.0.0.1', /IP address/],
    ['keeper.example.org', /own address/],
    ['KEEPER.example.org.', /own address/],
    ['below.keeper.example.org', /own address/],
    ['edge.keeper.net', /own address/],
    ['keeper.localhost', /from the internet/],
    ['nas.local', /from the internet/],
    ['co.uk', /Anyone can register/],
    ['com.au', /Anyone can register/],
    ['github.io', /Anyone can register/],
    ['p\u0430ypal.com', /alphabets/],
    ['xn--pypal-4ve.com', /alphabets/],
    ['example.com\u0000', /isn’t a domain name/],
    ['exa\u202emple.com', /isn’t a domain name/],
  ])("isn't parsed from %j", (typed, expectedText) => {
    let problem: unknown
    try {
      readHostName(typed, settings)
    } catch (error) {
      problem = error
    }
    expect(problem).toBeInstanceOf(Problem)
    const { status, message, details } = problem as Problem
    expect({ status, fields: details.fields }).toEqual({ status: 400, fields: { customDomain: message } })
    expect(message).toMatch(expectedText)
  })

  it('is an apex if it is a registrable domain', () => {
    expect(['example.com', 'example.co.uk'].every(isApex)).toBe(true)
    expect(['www.example.com', 'a.b.example.co.uk'].some(isApex)).toBe(false)
  })
})

describe.each(engines)('certificate requests, on %s', (engine) => {
  const listening = useListeningApp(engine)

  const path = '/api/internal/tls-ask'
  const requestTls = (search: string, { method = 'GET', headers = {} as Record<string, string> } = {}) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const clientRequest = request(
        { port: listening.port, host: '127.0.0.1', path: `${path}${search}`, method, headers },
        (answer) => {
          let text = ''
          answer.on('data', (bytes) => (text += bytes))
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
        },
      )
      clientRequest.on('error', reject)
      clientRequest.end()
    })

  it.each([
    ['a verified custom host', '?domain=memories.example', 200],
    ['in capitals', '?domain=MEMORIES.example', 200],
    ['with the dot that ends a whole name', '?domain=memories.example.', 200],
    ['our own name', '?domain=keeper.example', 200],
    ['a name below', '?domain=www.memories.example', 404],
    ['a name above', '?domain=example', 404],
    ['another name', '?domain=evil.example', 404],
    ['a name with a port', '?domain=memories.example:443', 404],
    ['an address', '?domain=127.0.0.1', 404],
    ['two names', '?domain=memories.example&domain=evil.example', 404],
    ['an empty name', '?domain=', 404],
    ['no name', '', 404],
    ['a name without end', `?domain=${'a'.repeat(8000)}`, 404],
  ])('for %s get the right status', async (_, search, status) => {
    expect(await requestTls(search)).toEqual({ status, text: '' })
    expect((await requestTls(search, { method: 'HEAD' })).status).toBe(status)
  })

  it('get the 404 of an unknown address if a proxy forwarded them', async () => {
    const unknown = (await listening.app.fetch('/api/internal/nothing').then((answer) => answer.json())) as object
    for (const header of [
      'X-Forwarded-For',
      'X-Forwarded-Host',
      'x-forwarded-proto',
      'X-Forwarded-Server',
      'Forwarded',
      'Via',
      'X-Real-IP',
    ]) {
      const { status, text } = await requestTls('?domain=memories.example', { headers: { [header]: 'for=192.0.2.1' } })
      expect({ header, status }).toEqual({ header, status: 404 })
      expect({ ...JSON.parse(text), requestId: '' }).toEqual({ ...unknown, requestId: '' })
    }
  })

  it('are refused from other machines, whatever their headers', async () => {
    const fetchStatusFrom = async (peerAddress: string | undefined) => {
      const incoming = { rawHeaders: [], url: path, socket: { remoteAddress: peerAddress } }
      const tlsRequest = new Request(`http://127.0.0.1${path}?domain=memories.example`, {
        headers: { host: '127.0.0.1' },
      })
      return (await createApp(listening.app.services).fetch(tlsRequest, { incoming: incoming as never })).status
    }
    for (const localAddress of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '127.0.0.53'])
      expect(await fetchStatusFrom(localAddress)).toBe(200)
    for (const remoteAddress of ['192.0.2.1', '10.0.0.1', '::ffff:192.0.2.1', '2001:db8::1', undefined])
      expect(await fetchStatusFrom(remoteAddress)).toBe(404)
    const requestWithoutAddress = new Request(`http://127.0.0.1${path}?domain=memories.example`, {
      headers: { host: '127.0.0.1' },
    })
    expect((await createApp(listening.app.services).fetch(requestWithoutAddress)).status).toBe(404)
  })

  it("allow GET only, don't exist on custom hosts, and aren't logged", async () => {
    const previous = listening.app.logLines.length
    await requestTls('?domain=memories.example')
    await requestTls('?domain=evil.example')
    expect(listening.app.logLines.slice(previous)).toEqual([])
    expect((await requestTls('?domain=memories.example', { method: 'POST' })).status).toBe(404)
    expect((await requestTls('?domain=memories.example', { headers: { host: 'memories.example' } })).status).toBe(421)
  })
})
