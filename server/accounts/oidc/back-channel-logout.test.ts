import { beforeEach, describe, expect, it } from 'vitest'
import { accounts } from '#contract/accounts/accounts.ts'
import { oidc } from '#contract/accounts/oidc.ts'
import { cast } from '#tests/cast.ts'
import { engines } from '#tests/engines.ts'
import { getIssuerSettings, type IssuerBehavior, type OidcIssuerFake } from '#tests/fakes/oidc-issuer.ts'
import { createTestApp, type TestApp } from '#tests/test-app.ts'
import { useOidcIssuer } from '#tests/use-oidc-issuer.ts'

const path = '/api/kam/auth/oidc/back-channel-logout'
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'
const getNowSeconds = () => Math.floor(Date.now() / 1000)

describe.each(engines)('a logout at the identity provider, on %s', (engine) => {
  let fake: OidcIssuerFake
  let app: TestApp
  let count = 0
  let subject: string
  useOidcIssuer(engine, (world) => {
    ;({ app, fake } = world)
  })
  beforeEach(() => {
    subject = `person-${++count}`
  })

  /** Returns the session's token. */
  const signIn = async (sid?: string, as = subject): Promise<string> => {
    fake.behavior = { claims: { email: `${as}@willowbrook.example`, email_verified: true }, token: { sid } }
    const visitor = app.visitor()
    const { url, flow } = (await visitor.call(oidc.start, { body: {} })).data
    const answer = await visitor.call(oidc.complete, { body: { flow, query: fake.authorize(url, as) } })
    fake.behavior = {}
    return answer.data.signedIn?.token ?? ''
  }
  const isSignedIn = async (token: string) =>
    (await app.fetch(accounts.session.path, { headers: { authorization: `Bearer ${token}` } })).status === 200
  const sendForm = (body: string, contentType = 'application/x-www-form-urlencoded') =>
    app.fetch(path, { method: 'POST', headers: { 'content-type': contentType }, body })
  const sendLogoutToken = (token: string) => sendForm(new URLSearchParams({ logout_token: token }).toString())

  it('ends the session that the provider names, and no other', async () => {
    const [phone, laptop, password] = [await signIn('phone'), await signIn('laptop'), await app.as('ada')]
    const other = await signIn('other', `${subject}-other`)
    const answer = await sendLogoutToken(fake.createLogoutToken({ sub: subject, sid: 'phone' }))
    expect({ status: answer.status, text: await answer.text() }).toEqual({ status: 200, text: '' })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const signedIn = {
      phone: await isSignedIn(phone),
      laptop: await isSignedIn(laptop),
      other: await isSignedIn(other),
    }
    expect(signedIn).toEqual({ phone: false, laptop: true, other: true })
    expect((await password.call(accounts.session)).status).toBe(200)
    expect((await sendLogoutToken(fake.createLogoutToken({ sid: 'laptop' }))).status).toBe(200)
    expect(await isSignedIn(laptop)).toBe(false)
    expect(await isSignedIn(other)).toBe(true)
    const {
      action,
      actor_id,
      subject: host,
      details,
    } = await app.services.db
      .selectFrom('audit_events')
      .selectAll()
      .where('action', '=', 'session-ended')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect({ action, actor_id, host, details }).toMatchObject({ actor_id: null, host: '127.0.0.1' })
  })

  it('a logout without a session ID ends all sessions of the subject', async () => {
    const sessions = [await signIn('phone'), await signIn('laptop'), await signIn()]
    const other = await signIn('phone', `${subject}-other`)
    expect((await sendLogoutToken(fake.createLogoutToken({ sub: subject }))).status).toBe(200)
    for (const token of sessions) expect(await isSignedIn(token)).toBe(false)
    expect(await isSignedIn(other)).toBe(true)
  })

  it('keeps sessions of the same person that were opened with a password', async () => {
    const ada = await app.as('ada')
    const started = (await ada.call(oidc.startLink)).data
    await ada.call(oidc.link, { body: { flow: started.flow, query: fake.authorize(started.url, subject) } })
    const viaProvider = await signIn('one')
    expect(await isSignedIn(viaProvider)).toBe(true)
    expect((await sendLogoutToken(fake.createLogoutToken({ sub: subject }))).status).toBe(200)
    expect(await isSignedIn(viaProvider)).toBe(false)
    expect(await isSignedIn(ada.token ?? '')).toBe(true)
  })

  it('answers 200 if the session has already ended or the subject is unknown', async () => {
    const token = await signIn('phone')
    await app.fetch(accounts.logout.path, { method: 'POST', headers: { authorization: `Bearer ${token}` } })
    for (const claims of [{ sub: subject, sid: 'phone' }, { sid: 'unknown' }, { sub: 'nobody' }])
      expect((await sendLogoutToken(fake.createLogoutToken(claims))).status).toBe(200)
  })

  it.each([
    ['logout+jwt', { typ: 'logout+jwt' }],
    ['no type', { typ: undefined }],
  ])('accepts a token with %s', async (_, header) => {
    const session = await signIn('phone')
    fake.behavior = { header }
    expect((await sendLogoutToken(fake.createLogoutToken({ sub: subject }))).status).toBe(200)
    expect(await isSignedIn(session)).toBe(false)
  })

  it.each<[string, Record<string, unknown>, IssuerBehavior?]>([
    ['another issuer', { iss: 'https://evil.example' }],
    ['another audience', { aud: 'another-client' }],
    ['no audience', { aud: undefined }],
    ['no time', { iat: undefined }],
    ['an old time', { iat: getNowSeconds() - 3600, exp: undefined }],
    ['a time in the future', { iat: getNowSeconds() + 3600 }],
    ['an end that has passed', { exp: getNowSeconds() - 600 }],
    ['no events', { events: undefined }],
    ['another event', { events: { 'https://example.com/other': {} } }],
    ['an event that isn’t an object', { events: { [logoutEvent]: true } }],
    ['a nonce', { nonce: 'n' }],
    ['an empty nonce', { nonce: null }],
    ['no ID', { jti: undefined }],
    ['neither subject nor session', { sub: undefined, sid: undefined }],
    ['a session that isn’t text', { sid: 7 }],
    ['a subject that isn’t text', { sub: 7 }],
    ['the signature of another key', {}, { signature: 'wrong' }],
    ['no signature', {}, { header: { alg: 'none' }, signature: 'none' }],
    ['a symmetric algorithm', {}, { header: { alg: 'HS256' } }],
    ['an unknown key', {}, { header: { kid: 'two' } }],
    ['another type', {}, { header: { typ: 'at+jwt' } }],
  ])('refuses a token with %s with 400, and ends nothing', async (_, claims, behavior = {}) => {
    const session = await signIn('phone')
    fake.behavior = behavior
    const token = fake.createLogoutToken({ sub: subject, sid: 'phone', ...claims })
    const answer = await sendLogoutToken(token)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: 'invalid_request' })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await isSignedIn(session)).toBe(true)
    expect(app.logLines.join('\n')).not.toContain(token)
  })

  it('accepts a token only once, even from concurrent requests', async () => {
    const first = await signIn('phone')
    const token = fake.createLogoutToken({ sub: subject })
    const statuses = await Promise.all(Array.from({ length: 4 }, async () => (await sendLogoutToken(token)).status))
    expect(statuses.toSorted()).toEqual([200, 400, 400, 400])
    expect(await isSignedIn(first)).toBe(false)
    const second = await signIn('phone')
    expect((await sendLogoutToken(token)).status).toBe(400)
    expect(await isSignedIn(second)).toBe(true)
  })

  it('refuses bodies that aren’t a form, have no token or several, or are too large', async () => {
    const session = await signIn('phone')
    const token = fake.createLogoutToken({ sub: subject })
    for (const [body, contentType] of [
      ['', undefined],
      ['other=1', undefined],
      [`logout_token=${token}&logout_token=${token}`, undefined],
      [`logout_token=${'x'.repeat(20_000)}`, undefined],
      [`logout_token=a.b.c`, undefined],
      [JSON.stringify({ logout_token: token }), 'application/json'],
    ] as const)
      expect((await sendForm(body, contentType)).status).toBe(400)
    expect(await isSignedIn(session)).toBe(true)
  })

  it('slows down senders of wrong tokens, and asks the provider for its keys once', async () => {
    fake.behavior = { signature: 'wrong' }
    await sendLogoutToken(fake.createLogoutToken({ sub: subject }))
    const countKeyRequests = () => fake.requests.filter(({ path }) => path === '/jwks').length
    const previousCount = countKeyRequests()
    const statuses: number[] = []
    for (let index = 0; index < 110; index++) {
      fake.behavior = { signature: 'wrong', header: { kid: `key-${index}` } }
      statuses.push((await sendLogoutToken(fake.createLogoutToken({ sub: subject }))).status)
    }
    expect(statuses.filter((status) => status === 400)).toHaveLength(99)
    expect(statuses.at(-1)).toBe(429)
    expect(countKeyRequests() - previousCount).toBeLessThanOrEqual(1)
    fake.behavior = {}
    app.passTime(16 * 60 * 1000)
    expect((await sendLogoutToken(fake.createLogoutToken({ sub: subject }))).status).toBe(200)
  })

  it('asks the provider to try again while its keys can’t be read', async () => {
    const freshApp = await createTestApp(engine, { environment: getIssuerSettings(fake) })

    fake.behavior = { status: 503 }
    const token = fake.createLogoutToken({ sub: subject })
    const body = new URLSearchParams({ logout_token: token }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await freshApp.fetch(path, { method: 'POST', headers, body })
    expect(answer.status).toBe(503)
    fake.behavior = {}
    freshApp.passTime(10_000)
    expect((await freshApp.fetch(path, { method: 'POST', headers, body })).status).toBe(200)
    await freshApp.close()
  })

  it('answers 404 without a provider', async () => {
    const appWithoutProvider = await createTestApp(engine)
    const answer = await appWithoutProvider.fetch(path, {
      method: 'POST',
      body: new URLSearchParams({ logout_token: 'x' }),
    })
    expect(answer.status).toBe(404)
    expect((await appWithoutProvider.visitor().call(accounts.login, { body: cast.ada })).status).toBe(401)
    await appWithoutProvider.close()
  })
})
