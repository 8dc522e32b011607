import { describe, expect, it } from 'vitest'
import { createMailer } from '#server/accounts/mailer.ts'
import { engines } from '#tests/engines.ts'
import { parseStatus, sendRaw } from '#tests/listening-app.ts'
import { createTestApp, type TestApp } from '#tests/test-app.ts'
import { useListeningApp } from '#tests/use-test-app.ts'
import { getPublicHostName, parseHost } from './host-check.ts'

// Hosts are checked before any query, so one engine suffices.
describe.each(engines.slice(0, 1))('hosts, on %s', (engine) => {
  const listening = useListeningApp(engine)

  const get = async (target: string, lines: string[], version = '1.1') =>
    sendRaw(
      listening.port,
      `GET ${target} HTTP/${version}\r\n${lines.map((line) => `${line}\r\n`).join('')}connection: close\r\n\r\n`,
    )

  it.each([
    ['an address of the machine', ['host: 10.42.0.7:3000'], '1.1'],
    ['the name of a container', ['host: keeper_app:3000'], '1.1'],
    ['an invalid host', ['host: a b'], '1.1'],
    ['a final dot', ['host: keeper.example.'], '1.1'],
    ['a custom host', ['host: memories.example'], '1.1'],
    ['two hosts', ['host: keeper.example', 'host: evil.example'], '1.1'],
    ['no host', [], '1.1'],
    ['no host over HTTP/1.0', [], '1.0'],
    ['a host over HTTP/1.0', ['host: 10.42.0.7'], '1.0'],
  ])('a probe is answered with %s', async (_, lines, version) => {
    for (const target of ['/ping', '/health', '/health?full=1', 'http://10.42.0.7/health']) {
      const answer = await get(target, lines, version)
      expect(parseStatus(answer), target).toBe(200)
      expect(answer).not.toMatch(/transfer-encoding/i)
    }
    expect(parseStatus(await get('/login', lines, version)), 'a page').not.toBe(200)
  })

  it.each(['/pingx', '/ping/', '//health', '/api/themes?x=/ping', '/ping%2f..'])("%s isn't a probe", async (target) => {
    expect(parseStatus(await get(target, ['host: evil.example']))).toBe(421)
  })

  it.each([
    'keeper.example',
    'KEEPER.Example',
    'keeper.example:8443',
    'keeper.example.',
    'keeper.example.:443',
    'localhost:3000',
    'localhost.',
    '127.0.0.1',
    '[::1]:3000',
    '[0:0:0:0:0:0:0:1]',
    '[::1%25lo]',
  ])('pages and calls are answered for %s', async (host) => {
    expect(parseStatus(await get('/api/themes', [`host: ${host}`]))).toBe(200)
  })

  it.each(['evil.example', 'keeper.example.evil.example', 'keeper.example..', '.keeper.example', '[::2]'])(
    'nothing is answered for %s',
    async (host) => {
      expect(parseStatus(await get('/api/themes', [`host: ${host}`]))).toBe(421)
    },
  )

  it('a browser at another host gets a page with the remedy; the host is logged once', async () => {
    const previousLineCount = listening.app.logLines.length
    for (const _ of [1, 2, 3]) {
      const answer = await get('/login', ['host: nas.example:3000', 'accept: text/html,*/*'])
      expect(parseStatus(answer)).toBe(421)
      expect(answer).toContain('content-type: text/html')
      expect(answer).toContain('KEEPER_PUBLIC_URL=https://keeper.example.org')
      expect(answer).toContain('content-security-policy')
      expect(answer).not.toContain('nas.example')
    }
    const call = await get('/api/themes', ['host: nas.example:3000'])
    expect(call).toContain('"code":"wrong-host"')
    expect(call).toContain('set KEEPER_PUBLIC_URL')
    const lines = listening.app.logLines.slice(previousLineCount)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('nas.example:3000')
    expect(lines[0]).toContain('KEEPER_PUBLIC_URL')
  })

  it('an HTTP/1.0 answer has no chunks', async () => {
    const ada = await listening.app.as('ada', ['super-admin'])
    for (const path of [
      '/api/admin/audit/export',
      '/api/events',
      '/api/kip/agents',
      '/api/kam/auth/download',
      '/api/kip/usage/export',
      '/api/kip/logs/export',
    ]) {
      const answer = await get(path, ['host: keeper.example', `authorization: Bearer ${ada.token}`], '1.0')
      expect(parseStatus(answer), path).toBe(200)
      const [head = '', body = ''] = answer.split('\r\n\r\n')
      expect(head, path).not.toMatch(/transfer-encoding/i)
      expect(body, path).not.toMatch(/^[\da-f]+\r\n/i)
    }
  })

  it('every CSV export begins with a byte order mark', async () => {
    const ada = await listening.app.as('ada', ['super-admin'])
    for (const path of ['/api/admin/audit/export', '/api/kip/usage/export', '/api/kip/logs/export']) {
      const answer = await ada.fetch(path)
      expect(answer.headers.get('content-type'), path).toContain('text/csv')
      expect([...new Uint8Array(await answer.arrayBuffer()).slice(0, 3)], path).toEqual([0xef, 0xbb, 0xbf])
    }
  })

  describe('a write', () => {
    const post = (lines: string[]) =>
      sendRaw(
        listening.port,
        `POST /api/kam/auth/login HTTP/1.1\r\n${lines.map((line) => `${line}\r\n`).join('')}content-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}`,
      )
    const publicOrigin = 'origin: https://keeper.example'

    it.each([
      ['the public address', ['host: keeper.example', publicOrigin]],
      ['the public address, with the host set by a proxy', ['host: 127.0.0.1:3000', publicOrigin]],
      ['the public address, with the port mapped by a router', ['host: keeper.example:8443', publicOrigin]],
      ['the requested address', ['host: localhost:3000', 'origin: http://localhost:3000']],
      ['the requested address, with its default port', ['host: localhost:80', 'origin: http://localhost']],
      ['the public address with a final dot', ['host: keeper.example.', 'origin: https://keeper.example.']],
      ['no browser', ['host: keeper.example']],
    ])('a write from %s is accepted', async (_, lines) => {
      expect(parseStatus(await post(lines))).toBe(400)
    })

    it.each([
      ['another site', ['host: keeper.example', 'origin: https://evil.example']],
      ['no site', ['host: keeper.example', 'origin: null']],
      ['another port', ['host: 127.0.0.1:3000', 'origin: https://keeper.example:8443']],
      ['another scheme', ['host: 127.0.0.1:3000', 'origin: http://keeper.example']],
      ['a site with the same ending', ['host: 127.0.0.1:3000', 'origin: https://keeper.example.evil.example']],
      ['another local site', ['host: localhost:3000', 'origin: http://localhost:5173']],
      ['an extension', ['host: keeper.example', 'origin: chrome-extension://keeper.example']],
      ['a text', ['host: keeper.example', 'origin: keeper.example']],
    ])('a write from %s is refused with the setting and both values', async (_, lines) => {
      const previousLineCount = listening.app.logLines.length
      const answer = await post(lines)
      const origin = lines[1]!.slice('origin: '.length)
      expect(parseStatus(answer)).toBe(403)
      expect(answer).toContain(`its Origin is ${origin}, but KEEPER_PUBLIC_URL is https://keeper.example.`)
      await post(lines)
      const entries = listening.app.logLines.slice(previousLineCount).map((line) => JSON.parse(line) as object)
      expect(entries).toMatchObject([{ origin, KEEPER_PUBLIC_URL: 'https://keeper.example' }])
    })
  })
})

