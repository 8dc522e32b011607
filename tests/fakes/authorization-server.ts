import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Authorization {
  clientId: string
  redirectUri: string
  challenge: string
  resource: string | null
}

export interface AuthorizationServerFake {
  url: string
  /** Overrides of its metadata; `undefined` omits a field. */
  metadata: Record<string, unknown>
  /** Lifetime of access tokens in seconds. */
  tokenSeconds: number
  /** Preregistered clients. */
  clients: Map<string, { secret: string | null; redirectUris: string[] }>
  /** Forms posted to the token endpoint. */
  tokenRequests: Record<string, string>[]
  accepts(authorization: string | undefined, resource: string): boolean
  /** Revokes every access token, or every grant. */
  revoke(kind: 'access tokens' | 'grants'): void
  /** Signs in as a browser would and returns the redirect URL. */
  approve(authorizationUrl: string): Promise<URL>
  close(): Promise<void>
}

/**
 * An OAuth 2.1 authorization server: metadata (RFC 8414), registration (RFC 7591), one-time codes with PKCE,
 * resources (RFC 8707), `iss` (RFC 9207), and rotating refresh tokens, where reuse revokes the grant.
 */
export async function startAuthorizationServerFake(): Promise<AuthorizationServerFake> {
  const codes = new Map<string, Authorization>()
  const grants = new Map<
    string,
    { refreshToken: string; usedRefreshTokens: Set<string>; accessTokens: Map<string, number>; resource: string | null }
  >()
  const server = createServer((incoming, response) => void serve(incoming, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const fake: AuthorizationServerFake = {
    url,
    metadata: {},
    tokenSeconds: 3600,
    clients: new Map(),
    tokenRequests: [],
    accepts: (authorization, resource) =>
      [...grants.values()].some((grant) => {
        const expiresAt = grant.accessTokens.get(authorization?.replace(/^Bearer /, '') ?? '') ?? 0
        return expiresAt > Date.now() && (grant.resource === null || grant.resource === resource)
      }),
    revoke(kind) {
      if (kind === 'grants') grants.clear()
      for (const grant of grants.values()) grant.accessTokens.clear()
    },
    async approve(authorizationUrl) {
      const answer = await fetch(authorizationUrl, { redirect: 'manual' })
      return new URL(answer.headers.get('location') ?? `about:${answer.status} ${await answer.text()}`)
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const { pathname, searchParams } = new URL(incoming.url ?? '/', url)
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const sendJson = (status: number, value: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    if (pathname === '/.well-known/oauth-authorization-server') {
      return sendJson(200, {
        issuer: url,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        registration_endpoint: `${url}/register`,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none', 'client_secret_post'],
        authorization_response_iss_parameter_supported: true,
        ...fake.metadata,
      })
    }
    if (pathname === '/register') {
      const { redirect_uris: redirectUris, ...metadata } = JSON.parse(body)
      const clientId = `client-${randomBytes(4).toString('hex')}`
      const secret = metadata.token_endpoint_auth_method === 'none' ? null : randomBytes(8).toString('hex')
      fake.clients.set(clientId, { secret, redirectUris })
      const ids = { client_id: clientId, client_secret: secret, redirect_uris: redirectUris, client_uri: null }
      return sendJson(201, { ...metadata, ...ids })
    }
    if (pathname === '/authorize') return startAuthorization(searchParams, response)
    if (pathname === '/token') {
      const [id, secret] = atob(incoming.headers.authorization?.replace('Basic ', '') ?? '').split(':')
      const basicCredentials: Record<string, string> = id && secret ? { client_id: id, client_secret: secret } : {}
      return exchangeToken({ ...Object.fromEntries(new URLSearchParams(body)), ...basicCredentials }, sendJson)
    }
    return sendJson(404, {})
  }

  function startAuthorization(params: URLSearchParams, response: ServerResponse): unknown {
    const client = fake.clients.get(params.get('client_id') ?? '')
    const redirectUri = params.get('redirect_uri') ?? ''
    // Never redirect to an unregistered URI.
    if (!client?.redirectUris.includes(redirectUri)) return response.writeHead(400).end('unknown client or redirect')
    const redirect = new URL(redirectUri)
    const state = params.get('state')
    if (state) redirect.searchParams.set('state', state)
    redirect.searchParams.set('iss', url)
    const challenge = params.get('code_challenge')
    if (params.get('response_type') !== 'code' || params.get('code_challenge_method') !== 'S256' || !challenge)
      redirect.searchParams.set('error', 'invalid_request')
    else {
      const code = randomBytes(16).toString('hex')
      codes.set(code, {
        clientId: params.get('client_id') ?? '',
        redirectUri,
        challenge,
        resource: params.get('resource'),
      })
      redirect.searchParams.set('code', code)
    }
    response.writeHead(302, { location: redirect.href }).end()
  }

  function exchangeToken(form: Record<string, string>, sendJson: (status: number, value: object) => unknown): unknown {
    fake.tokenRequests.push(form)
    const refuse = (error: string) => sendJson(400, { error, error_description: `for ${JSON.stringify(form)}` })
    const client = fake.clients.get(form.client_id ?? '')
    if (!client || (client.secret !== null && client.secret !== form.client_secret)) return refuse('invalid_client')
    if (form.grant_type === 'authorization_code') {
      const authorization = codes.get(form.code ?? '')
      codes.delete(form.code ?? '')
      const challenge = createHash('sha256')
        .update(form.code_verifier ?? '')
        .digest('base64url')
      const isValid =
        authorization?.clientId === form.client_id &&
        authorization?.redirectUri === form.redirect_uri &&
        authorization?.challenge === challenge &&
        authorization?.resource === (form.resource ?? null)
      if (!isValid) return refuse('invalid_grant')
      const id = randomBytes(4).toString('hex')
      grants.set(id, {
        refreshToken: '',
        usedRefreshTokens: new Set(),
        accessTokens: new Map(),
        resource: form.resource ?? null,
      })
      return sendJson(200, issueTokens(id))
    }
    const sentToken = form.refresh_token ?? ''
    const [id, grant] =
      [...grants].find(
        ([, { refreshToken, usedRefreshTokens }]) => refreshToken === sentToken || usedRefreshTokens.has(sentToken),
      ) ?? []
    if (!id || !grant) return refuse('invalid_grant')
    if (grant.usedRefreshTokens.has(sentToken)) {
      grants.delete(id)
      return refuse('invalid_grant')
    }
    return sendJson(200, issueTokens(id))
  }

  function issueTokens(id: string): object {
    const grant = grants.get(id)
    const accessToken = `access-canary-${randomBytes(16).toString('hex')}`
    const refreshToken = `refresh-canary-${randomBytes(16).toString('hex')}`
    if (grant) {
      if (grant.refreshToken) grant.usedRefreshTokens.add(grant.refreshToken)
      grant.refreshToken = refreshToken
      grant.accessTokens.set(accessToken, Date.now() + fake.tokenSeconds * 1000)
    }
    return {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: fake.tokenSeconds,
      refresh_token: refreshToken,
      scope: null,
    }
  }

  return fake
}
