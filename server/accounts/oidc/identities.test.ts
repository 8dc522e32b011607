import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PlatformRole } from '#contract/accounts/accounts.ts'
import { oidc } from '#contract/accounts/oidc.ts'
import { invitations } from '#contract/domains/invitations.ts'
import { hourMs } from '#server/values/time-units.ts'
import { engines } from '#tests/engines.ts'
import { getIssuerSettings, type OidcIssuerFake, startOidcIssuer } from '#tests/fakes/oidc-issuer.ts'
import { type Actor, createTestApp, type TestApp } from '#tests/test-app.ts'
import { noPasswordHash } from '../password.ts'

const roleSettings = {
  KEEPER_OIDC_ROLES_CLAIM: 'realm_access.roles',
  KEEPER_OIDC_ROLES: '{"keeper-admins": "admin", "helpers": "support"}',
}

describe.each(engines)('identities, on %s', (engine) => {
  let fake: OidcIssuerFake
  let app: TestApp
  beforeAll(async () => {
    fake = await startOidcIssuer()
  })
  afterAll(() => fake.close())
  beforeEach(() => {
    fake.behavior = { claims: { email: 'new@willowbrook.example', email_verified: true } }
  })
  afterEach(() => app?.close())

  const openApp = async (environment: Record<string, string> = {}) => {
    app = await createTestApp(engine, { environment: { ...getIssuerSettings(fake), ...environment } })
  }
  const signIn = async (subject: string, body: object = {}) => {
    const visitor = app.visitor()
    const { url, flow } = (await visitor.call(oidc.start, { body })).data
    return visitor.call(oidc.complete, { body: { flow, query: fake.authorize(url, subject) } })
  }
  const link = async (person: Actor, subject: string, finisher = person) => {
    const started = await person.call(oidc.startLink)
    if (started.status !== 200) return started
    const { url, flow } = started.data
    return finisher.call(oidc.link, { body: { flow, query: fake.authorize(url, subject) } })
  }
  const listIdentities = async (person: Actor) => (await person.call(oidc.identities)).data.items

  it('connects for the signed-in owner only, and emails them', async () => {
    await openApp()
    const [ada, ben] = [await app.as('ada'), await app.as('ben')]
    expect((await link(ada, 'ada-at-home', ben)).status).toBe(403)
    expect((await link(ada, 'ada-at-home', app.visitor())).status).toBe(401)
    expect(await listIdentities(ada)).toEqual([])
    expect((await link(ada, 'ada-at-home')).status).toBe(200)
    expect(await listIdentities(ada)).toMatchObject([{ issuer: '127.0.0.1', lastUsedAt: null }])
    expect(app.mails.at(-1)?.subject).toContain('connected')
    expect((await link(ada, 'ada-at-home')).status).toBe(200)
    expect((await link(ben, 'ada-at-home')).status).toBe(409)
    expect((await signIn('ada-at-home')).data.signedIn?.user.id).toBe(ada.id)
  })

  it('a flow for signing in connects nothing, and vice versa', async () => {
    await openApp()
    const ada = await app.as('ada')
    const started = (await ada.call(oidc.start, { body: {} })).data
    const asLink = { flow: started.flow, query: fake.authorize(started.url, 'x') }
    expect((await ada.call(oidc.link, { body: asLink })).status).toBe(403)
    const linking = (await ada.call(oidc.startLink)).data
    const asSignIn = { flow: linking.flow, query: fake.authorize(linking.url, 'x') }
    expect((await ada.call(oidc.complete, { body: asSignIn })).status).toBe(403)
  })

  it('connecting and disconnecting need a recent proof', async () => {
    await openApp()
    const ada = await app.as('ada')
    await link(ada, 'ada-at-home')
    app.passTime(11 * 60 * 1000)
    const refused = { status: 403, body: { code: 'proof-needed' } }
    expect(await ada.call(oidc.startLink, { withProof: false })).toMatchObject(refused)
    const [identity] = await listIdentities(ada)
    const params = { id: identity?.id ?? '' }
    expect(await ada.call(oidc.unlink, { params, withProof: false })).toMatchObject(refused)
    expect(await listIdentities(ada)).toHaveLength(1)
  })

  it('disconnects, but never the last way in, and never another person’s', async () => {
    await openApp()
    const [ada, ben] = [await app.as('ada'), await app.as('ben')]
    await link(ada, 'one')
    await link(ada, 'two')
    const [one, two] = await listIdentities(ada)
    const unlink = (person: Actor, id = '') => person.call(oidc.unlink, { params: { id } })
    expect((await unlink(ben, one?.id)).status).toBe(404)
    await app.services.db
      .updateTable('people')
      .set({ password_hash: noPasswordHash })
      .where('id', '=', ada.id)
      .execute()
    const answers = await Promise.all([unlink(ada, one?.id), unlink(ada, two?.id)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await listIdentities(ada)).toHaveLength(1)
    await app.services.db.updateTable('people').set({ password_hash: '$argon2id$x' }).where('id', '=', ada.id).execute()
    expect((await unlink(ada, (await listIdentities(ada))[0]?.id)).status).toBe(200)
    expect(await listIdentities(ada)).toEqual([])
    expect((await signIn('one')).data.signedIn?.user.id).not.toBe(ada.id)
  })

  it.each(['closed', 'invite'])('registers no one where registration is %s', async (registration) => {
    await openApp({ KEEPER_REGISTRATION: registration })
    expect(await signIn('new')).toMatchObject({ status: 403, body: { code: 'registration-closed' } })
    for (const invitationToken of ['guessed', '', ' '])
      expect((await signIn('new', { invitationToken })).status).toBe(403)
    expect(await app.services.db.selectFrom('people').select('id').execute()).toEqual([])
  })

  it('an invitation lets a new person in, as a member', async () => {
    await openApp({ KEEPER_REGISTRATION: 'open' })
    const ada = await app.as('ada')
    app.services.settings.registration = 'invite'
    const domain = await app.services.db.selectFrom('domains').select('id').executeTakeFirstOrThrow()
    const invited = await ada.call(invitations.create, {
      params: { id: domain.id },
      body: { emails: ['new@willowbrook.example'], role: 'friend' },
    })
    const invitationToken = new URL(invited.data[0]?.link ?? '').searchParams.get('invitation')
    expect((await signIn('new', { invitationToken })).status).toBe(200)
    const members = await app.services.db.selectFrom('domain_members').select('person_id').execute()
    expect(members.length).toBeGreaterThan(0)
  })

  it('lets in only people with the required claim', async () => {
    await openApp({ KEEPER_OIDC_REQUIRED: 'groups=family' })
    const refused = { status: 403, body: { error: { message: expect.stringContaining('isn’t allowed') } } }
    expect(await signIn('a')).toMatchObject(refused)
    fake.behavior = { claims: { ...fake.behavior.claims, groups: ['friends'] } }
    expect(await signIn('a')).toMatchObject(refused)
    fake.behavior = { claims: { ...fake.behavior.claims, groups: ['friends', 'family'] } }
    expect((await signIn('a')).status).toBe(200)
  })

  it('an operator can trust emails that the provider doesn’t mark as verified', async () => {
    await openApp({ KEEPER_OIDC_TRUST_EMAIL: 'on', KEEPER_OIDC_EMAIL_CLAIM: 'upn' })
    fake.behavior = { claims: { upn: 'entra@willowbrook.example' } }
    expect((await signIn('entra')).data.signedIn?.user.email).toBe('entra@willowbrook.example')
  })

  describe('roles from a claim', () => {
    const getRoles = async (personId: string) => {
      const rows = await app.services.db
        .selectFrom('role_grants')
        .select('role')
        .where('person_id', '=', personId)
        .execute()
      return rows.map(({ role }) => role).sort()
    }
    const signInWith = async (roles: unknown) => {
      fake.behavior = {
        claims: {
          email: 'new@willowbrook.example',
          email_verified: true,
          ...(roles !== undefined && { realm_access: { roles } }),
        },
      }
      return (await signIn('roles')).data.signedIn?.user.id ?? ''
    }
    const grant = (personId: string, role: PlatformRole) =>
      app.services.db
        .insertInto('role_grants')
        .values({ person_id: personId, role, granted_at: 1, granted_by: null })
        .execute()

    it('are off by default', async () => {
      await openApp()
      expect(await getRoles(await signInWith(['keeper-admins', 'super-admin']))).toEqual([])
    })

    it('come and go with the claim; a missing claim changes nothing', async () => {
      await openApp(roleSettings)
      const cleo = await app.as('cleo', ['super-admin'])
      const id = await signInWith(['helpers', 'super-admin', 'unknown'])
      expect(await getRoles(id)).toEqual(['support'])
      await signInWith(undefined)
      expect(await getRoles(id)).toEqual(['support'])
      await grant(id, 'viewer')
      await signInWith(['keeper-admins'])
      expect(await getRoles(id)).toEqual(['admin', 'viewer'])
      await signInWith([])
      expect(await getRoles(id)).toEqual(['viewer'])
      expect(await getRoles(cleo.id)).toEqual(['super-admin'])
    })

    it('never take the role of the last administrator, or one that a person gave', async () => {
      await openApp(roleSettings)
      const id = await signInWith(['keeper-admins'])
      expect(await getRoles(id)).toEqual(['admin'])
      await signInWith([])
      expect(await getRoles(id)).toEqual(['admin'])
      await app.as('cleo', ['super-admin'])
      await signInWith([])
      expect(await getRoles(id)).toEqual([])
      await grant(id, 'support')
      await signInWith([])
      expect(await getRoles(id)).toEqual(['support'])
    })
  })

  it('retries a provider a moment after it was down', async () => {
    await openApp()
    fake.behavior = { status: 503 }
    expect((await app.visitor().call(oidc.start, { body: {} })).status).toBe(502)
    fake.behavior = {}
    app.passTime(6_000)
    expect((await app.visitor().call(oidc.start, { body: {} })).status).toBe(200)
    const countDiscoveries = () => fake.requests.filter(({ path }) => path.includes('openid-configuration')).length
    const previousCount = countDiscoveries()
    await app.visitor().call(oidc.start, { body: {} })
    expect(countDiscoveries()).toBe(previousCount)
    app.passTime(hourMs + 1)
    await app.visitor().call(oidc.start, { body: {} })
    expect(countDiscoveries()).toBe(previousCount + 1)
  })

  it('stays off without a public address; private hosts need the operator’s consent', async () => {
    await openApp({ KEEPER_PUBLIC_URL: '' })
    const { data } = await app.visitor().call(oidc.provider)
    expect(data).toMatchObject({ label: null, problem: expect.stringContaining('KEEPER_PUBLIC_URL') })
    expect((await app.visitor().call(oidc.start, { body: {} })).status).toBe(404)
    expect(app.services.settings.notes.join()).toContain('KEEPER_OIDC_ISSUER has no effect')
    await app.close()
    await openApp()
    app.services.settings.oidc = { ...app.services.settings.oidc!, privateHosts: [] }
    expect((await app.visitor().call(oidc.start, { body: {} })).status).toBe(502)
  })
})
