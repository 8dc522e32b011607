import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accounts } from '#contract/accounts/accounts.ts'
import { agents } from '#contract/agents/agents.ts'
import { transfer } from '#contract/keepers/transfer.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { computeDatabaseHash } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { type Actor, createTestApp, type TestApp, toRequest } from '#tests/test-app.ts'

describe.each(engines)('caller identity, on %s', (engine) => {
  let app: TestApp
  let ada: Actor
  let ben: Actor
  beforeAll(async () => {
    app = await createTestApp(engine)
    ada = await app.as('ada')
    ben = await app.as('ben')
    await ada.call(agents.create, { body: { name: 'Adas Secret', purpose: 'canary-of-ada' } })
    await ada.call(agents.run, { body: { agentId: 'adas-secret', input: 'canary-of-ada' } })
  })
  afterAll(() => app.close())

  const spoofs: [
    string,
    (victim: string) => { headers?: Record<string, string>; query?: Record<string, string>; body?: object },
  ][] = [
    [
      'the header x-user-id',
      (victim) => ({ headers: { 'x-user-id': victim, 'x-userid': victim, 'x-forwarded-user': victim } }),
    ],
    ['the query userId', (victim) => ({ query: { userId: victim, user_id: victim } })],
    ['the body’s userId', (victim) => ({ body: { userId: victim, user_id: victim, personId: victim } })],
    ['the body’s ownerId', (victim) => ({ body: { ownerId: victim, owner_id: victim, owner: victim } })],
  ]
  // tests/spoofs.test.ts checks that no call reads them.
  it.each(spoofs)("%s exports no one else's keepers", async (_, createSpoof) => {
    await createTestKeeper(ada)
    const { headers = {}, query = {} } = createSpoof(ada.id)
    const { path, init } = toRequest(transfer.exportAll, { query, headers })
    const listExportedNames = async (actor: Actor) =>
      (await (await actor.fetch(path, init)).text()).match(/[\w./-]+\.(md|json)/g)
    expect(await listExportedNames(ada)).toContainEqual(expect.stringContaining('moments.md'))
    expect(new Set(await listExportedNames(ben))).toEqual(new Set(['keeper.json']))
  })

  it.each(spoofs)('an entity created with %s belongs to its creator', async (_, createSpoof) => {
    const { headers = {}, query = {}, body = {} } = createSpoof(ada.id)
    const created = await ben.call(agents.create, {
      headers,
      query,
      body: { name: 'Bens', purpose: 'p', ...body } as never,
    })
    expect(created.data.owner_id).toBe(ben.id)
    const run = await ben.call(agents.run, {
      headers,
      query,
      body: { agentId: created.data.id, input: 'x', ...body } as never,
    })
    const row = await app.services.db
      .selectFrom('runs')
      .select('person_id')
      .where('id', '=', run.data.run_id)
      .executeTakeFirstOrThrow()
    expect(row.person_id).toBe(ben.id)
    const refused = await app
      .visitor()
      .call(agents.create, { headers, query, body: { name: 'x', purpose: 'p', ...body } as never })
    expect(refused.status).toBe(401)
  })

  it.each([
    ['the same origin', 'http://localhost', true],
    ['no origin', null, true],
    ['another site', 'https://evil.example', false],
    ['another port', 'http://localhost:8080', false],
    ['a name with the same beginning', 'http://localhost.evil.example', false],
    ['a sandboxed page', 'null', false],
    ['nonsense', 'evil', false],
  ])('a write from %s (Origin %s) is allowed: %s', async (_, origin, isAllowed) => {
    const previous = await computeDatabaseHash(app.services.db)
    const response = await ada.fetch('/api/kam/settings', {
      method: 'PUT',
      headers: { 'content-type': 'application/json', ...(origin && { origin }) },
      body: JSON.stringify({ preferred_theme_id: 'none-such' }),
    })
    // An allowed write gets 400, because this theme doesn't exist.
    expect(response.status).toBe(isAllowed ? 400 : 403)
    expect(await computeDatabaseHash(app.services.db)).toBe(previous)
  })

  it("another site's page can't use the visitor cookie and reads nothing", async () => {
    const visitor = app.visitor()
    await visitor.call(agents.sessions)
    const run = await visitor.call(agents.run, {
      body: { agentId: 'kip', input: 'hello' },
      headers: { origin: 'https://evil.example' },
    })
    expect(run.status).toBe(403)
    const form = await visitor.fetch('/api/kip/agents', {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: '{"action":"run","agentId":"kip","input":"x"}',
    })
    expect(form.status).toBe(415)
    const preflight = await app.fetch('/api/kip/agents', {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    })
    expect([...preflight.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  it.each([
    ['/api/kip/agents?logs=true&page=1&page=2', 'page'],
    ['/api/kip/agents?id=a&id=b', 'id'],
    ['/api/kip/agents?userId=a&userId=b', 'userId'],
  ])('%s: a repeated parameter is refused by name', async (path, field) => {
    const response = await ada.fetch(path)
    expect({ status: response.status, fields: ((await response.json()) as { fields: object }).fields }).toEqual({
      status: 400,
      fields: { [field]: expect.any(String) },
    })
  })

  it.each([
    '/api/kip/agents?id=%00',
    '/api/kip/agents?slug=a%00b',
    '/api/kip/runs/a%00b',
    '/api/agents/%00',
    '/api/kip/agents?logs=true&agentId=%00',
  ])('%s: NUL is refused before it reaches the database', async (path) => {
    expect((await ada.fetch(path)).status).toBe(400)
  })

  it.each(['toString', 'constructor', 'hasOwnProperty', '__proto__'])('the query name %s is harmless', async (name) => {
    const response = await ada.fetch(`/api/kip/agents?${name}=1`)
    expect(response.status).toBeLessThan(500)
    expect(Object.getPrototypeOf({})).toBe(Object.prototype)
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  it('limits trust X-Forwarded-For from trusted proxies only', async () => {
    const register = async (proxyCount: number, forwardedForValues: string[]) => {
      app.services.settings.trustedProxies = proxyCount
      app.services.settings.limits.registrationsPerHour = 2
      await app.services.db.deleteFrom('throttle_windows').execute()
      const statuses = []
      for (const value of forwardedForValues) {
        const { status } = await app.visitor().call(accounts.register, {
          body: { email: `x${Math.random()}@example.com`, password: 'password1' },
          headers: { 'x-forwarded-for': value },
        })
        statuses.push(status)
      }
      app.services.settings.trustedProxies = 0
      // 400: without a name the registration is invalid, but it counts.
      return statuses
    }
    expect(await register(0, ['1.1.1.1', '2.2.2.2', '3.3.3.3'])).toEqual([400, 400, 429])
    expect(await register(1, ['9.9.9.1, 5.5.5.5', '9.9.9.2, 5.5.5.5', '9.9.9.3, 5.5.5.5'])).toEqual([400, 400, 429])
    expect(await register(1, ['1.1.1.1', '2.2.2.2', '3.3.3.3'])).toEqual([400, 400, 400])
    expect(await register(2, ['6.6.6.6, 5.5.5.1', '6.6.6.6, 5.5.5.2', '6.6.6.6, 5.5.5.3'])).toEqual([400, 400, 429])
    expect(await register(2, ['5.5.5.5', '6.6.6.6', '7.7.7.7'])).toEqual([400, 400, 429])
  })
})
