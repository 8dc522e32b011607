import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, vi } from 'vitest'
import { accounts } from '#contract/accounts/accounts.ts'
import { oidc } from '#contract/accounts/oidc.ts'
import { engines } from '#tests/engines.ts'
import { startCertifiedProvider } from '#tests/fakes/certified-provider.ts'
import { createTestApp } from '#tests/test-app.ts'

it.each(engines)(
  'a certified provider registers a person, signs them in and knows where to sign out, on %s',
  async (engine) => {
    // The provider warns that it is set up for development.
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const provider = await startCertifiedProvider('http://localhost/login')
    const app = await createTestApp(engine, {
      environment: {
        KEEPER_PUBLIC_URL: 'http://localhost',
        KEEPER_OIDC_ISSUER: provider.issuer,
        KEEPER_OIDC_CLIENT_ID: provider.clientId,
        KEEPER_OIDC_CLIENT_SECRET: provider.clientSecret,
        KEEPER_OIDC_PRIVATE_HOSTS: provider.host,
        KEEPER_OIDC_REQUIRED: 'groups=family',
      },
    })
    const signIn = async () => {
      const visitor = app.visitor()
      const { url, flow } = (await visitor.call(oidc.start, { body: {} })).data
      const query = await provider.signIn(url, 'nell')
      return visitor.call(oidc.complete, { body: { flow, query } })
    }
    const first = await signIn()
    expect(first).toMatchObject({
      status: 200,
      data: { signedIn: { user: { email: 'nell@willowbrook.example', name: 'nell' } } },
    })
    const second = await signIn()
    expect(second.data.signedIn?.user).toEqual(first.data.signedIn?.user)
    const signedOut = await fetch(second.data.endSessionUrl ?? '')
    expect(signedOut.status).toBe(200)
    for (const [line] of warn.mock.calls)
      expect(line).toContain('oidc-provider WARNING: a quick start development-only')
    await app.close()
    await provider.close()
  },
)

it.each(engines)(
  'a certified provider confirms a session, and ends it through the back channel, on %s',
  async (engine) => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const logoutStatuses: number[] = []
    // Forwards the requests of the provider, which needs an address, to the app.
    const relay = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      const headers = { 'content-type': request.headers['content-type'] ?? '' }
      const answer = await app.fetch(request.url ?? '/', { method: 'POST', headers, body })
      logoutStatuses.push(answer.status)
      response.writeHead(answer.status).end(await answer.text())
    })
    await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve))
    const relayUrl = `http://127.0.0.1:${(relay.address() as AddressInfo).port}`
    const provider = await startCertifiedProvider('http://localhost/login', {
      logoutUrl: `${relayUrl}/api/kam/auth/oidc/back-channel-logout`,
    })
    const app = await createTestApp(engine, {
      environment: {
        KEEPER_PUBLIC_URL: 'http://localhost',
        KEEPER_OIDC_ISSUER: provider.issuer,
        KEEPER_OIDC_CLIENT_ID: provider.clientId,
        KEEPER_OIDC_CLIENT_SECRET: provider.clientSecret,
        KEEPER_OIDC_PRIVATE_HOSTS: provider.host,
      },
    })
    const signIn = async (cookies: Map<string, string>) => {
      const { url, flow } = (await app.visitor().call(oidc.start, { body: {} })).data
      const query = await provider.signIn(url, 'nell', cookies)
      const { data } = await app.visitor().call(oidc.complete, { body: { flow, query } })
      return { authorization: `Bearer ${data.signedIn?.token}`, 'content-type': 'application/json' }
    }
    const sendRequest = async (headers: Record<string, string>, path: string, body?: object) => {
      const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
      const response = await app.fetch(path, init)
      return { status: response.status, body: JSON.parse(await response.text()) }
    }
    const [phone, laptop] = [new Map<string, string>(), new Map<string, string>()]
    const [onPhone, onLaptop] = [await signIn(phone), await signIn(laptop)]
    for (const [login, status, browser] of [
      ['someone-else', 403, new Map()],
      ['nell', 200, phone],
    ] as const) {
      const { url, flow } = (await sendRequest(onPhone, oidc.startProof.path, {})).body.data
      const query = await provider.signIn(url, login, browser)
      expect(await sendRequest(onPhone, oidc.prove.path, { flow, query })).toMatchObject({ status })
    }
    await provider.signOut(phone)
    expect(logoutStatuses).toContain(200)
    expect(logoutStatuses.filter((status) => status >= 400)).toEqual([])
    expect((await sendRequest(onPhone, accounts.session.path)).status).toBe(401)
    expect((await sendRequest(onLaptop, accounts.session.path)).status).toBe(200)
    await app.close()
    await provider.close()
    await new Promise((resolve) => relay.close(resolve))
  },
)
