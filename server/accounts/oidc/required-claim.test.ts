import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accounts } from '#contract/accounts/accounts.ts'
import { oidc } from '#contract/accounts/oidc.ts'
import { invitations } from '#contract/domains/invitations.ts'
import { cast } from '#tests/cast.ts'
import { countRows } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { getIssuerSettings, type OidcIssuerFake, startOidcIssuer } from '#tests/fakes/oidc-issuer.ts'
import { type Actor, createTestApp, type TestApp } from '#tests/test-app.ts'
import { createResetLink, createSetupLink } from '../one-time-link.ts'

/** `KEEPER_OIDC_REQUIRED` restricts every use of a provider's account, and nothing else. */
describe.each(engines)('a required claim, on %s', (engine) => {
  let fake: OidcIssuerFake
  let app: TestApp
  let ada: Actor
  const refused = { status: 403, body: { error: { message: expect.stringContaining('isn’t allowed') } } }
  const setGroups = (groups: string[], email = 'new@willowbrook.example') => {
    fake.behavior = { claims: { email, email_verified: true, groups } }
  }
  beforeAll(async () => {
    fake = await startOidcIssuer()
    app = await createTestApp(engine, {
      environment: { ...getIssuerSettings(fake), KEEPER_OIDC_REQUIRED: 'groups=family' },
    })
    ada = await app.as('ada')
  })
  afterAll(async () => {
    await app.close()
    await fake.close()
  })
  beforeEach(() => {
    app.passTime(60 * 60 * 1000)
  })

  const signIn = async (subject: string, body: object = {}) => {
    const { url, flow } = (await app.visitor().call(oidc.start, { body })).data
    return app.visitor().call(oidc.complete, { body: { flow, query: fake.authorize(url, subject) } })
  }
  const link = async (subject: string) => {
    const { url, flow } = (await ada.call(oidc.startLink)).data
    return ada.call(oidc.link, { body: { flow, query: fake.authorize(url, subject) } })
  }
  const prove = async (subject: string) => {
    const { url, flow } = (await ada.call(oidc.startProof)).data
    return ada.call(oidc.prove, { body: { flow, query: fake.authorize(url, subject) } })
  }

  it('refuses registering, even with an invitation, and connecting', async () => {
    setGroups(['friends'])
    const people = await countRows(app.services.db, 'people')
    expect(await signIn('outsider')).toMatchObject(refused)
    const domainId = (await ada.call(accounts.session)).data.domains[0]?.id ?? ''
    const invited = await ada.call(invitations.create, {
      params: { id: domainId },
      body: { emails: ['new@willowbrook.example'], role: 'friend' },
    })
    const invitationToken = new URL(invited.data[0]?.link ?? '').searchParams.get('invitation')
    expect(await signIn('outsider', { invitationToken })).toMatchObject(refused)
    expect(await link('outsider')).toMatchObject(refused)
    setGroups(['friends'], cast.ada.email)
    expect(await signIn('outsider')).toMatchObject(refused)
    expect(await countRows(app.services.db, 'people')).toBe(people)
    expect(await countRows(app.services.db, 'identities')).toBe(0)
  })

  it('refuses sign-ins and confirmations with an identity that lost it', async () => {
    setGroups(['family'])
    expect((await link('ada-at-home')).status).toBe(200)
    expect((await signIn('ada-at-home')).data.signedIn?.user.id).toBe(ada.id)
    expect((await prove('ada-at-home')).status).toBe(200)
    const sessions = await countRows(app.services.db, 'sessions')
    setGroups(['friends'])
    expect(await signIn('ada-at-home')).toMatchObject(refused)
    expect(await prove('ada-at-home')).toMatchObject(refused)
    fake.behavior = { claims: { email: 'new@willowbrook.example', email_verified: true } }
    expect(await signIn('ada-at-home')).toMatchObject(refused)
    expect(await countRows(app.services.db, 'sessions')).toBe(sessions)
  })

  it('a ticket to connect is void once the requirement or the provider changes', async () => {
    const ben = await app.as('ben')
    setGroups(['family'], cast.ben.email)
    const configured = app.services.settings.oidc
    if (!configured) throw new Error('No provider is configured')
    const { required, issuer } = configured
    const getTicket = async () => (await signIn('ben-at-home')).data.connect?.ticket ?? ''
    const connect = async (ticket: string) => ben.call(oidc.connect, { body: { ticket } })
    for (const change of [{ required: { claim: 'groups', value: 'crew' } }, { issuer: 'https://other.example' }]) {
      const ticket = await getTicket()
      Object.assign(configured, change)
      expect((await connect(ticket)).status).toBe(403)
      Object.assign(configured, { required, issuer })
    }
    expect((await connect(await getTicket())).status).toBe(200)
  })

  it('leaves passwords, reset links, registration and setup links alone', async () => {
    const visitor = app.visitor()
    const { email, password } = cast.ada
    expect((await visitor.call(accounts.login, { body: { email, password } })).status).toBe(200)
    const token = await createResetLink(app.services, ada.id)
    const newPassword = 'a longer password of the harbour'
    expect((await visitor.call(accounts.completePasswordReset, { body: { token, newPassword } })).status).toBe(200)
    expect((await visitor.call(accounts.login, { body: { email, password: newPassword } })).status).toBe(200)
    expect((await visitor.call(accounts.register, { body: cast.cleo })).status).toBe(200)
    const setupToken = await createSetupLink(app.services)
    const first = { email: 'first@willowbrook.example', password: newPassword, setupToken }
    expect((await visitor.call(accounts.register, { body: first })).status).toBe(200)
  })
})
