import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { oidc } from '#contract/accounts/oidc.ts'
import { engines } from '#tests/engines.ts'
import type { IssuerBehavior, OidcIssuerFake } from '#tests/fakes/oidc-issuer.ts'
import type { TestApp } from '#tests/test-app.ts'
import { useOidcIssuer } from '#tests/use-oidc-issuer.ts'
import { discoverProvider } from './provider.ts'

/** Sign-ins that failed in other applications, each with its report. */
describe.each(engines)('providers that other applications had trouble with, on %s', (engine) => {
  let fake: OidcIssuerFake
  let app: TestApp
  let count = 0
  useOidcIssuer(engine, (world) => {
    ;({ app, fake } = world)
  })

  const signIn = async (behavior: IssuerBehavior, subject = `person-${++count}`) => {
    fake.behavior = { claims: { email: `${subject}@willowbrook.example`, email_verified: true }, ...behavior }
    const visitor = app.visitor()
    const { url, flow } = (await visitor.call(oidc.start, { body: {} })).data
    return visitor.call(oidc.complete, { body: { flow, query: fake.authorize(url, subject) } })
  }
  const sendLogout = (claims: Record<string, unknown>) =>
    app.fetch('/api/kam/auth/oidc/back-channel-logout', {
      method: 'POST',
      body: new URLSearchParams({ logout_token: fake.createLogoutToken(claims) }),
    })

  it.each(['ES256', 'ES384', 'EdDSA'] as const)(
    'signs in with ID tokens signed with %s (gristlabs/grist-core 1770, karakeep 1524, twentyhq/twenty 22780)',
    async (algorithm) => {
      const answer = await signIn({ algorithm }, `${engine}-${algorithm}`)
      expect({ status: answer.status, error: answer.body.error }).toEqual({ status: 200, error: undefined })
      expect((await sendLogout({ sub: `${engine}-${algorithm}` })).status).toBe(200)
      expect((await app.services.db.selectFrom('sessions').select('id').execute()).length).toBe(0)
    },
  )

  it('reads userinfo that is a signed token (christiaangoossens/hass-oidc-auth 100, authelia 3641)', async () => {
    const userInfo = { email: 'lean@willowbrook.example', email_verified: true, name: 'Lean Token' }
    const answer = await signIn({ hasSignedUserInfo: true, claims: {}, userInfo })
    expect(answer.data?.signedIn?.user).toMatchObject({ email: userInfo.email, name: userInfo.name })
    const forged = await signIn({ hasSignedUserInfo: true, claims: {}, userInfo, signature: 'wrong' })
    expect(forged.status).toBe(403)
  })

  it('follows the provider when it replaces its keys (mealie-recipes/mealie 3562)', async () => {
    expect((await signIn({}, 'rotated')).status).toBe(200)
    fake.rotateKeys()
    // An unknown key is looked up at most once a minute.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
    try {
      const answer = await signIn({}, 'rotated')
      expect({ status: answer.status, error: answer.body.error }).toEqual({ status: 200, error: undefined })
      expect((await sendLogout({ sub: 'rotated' })).status).toBe(200)
    } finally {
      vi.useRealTimers()
    }
  })

  it.each([
    ['/', ''],
    ['', '/'],
    ['', ''],
  ])(
    'finds a provider whose issuer ends in "%s" by one that ends in "%s" (Freika/dawarich 2925, vaultwarden 103)',
    async (published, configured) => {
      let address = ''
      const provider = createServer((_, response) => {
        const issuer = address + published
        response.setHeader('content-type', 'application/json')
        response.end(
          JSON.stringify({ issuer, authorization_endpoint: issuer, token_endpoint: issuer, jwks_uri: issuer }),
        )
      })
      await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
      const host = `127.0.0.1:${(provider.address() as AddressInfo).port}`
      address = `http://${host}/application/o/keeper`
      const settings = { ...app.services.settings.oidc!, issuer: address + configured, privateHosts: [host] }
      const services = { ...app.services, settings: { ...app.services.settings, oidc: settings } }
      expect((await discoverProvider(services)).serverMetadata().issuer).toBe(address + published)
      provider.close()
    },
  )

  it.each([
    ['a name that isn’t text', { name: { first: 'Ada' } }],
    ['an empty name', { name: '' }],
    ['a verification that is text, as Cognito sends it', { email_verified: 'true' }],
    ['groups as a single text', { groups: 'family' }],
    ['an audience that is a list', { aud: ['keeper'] }],
    ['times with fractions', { iat: Date.now() / 1000 }],
  ])('signs in with %s', async (_, claims) => {
    const subject = `odd-${++count}`
    const standard = { email: `${subject}@willowbrook.example`, email_verified: true }
    const answer = await signIn({ claims: { ...standard, ...claims } }, subject)
    expect({ status: answer.status, error: answer.body.error }).toEqual({ status: 200, error: undefined })
  })
})
