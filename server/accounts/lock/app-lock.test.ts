import { describe, expect, it } from 'vitest'
import { accounts } from '#contract/accounts/accounts.ts'
import { appLock } from '#contract/accounts/app-lock.ts'
import { passkeys } from '#contract/accounts/passkeys.ts'
import { proofs } from '#contract/accounts/second-factor.ts'
import { diagnostics } from '#contract/diagnostics/diagnostics.ts'
import { listEndpoints } from '#contract/index.ts'
import { themes } from '#contract/themes/themes.ts'
import { cast } from '#tests/cast.ts'
import { engines } from '#tests/engines.ts'
import { FakeAuthenticator } from '#tests/fake-authenticator.ts'
import { type Actor, toRequest } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'

const pin = '482915'

describe.each(engines)('the app lock, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'], { perTest: true })
  const saveLock = (body: object) => ada.call(appLock.save, { body })
  const unlock = (body: object) => ada.call(appLock.unlock, { body })

  it('is off by default, and a session can’t be locked without it', async () => {
    expect((await ada.call(appLock.settings)).data).toEqual({
      minutes: null,
      hasPin: false,
      hasPassword: true,
      hasPasskey: false,
    })
    expect((await ada.call(accounts.session)).data.lockMinutes).toBeNull()
    expect((await ada.call(appLock.lock)).status).toBe(422)
    expect((await ada.call(accounts.session)).status).toBe(200)
  })

  it.each([
    [{ minutes: 0 }, 'minutes'],
    [{ minutes: 1.5 }, 'minutes'],
    [{ minutes: 241 }, 'minutes'],
    [{ minutes: 5, pin: '12345' }, 'pin'],
    [{ minutes: 5, pin: '12345a' }, 'pin'],
    [{ minutes: 5, pin: '111111' }, 'pin'],
    [{ minutes: 5, pin: '123456' }, 'pin'],
    [{ minutes: 5, pin: '987654' }, 'pin'],
  ])('refuses %j', async (body, field) => {
    const answer = await saveLock(body)
    expect({ status: answer.status, fields: Object.keys(answer.body.fields ?? {}) }).toEqual({
      status: 400,
      fields: [field],
    })
  })

  it('stores the PIN as a password hash and returns no part of it', async () => {
    const answer = await saveLock({ minutes: 5, pin })
    expect(answer.data).toEqual({ minutes: 5, hasPin: true, hasPassword: true, hasPasskey: false })
    const row = await app.services.db.selectFrom('app_locks').selectAll().executeTakeFirstOrThrow()
    expect(row.pin_hash).toMatch(/^\$argon2id\$/)
    expect(app.logLines.join('\n') + answer.text).not.toContain(pin)
    await saveLock({ minutes: 15 })
    expect((await ada.call(appLock.settings)).data).toMatchObject({ minutes: 15, hasPin: true })
    await saveLock({ minutes: 15, pin: null })
    expect((await ada.call(appLock.settings)).data.hasPin).toBe(false)
  })

  it('answers 423 to every call but unlocking, signing out and public ones', {
    timeout: 60_000,
  }, async () => {
    await saveLock({ minutes: 5, pin })
    await ada.call(appLock.lock)
    const openCalls: string[] = []
    for (const { area, name, endpoint } of listEndpoints()) {
      if (endpoint.worksWhileLocked) {
        openCalls.push(`${area}.${name}`)
        continue
      }
      const { path, init } = toRequest(endpoint)
      const response = await ada.fetch(path, init)
      expect({ name: `${area}.${name}`, status: response.status }).toEqual({ name: `${area}.${name}`, status: 423 })
    }
    expect(openCalls).toEqual([
      'accounts.login',
      'accounts.logout',
      'proofs.passkeyOptions',
      'oidc.prove',
      'appLock.lock',
      'appLock.unlock',
      'diagnostics.ping',
    ])
    expect((await app.visitor().call(themes.list)).status).toBe(200)
    expect((await ada.call(diagnostics.ping)).status).toBe(200)
    expect((await ada.call(appLock.lock)).status).toBe(200)
  })

  it.each([{ pin }, { password: cast.ada.password }])('unlocks with %j', async (secret) => {
    await saveLock({ minutes: 5, pin })
    await ada.call(appLock.lock)
    expect((await unlock({})).status).toBe(400)
    expect((await unlock(secret)).status).toBe(200)
    expect((await ada.call(accounts.session)).status).toBe(200)
  })

  it('unlocks with a passkey of the person, once, and with no one else’s', async () => {
    const addPasskey = async (actor: Actor) => {
      const key = new FakeAuthenticator({ isSynced: true })
      const options = (await actor.call(passkeys.registrationOptions)).data
      expect((await actor.call(passkeys.register, { body: { response: key.create(options) } })).status).toBe(200)
      return key
    }
    const key = await addPasskey(ada)
    const bensKey = await addPasskey(await app.as('ben'))
    await saveLock({ minutes: 5 })
    expect((await ada.call(appLock.settings)).data).toMatchObject({ hasPin: false, hasPasskey: true })
    await ada.call(appLock.lock)
    expect((await ada.call(accounts.session)).status).toBe(423)
    const options = (await ada.call(proofs.passkeyOptions)).data
    expect(options.options).toMatchObject({ userVerification: 'required', allowCredentials: [{ id: key.id }] })
    expect((await unlock({ passkey: bensKey.get(options) })).status).toBe(403)
    expect((await ada.call(accounts.session)).status).toBe(423)
    const optionsForUnverified = (await ada.call(proofs.passkeyOptions)).data
    key.options.isUserVerified = false
    expect((await unlock({ passkey: key.get(optionsForUnverified) })).status).toBe(403)
    key.options.isUserVerified = true
    const freshOptions = (await ada.call(proofs.passkeyOptions)).data
    const answer = key.get(freshOptions)
    expect((await unlock({ passkey: answer })).status).toBe(200)
    expect((await ada.call(accounts.session)).status).toBe(200)
    await ada.call(appLock.lock)
    expect((await unlock({ passkey: answer })).status).toBe(403)
    expect((await ada.call(accounts.session)).status).toBe(423)
  })

  it('wrong passkeys count as tries, and the fifth ends the session', async () => {
    await saveLock({ minutes: 5, pin })
    await ada.call(appLock.lock)
    const stranger = new FakeAuthenticator({ isSynced: true })
    stranger.create({ rpId: 'localhost', options: { rp: { id: 'localhost' }, user: { id: 'x' }, challenge: 'x' } })
    for (let attempt = 0; attempt < 5; attempt++)
      await unlock({ passkey: stranger.get({ rpId: 'localhost', options: { challenge: 'guess' } }) })
    expect((await ada.call(accounts.session)).status).toBe(401)
  })

  it('ends the session after 5 wrong attempts, even concurrent ones', async () => {
    await saveLock({ minutes: 5, pin })
    await ada.call(appLock.lock)
    const first = await unlock({ pin: '000000' })
    expect(first).toMatchObject({ status: 400, body: { fields: { pin: expect.stringContaining('4 tries are left') } } })
    const answers = await Promise.all(Array.from({ length: 8 }, () => unlock({ pin: '000000' })))
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(3)
    expect((await unlock({ pin })).status).toBe(401)
    expect((await ada.call(accounts.session)).status).toBe(401)
    const actions = await app.services.db.selectFrom('audit_events').select('action').execute()
    expect(actions.map(({ action }) => action)).toContain('too-many-wrong-passwords')
  })

  it('locks one session only, and ends its live stream', async () => {
    await saveLock({ minutes: 5, pin })
    const otherSession = await app.visitor().call(accounts.login, { body: cast.ada })
    const headers = { authorization: `Bearer ${otherSession.data.token}` }
    const stream = await ada.fetch('/api/events', { headers: { accept: 'text/event-stream' } })
    await ada.call(appLock.lock)
    expect(await stream.text()).toContain('session-locked')
    expect((await app.fetch(accounts.session.path, { headers })).status).toBe(200)
  })

  it('signing out works while locked', async () => {
    await saveLock({ minutes: 5, pin })
    await ada.call(appLock.lock)
    expect((await ada.call(accounts.logout)).status).toBe(200)
    expect((await ada.call(appLock.lock)).status).toBe(401)
  })
})
