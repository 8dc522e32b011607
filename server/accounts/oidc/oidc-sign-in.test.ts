import { beforeEach, describe, expect, it } from 'vitest'
import { accounts } from '#contract/accounts/accounts.ts'
import { oidc } from '#contract/accounts/oidc.ts'
import type { AuditAction } from '#contract/administration/audit.ts'
import { cast } from '#tests/cast.ts'
import { countRows } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import type { IssuerBehavior, OidcIssuerFake } from '#tests/fakes/oidc-issuer.ts'
import type { Actor, TestApp } from '#tests/test-app.ts'
import { useOidcIssuer } from '#tests/use-oidc-issuer.ts'

const verified = { email: 'ada.home@willowbrook.example', email_verified: true, name: 'Ada at Home' }

describe.each(engines)('signing in with an identity provider, on %s', (engine) => {
  let fake: OidcIssuerFake
  let app: TestApp
  useOidcIssuer(engine, (world) => {
    ;({ app, fake } = world)
  })
  beforeEach(() => {
    fake.behavior = { claims: verified }
  })

  const startSignIn = async (visitor: Actor, body = {}) => (await visitor.call(oidc.start, { body })).data
  const signIn = async (subject?: string, behavior: IssuerBehavior = fake.behavior, target = app) => {
    const visitor = target.visitor()
    const { url, flow } = await startSignIn(visitor)
    fake.behavior = behavior
    return visitor.call(oidc.complete, { body: { flow, query: fake.authorize(url, subject) } })
  }
  const listActions = async (target = app): Promise<AuditAction[]> => {
    const rows = await target.services.db.selectFrom('audit_events').select('action').orderBy('id').execute()
    return rows.map(({ action }) => action as AuditAction)
  }

  it('shows the provider’s name and the origin where a sign-in must start', async () => {
    const { data } = await app.visitor().call(oidc.provider)
    expect(data).toEqual({ label: 'Harbour ID', problem: null, origin: 'http://localhost' })
  })

  it('registers a new person once, then signs them in by issuer and subject alone', async () => {
    const first = await signIn('new-person')
    expect(first.status).toBe(200)
    expect(first.data.signedIn?.user).toMatchObject({ email: verified.email, name: verified.name })
    expect(first.data.endSessionUrl).toMatch(/\/logout\?.*client_id=keeper/)
    const people = await countRows(app.services.db, 'people')
    const second = await signIn('new-person', {
      claims: { email: 'renamed@willowbrook.example', email_verified: false },
    })
    expect(second.data.signedIn?.user).toEqual(first.data.signedIn?.user)
    expect(await countRows(app.services.db, 'people')).toBe(people)
    const session = await app.fetch(accounts.session.path, {
      headers: { authorization: `Bearer ${second.data.signedIn?.token}` },
    })
    expect(session.status).toBe(200)
    const methods = await app.services.db.selectFrom('sessions').select('method').distinct().execute()
    expect(methods).toEqual([{ method: 'oidc' }])
  })

  it('an account without a password rejects every password', async () => {
    const { status } = await app.visitor().call(accounts.login, { body: { email: verified.email, password: '' } })
    expect(status).toBe(401)
  })

  it('sends the client secret only in the Authorization header', async () => {
    await signIn('new-person')
    const tokenRequest = fake.requests.findLast(({ path }) => path === '/token')
    expect(tokenRequest?.authorization).toMatch(/^Basic /)
    expect(tokenRequest?.body.get('client_secret')).toBeNull()
    expect(app.logLines.join('\n')).not.toContain(fake.clientSecret)
  })

  it.each<[string, IssuerBehavior, number, string]>([
    ['a wrong issuer', { token: { iss: 'https://evil.example' } }, 403, 'verified'],
    ['a wrong audience', { token: { aud: 'another-client' } }, 403, 'verified'],
    ['another authorized party', { token: { aud: ['keeper', 'b'], azp: 'b' } }, 403, 'verified'],
    ['a wrong nonce', { token: { nonce: 'guessed' } }, 403, 'verified'],
    ['no nonce', { token: { nonce: undefined } }, 403, 'verified'],
    ['an unsigned token', { header: { alg: 'none' }, signature: 'none' }, 403, 'verified'],
    ['a signature of another key', { signature: 'wrong' }, 403, 'verified'],
    ['another algorithm', { header: { alg: 'HS256' } }, 403, 'verified'],
    ['an unknown key', { header: { kid: 'two' } }, 403, 'verified'],
    ['no subject', { token: { sub: undefined } }, 403, 'verified'],
    ['another subject in userinfo', { userInfo: { sub: 'someone-else' } }, 403, 'verified'],
    ['an expired token', { token: { exp: Date.now() / 1000 - 600 } }, 403, 'clocks'],
    ['a token from the future', { token: { iat: Date.now() / 1000 + 3600 } }, 403, 'clocks'],
    ['a token that isn’t valid yet', { token: { nbf: Date.now() / 1000 + 3600 } }, 403, 'clocks'],
    ['an unverified email', { claims: { ...verified, email_verified: false } }, 403, 'hasn’t verified'],
    ['an email without email_verified', { claims: { email: verified.email } }, 403, 'hasn’t verified'],
    ['no email', { claims: { name: 'No Mail' } }, 403, 'didn’t send your email'],
    ['a broken email', { claims: { email: 'not an address', email_verified: true } }, 403, 'didn’t send your email'],
    ['a used code', { tokenError: 'invalid_grant' }, 403, 'expired'],
    ['a refused client', { tokenError: 'unauthorized_client' }, 403, 'client ID'],
    ['a provider that is down', { status: 503 }, 502, 'can’t be reached'],
    ['a huge answer', { answerBytes: 3_000_000 }, 502, 'can’t be reached'],
  ])('refuses %s with one sentence, audits it and logs no token', async (_, behavior, status, message) => {
    const counts = {
      people: await countRows(app.services.db, 'people'),
      sessions: await countRows(app.services.db, 'sessions'),
    }
    const previousLineCount = app.logLines.length
    const answer = await signIn('unknown-person', { claims: verified, ...behavior })
    expect({ status: answer.status, data: answer.data }).toEqual({ status, data: undefined })
    expect(answer.body.error).toMatchObject({ message: expect.stringContaining(message) })
    expect(answer.text).not.toMatch(/eyJ|secret words|stack/)
    expect({
      people: await countRows(app.services.db, 'people'),
      sessions: await countRows(app.services.db, 'sessions'),
    }).toEqual(counts)
    expect((await listActions()).at(-1)).toBe('oidc-refused')
    const lines = app.logLines.slice(previousLineCount).join('\n')
    expect(lines).toContain('was refused')
    for (const secret of [...fake.secrets, 'secret words', verified.email]) expect(lines).not.toContain(secret)
  })

  it('refuses a flow of another tab, a forged and an expired one', async () => {
    const visitor = app.visitor()
    const [one, two] = [await startSignIn(visitor), await startSignIn(visitor)]
    const complete = (flow: string, query: string) => visitor.call(oidc.complete, { body: { flow, query } })
    expect((await complete(one.flow, fake.authorize(two.url))).status).toBe(403)
    expect((await complete(`${one.flow}x`, fake.authorize(one.url))).status).toBe(403)
    expect((await complete('x', 'code=1&state=2')).status).toBe(403)
    const query = fake.authorize(two.url)
    app.passTime(11 * 60 * 1000)
    const late = await complete(two.flow, query)
    expect(late.body).toMatchObject({ code: 'sign-in-refused', error: { message: expect.stringContaining('expired') } })
  })

  it('accepts an answer only once, and explains a denied sign-in', async () => {
    const visitor = app.visitor()
    const { url, flow, state } = await startSignIn(visitor)
    const query = fake.authorize(url, 'new-person')
    expect((await visitor.call(oidc.complete, { body: { flow, query } })).status).toBe(200)
    expect((await visitor.call(oidc.complete, { body: { flow, query } })).status).toBe(403)
    const denied = new URLSearchParams({ error: 'access_denied', state, iss: fake.issuer }).toString()
    const answer = await visitor.call(oidc.complete, { body: { flow, query: denied } })
    expect(answer.body.error).toMatchObject({ message: expect.stringContaining('didn’t sign you in') })
  })

  it('never connects an account by email alone: its owner must sign in', async () => {
    const ben = await app.as('ben')
    const claims = { ...verified, email: cast.ben.email.toUpperCase() }
    const answer = await signIn('ben-at-home', { claims })
    expect(answer.data).toMatchObject({ signedIn: null, connect: { email: claims.email } })
    const ticket = answer.data.connect?.ticket ?? ''
    const ada = await app.as('ada')
    expect((await ada.call(oidc.connect, { body: { ticket } })).status).toBe(403)
    expect((await app.visitor().call(oidc.connect, { body: { ticket } })).status).toBe(401)
    expect((await signIn('ben-at-home', { claims })).data.signedIn).toBeNull()
    app.services.sessions.evictPerson(ben.id)
    await app.services.db.updateTable('sessions').set({ proved_at: app.services.now().getTime() }).execute()
    const fresh = (await signIn('ben-at-home', { claims })).data.connect?.ticket ?? ''
    expect((await ben.call(oidc.connect, { body: { ticket: fresh } })).data).toMatchObject({ issuer: '127.0.0.1' })
    expect((await signIn('ben-at-home', { claims })).data.signedIn?.user.id).toBe(ben.id)
  })

  it('refuses a deactivated account', async () => {
    const { data } = await signIn('soon-deactivated', {
      claims: { ...verified, email: 'deactivated@willowbrook.example' },
    })
    const id = data.signedIn?.user.id ?? ''
    await app.services.db.updateTable('people').set({ deactivated_at: 1 }).where('id', '=', id).execute()
    const answer = await signIn('soon-deactivated')
    expect(answer).toMatchObject({ status: 403, body: { code: 'account-deactivated' } })
  })
})
