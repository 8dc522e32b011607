import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accounts, type SignInResult } from '#contract/accounts/accounts.ts'
import { readSettings } from '#server/settings/settings.ts'
import { cast } from '#tests/cast.ts'
import { countRows } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { createResetUrl } from './change-password.ts'

const quarterHourMs = 15 * 60 * 1000
const login = { path: '/api/kam/auth/login' }

interface SignInBody {
  code: string
  requestId: string
  error: { message: string; code: string }
  data: SignInResult
}

describe.each(engines)('signing in, on %s', (engine) => {
  const { app } = useTestApp(engine, [], { environment: { KEEPER_TRUSTED_PROXIES: '1' } })
  beforeAll(async () => {
    await app.as('ada')
    await app.as('ben')
  })
  // Starts a new window, so that no test straddles two.
  beforeEach(() => app.passTime(quarterHourMs - (app.services.now().getTime() % quarterHourMs)))

  const signIn = async (email: string, password: string, address = '203.0.113.7') => {
    const response = await app.fetch(login.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify({ email, password }),
    })
    return { status: response.status, headers: response.headers, body: (await response.json()) as SignInBody }
  }

  it('accepts the email in any case and returns what the session shows', async () => {
    const { status, body } = await signIn(` ${cast.ada.email.toUpperCase()} `, cast.ada.password)
    expect(status).toBe(200)
    const session = await app.fetch('/api/kam/auth/session', {
      headers: { authorization: `Bearer ${body.data.token}` },
    })
    expect(await session.json()).toMatchObject({ data: { user: body.data.user, expiresAt: body.data.expiresAt } })
  })

  it('answers alike for an unknown email and a wrong password', async () => {
    const sessions = await countRows(app.services.db, 'sessions')
    const wrong = await signIn(cast.ada.email, 'not-her-password')
    const unknown = await signIn('nobody@willowbrook.example', 'not-her-password')
    expect({ wrongStatus: wrong.status, unknownStatus: unknown.status }).toEqual({
      wrongStatus: 401,
      unknownStatus: 401,
    })
    const { requestId: _one, ...wrongBody } = wrong.body
    const { requestId: _other, ...unknownBody } = unknown.body
    expect(wrongBody).toEqual(unknownBody)
    expect(wrongBody.error).toEqual({ message: expect.any(String), code: 'wrong-credentials' })
    expect(await countRows(app.services.db, 'sessions')).toBe(sessions)
  })

  it('the 11th attempt per account and address waits, even if right', {
    timeout: 60_000,
  }, async () => {
    for (let index = 0; index < 10; index++) expect((await signIn(cast.ada.email, 'wrong-word-1')).status).toBe(401)
    const refused = await signIn(cast.ada.email, cast.ada.password)
    expect(refused).toMatchObject({ status: 429, body: { code: 'too-many' } })
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(900)
    expect((await signIn(cast.ada.email.toUpperCase(), cast.ada.password)).status).toBe(429)
    expect((await signIn(cast.ada.email, cast.ada.password, '203.0.113.8')).status).toBe(200)
    expect((await signIn(cast.ben.email, cast.ben.password)).status).toBe(200)
    app.passTime(quarterHourMs)
    expect((await signIn(cast.ada.email, cast.ada.password)).status).toBe(200)
  })

  it('a password reset lifts the lockout right away', {
    timeout: 60_000,
  }, async () => {
    for (let index = 0; index < 10; index++) await signIn(cast.dot.email, 'wrong-word-1')
    const refused = await signIn(cast.dot.email, 'wrong-word-1')
    expect(refused.body.error.message).toMatch(/^Too many wrong passwords\. .*, or reset your password\.$/)
    const token = (await createResetUrl(app.services, (await app.as('dot')).id))?.split('reset=')[1] ?? ''
    const body = { token, newPassword: 'a-fresh-word-77' }
    expect((await app.visitor().call(accounts.completePasswordReset, { body })).status).toBe(200)
    expect((await signIn(cast.dot.email, 'a-fresh-word-77')).status).toBe(200)
  })

  it('reaching the limit is audited once an hour, for existing accounts only', async () => {
    const listLimitEvents = async () =>
      (
        await app.services.db
          .selectFrom('audit_events')
          .selectAll()
          .where('action', '=', 'too-many-wrong-passwords')
          .execute()
      ).map(({ person_id, actor_id, details }) => ({ person_id, actor_id, details }))
    app.passTime(4 * quarterHourMs - (app.services.now().getTime() % (4 * quarterHourMs)))
    app.services.settings.limits.signInPerAccount = 3
    const previous = await listLimitEvents()
    const guess = async (email: string, address: string, times: number) => {
      for (let index = 0; index < times; index++) await signIn(email, 'wrong-word-1', address)
    }
    await guess(cast.ben.email, '203.0.113.20', 2)
    await guess('nobody@willowbrook.example', '203.0.113.20', 4)
    expect(await listLimitEvents()).toEqual(previous)
    await guess(cast.ben.email, '203.0.113.20', 2)
    await guess(cast.ben.email, '203.0.113.21', 3)
    const ben = await app.as('ben')
    const limitEvent = { person_id: ben.id, actor_id: null, details: {} }
    expect(await listLimitEvents()).toEqual([...previous, limitEvent])
    app.passTime(4 * quarterHourMs)
    await guess(cast.ben.email, '203.0.113.21', 3)
    expect(await listLimitEvents()).toEqual([...previous, limitEvent, limitEvent])
    app.services.settings.limits.signInPerAccount = 10
  })

  it('a burst of guesses gets no more than the limit', async () => {
    const { now } = app.services
    const fixedTime = now()
    app.services.now = () => fixedTime
    const guesses = Array.from({ length: 30 }, (_, index) => (index === 29 ? cast.ada.password : `wrong-word-${index}`))
    const answers = await Promise.all(guesses.map((guess) => signIn(cast.ada.email, guess)))
    app.services.now = now
    const responseTexts = answers.map(({ status, headers, body: { requestId: _, ...body } }) =>
      JSON.stringify([status, body, headers.get('retry-after')]),
    )
    expect(answers.map((answer) => answer.status)).not.toContain(200)
    expect(answers.filter((answer) => answer.status === 401)).toHaveLength(10)
    const refused = responseTexts.filter((_, index) => answers[index]?.status === 429)
    expect(
      { refusedCount: refused.length, distinctCount: new Set(refused).size },
      'the right password gets the same answer as wrong ones',
    ).toEqual({ refusedCount: 20, distinctCount: 1 })
    expect(refused).toContain(responseTexts[29])
  })

  it('the right password gets the same response in a burst over many accounts', async () => {
    app.services.settings.limits.signInPerAddress = 5
    const { now } = app.services
    const fixedTime = now()
    app.services.now = () => fixedTime
    const guesses = Array.from({ length: 20 }, (_, index) =>
      index === 19 ? cast.ben : { email: `p${index}@example.com`, password: 'wrong-word-1' },
    )
    const answers = await Promise.all(guesses.map(({ email, password }) => signIn(email, password, '198.51.100.9')))
    app.services.now = now
    app.services.settings.limits.signInPerAddress = 100
    const responseTexts = answers.map(({ status, body: { requestId: _, ...body } }) => JSON.stringify([status, body]))
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([
      ...Array.from({ length: 5 }, () => 401),
      ...Array.from({ length: 15 }, () => 429),
    ])
    expect(new Set(responseTexts.filter((_, index) => answers[index]?.status === 429)).size).toBe(1)
    expect(answers[19]?.status).toBe(429)
  })

  it('a hundred failures from one address block it for every account', async () => {
    app.services.settings.limits.signInPerAddress = 12
    for (let index = 0; index < 12; index++)
      expect((await signIn(`p${index}@example.com`, 'wrong-word-1', '198.51.100.1')).status).toBe(401)
    const refused = await signIn(cast.ben.email, cast.ben.password, '198.51.100.1')
    expect({ status: refused.status, message: refused.body.error.message }).toEqual({
      status: 429,
      message: expect.not.stringContaining('reset'),
    })
    expect((await signIn(cast.ben.email, cast.ben.password, '198.51.100.2')).status).toBe(200)
    app.services.settings.limits.signInPerAddress = 100
  }, 60_000)

  it('default limits are 10 per account, 100 per address, 60 registrations, 20 GB', () => {
    expect(readSettings({}).limits).toEqual({
      signInPerAccount: 10,
      signInPerAddress: 100,
      registrationsPerHour: 60,
      invitationEmailsPerDay: 500,
      mediaBytesPerPerson: 20 * 1024 ** 3,
      textBytesPerPerson: 2 * 1024 ** 3,
      rowsPerPerson: 2_000_000,
      runsPerPerson: 256,
      visitorConcurrency: 2,
      visitorRunsPerMinute: 10,
      visitorRunsPerDay: 50,
      visitorRunsPerAgentPerDay: 500,
    })
  })

  it('successes are never counted', async () => {
    const answers = await Promise.all(Array.from({ length: 14 }, () => signIn(cast.ben.email, cast.ben.password)))
    expect(answers.every((answer) => answer.status === 200)).toBe(true)
  })

  it('a deactivated person learns so only with the right password', async () => {
    const deactivate = (at: number | null) =>
      app.services.db.updateTable('people').set({ deactivated_at: at }).where('email', '=', cast.ben.email).execute()
    await deactivate(1)
    expect((await signIn(cast.ben.email, 'wrong-word-1')).body.code).toBe('wrong-credentials')
    const refused = await signIn(cast.ben.email, cast.ben.password)
    expect(refused).toMatchObject({ status: 403, body: { code: 'account-deactivated' } })
    await deactivate(null)
  })

  it('errors under /api/kam/auth/ have a message and a code, others a text', async () => {
    const inside = await app.visitor().call(accounts.session)
    expect(inside.body).toMatchObject({
      success: false,
      error: { message: expect.any(String), code: 'not-signed-in' },
    })
    const outside = await app.visitor().call(accounts.settings)
    expect(outside.body).toMatchObject({ success: false, error: expect.any(String), code: 'not-signed-in' })
    const bad = await app.visitor().call(accounts.login, { body: {} as never })
    expect(bad.body.error).toMatchObject({ code: 'bad-input' })
    expect(bad.body.fields).toEqual({ email: expect.any(String), password: expect.any(String) })
  })

  it('passwords, tokens and addresses are in neither log nor throttle table', async () => {
    const rows = await app.services.db.selectFrom('throttle_windows').select('bucket').execute()
    const stored = `${JSON.stringify(rows)}${app.logLines.join('')}`
    for (const secret of [cast.ada.password, cast.ada.email, '203.0.113.7', 'kpr_'])
      expect(stored).not.toContain(secret)
  })
})
