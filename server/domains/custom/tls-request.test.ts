import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '#server/app.ts'
import { engines } from '#tests/engines.ts'
import { startListeningApp } from '#tests/listening-app.ts'
import type { TestApp } from '#tests/test-app.ts'

describe.each(engines)('certificate requests, on %s', (engine) => {
  let app: TestApp
  let port: number
  let close: () => Promise<void>
  beforeAll(async () => {
    ;({ app, port, close } = await startListeningApp(engine))
  })
  afterAll(() => close())

  const path = '/api/internal/tls-ask'
  const requestTls = (search: string, { method = 'GET', headers = {} as Record<string, string> } = {}) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const statement = request({ port, host: '127.0.0.1', path: `${path}${search}`, method, headers }, (answer) => {
        let text = ''
        answer.on('data', (bytes) => (text += bytes))
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
      })
      statement.on('error', reject)
      statement.end()
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
  ])('%s', async (_, search, status) => {
    expect(await requestTls(search)).toEqual({ status, text: '' })
    expect((await requestTls(search, { method: 'HEAD' })).status).toBe(status)
  })

  it('get the 404 of an unknown address if a proxy forwarded them', async () => {
    const unknown = (await app.fetch('/api/internal/nothing').then((answer) => answer.json())) as object
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
    const from = async (remoteAddress: string | undefined) => {
      const incoming = { rawHeaders: [], url: path, socket: { remoteAddress } }
      const queries = new Request(`http://127.0.0.1${path}?domain=memories.example`, { headers: { host: '127.0.0.1' } })
      return (await createApp(app.services).fetch(queries, { incoming: incoming as never })).status
    }
    for (const near of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '127.0.0.53']) expect(await from(near)).toBe(200)
    for (const far of ['192.0.2.1', '10.0.0.1', '::ffff:192.0.2.1', '2001:db8::1', undefined])
      expect(await from(far)).toBe(404)
    const unsaid = new Request(`http://127.0.0.1${path}?domain=memories.example`, { headers: { host: '127.0.0.1' } })
    expect((await createApp(app.services).fetch(unsaid)).status).toBe(404)
  })

  it("allow GET only, don't exist on custom hosts, and aren't logged", async () => {
    const previous = app.logLines.length
    await requestTls('?domain=memories.example')
    await requestTls('?domain=evil.example')
    expect(app.logLines.slice(previous)).toEqual([])
    expect((await requestTls('?domain=memories.example', { method: 'POST' })).status).toBe(404)
    expect((await requestTls('?domain=memories.example', { headers: { host: 'memories.example' } })).status).toBe(421)
  })
})