describe.each(engines.slice(0, 1))('a public address with a port, on %s', (engine) => {
  const write = (app: TestApp, headers: Record<string, string>) =>
    app.fetch('/api/kam/auth/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: '{}',
    })

  it('accepts writes from the public address even if a proxy removed the port', async () => {
    const app = await createTestApp(engine, { environment: { KEEPER_PUBLIC_URL: 'https://keeper.example.test:8443' } })
    const host = 'keeper.example.test'
    expect((await write(app, { host, origin: 'https://keeper.example.test:8443' })).status).toBe(400)
    expect((await write(app, { host, origin: 'https://evil.example' })).status).toBe(403)
    expect((await write(app, { host, origin: 'null' })).status).toBe(403)
    const upload = { host, origin: 'https://evil.example', 'content-type': 'image/png' }
    expect((await app.fetch('/api/keeper/media', { method: 'POST', headers: upload, body: 'png' })).status).not.toBe(
      201,
    )
    await app.close()
  })

  it('the refusal says that no public address is set', async () => {
    const app = await createTestApp(engine)
    const answer = await write(app, { host: '127.0.0.1:3000', origin: 'https://keeper.example' })
    expect(answer.status).toBe(403)
    expect(await answer.text()).toContain('but KEEPER_PUBLIC_URL isn’t set, and Host is 127.0.0.1:3000.')
    await app.close()
  })
})

describe.each(engines.slice(0, 1))('links of a server that listens on every address, on %s', (engine) => {
  it.each([
    ['0.0.0.0', '192.168.1.20:3000', {}, 'http://192.168.1.20:3000'],
    ['::', '[fd00:0:0::7]:3000', {}, 'http://[fd00::7]:3000'],
    ['0.0.0.0', '192.168.1.20', { 'x-forwarded-proto': 'https' }, 'http://192.168.1.20'],
  ])('start with the address of the request (HOST=%s, %s)', async (HOST, host, headers, linkOrigin) => {
    const app = await createTestApp(engine, { environment: { HOST, SMTP_URL: 'smtp://127.0.0.1:1' } })
    const admin = await app.as('ada', ['super-admin'])
    const ben = await app.as('ben')
    const path = `/api/admin/users/${ben.id}/reset-link`
    const answer = await app.fetch(path, {
      method: 'POST',
      headers: { ...headers, host, authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
      body: '{}',
    })
    expect(await answer.text()).toContain(`${linkOrigin}/login?reset=`)
    await app.close()
  })

  it('never go out by email', async () => {
    const app = await createTestApp(engine, { environment: { HOST: '0.0.0.0', SMTP_URL: 'smtp://127.0.0.1:1' } })
    expect(createMailer(app.services.settings).isSetUp).toBe(false)
    expect(app.services.settings.notes.join()).toMatch(/SMTP_URL has no effect .*KEEPER_PUBLIC_URL/)
    await app.close()
  })
})

it.each([
  ['Keeper.Example', 'keeper.example'],
  ['keeper.example.:8443', 'keeper.example'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['[0:0:0:0:0:0:0:1]:3000', '[::1]'],
  ['[fe80::1%eth0]:3000', '[fe80::1]'],
  ['nas', 'nas'],
  ['keeper_app:3000', 'keeper_app'],
  ['user@keeper.example', undefined],
  ['keeper.example/path', undefined],
  ['a b', undefined],
  ['', undefined],
])('the host %s is read as %s', (header, name) => {
  expect(parseHost(Buffer.from(header).toString('latin1'))?.name).toBe(name)
})

it.each(['https://Bücher.example.', 'https://xn--bcher-kva.example:8443', 'https://BÜCHER.example'])(
  'the public address %s is normalized to one form',
  (publicUrl) => {
    expect(getPublicHostName({ publicUrl })).toBe('xn--bcher-kva.example')
  },
)
