import {
  discoverOAuthServerInfo,
  exchangeAuthorization,
  refreshAuthorization,
  registerClient,
  startAuthorization,
} from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { connections } from '#contract/connections/connections.ts'
import { oauth } from '#contract/connections/oauth.ts'
import { minuteMs } from '#server/values/time-units.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { useTestApp } from '#tests/use-test-app.ts'

const origin = 'http://localhost:3000'
const redirectUri = 'http://127.0.0.1:33418/callback'

describe.each(engines)('signing in with OAuth on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'], {
    perTest: true,
    environment: { KEEPER_PUBLIC_URL: origin },
  })
  const fetchFn = ((url: string | URL, init?: RequestInit) =>
    app.fetch(String(url).replace(origin, ''), init)) as typeof fetch
  const listTools = async (token: string) => {
    const response = await app.fetch('/mcp', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    })
    return response.status
  }

  async function startSignIn(clientName = 'Editor') {
    const info = await discoverOAuthServerInfo(`${origin}/mcp`, { fetchFn })
    const metadata = info.authorizationServerMetadata
    const client = await registerClient(info.authorizationServerUrl, {
      ...(metadata && { metadata }),
      clientMetadata: { client_name: clientName, redirect_uris: [redirectUri] },
      fetchFn,
    })
    const resource = new URL(`${origin}/mcp`)
    const { authorizationUrl, codeVerifier } = await startAuthorization(info.authorizationServerUrl, {
      ...(metadata && { metadata }),
      clientInformation: client,
      redirectUrl: redirectUri,
      state: 'a state',
      scope: 'read:memory propose:memory',
      resource,
    })
    const query = Object.fromEntries(authorizationUrl.searchParams)
    const { code_challenge, code_challenge_method, client_id, redirect_uri } = query
    const consent = {
      client_id,
      redirect_uri,
      code_challenge,
      code_challenge_method,
      state: query.state,
      resource: query.resource,
      scopes: ['read:memory'],
      keeperIds: null,
      withoutMoods: true,
      purpose: 'Code reviews',
      expiresAt: new Date(app.services.now().getTime() + 7 * 24 * 60 * 60 * 1000).toISOString(),
    }
    const exchange = (authorizationCode: string, verifier = codeVerifier) =>
      exchangeAuthorization(info.authorizationServerUrl, {
        ...(metadata && { metadata }),
        clientInformation: client,
        authorizationCode,
        codeVerifier: verifier,
        iss: origin,
        redirectUri,
        resource,
        fetchFn,
      })
    const refresh = (refreshToken: string) =>
      refreshAuthorization(info.authorizationServerUrl, {
        ...(metadata && { metadata }),
        clientInformation: client,
        refreshToken,
        resource,
        fetchFn,
      })
    return { authorizationUrl, query, consent, exchange, refresh }
  }
  const giveConsent = async (consent: object) => {
    const { data, status, text } = await ada.call(oauth.consent, { body: consent })
    expect(status, text).toBe(200)
    return new URL(data.redirectUrl).searchParams
  }

  it('gives an official client tokens for what the person agreed to', async () => {
    await createTestKeeper(ada)
    const { authorizationUrl, query, consent, exchange, refresh } = await startSignIn()
    expect(authorizationUrl.pathname).toBe('/oauth/authorize')
    const { data } = await ada.call(oauth.describe, { query })
    expect(data).toMatchObject({
      name: 'Editor',
      redirectHost: '127.0.0.1:33418',
      isLocal: true,
      scopes: ['read:memory', 'propose:memory'],
      keepers: [{ title: 'The Harbour Year', cards: 0, moments: 0 }],
    })
    expect(new URL(data.refusalUrl).searchParams.get('error')).toBe('access_denied')
    const redirectParameters = await giveConsent(consent)
    expect(redirectParameters.get('state')).toBe('a state')
    expect(redirectParameters.get('iss')).toBe(origin)
    const tokens = await exchange(redirectParameters.get('code')!)
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'read:memory' })
    expect(await listTools(tokens.access_token)).toBe(200)
    expect((await ada.call(connections.list)).data).toMatchObject([
      { name: 'Editor', kind: 'app', host: '127.0.0.1:33418', withoutMoods: true, purpose: 'Code reviews' },
    ])
    app.passTime(61 * minuteMs)
    expect(await listTools(tokens.access_token), 'an hour later').toBe(401)
    const next = await refresh(tokens.refresh_token!)
    expect(await listTools(next.access_token)).toBe(200)
    expect((await refresh(tokens.refresh_token!)).access_token, 'a race').not.toBe(next.access_token)
    app.passTime(68_000)
    expect(await listTools((await refresh(tokens.refresh_token!)).access_token), 'a retry after a lost response').toBe(
      200,
    )
    app.passTime(minuteMs)
    await expect(refresh(tokens.refresh_token!), 'stolen').rejects.toThrow(/used before/)
    expect(await listTools(next.access_token), 'so all its tokens are revoked').toBe(401)
  })

  it('shows the scheme of an address that only looks like a host', async () => {
    const register = async (uri: string) => {
      const response = await app.fetch('/oauth/register', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ client_name: 'Editor', redirect_uris: [uri] }),
      })
      const { client_id } = (await response.json()) as { client_id: string }
      return (await ada.call(oauth.describe, { query: { client_id, redirect_uri: uri } })).data
    }
    expect(await register('evil://claude.ai/api/callback')).toMatchObject({ redirectHost: 'evil:', isLocal: true })
    expect(await register('com.example.app:/callback')).toMatchObject({ redirectHost: 'com.example.app:' })
    expect(await register('https://claude.ai/api/callback')).toMatchObject({ redirectHost: 'claude.ai' })
  })

  it('exchanges a code once; a concurrent second exchange ends the access', async () => {
    const { consent, exchange } = await startSignIn()
    const code = (await giveConsent(consent)).get('code')!
    const results = await Promise.allSettled([exchange(code), exchange(code)])
    const [tokens] = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    const [refused] = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []))
    expect(refused).toMatch(/has been used/)
    expect(await listTools(tokens?.access_token ?? '')).toBe(401)
  })

  it('expires with the consent, and right away when the consent is revoked', async () => {
    const { consent, exchange, refresh } = await startSignIn()
    const tokens = await exchange((await giveConsent(consent)).get('code')!)
    const [connection] = (await ada.call(connections.list)).data
    app.passTime(7 * 24 * 60 * minuteMs)
    await expect(refresh(tokens.refresh_token!)).rejects.toThrow(/consent has ended/)
    const second = await startSignIn()
    const laterTokens = await second.exchange((await giveConsent(second.consent)).get('code')!)
    const newest = (await ada.call(connections.list)).data.find(({ id }) => id !== connection?.id)
    await ada.call(connections.revoke, { params: { id: newest?.id ?? '' } })
    expect(await listTools(laterTokens.access_token)).toBe(401)
    await expect(second.refresh(laterTokens.refresh_token!)).rejects.toThrow()
  })

  it('tells a program with a deleted registration to register again', async () => {
    for (const grant of [
      'grant_type=authorization_code&code=x&code_verifier=y',
      'grant_type=refresh_token&refresh_token=x',
    ]) {
      const response = await app.fetch('/oauth/token', {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `${grant}&client_id=client-gone&redirect_uri=http%3A%2F%2F127.0.0.1%2Fcb`,
      })
      expect(response.status).toBe(401)
      expect(await response.json()).toMatchObject({ error: 'invalid_client' })
    }
  })

  it('lets programs in browsers find the sign-in and get tokens', async () => {
    for (const [path, method] of [
      ['/.well-known/oauth-protected-resource/mcp', 'GET'],
      ['/.well-known/oauth-authorization-server', 'GET'],
      ['/oauth/register', 'POST'],
      ['/oauth/token', 'POST'],
      ['/oauth/revoke', 'POST'],
    ] as const) {
      const preflight = await app.fetch(path, {
        method: 'OPTIONS',
        headers: {
          origin: 'http://localhost:6274',
          'access-control-request-method': method,
          'access-control-request-headers': 'content-type,mcp-protocol-version',
        },
      })
      const allowed = preflight.headers.get('access-control-allow-headers') ?? ''
      expect({ path, status: preflight.status }).toEqual({ path, status: 204 })
      expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
      expect(preflight.headers.get('access-control-allow-methods')).toContain(method)
      for (const header of ['content-type', 'mcp-protocol-version']) expect(allowed).toContain(header)
    }
  })

  it('refuses wrong verifiers, used codes, other addresses and other programs', async () => {
    const { consent, exchange, query } = await startSignIn()
    const code = (await giveConsent(consent)).get('code')!
    await expect(exchange(code, 'x'.repeat(43))).rejects.toThrow(/wrong/)
    const tokens = await exchange(code)
    await expect(exchange(code)).rejects.toThrow(/has been used/)
    expect(await listTools(tokens.access_token), 'a code used twice was stolen').toBe(401)
    for (const change of [
      { redirect_uri: 'https://evil.example/callback' },
      { redirect_uri: 'http://127.0.0.1:33418/other' },
      { client_id: 'client-unknown' },
      { client_id: 'https://127.0.0.1/client.json' },
      { resource: 'https://other.example/mcp' },
      { keeperIds: [(await createTestKeeper(ben)).id] },
      { code_challenge_method: 'plain' },
      { scopes: ['approve:memory'] },
    ]) {
      const { status } = await ada.call(oauth.consent, { body: { ...consent, ...change } })
      expect({ change, status }).toEqual({ change, status: 400 })
    }
    for (const uri of ['http://127.0.0.1:9/callback', 'http://localhost:9/callback', 'http://[::1]:9/callback']) {
      const moved = await ada.call(oauth.describe, { query: { ...query, redirect_uri: uri } })
      expect(moved.status, 'any port and name of the loopback host').toBe(200)
    }
    const withQuery = await ada.call(oauth.describe, {
      query: { ...query, resource: `${origin}/mcp/?utm_source=plugin` },
    })
    expect(withQuery.status).toBe(200)
    const invalid = ['http://example.com/cb', 'javascript:alert(1)', 'https://a@example.com/', 'no address']
    for (const uri of [...invalid, 'mailto:eve@example.com', 'view-source:https://example.com', 'ms-app:/x'])
      expect(
        (
          await app.fetch('/oauth/register', {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ client_name: 'x', redirect_uris: [uri] }),
          })
        ).status,
      ).toBe(400)
  })

  it('tells a program that registers too often when to try again', async () => {
    const register = () =>
      app.fetch('/oauth/register', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ client_name: 'Editor', redirect_uris: [redirectUri] }),
      })
    let response = await register()
    for (let attempt = 0; response.status === 201 && attempt < 100; attempt++) response = await register()
    expect(response.status).toBe(429)
    expect(await response.json()).toMatchObject({ error: 'temporarily_unavailable' })
    const retryAfterSeconds = Number(response.headers.get('retry-after'))
    expect(retryAfterSeconds).toBeGreaterThan(0)
    expect(retryAfterSeconds).toBeLessThanOrEqual(3600)
  })
})

describe('signing in on one computer without KEEPER_PUBLIC_URL', () => {
  const { app } = useTestApp('sqlite', [])

  it('describes the sign-in for the name of this computer that the program uses', async () => {
    const getResource = async (host: string) => {
      const response = await app.fetch('/.well-known/oauth-protected-resource/mcp', { headers: { host } })
      return ((await response.json()) as { resource: string }).resource
    }
    expect(await getResource('localhost:3000')).toBe('http://localhost:3000/mcp')
    expect(await getResource('127.0.0.1:3000')).toBe('http://127.0.0.1:3000/mcp')
    expect(await getResource('192.0.2.7:3000'), 'other hosts can be made up by the client').not.toContain('192.0.2.7')
  })
})
