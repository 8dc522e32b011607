import { beforeEach, describe, expect, it } from 'vitest'
import { accounts } from '#contract/accounts/accounts.ts'
import { oidc } from '#contract/accounts/oidc.ts'
import { ownAccount } from '#contract/accounts/own-account.ts'
import { proofs, secondFactor } from '#contract/accounts/second-factor.ts'
import { connections } from '#contract/connections/connections.ts'
import { engines } from '#tests/engines.ts'
import type { IssuerBehavior, OidcIssuerFake } from '#tests/fakes/oidc-issuer.ts'
import { type Actor, type TestApp, toRequest } from '#tests/test-app.ts'
import { useOidcIssuer } from '#tests/use-oidc-issuer.ts'

const minuteSeconds = 60
const tenMinutesMs = 10 * 60 * 1000

describe.each(engines)('confirming at the identity provider, on %s', (engine) => {
  let fake: OidcIssuerFake
  let app: TestApp
  let count = 0
  let subject: string
  useOidcIssuer(engine, (world) => {
    ;({ app, fake } = world)
  })
  beforeEach(() => {
    subject = `person-${++count}`
    fake.behavior = { claims: { email: `${subject}@willowbrook.example`, email_verified: true } }
  })

  /** A person who has no password, passkey or code. */
  const register = async (behavior: IssuerBehavior = {}) => (await signIn(subject, behavior)).actor
  const signIn = async (as: string, behavior: IssuerBehavior = {}) => {
    const visitor = app.visitor()
    const { url, flow } = (await visitor.call(oidc.start, { body: {} })).data
    fake.behavior = { ...fake.behavior, ...behavior }
    const answer = await visitor.call(oidc.complete, { body: { flow, query: fake.authorize(url, as) } })
    fake.behavior = { ...(fake.behavior.claims && { claims: fake.behavior.claims }) }
    const { signedIn } = answer.data
    return { answer, actor: createActor(signedIn?.user.id ?? '', signedIn?.token ?? '') }
  }
  const createActor = (id: string, token: string) => ({
    id,
    call: async (endpoint: Parameters<Actor['call']>[0], body?: unknown) => {
      const { path, init } = toRequest(endpoint, { body })
      const headers = new Headers(init.headers)
      headers.set('authorization', `Bearer ${token}`)
      const response = await app.fetch(path, { ...init, headers })
      const text = await response.text()
      return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : {}, text }
    },
  })
  type Person = Awaited<ReturnType<typeof register>>
  const startProof = async (person: Person) =>
    (await person.call(oidc.startProof)).body.data as { url: string; flow: string; state: string }
  const prove = async (person: Person, as = subject, behavior: IssuerBehavior = {}, finisher = person) => {
    const { url, flow } = await startProof(person)
    fake.behavior = { ...fake.behavior, ...behavior }
    return finisher.call(oidc.prove, { flow, query: fake.authorize(url, as) })
  }
  const readProvedAt = async ({ id }: Person) =>
    (await app.services.db.selectFrom('sessions').select('proved_at').where('person_id', '=', id).execute()).map(
      (row) => row.proved_at,
    )

  it('lets a person without a password make a call that needs a recent proof', async () => {
    const person = await register()
    app.passTime(tenMinutesMs)
    expect((await person.call(secondFactor.setUp)).body.code).toBe('proof-needed')
    expect((await person.call(proofs.methods)).body.data).toEqual({
      password: false,
      passkey: false,
      code: false,
      provider: 'Harbour ID',
    })
    const { url } = await startProof(person)
    const query = new URL(url).searchParams
    expect(Object.fromEntries(query)).toMatchObject({ prompt: 'login', max_age: '0' })
    const answer = await prove(person)
    expect(answer).toMatchObject({ status: 200, body: { data: { provedAt: expect.any(String) } } })
    expect((await person.call(secondFactor.setUp)).status).toBe(200)
    const actions = await app.services.db
      .selectFrom('audit_events')
      .select(['action', 'details'])
      .where('person_id', '=', person.id)
      .orderBy('id', 'desc')
      .execute()
    expect(actions[0]).toMatchObject({ action: 'identity-confirmed' })
    app.passTime(tenMinutesMs)
    expect((await person.call(secondFactor.setUp)).body.code).toBe('proof-needed')
  })

  it('counts from the sign-in at the provider, not from the answer', async () => {
    const person = await register()
    const fourMinutesAgo = Date.now() / 1000 - 4 * minuteSeconds
    expect((await prove(person, subject, { token: { auth_time: Math.floor(fourMinutesAgo) } })).status).toBe(200)
    expect((await person.call(secondFactor.setUp)).status).toBe(200)
    app.passTime(90_000)
    expect((await person.call(secondFactor.setUp)).body.code).toBe('proof-needed')
  })

  it.each<[string, IssuerBehavior, string]>([
    ['a sign-in of an hour ago', { token: { auth_time: Math.floor(Date.now() / 1000) - 3600 } }, 'didn’t ask you'],
    ['a sign-in just too old', { token: { auth_time: Math.floor(Date.now() / 1000) - 310 } }, 'didn’t ask you'],
    ['no time of the sign-in', { token: { auth_time: undefined } }, 'doesn’t say when'],
    ['a time that isn’t a number', { token: { auth_time: String(Date.now()) } }, 'verified'],
    ['a sign-in in the future', { token: { auth_time: Math.floor(Date.now() / 1000) + 3600 } }, 'clocks'],
    ['a wrong nonce', { token: { nonce: 'guessed' } }, 'verified'],
    ['a signature of another key', { signature: 'wrong' }, 'verified'],
    ['another audience', { token: { aud: 'another-client' } }, 'verified'],
  ])('refuses %s', async (_, behavior, message) => {
    const person = await register()
    app.passTime(tenMinutesMs)
    const previousProvedAt = await readProvedAt(person)
    const answer = await prove(person, subject, behavior)
    expect(answer).toMatchObject({ status: 403, body: { error: { message: expect.stringContaining(message) } } })
    expect(await readProvedAt(person)).toEqual(previousProvedAt)
    expect((await person.call(secondFactor.setUp)).body.code).toBe('proof-needed')
  })

  it('refuses a subject that is connected to no account or to another one', async () => {
    const other = `${subject}-other`
    const claims = { email: `${other}@willowbrook.example`, email_verified: true }
    const { actor: otherPerson } = await signIn(other, { claims })
    expect(otherPerson.id).not.toBe('')
    fake.behavior = { claims: { email: `${subject}@willowbrook.example`, email_verified: true } }
    const person = await register()
    app.passTime(tenMinutesMs)
    for (const as of [other, 'nobody-here'])
      expect((await prove(person, as)).body).toMatchObject({
        code: 'sign-in-refused',
        error: { message: expect.stringContaining('isn’t connected to this account') },
      })
    expect((await person.call(secondFactor.setUp)).body.code).toBe('proof-needed')
  })

  it('a flow counts for the session that started it, once', async () => {
    const person = await register()
    const { actor: secondSession } = await signIn(subject)
    const { actor: stranger } = await signIn(`${subject}-stranger`, {
      claims: { email: `${subject}.stranger@willowbrook.example`, email_verified: true },
    })
    app.passTime(tenMinutesMs)
    for (const finisher of [secondSession, stranger])
      expect((await prove(person, subject, {}, finisher)).body.error.message).toContain('someone else')
    const { url, flow } = await startProof(person)
    const query = fake.authorize(url, subject)
    expect((await person.call(oidc.prove, { flow, query })).status).toBe(200)
    app.passTime(6 * 60 * 1000)
    // A finished flow stays finished, even if the provider gives it another code.
    for (const repeatedQuery of [query, fake.authorize(url, subject)])
      expect((await person.call(oidc.prove, { flow, query: repeatedQuery })).body.error.message).toContain('expired')
    expect((await person.call(secondFactor.setUp)).body.code).toBe('proof-needed')
    const { url: lateUrl, flow: lateFlow } = await startProof(person)
    app.passTime(11 * 60 * 1000)
    const late = await person.call(oidc.prove, { flow: lateFlow, query: fake.authorize(lateUrl, subject) })
    expect(late.body.error.message).toContain('expired')
  })

  it('a flow for signing in or connecting confirms nothing, and vice versa', async () => {
    const person = await register()
    const signInFlow = (await app.visitor().call(oidc.start, { body: {} })).data
    const linkFlow = (await person.call(oidc.startLink)).body.data
    for (const { url, flow } of [signInFlow, linkFlow]) {
      const query = fake.authorize(url, subject)
      expect((await person.call(oidc.prove, { flow, query })).status).toBe(403)
    }
    const { url, flow } = await startProof(person)
    const query = fake.authorize(url, subject)
    expect((await person.call(oidc.link, { flow, query })).status).toBe(403)
    expect((await app.visitor().call(oidc.complete, { body: { flow, query } })).status).toBe(403)
  })

  it('isn’t offered to someone who isn’t connected, and access tokens can’t use it', async () => {
    const ada = await app.as('ada')
    expect((await ada.call(proofs.methods)).data).toMatchObject({ password: true, provider: null })
    expect(await ada.call(oidc.startProof)).toMatchObject({ status: 422 })
    const person = await register()
    const body = { name: 'A program', scopes: ['read:memory'], expiresInDays: 30 }
    const created = await person.call(connections.createToken, body)
    expect(created.status).toBe(200)
    const program = createActor(person.id, created.body.data.token)
    for (const endpoint of [oidc.startProof, proofs.methods])
      expect((await program.call(endpoint)).body.code).toBe('scope-missing')
    const { url, flow } = await startProof(person)
    const answer = await program.call(oidc.prove, { flow, query: fake.authorize(url, subject) })
    expect(answer.body.code).toBe('scope-missing')
  })

  it('sets a first password after a recent proof, and the password signs in', async () => {
    const person = await register()
    app.passTime(tenMinutesMs)
    const newPassword = 'a first harbour password'
    for (const body of [{ newPassword }, { currentPassword: '', newPassword }])
      expect((await person.call(accounts.changePassword, body)).body.code).toBe('proof-needed')
    expect((await prove(person)).status).toBe(200)
    expect((await person.call(accounts.changePassword, { newPassword })).status).toBe(200)
    expect((await person.call(accounts.changePassword, { newPassword })).status, 'a retry').toBe(200)
    const email = `${subject}@willowbrook.example`
    expect((await app.visitor().call(accounts.login, { body: { email, password: newPassword } })).status).toBe(200)
    const next = { newPassword: 'another harbour password' }
    expect((await person.call(accounts.changePassword, next)).status).toBe(400)
  })

  it('deletes an account without a password after a recent proof', async () => {
    const person = await register()
    app.passTime(tenMinutesMs)
    expect((await person.call(ownAccount.deletion)).body.data).toMatchObject({ hasPassword: false })
    for (const body of [{}, { password: '' }, { password: 'any password' }])
      expect((await person.call(ownAccount.askForDeletion, body)).body.code).toBe('proof-needed')
    expect((await prove(person)).status).toBe(200)
    const answer = await person.call(ownAccount.askForDeletion, {})
    expect(answer.body.data.deletesAt).toMatch(/^\d{4}-/)
    const ada = await app.as('ada')
    expect(await ada.call(ownAccount.askForDeletion, { body: {} })).toMatchObject({ status: 400 })
  })

  it("a sign-in from an old session of the provider isn't a recent proof", async () => {
    const person = await register({ token: { auth_time: Math.floor(Date.now() / 1000) - 3600 } })
    expect((await person.call(ownAccount.sessions)).status).toBe(200)
    expect((await person.call(secondFactor.setUp)).body.code).toBe('proof-needed')
    expect((await prove(person)).status).toBe(200)
    expect((await person.call(secondFactor.setUp)).status).toBe(200)
  })
})
