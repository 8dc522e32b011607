import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { chat } from '#contract/agents/chat.ts'
import { runs } from '#contract/agents/runs.ts'
import { customDomains } from '#contract/domains/custom-domains.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { createApp } from '#server/app.ts'
import { computeDatabaseHash } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import { type Actor, createTestApp } from '#tests/test-app.ts'
import { useApp } from '#tests/use-test-app.ts'
import { syncCustomHosts } from './custom-hosts.ts'

const host = 'memories.example.org'
const lead = { purpose: 'Shows the way.', agent_class: 'Lead', visibility: 'public', memory_enabled: true } as const

describe.each(engines)('a custom host, on %s', (engine) => {
  let domainId: string
  let guideId: string
  let otherAgentId: string
  const { app, ada } = useApp(
    () =>
      createTestApp(engine, {
        environment: { KEEPER_PUBLIC_URL: 'https://keeper.example' },
        modelRuntime: { sleep: async () => {} },
      }),
    ['ada'],
  )
  beforeAll(async () => {
    guideId = (await ada.call(agents.create, { body: { ...lead, name: 'Guide', slug: 'guide' } })).data.id
    otherAgentId = (await ada.call(agents.create, { body: { ...lead, name: 'Other', slug: 'other' } })).data.id
    const domain = app.services.db.selectFrom('domains').select('id').where('owner_id', '=', ada.id)
    domainId = (await domain.executeTakeFirstOrThrow()).id
  })
  beforeEach(() => saveDomain({ custom_domain: host, custom_domain_verified: true, lead_agent_id: guideId }))

  async function saveDomain(columns: {
    custom_domain?: string | null
    custom_domain_verified?: boolean
    lead_agent_id?: string | null
  }) {
    const values = { name: 'Harbour letters', description: 'What the harbour kept.', ...columns }
    await app.services.db.updateTable('domains').set(values).where('id', '=', domainId).execute()
    await app.services.customHosts.load(app.services.db)
  }
  const callOnHost = <E extends Endpoint>(actor: Actor, endpoint: E, options: Parameters<Actor['call']>[1] = {}) =>
    actor.call(endpoint, { ...options, headers: { host, ...options.headers } })

  const web = { serve: async (_: Request, path: string) => new Response(`file ${path}`) }
  const fetchPage = async (path: string, init: RequestInit = {}) => {
    const request = new Request(`http://${host}${path}`, { ...init, headers: { host, ...init.headers } })
    return createApp(app.services, web).fetch(request)
  }

  it('serves the public page and its files, also to HEAD', async () => {
    expect(await (await fetchPage('/')).text()).toBe('file /site.html')
    expect(await (await fetchPage('/?sessionId=x')).text()).toBe('file /site.html')
    expect((await fetchPage('/', { method: 'HEAD' })).status).toBe(200)
    for (const path of ['/assets/site-1a.js', '/favicon.ico', '/icon.svg', '/theme.js', '/diagram.html'])
      expect(await (await fetchPage(path)).text()).toBe(`file ${path}`)
  })

  it.each([
    '/login',
    '/register',
    '/root',
    '/kip',
    '/guide',
    '/index.html',
    '/site.html',
    '/sw.js',
    '/manifest.webmanifest',
    '/assets/../index.html',
    '/assets/..%2findex.html',
    '/assets/',
    '/assets/root',
    '/assets/x/login',
    '/debug',
    '/mcp',
    '/v1/models',
    '/metrics',
    '/oauth/token',
    '/.well-known/oauth-authorization-server',
    '/api/openapi.json',
    '/api/internal/tls-ask?domain=memories.example.org',
    '/api/nothing-there',
    '//',
  ])('has nothing at %s', async (path) => {
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'DELETE']) {
      const answer = await fetchPage(path, { method, headers: { accept: 'text/html' } })
      expect({ method, status: answer.status }).toEqual({ method, status: 421 })
      expect(await answer.text()).not.toContain('memories')
    }
  })

  it('accepts no form at its page', async () => {
    for (const method of ['POST', 'PUT', 'OPTIONS']) expect((await fetchPage('/', { method })).status).toBe(421)
  })

  it('sets HSTS for this name, not for its subdomains', async () => {
    expect((await fetchPage('/')).headers.get('strict-transport-security')).toBe('max-age=31536000')
    expect((await callOnHost(app.visitor(), customDomains.site)).headers.get('strict-transport-security')).not.toMatch(
      /sub/i,
    )
  })

  it('shows name, description and agent, and nothing else of the domain', async () => {
    const { status, data } = await callOnHost(app.visitor(), customDomains.site)
    expect(status).toBe(200)
    expect(data).toEqual({
      domain: { name: 'Harbour letters', description: 'What the harbour kept.' },
      agentSlug: 'guide',
    })
    const siteOnMainHost = await app.visitor().call(customDomains.site)
    expect(siteOnMainHost.status).toBe(404)
  })

  it('shows and serves no agent that is private or no longer a Lead', async () => {
    for (const change of [{ visibility: 'private' }, { agent_class: 'Persona' }] as const) {
      const set = app.services.db.updateTable('agents').where('id', '=', guideId)
      await set.set(change).execute()
      expect((await callOnHost(app.visitor(), customDomains.site)).data.agentSlug).toBeNull()
      const refused = await callOnHost(app.visitor(), agents.run, { body: { agentId: guideId, input: 'hello' } })
      expect(refused.status).toBe(404)
      await set.set({ visibility: 'public', agent_class: 'Lead' }).execute()
    }
    await saveDomain({ lead_agent_id: null })
    expect((await callOnHost(app.visitor(), customDomains.site)).data.agentSlug).toBeNull()
    expect((await callOnHost(app.visitor(), agents.bySlug, { query: { slug: 'guide' } })).status).toBe(404)
  })

  it('lets a visitor chat with the Lead agent, with every call of the chat', async () => {
    const visitor = app.visitor()
    expect((await callOnHost(visitor, agents.bySlug, { query: { slug: 'guide' } })).data).toMatchObject({
      slug: 'guide',
    })
    const started = await callOnHost(visitor, agents.createSession, { body: { agentId: guideId } })
    expect(started.status).toBe(200)
    const sessionId = started.data.id
    const ran = await callOnHost(visitor, agents.run, {
      body: { agentId: guideId, input: 'Where is the quay?', sessionId },
    })
    expect({ status: ran.status, session_id: ran.data.session_id }).toEqual({ status: 200, session_id: sessionId })
    const runId = ran.data.run_id
    const listed = await callOnHost(visitor, agents.sessions, { query: { agentId: guideId } })
    expect(listed.data.sessions.map(({ id }) => id)).toEqual([sessionId])
    const answer = await callOnHost(visitor, agents.messages, { query: { sessionId } })
    expect(answer.data.map(({ content }) => content)).toContain('Where is the quay?')
    const params = { sessionId }
    expect((await callOnHost(visitor, chat.rename, { params, body: { sessionName: 'The quay' } })).status).toBe(200)
    const messageId = answer.data[0]?.id
    expect((await callOnHost(visitor, chat.showBranch, { params, body: { messageId } })).status).toBe(200)
    const stream = await visitor.stream(runs.stream, { params: { runId }, headers: { host } })
    expect(stream.events.at(-1)?.event).toBe('done')
    expect((await callOnHost(visitor, runs.stop, { params: { runId } })).status).toBe(200)
    // This run has a text answer.
    expect((await callOnHost(visitor, runs.audio, { params: { runId } })).status).toBe(404)
    expect((await callOnHost(visitor, chat.remove, { params })).status).toBe(200)
    expect((await callOnHost(visitor, agents.messages, { query: { sessionId } })).status).toBe(404)
  })

  it('answers for other agents and sessions as for random ids', async () => {
    const visitor = app.visitor()
    const otherRun = (await visitor.call(agents.run, { body: { agentId: otherAgentId, input: 'Mine' } })).data
    const [sessionId, runId] = [otherRun.session_id ?? '', otherRun.run_id]
    const answer = (await visitor.call(agents.messages, { query: { sessionId } })).data
    const unknownId = 'f'.repeat(32)
    const previous = await computeDatabaseHash(app.services.db, ['throttle_windows'])
    const expectAlike = async (endpoint: Endpoint, existing: object, unknown: object) => {
      const answers = [await callOnHost(visitor, endpoint, existing), await callOnHost(visitor, endpoint, unknown)]
      const [foreign, none] = answers.map(({ status, body }) => ({ status, ...body, requestId: '' }))
      expect(foreign?.status).toBe(404)
      expect(foreign).toEqual(none)
    }
    await expectAlike(agents.bySlug, { query: { slug: 'other' } }, { query: { slug: 'nobody' } })
    await expectAlike(agents.bySlug, { query: { slug: otherAgentId } }, { query: { slug: unknownId } })
    await expectAlike(agents.sessions, { query: { agentId: otherAgentId } }, { query: { agentId: unknownId } })
    await expectAlike(agents.sessions, {}, { query: { agentId: unknownId } })
    const toRun = (agentId: string) => ({ body: { agentId, input: 'Hello' } })
    await expectAlike(agents.run, toRun(otherAgentId), toRun(unknownId))
    await expectAlike(agents.run, toRun('kip'), toRun(unknownId))
    await expectAlike(agents.createSession, { body: { agentId: otherAgentId } }, { body: { agentId: unknownId } })
    await expectAlike(agents.messages, { query: { sessionId } }, { query: { sessionId: unknownId } })
    const toSessionCall = (id: string, body: object) => ({ params: { sessionId: id }, body })
    const renamed = { sessionName: 'x' }
    await expectAlike(chat.rename, toSessionCall(sessionId, renamed), toSessionCall(unknownId, renamed))
    const branch = { messageId: answer[0]?.id ?? '' }
    await expectAlike(chat.showBranch, toSessionCall(sessionId, branch), toSessionCall(unknownId, branch))
    await expectAlike(chat.remove, { params: { sessionId } }, { params: { sessionId: unknownId } })
    for (const call of [runs.stream, runs.stop, runs.audio])
      await expectAlike(call, { params: { runId } }, { params: { runId: unknownId } })
    const mixed = await callOnHost(visitor, agents.run, { body: { agentId: guideId, input: 'x', sessionId } })
    expect(mixed.status).toBe(404)
    expect(await computeDatabaseHash(app.services.db, ['throttle_windows'])).toBe(previous)
  })

  it('ignores tokens in any spelling', async () => {
    const previous = await computeDatabaseHash(app.services.db)
    for (const scheme of ['Bearer', 'bearer', 'BEARER'])
      for (const call of [customDomains.site, agents.list, runs.stop]) {
        const headers = { authorization: `${scheme} ${ada.token}`, host }
        const answer = await app.visitor().call(call as Endpoint, { headers, params: { runId: 'x' } })
        expect({ path: call.path, scheme, status: answer.status }).toEqual({ path: call.path, scheme, status: 421 })
        // The request id is random and may contain a name.
        expect({ ...answer.body, requestId: '' }).toEqual({
          success: false,
          error: expect.any(String),
          code: 'wrong-host',
          requestId: '',
        })
      }
    expect((await fetchPage('/', { headers: { authorization: `Bearer ${ada.token}` } })).status).toBe(421)
    expect(await computeDatabaseHash(app.services.db)).toBe(previous)
  })

  it('accepts writes from its own pages only, and only there', async () => {
    const body = { agentId: guideId, input: 'Hello' }
    const sendFrom = async (origin: string, to: string) =>
      (await app.visitor().call(agents.run, { body, headers: { host: to, origin } })).status
    expect(await sendFrom(`https://${host}`, host)).toBe(200)
    expect(await sendFrom('https://keeper.example', host)).toBe(403)
    expect(await sendFrom('https://evil.example', host)).toBe(403)
    expect(await sendFrom('null', host)).toBe(403)
    expect(await sendFrom(`https://${host}`, 'keeper.example')).toBe(403)
    expect(await sendFrom(`https://${host}`, 'localhost')).toBe(403)
  })

  it('identifies visitors by a cookie of this host only', async () => {
    const { headers } = await callOnHost(app.visitor(), agents.createSession, { body: { agentId: guideId } })
    const cookie = headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/^__Host-kv=[\w-]{43}; Path=\/; .*HttpOnly; SameSite=Lax; Secure$/)
    expect(cookie).not.toMatch(/domain=/i)
    expect((await callOnHost(app.visitor(), customDomains.site)).headers.get('set-cookie')).toBeNull()
  })

  it("isn't answered once unverified, reassigned or deleted", async () => {
    await saveDomain({ custom_domain_verified: false })
    expect((await fetchPage('/')).status).toBe(421)
    expect((await callOnHost(app.visitor(), customDomains.site)).status).toBe(421)
    await saveDomain({ custom_domain_verified: true, custom_domain: 'moved.example.org' })
    expect((await fetchPage('/')).status).toBe(421)
    expect((await fetchPage('/', { headers: { host: 'moved.example.org' } })).status).toBe(200)
    await saveDomain({ custom_domain: null })
    expect((await fetchPage('/', { headers: { host: 'moved.example.org' } })).status).toBe(421)
  })

  it('is recognized without a database query', async () => {
    const unusableDatabase = new Proxy(app.services.db, {
      get(_, property) {
        throw new Error(`the database was queried: ${String(property)}`)
      },
    })
    const appWithoutDatabase = createApp({ ...app.services, db: unusableDatabase }, web)
    const request = (name: string, path = '/') =>
      appWithoutDatabase.fetch(new Request(`http://${name}${path}`, { headers: { host: name } }))
    expect((await request(host)).status).toBe(200)
    expect((await request(host, '/assets/a.js')).status).toBe(200)
    expect((await request(host, '/root')).status).toBe(421)
    expect((await request('other.example.org')).status).toBe(421)
  })

  describe('changed by another process', () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
    afterEach(() => void vi.useRealTimers())

    it('follows within 30 seconds', async () => {
      const stopSync = await syncCustomHosts(app.services)
      const set = app.services.db.updateTable('domains').where('id', '=', domainId)
      await set.set({ custom_domain_verified: false }).execute()
      vi.advanceTimersByTime(29_000)
      expect(app.services.customHosts.find(host)).toEqual({ domainId })
      vi.advanceTimersByTime(1_000)
      await eventually(() => expect(app.services.customHosts.find(host)).toBeUndefined())
      await set.set({ custom_domain_verified: true }).execute()
      stopSync()
      vi.advanceTimersByTime(60_000)
      expect(app.services.customHosts.find(host)).toBeUndefined()
    })
  })
})
