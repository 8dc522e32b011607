import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { computeDatabaseHash } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { parseStatus, sendRaw } from '#tests/listening-app.ts'
import { useListeningApp } from '#tests/use-test-app.ts'

describe.each(engines)('raw HTTP, on %s', (engine) => {
  const listening = useListeningApp(engine)

  const exchange = (text: string) => sendRaw(listening.port, text, 1500)
  const get = (lines: string[], target = '/api/themes') =>
    exchange(`GET ${target} HTTP/1.1\r\n${lines.map((line) => `${line}\r\n`).join('')}connection: close\r\n\r\n`)

  it.each([
    ['the public name', ['host: keeper.example'], 200],
    ['the public name with a port', ['host: keeper.example:8443'], 200],
    ['the public name in capitals', ['host: KEEPER.example'], 200],
    ['this machine', ['host: localhost'], 200],
    ['this machine by number', ['host: 127.0.0.1:3000'], 200],
    ['another name', ['host: evil.example'], 421],
    ['a name with the same ending', ['host: notkeeper.example'], 421],
    ['a name below it', ['host: a.keeper.example'], 421],
    ['a name above it', ['host: keeper.example.evil.example'], 421],
    ['another address', ['host: 192.0.2.1'], 421],
    ['two hosts, the right one first', ['host: keeper.example', 'host: evil.example'], 421],
    ['two hosts, the right one last', ['host: evil.example', 'host: keeper.example'], 421],
    ['twice the same', ['host: keeper.example', 'Host: keeper.example'], 421],
    ['a forwarded name beside the right one', ['host: keeper.example', 'x-forwarded-host: evil.example'], 200],
    ['a forwarded name beside another', ['host: evil.example', 'x-forwarded-host: keeper.example'], 421],
  ])('%s (%j) answers %i', async (_, lines, status) => {
    const answer = await get(lines)
    expect(parseStatus(answer)).toBe(status)
    expect(answer).not.toContain('evil.example')
    expect(answer).toContain('x-content-type-options: nosniff')
  })

  it('an absolute request target must match the Host header', async () => {
    expect(parseStatus(await get(['host: keeper.example'], 'http://keeper.example/api/themes'))).toBe(200)
    expect(parseStatus(await get(['host: keeper.example'], 'http://evil.example/api/themes'))).toBe(421)
    expect(parseStatus(await get(['host: evil.example'], 'http://keeper.example/api/themes'))).toBe(421)
  })

  it.each([
    ['the name', ['host: memories.example'], 200],
    ['the name with a port', ['host: memories.example:8443'], 200],
    ['the name in capitals', ['host: MEMORIES.Example'], 200],
    ['the whole name with its dot', ['host: memories.example.'], 200],
    ['the whole name with its dot and a port', ['host: Memories.example.:80'], 200],
    ['two dots at the end', ['host: memories.example..'], 421],
    ['a name below it', ['host: www.memories.example'], 421],
    ['a name above it', ['host: memories.example.evil.example'], 421],
    ['a name with the same ending', ['host: notmemories.example'], 421],
    ['twice the same', ['host: memories.example', 'Host: memories.example'], 421],
    ['the public name after it', ['host: memories.example', 'host: keeper.example'], 421],
    ['the public name before it', ['host: keeper.example', 'host: memories.example'], 421],
    ['a forwarded name beside it', ['host: memories.example', 'x-forwarded-host: evil.example'], 200],
    ['a forwarded name beside another', ['host: evil.example', 'x-forwarded-host: memories.example'], 421],
    ['a forwarded name beside the public name', ['host: keeper.example', 'x-forwarded-host: memories.example'], 404],
  ])('a custom host: %s (%j) answers %i', async (_, lines, status) => {
    const answer = await get(lines, '/api/site')
    expect(parseStatus(answer)).toBe(status)
    expect(answer).not.toMatch(/(evil|memories)\.example/i)
    expect(answer).toContain('x-content-type-options: nosniff')
  })

  it("absolute targets can't switch between hosts", async () => {
    expect(parseStatus(await get(['host: memories.example'], 'http://memories.example/api/site'))).toBe(200)
    expect(parseStatus(await get(['host: memories.example'], 'http://memories.example/api/themes'))).toBe(421)
    expect(parseStatus(await get(['host: memories.example'], 'http://keeper.example/api/themes'))).toBe(421)
    expect(parseStatus(await get(['host: keeper.example'], 'http://memories.example/api/site'))).toBe(421)
    expect(parseStatus(await get(['host: memories.example'], '//keeper.example/api/themes'))).toBe(421)
  })

  it.each([
    ['no host at all', 'GET /api/themes HTTP/1.1\r\nconnection: close\r\n\r\n'],
    ['an invalid host', 'GET /api/themes HTTP/1.1\r\nhost: a b\r\nconnection: close\r\n\r\n'],
    ['a custom host and another', 'GET /api/site HTTP/1.1\r\nhost: memories.example a\r\nconnection: close\r\n\r\n'],
    ['a username at a custom host', 'GET /api/site HTTP/1.1\r\nhost: a@memories.example\r\nconnection: close\r\n\r\n'],
    [
      'another scheme as target',
      'GET HTTPS://keeper.example/api/themes HTTP/1.1\r\nhost: memories.example\r\nconnection: close\r\n\r\n',
    ],
    [
      'length and chunks together',
      'POST /api/kam/auth/login HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n0\r\n\r\n',
    ],
    [
      'two lengths',
      'POST /api/kam/auth/login HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\ncontent-length: 6\r\nconnection: close\r\n\r\n{}',
    ],
    ['a bare line feed in a header', 'GET /api/themes HTTP/1.1\r\nhost: localhost\nx: y\rz\r\n\r\n'],
    ['a space before the colon', 'GET /api/themes HTTP/1.1\r\nhost : localhost\r\n\r\n'],
    ['TRACE', 'TRACE /api/themes HTTP/1.1\r\nhost: localhost\r\nx-canary: 1\r\nconnection: close\r\n\r\n'],
    ['an unknown method', 'BREW /api/themes HTTP/1.1\r\nhost: localhost\r\n\r\n'],
    ['no HTTP', 'hello\r\n\r\n'],
    ['very long headers', `GET /api/themes HTTP/1.1\r\nhost: localhost\r\nx: ${'a'.repeat(17_000)}\r\n\r\n`],
    [
      'a malformed chunk size',
      'POST /api/kam/auth/login HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\nzz\r\n{}\r\n0\r\n\r\n',
    ],
  ])('%s is refused as a client error and changes nothing', async (_, text) => {
    const previous = await computeDatabaseHash(listening.app.services.db)
    const previousLineCount = listening.app.logLines.length
    const answer = await exchange(text)
    expect(listening.app.logLines.slice(previousLineCount)).toEqual([])
    expect(parseStatus(answer)).toBeGreaterThanOrEqual(400)
    expect(parseStatus(answer)).toBeLessThan(500)
    expect(answer).not.toContain('x-canary')
    expect(await computeDatabaseHash(listening.app.services.db)).toBe(previous)
  })

  describe('a body of declared length', () => {
    const body = Buffer.from(JSON.stringify({ email: 'ä@keeper.example', password: 'wrong-password-ü' }))
    const head = (length: number) =>
      `POST /api/kam/auth/login HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\nconnection: close\r\n\r\n`
    const sendParts = (parts: Buffer[], disconnects = false): Promise<string> =>
      new Promise((resolve) => {
        const socket = connect(listening.port, '127.0.0.1', async () => {
          for (const part of parts) {
            socket.write(part)
            await new Promise((wait) => setTimeout(wait, 20))
          }
          if (disconnects) socket.destroy()
        })
        let received = ''
        socket.on('data', (bytes) => (received += bytes))
        socket.on('close', () => resolve(received))
        socket.on('error', () => resolve(received))
      })

    it('is read whole when it arrives in parts that split a character', async () => {
      const middleOfCharacter = body.indexOf('ä') + 1
      const parts = [
        Buffer.from(head(body.length)),
        body.subarray(0, middleOfCharacter),
        body.subarray(middleOfCharacter),
      ]
      expect(parseStatus(await sendParts(parts))).toBe(401)
    })

    it('can start with a byte order mark', async () => {
      const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body])
      expect(parseStatus(await sendParts([Buffer.from(head(marked.length)), marked]))).toBe(401)
    })

    it("is refused if it isn't valid UTF-8", async () => {
      const broken = Buffer.from(body)
      broken[body.indexOf('ä')] = 0xff
      const answer = await sendParts([Buffer.from(head(broken.length)), broken])
      expect(parseStatus(answer)).toBe(400)
      expect(answer).toContain('isn’t valid UTF-8')
    })

    it('is read, and so is the next one on the same connection', async () => {
      const invalidBody = Buffer.from('{"email":7}')
      const first = Buffer.concat([Buffer.from(head(body.length).replace('connection: close\r\n', '')), body])
      const answers = await sendParts([Buffer.concat([first, Buffer.from(head(invalidBody.length)), invalidBody])])
      expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 400'])
    })

    it('is complete after the token lookup: pipelined, and longer than a chunk', async () => {
      const ada = await listening.app.as('ada')
      const buildRequest = (slug: string, { letterCount = 10, close = false } = {}) => {
        const sent = Buffer.from(JSON.stringify({ name: slug, slug, purpose: 'ä'.repeat(letterCount) }))
        const lines = [
          'POST /api/kip/agents HTTP/1.1',
          'host: localhost',
          `authorization: Bearer ${ada.token}`,
          'content-type: application/json',
          `content-length: ${sent.byteLength}`,
          ...(close ? ['connection: close'] : []),
        ]
        return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), sent])
      }
      const answers = await sendParts([Buffer.concat([buildRequest('first'), buildRequest('second', { close: true })])])
      expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200'])
      // Longer than a purpose can be, but read to its end.
      const long = await sendParts([buildRequest('long', { letterCount: 100_000, close: true })])
      expect({ status: parseStatus(long), long }).toEqual({ status: 400, long: expect.stringContaining('"purpose"') })
      const rows = await listening.app.services.db
        .selectFrom('agents')
        .select(['slug', 'purpose'])
        .where('slug', 'in', ['first', 'second', 'long'])
        .orderBy('slug')
        .execute()
      expect(rows).toEqual(['first', 'second'].map((slug) => ({ slug, purpose: 'ä'.repeat(10) })))
    })

    it.each([
      ['with its length', head(body.length), body.subarray(0, 10)],
      [
        'in chunks',
        head(0).replace('content-length: 0', 'transfer-encoding: chunked'),
        Buffer.from(`${body.length.toString(16)}\r\n${body.subarray(0, 10)}`),
      ],
    ])("%s that is interrupted changes nothing and isn't a server fault", async (_, lines, partialBody) => {
      const previous = await computeDatabaseHash(listening.app.services.db)
      const previousLineCount = listening.app.logLines.length
      expect(await sendParts([Buffer.from(lines), partialBody], true)).toBe('')
      expect(parseStatus(await get(['host: localhost']))).toBe(200)
      expect(await computeDatabaseHash(listening.app.services.db)).toBe(previous)
      expect(listening.app.logLines.slice(previousLineCount)).toEqual([])
    })
  })

  it('a long response with all kinds of characters is complete and has a length', async () => {
    const ada = await listening.app.as('ada')
    const purpose = 'é字👩‍👩‍👧 ’'.repeat(150)
    for (const slug of ['one', 'two', 'three', 'four']) {
      const created = await ada.fetch('/api/kip/agents', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: slug, slug, purpose }),
      })
      expect(created.status).toBe(200)
    }
    const answer = await fetch(`http://127.0.0.1:${listening.port}/api/kip/agents`, {
      headers: { authorization: `Bearer ${ada.token}` },
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(bytes.byteLength).toBeGreaterThan(10_000)
    expect(answer.headers.get('content-length')).toBe(String(bytes.byteLength))
    const { data } = JSON.parse(bytes.toString()) as { data: { slug: string; purpose: string }[] }
    expect(data.filter(({ slug }) => slug === 'three')).toEqual([expect.objectContaining({ purpose })])
  })

  it('a chunked body above the limit is cut off while it is sent', async () => {
    const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`
    const head =
      'POST /api/kip/agents HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n'
    const answer = await exchange(`${head}${chunk.repeat(20)}`)
    expect(parseStatus(answer)).toBe(413)
  })

  it("a folded header line can't inject a header", async () => {
    const answer = await get(['host: localhost'], '/api/themes/x%0d%0aset-cookie:%20a=b')
    expect(parseStatus(answer)).toBe(404)
    expect(answer.toLowerCase()).not.toMatch(/^set-cookie/m)
  })
})
