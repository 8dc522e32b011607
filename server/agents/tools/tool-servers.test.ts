import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { audit } from '#contract/administration/audit.ts'
import { tools } from '#contract/agents/tools.ts'
import { readSettings } from '#server/settings/settings.ts'
import { engines } from '#tests/engines.ts'
import { type McpFake, startMcpFake } from '#tests/fakes/mcp-server.ts'
import { type Actor, createTestApp, type TestApp } from '#tests/test-app.ts'
import { isTrustedServer } from './tool-servers.ts'

const secret = 'mcp-canary-7ab1e5'

describe.each(engines)('tool servers for administrators on %s', (engine) => {
  let app: TestApp
  let mcp: McpFake
  let ada: Actor
  let cleo: Actor

  beforeEach(async () => {
    const readOnly = { readOnlyHint: true }
    mcp = await startMcpFake({
      tools: [
        { name: 'look_up', annotations: readOnly },
        { name: 'count', annotations: { ...readOnly, openWorldHint: false } },
        { name: 'write', annotations: { openWorldHint: false } },
      ],
    })
    const headers = { Authorization: `Bearer ${secret}` }
    app = await createTestApp(engine, {
      environment: {
        KEEPER_MCP_SERVERS: JSON.stringify({
          wiki: { url: mcp.url, headers, trusted: true },
          notes: { url: `${mcp.url}?key=${secret}`, headers },
          closed: { url: 'http://127.0.0.1:9/mcp' },
        }),
      },
    })
    ada = await app.as('ada')
    cleo = await app.as('cleo', ['super-admin'])
  })
  afterEach(async () => {
    await app.close()
    await mcp.close()
  })

  const listServers = async () => (await cleo.call(tools.servers)).data.items
  const getServerId = async (name: string) => (await listServers()).find((server) => server.name === name)?.id ?? ''
  const setTrust = async (name: string, trusted: boolean, actor = cleo) =>
    actor.call(tools.trustServer, { params: { id: await getServerId(name) }, body: { trusted } })
  const listToolsThatAsk = async () => {
    const { data } = await ada.call(tools.list)
    return data.tools.filter(({ source, sends }) => source === 'notes' && sends).map(({ name }) => name)
  }
  const listAuditLines = async () => {
    const { items } = (await cleo.call(audit.list)).data
    return items
      .filter(({ action }) => action.startsWith('tool-server'))
      .map(({ action, actor, subject, details }) => [action, actor?.id, subject, details])
  }

  it('are listed with tools and trust, without secrets', async () => {
    const answer = await cleo.call(tools.servers)
    const host = new URL(mcp.url).host
    const counts = { tools: 3, sending: 1, writing: 1, reason: null, host }
    expect(answer.data).toMatchObject({
      items: [
        { name: 'closed', host: '127.0.0.1:9', tools: 0, reason: expect.stringMatching(/\w+/), trust: null },
        { name: 'notes', ...counts, trust: null },
        { name: 'wiki', ...counts, trust: { source: 'settings', by: null, at: null } },
      ],
      next_cursor: null,
    })
    expect(answer.text + app.logLines.join('')).not.toContain(secret)
    const first = await cleo.call(tools.servers, { query: { limit: 2 } })
    expect(first.data.items.map(({ name }) => name)).toEqual(['closed', 'notes'])
    const second = await cleo.call(tools.servers, { query: { limit: 2, cursor: first.data.next_cursor ?? '' } })
    expect(second.data.items.map(({ name }) => name)).toEqual(['wiki'])
    expect(second.data.next_cursor).toBeNull()
  })

  it('can be trusted and untrusted, each with an audit entry', async () => {
    expect(await listToolsThatAsk()).toEqual(['notes__look_up'])
    const { status, data } = await setTrust('notes', true)
    expect(status).toBe(200)
    expect(data.trust).toMatchObject({ source: 'administrator', by: { id: cleo.id }, at: expect.any(String) })
    expect((await setTrust('notes', true)).data).toEqual(data)
    expect(await listToolsThatAsk(), 'its tools no longer ask before sending').toEqual([])
    expect(
      (await listServers()).find(({ name }) => name === 'closed')?.trust,
      'another server stays as it was',
    ).toBeNull()
    app.passTime(1000)
    expect((await setTrust('notes', false)).data.trust).toBeNull()
    expect((await setTrust('notes', false)).status).toBe(200)
    expect(await listToolsThatAsk()).toEqual(['notes__look_up'])
    const details = { host: new URL(mcp.url).host }
    expect(await listAuditLines()).toEqual([
      ['tool-server-untrusted', cleo.id, 'notes', details],
      ['tool-server-trusted', cleo.id, 'notes', details],
    ])
  })

  it('lose trust when the address changes', async () => {
    const id = await getServerId('notes')
    await setTrust('notes', true)
    expect(await isTrustedServer(app.services, id)).toBe(true)
    const server = app.services.settings.mcpServers.find(({ name }) => name === 'notes')
    if (server) server.url = `${mcp.url}/elsewhere`
    expect((await listServers()).find(({ name }) => name === 'notes')?.trust).toBeNull()
    expect(await isTrustedServer(app.services, id), 'the old address is no longer connected').toBe(false)
  })

  it('can’t be untrusted if the settings trust them', async () => {
    const answer = await setTrust('wiki', false)
    expect(answer).toMatchObject({ status: 409, body: { error: expect.stringContaining('KEEPER_MCP_SERVERS') } })
    expect((await setTrust('wiki', true)).data.trust).toMatchObject({ source: 'settings' })
    expect(await listAuditLines()).toEqual([])
  })

  it('can be trusted only with the permission and when connected', async () => {
    const params = { id: await getServerId('notes') }
    expect((await ada.call(tools.servers)).status).toBe(403)
    expect((await ada.call(tools.trustServer, { params, body: { trusted: true } })).status).toBe(403)
    const unknown = await cleo.call(tools.trustServer, { params: { id: 'f'.repeat(32) }, body: { trusted: true } })
    expect(unknown.status).toBe(404)
    const bad = await cleo.call(tools.trustServer, { params, body: { trusted: 'yes' } as never })
    expect(bad.status).toBe(400)
    expect(Object.keys(bad.body.fields ?? {})).toEqual(['trusted'])
    expect((await listServers()).map(({ trust }) => trust?.source ?? null)).toEqual([null, null, 'settings'])
    expect(await listAuditLines()).toEqual([])
  })
})

it('the setting accepts a boolean "trusted" and names ignored fields', () => {
  const read = (entry: object) =>
    readSettings({ KEEPER_MCP_SERVERS: JSON.stringify({ notes: { url: 'https://x.example', ...entry } }) })
      .mcpServers[0]
  expect(read({})).toMatchObject({ trusted: false, ignored: [] })
  expect(read({ trusted: true, type: 'http' })).toMatchObject({ trusted: true, ignored: ['type'] })
  for (const trusted of ['true', 1, null]) expect(() => read({ trusted })).toThrow('"trusted" of "notes"')
})
