import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { maxPersonalToolServers, personalToolServers } from '#contract/agents/personal-tool-servers.ts'
import { tools } from '#contract/agents/tools.ts'
import { rotateSecret } from '#server/administration/rotate-secret.ts'
import { dumpDatabase } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { type AuthorizationServerFake, startAuthorizationServerFake } from '#tests/fakes/authorization-server.ts'
import { type McpFake, startMcpFake } from '#tests/fakes/mcp-server.ts'
import { type Actor, createTestApp, type TestApp } from '#tests/test-app.ts'
import { findMcpTools } from '../available-tools.ts'
import type { ToolContext } from '../tool.ts'

const readOnly = { readOnlyHint: true, openWorldHint: false }

// Servers are called outside the database, so one engine suffices.
describe.each(engines.slice(0, 1))('a personal tool server on %s', (engine) => {
  let authorization: AuthorizationServerFake
  let mcp: McpFake
  let app: TestApp
  let ada: Actor
  let ben: Actor
  beforeEach(async () => {
    authorization = await startAuthorizationServerFake()
    mcp = await startMcpFake({
      authorization,
      tools: [{ name: 'issues', annotations: readOnly, call: () => 'one issue' }],
    })
    app = await createTestApp(engine, {
      environment: { KEEPER_FETCH_HOSTS: '127.0.0.1', KEEPER_MCP_SERVERS: '{"wiki":{"url":"http://127.0.0.1:9/mcp"}}' },
      egress: {
        ports: [80, ...[mcp.url, authorization.url].map((url) => Number(new URL(url).port))],
        canConnect: (address) => address === '127.0.0.1',
      },
    })
    ada = await app.as('ada')
    ben = await app.as('ben')
  })
  afterEach(async () => {
    await app.close()
    await mcp.close()
    await authorization.close()
  })

  const addServer = (body: object = {}, actor = ada) =>
    actor.call(personalToolServers.create, { body: { name: 'tracker', url: mcp.url, ...body } })
  const startSignIn = (id: string, body: object = {}, actor = ada) =>
    actor.call(personalToolServers.startSignIn, { params: { id }, body })
  const finishSignIn = (callbackUrl: URL, actor = ada) =>
    actor.call(personalToolServers.finishSignIn, { body: Object.fromEntries(callbackUrl.searchParams) })
  const listServers = async (actor = ada) => (await actor.call(personalToolServers.list)).data.items
  const signIn = async () => {
    const { id } = (await addServer()).data
    const { data } = await startSignIn(id)
    const callbackUrl = await authorization.approve(data.authorization_url)
    return { id, callbackUrl, answer: await finishSignIn(callbackUrl) }
  }
  const callTool = async (actor = ada) => {
    const tool = (await findMcpTools(app.services, ['tracker__issues'], actor.id)).tools.get('tracker__issues')
    if (!tool) return 'not offered'
    const context = { services: app.services, signal: new AbortController().signal } as ToolContext
    return tool.run(context, {}).then(
      ({ text }) => text,
      (error: Error) => error.message,
    )
  }
  const listOfferedTools = async (actor = ada) => (await actor.call(tools.list)).data.tools.map(({ name }) => name)

  it('requires a sign-in with PKCE for its resource before it can be used', async () => {
    const { data: added } = await addServer()
    expect(added).toMatchObject({
      name: 'tracker',
      address: mcp.url,
      access: 'none',
      needs_sign_in: true,
      reason: 'The server needs you to sign in. Do that under Your API Keys.',
      tools: 0,
    })
    const { status, data } = await startSignIn(added.id)
    expect(status).toBe(200)
    const { searchParams } = new URL(data.authorization_url)
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: 'http://localhost/root/api-keys',
      resource: mcp.url,
      scope: 'tools',
    })
    const { data: connected } = await finishSignIn(await authorization.approve(data.authorization_url))
    expect(connected).toMatchObject({ access: 'sign-in', needs_sign_in: false, reason: null, tools: 1 })
    expect(await callTool()).toBe('one issue')
    expect(await listOfferedTools()).toContain('tracker__issues')
    expect(authorization.tokenRequests).toMatchObject([{ grant_type: 'authorization_code', resource: mcp.url }])
  })

  it('is visible and usable only for its owner', async () => {
    const { data: added } = await addServer()
    const { data } = await startSignIn(added.id)
    const callbackUrl = await authorization.approve(data.authorization_url)
    expect((await finishSignIn(callbackUrl, ben)).status, 'the state belongs to Ada').toBe(404)
    expect((await finishSignIn(callbackUrl)).status).toBe(200)
    expect((await finishSignIn(callbackUrl)).status, 'a sign-in can finish only once').toBe(404)
    expect(await listOfferedTools(ben)).not.toContain('tracker__issues')
    expect(await callTool(ben)).toBe('not offered')
    expect(await listServers(ben)).toEqual([])
    expect((await startSignIn(added.id, {}, ben)).status).toBe(404)
    const body = { name: 'Thief', purpose: 'p', tools: ['tracker__issues'] }
    expect((await ben.call(agents.create, { body })).status).toBe(400)
    expect((await ada.call(agents.create, { body })).status).toBe(200)
  })

  it.each([
    ['an issuer with a slash', { issuer: (url: string) => `${url}/` }],
    ['nulls', { service_documentation: () => null, jwks_uri: () => null, scopes_supported: () => null }],
    ['no public clients', { token_endpoint_auth_methods_supported: () => ['client_secret_basic'] }],
    ['no issuer in its redirects', { authorization_response_iss_parameter_supported: () => undefined }],
  ])('supports an authorization server with %s', async (_label, metadata) => {
    authorization.metadata = Object.fromEntries(
      Object.entries(metadata).map(([name, value]) => [name, (value as (url: string) => unknown)(authorization.url)]),
    )
    const { data: added } = await addServer()
    const { data, body } = await startSignIn(added.id)
    expect(body.error).toBeUndefined()
    const callbackUrl = await authorization.approve(data.authorization_url)
    if ('issuer' in metadata) callbackUrl.searchParams.set('iss', `${authorization.url}/`)
    expect((await finishSignIn(callbackUrl)).data).toMatchObject({ access: 'sign-in', tools: 1 })
  })

  it('requests a refresh token if it needs its own scope', async () => {
    authorization.metadata = { scopes_supported: ['openid', 'offline_access', 'tools'] }
    const { data } = await startSignIn((await addServer()).data.id)
    expect(new URL(data.authorization_url).searchParams.get('scope')).toBe('tools offline_access')
  })

  it('registers again only if the server forgot the client', async () => {
    const { id } = await signIn()
    await startSignIn(id)
    expect(authorization.clients.size).toBe(1)
    authorization.clients.clear()
    authorization.revoke('grants')
    expect(await callTool()).toContain('sign in again')
    const { data } = await startSignIn(id)
    expect((await finishSignIn(await authorization.approve(data.authorization_url))).data).toMatchObject({ tools: 1 })
  })

  it('is refused if its authorization server claims to be another', async () => {
    const { data: added } = await addServer()
    authorization.metadata = { issuer: 'https://attacker.example' }
    expect((await startSignIn(added.id)).body.error).toBe(
      'The sign-in failed: The authorization server identifies itself as a different server.',
    )
  })

  it('refuses forged, late and declined sign-ins', async () => {
    const { data: added } = await addServer()
    const startAndApprove = async () => authorization.approve((await startSignIn(added.id)).data.authorization_url)
    const forged = await startAndApprove()
    forged.searchParams.set('iss', 'https://attacker.example')
    expect((await finishSignIn(forged)).body.error).toBe('The sign-in failed: The answer came from a different server.')
    const unsigned = await startAndApprove()
    unsigned.searchParams.delete('iss')
    expect((await finishSignIn(unsigned)).status).toBe(422)
    const guessed = await startAndApprove()
    guessed.searchParams.set('code', 'guessed')
    expect((await finishSignIn(guessed)).body.error).toBe('The sign-in failed: The server refused it (invalid_grant).')
    const late = await startAndApprove()
    app.passTime(601_000)
    expect((await finishSignIn(late)).status).toBe(404)
    const declined = await startAndApprove()
    declined.searchParams.delete('code')
    declined.searchParams.set('error', 'access_denied')
    expect((await finishSignIn(declined)).body.error).toBe('The sign-in failed: The sign-in was declined.')
    expect(await listServers()).toMatchObject([{ needs_sign_in: true }])
  })

  it('refreshes its token once for parallel calls', async () => {
    await signIn()
    await callTool()
    authorization.revoke('access tokens')
    expect(await Promise.all([callTool(), callTool(), callTool()])).toEqual(Array(3).fill('one issue'))
    const listRefreshRequests = () =>
      authorization.tokenRequests.filter(({ grant_type: type }) => type === 'refresh_token')
    expect(listRefreshRequests()).toHaveLength(1)
    expect(listRefreshRequests()[0]).toMatchObject({ resource: mcp.url })
    app.passTime(3_600_000)
    expect(await callTool(), 'before the token expires').toBe('one issue')
    expect(listRefreshRequests()).toHaveLength(2)
    authorization.revoke('grants')
    expect(await callTool()).toBe(
      'The tool server tracker failed: The server needs you to sign in again. Do that under Your API Keys.',
    )
    app.passTime(61_000)
    expect(await listServers()).toMatchObject([{ access: 'sign-in', needs_sign_in: true }])
  })

  it('keeps secrets sealed and out of answers and logs', async () => {
    const { id, callbackUrl } = await signIn()
    const header = { name: 'X-Api-Key', value: 'header-canary-1' }
    await addServer({ name: 'other', url: `${mcp.url}?key=query-canary-1`, header })
    await ada.call(personalToolServers.startSignIn, { params: { id }, body: {} })
    const answers = [
      await ada.call(personalToolServers.list),
      await ada.call(tools.list),
      await ada.call(tools.list, { query: { fresh: 'true' } }),
    ]
    const everything = [
      await dumpDatabase(app.services.db),
      app.logLines.join(''),
      ...answers.map(({ text }) => text),
    ].join('')
    for (const canary of [
      'access-canary',
      'refresh-canary',
      'header-canary',
      'query-canary',
      String(callbackUrl.searchParams.get('code')),
    ])
      expect(everything).not.toContain(canary)
    expect(answers[0]?.data).toMatchObject({
      items: [{ name: 'other', address: mcp.url, access: 'header' }, { name: 'tracker' }],
    })
    app.services.settings.secret = 'a secret that only tests use, long enough'
    await rotateSecret(app.services, 'another secret of more than 32 characters')
    expect(await callTool()).toBe('one issue')
    app.passTime(61_000)
    await app.services.db.updateTable('personal_tool_servers').set({ owner_id: ben.id }).where('id', '=', id).execute()
    expect((await listServers(ben))[0]?.reason).toBe(
      'The server’s stored credentials can no longer be decrypted. Remove the server and add it again.',
    )
  })

  it('supports a header or a manually registered client', async () => {
    authorization.metadata = { registration_endpoint: undefined }
    const { data: added } = await addServer()
    const refused = await startSignIn(added.id)
    expect(refused.status).toBe(422)
    expect(refused.body.data).toEqual({ needs_client: true, redirect_url: 'http://localhost/root/api-keys' })
    authorization.clients.set('by-hand', {
      secret: 'client-canary',
      redirectUris: ['http://localhost/root/api-keys'],
    })
    const { data } = await startSignIn(added.id, { client_id: 'by-hand', client_secret: 'client-canary' })
    expect((await finishSignIn(await authorization.approve(data.authorization_url))).data).toMatchObject({ tools: 1 })
    const plain = await startMcpFake({ token: 'header-canary', tools: [{ name: 'ping' }] })
    app.services.egress.ports = [...(app.services.egress.ports ?? []), Number(new URL(plain.url).port)]
    const header = { name: 'Authorization', value: 'Bearer header-canary' }
    expect((await addServer({ name: 'plain', url: plain.url, header })).data).toMatchObject({
      access: 'header',
      tools: 1,
    })
    await plain.close()
  })

  it.each([
    [{ url: 'http://10.0.0.7/mcp' }, 'url', /isn’t allowed to read from/],
    [{ url: 'http://127.0.0.1:1/mcp' }, 'url', /Only ports/],
    [{ url: 'http://ada:secret@127.0.0.1/mcp' }, 'url', /username or password/],
    [{ url: 'file:///etc/passwd' }, 'url', /starting with https/],
    [{ name: 'two words' }, 'name', /letters, digits and hyphens/],
    [{ name: 'Keeper' }, 'name', /other than/],
    [{ name: 'WIKI' }, 'name', /set up by your administrator/],
    [{ header: { name: 'Host', value: 'x' } }, 'header.name', /Keeper sets this header/],
    [{ header: { name: 'X-A', value: 'a\r\nB: c' } }, 'header.value', /letters, digits/],
  ])('refuses %j', async (body, field, pattern) => {
    const { status, body: answer } = await addServer(body)
    expect(status).toBe(400)
    expect(answer.fields).toEqual({ [field]: expect.stringMatching(pattern) })
    expect(await listServers()).toEqual([])
  })

  it('applies the rules of http_fetch to all its addresses', async () => {
    const { data: added } = await addServer()
    authorization.metadata = {
      token_endpoint: 'http://169.254.169.254/token',
      registration_endpoint: 'http://10.0.0.1/register',
    }
    const refused = await startSignIn(added.id)
    expect(refused).toMatchObject({
      status: 422,
      body: { error: expect.stringContaining('This server isn’t allowed to read from 10.0.0.1.') },
    })
    app.services.settings.fetchHosts = []
    app.passTime(61_000)
    expect((await listServers())[0]?.reason).toContain('KEEPER_FETCH_HOSTS')
    expect((await addServer({ name: 'second' })).body.fields).toEqual({
      url: expect.stringContaining('KEEPER_FETCH_HOSTS'),
    })
  })

  it('opens only web addresses', async () => {
    const { data: added } = await addServer()
    authorization.metadata = { authorization_endpoint: 'javascript:alert(1)' }
    expect((await startSignIn(added.id)).status).toBe(422)
  })

  it('is limited in number and can be removed', async () => {
    const { data: added } = await addServer()
    for (let number = 2; number <= maxPersonalToolServers; number += 1) await addServer({ name: `server-${number}` })
    expect((await addServer({ name: 'too-many' })).status).toBe(409)
    expect((await addServer({ name: 'tracker' }, ben)).status, 'names are each person’s own').toBe(200)
    const first = await ada.call(personalToolServers.list, { query: { limit: 2 } })
    expect(first.data.items.length).toBe(2)
    expect(first.data.next_cursor).toEqual(first.data.items[1]?.name)
    const remove = (actor: Actor) => actor.call(personalToolServers.remove, { params: { id: added.id } })
    expect((await remove(ben)).status).toBe(404)
    expect((await remove(ada)).status).toBe(200)
    expect((await remove(ada)).status).toBe(404)
    expect(await listServers()).toHaveLength(maxPersonalToolServers - 1)
  })
})
