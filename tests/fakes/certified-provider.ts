/// <reference path="./oidc-provider.d.ts" />
import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

export interface CertifiedProvider {
  issuer: string
  host: string
  clientId: string
  clientSecret: string
  /** Signs in on the provider's pages, as a browser with these cookies would. Returns the query for the callback. */
  signIn(url: string, login: string, cookies?: Map<string, string>): Promise<string>
  /** Signs out on the provider's page, which notifies Keeper through the back channel. */
  signOut(cookies: Map<string, string>): Promise<void>
  close(): Promise<void>
}

/** The certified OpenID Connect provider `oidc-provider`, with its pages for development: any name and password sign in. */
export async function startCertifiedProvider(
  callbackUrl: string,
  { logoutUrl }: { logoutUrl?: string } = {},
): Promise<CertifiedProvider> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const [clientId, clientSecret] = ['keeper', 'a-secret-of-the-certified-provider']
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [callbackUrl],
        post_logout_redirect_uris: [callbackUrl],
        ...(logoutUrl && { backchannel_logout_uri: logoutUrl, backchannel_logout_session_required: true }),
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }] },
    cookies: { keys: ['only for tests'] },
    features: { devInteractions: { enabled: true }, backchannelLogout: { enabled: true } },
    pkce: { required: () => true },
    // The package's own fetch refuses addresses of this machine.
    fetch: (url: string, { dispatcher: _, ...init }: RequestInit & { dispatcher?: unknown }) => fetch(url, init),
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        email: `${id}@willowbrook.example`,
        email_verified: true,
        name: id,
        groups: ['family'],
      }),
    }),
  })
  server.on('request', provider.callback())

  async function request(url: string, cookies: Map<string, string>, body?: URLSearchParams) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(body && { method: 'POST', body }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    return response
  }

  async function signIn(url: string, login: string, cookies = new Map<string, string>()): Promise<string> {
    let next = url
    let body: URLSearchParams | undefined
    for (let step = 0; step < 20; step++) {
      const response = await request(next, cookies, body)
      const location = response.headers.get('location')
      if (location?.startsWith(callbackUrl)) return new URL(location).search
      const html = location ? '' : await response.text()
      const prompt = /name="prompt" value="(\w+)"/.exec(html)?.[1]
      const action = /action="([^"]+)"/.exec(html)?.[1]
      if (!location && !(prompt && action))
        throw new Error(`The provider answered ${response.status}: ${html.slice(0, 500)}`)
      next = new URL(location ?? action ?? '', next).href
      body = location ? undefined : new URLSearchParams({ prompt: prompt ?? '', login, password: 'any' })
    }
    throw new Error('The provider never stops redirecting')
  }

  async function signOut(cookies: Map<string, string>): Promise<void> {
    const html = await (await request(`${issuer}/session/end`, cookies)).text()
    const xsrf = /name="xsrf" value="(\w+)"/.exec(html)?.[1] ?? ''
    const body = new URLSearchParams({ xsrf, logout: 'yes' })
    const { status } = await request(`${issuer}/session/end/confirm`, cookies, body)
    if (status !== 303) throw new Error(`The provider answered ${status} to signing out`)
  }
  return {
    issuer,
    host: new URL(issuer).host,
    clientId,
    clientSecret,
    signIn,
    signOut,
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => void server.close(() => resolve()))
    },
  }
}
