import { beforeEach, describe, expect, it } from 'vitest'
import { accounts } from '#contract/accounts/accounts.ts'
import { ownAccount } from '#contract/accounts/own-account.ts'
import { secondFactor } from '#contract/accounts/second-factor.ts'
import { administration } from '#contract/administration/administration.ts'
import { audit } from '#contract/administration/audit.ts'
import { signInPolicies } from '#contract/administration/sign-in-policy.ts'
import { runAdminCommand } from '#server/administration/admin-commands.ts'
import { minuteMs } from '#server/values/time-units.ts'
import { hashToken } from '#server/values/token.ts'
import { cast } from '#tests/cast.ts'
import { engines } from '#tests/engines.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { rememberDevice } from './remembered-devices.ts'
import { computeTotp, toTotpStep } from './totp.ts'
import { openTotpSecret } from './verify-code.ts'

describe.each(engines)('a second factor, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'], { perTest: true })
  let secret: Uint8Array
  let recoveryCodes: string[]

  const computeCode = (steps = 0) => computeTotp(secret, toTotpStep(app.services.now().getTime()) + steps)
  const signInWithPassword = (name: keyof typeof cast = 'ada') =>
    app.visitor().call(accounts.login, { body: { email: cast[name].email, password: cast[name].password } })
  const getPending = async () =>
    ((await signInWithPassword()).body as { data?: { pending?: { token: string } } }).data?.pending?.token ?? ''
  const complete = (pendingToken: string, code: string) =>
    app.visitor().call(accounts.completeSignIn, { body: { pendingToken, code } })
  const withToken = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

  async function enable(actor: Actor) {
    await actor.call(secondFactor.setUp)
    const row = await app.services.db
      .selectFrom('second_factors')
      .selectAll()
      .where('person_id', '=', actor.id)
      .executeTakeFirstOrThrow()
    secret = await openTotpSecret(app.services, row)
    recoveryCodes = (await actor.call(secondFactor.enable, { body: { code: computeCode() } })).data.recoveryCodes
    app.passTime(2 * minuteMs)
  }

  beforeEach(() => enable(ada))

  it('starts with the first right code; then a password alone opens no session', async () => {
    const ben = await app.as('ben')
    const { data } = await ben.call(secondFactor.setUp)
    expect(data.uri).toContain(`secret=${data.secret}&issuer=Keeper`)
    expect((await ben.call(secondFactor.enable, { body: { code: '000000' } })).status).toBe(400)
    expect((await signInWithPassword('ben')).status, 'the password alone still suffices').toBe(200)

    const previousSessions = await app.services.db.selectFrom('sessions').select('id').execute()
    const answer = await signInWithPassword()
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 403, code: 'second-factor-needed' })
    expect(answer.text).not.toContain('"token":"kps_')
    expect(await app.services.db.selectFrom('sessions').select('id').execute()).toHaveLength(previousSessions.length)
    const pending = await getPending()
    expect((await app.visitor().call(accounts.session, withToken(pending))).status, 'no session yet').toBe(401)
    const done = await complete(pending, computeCode())
    expect(done.status).toBe(200)
    const [current] = (await app.visitor().call(ownAccount.sessions, withToken(done.data.token))).data
    expect(current?.method).toBe('password+totp')
  })

  it('stores no readable secret or code, and shows the secret only during setup', async () => {
    const rows = JSON.stringify([
      await app.services.db.selectFrom('second_factors').selectAll().execute(),
      await app.services.db.selectFrom('recovery_codes').selectAll().execute(),
    ])
    expect(rows).not.toContain(Buffer.from(secret).toString('base64url'))
    for (const recoveryCode of recoveryCodes) expect(rows).not.toContain(recoveryCode)
    expect((await ada.call(secondFactor.setUp)).status).toBe(409)
    expect((await ada.call(secondFactor.state)).data).toMatchObject({ recoveryCodesLeft: 10, isRequired: false })
  })

  it('accepts the previous, current and next code, each once, and nothing further', async () => {
    for (const steps of [-2, 2]) expect((await complete(await getPending(), computeCode(steps))).status).toBe(400)
    expect((await complete(await getPending(), computeCode(-1))).status).toBe(200)
    const replay = await complete(await getPending(), computeCode(-1))
    expect(replay.body.fields?.code).toContain('already used')
    expect(
      (await complete(await getPending(), ` ${computeCode(1).slice(0, 3)} ${computeCode(1).slice(3)} `)).status,
    ).toBe(200)
    expect((await complete(await getPending(), computeCode())).status, 'the code is older than an accepted code').toBe(
      400,
    )
  })

  it('one of two concurrent uses of a code is accepted', async () => {
    const tokens = [await getPending(), await getPending()]
    const current = computeCode()
    const answers = await Promise.all(tokens.map((token) => complete(token, current)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
  })

  it('a pending token works once, for five minutes, and not after a new password', async () => {
    const used = await getPending()
    expect((await complete(used, computeCode())).status).toBe(200)
    app.passTime(minuteMs)
    expect((await complete(used, computeCode())).body.code).toBe('sign-in-expired')
    const late = await getPending()
    app.passTime(5 * minuteMs)
    expect((await complete(late, computeCode())).body.code).toBe('sign-in-expired')
    const stale = await getPending()
    const body = { currentPassword: cast.ada.password, newPassword: 'a-lantern-over-water-9' }
    expect((await ada.call(accounts.changePassword, { body })).status).toBe(200)
    expect((await complete(stale, computeCode())).body.code).toBe('sign-in-expired')
    expect((await complete('kps_unknown', computeCode())).body.code).toBe('sign-in-expired')
  })

  it('five wrong codes need the password again; ten in an hour cause a lockout', async () => {
    const guess = '000001' === computeCode() ? '000002' : '000001'
    const first = await getPending()
    const burst = await Promise.all(Array.from({ length: 12 }, () => complete(first, guess)))
    expect(burst.filter(({ status }) => status === 400)).toHaveLength(5)
    expect((await complete(first, computeCode())).body.code).toBe('sign-in-expired')
    const second = await getPending()
    for (let index = 0; index < 5; index++) expect((await complete(second, guess)).status).toBe(400)
    const lockedOut = await complete(await getPending(), computeCode())
    expect(lockedOut.status).toBe(429)
    expect(Number(lockedOut.headers.get('retry-after'))).toBeGreaterThan(14 * 60)
    expect(app.mails.filter(({ subject }) => subject.startsWith('Too many wrong codes'))).toHaveLength(1)
    app.passTime(16 * minuteMs)
    expect((await complete(await getPending(), computeCode())).status).toBe(200)
  })

  it('says how late the phone’s clock is, but never that a future code is right', async () => {
    const late = await complete(await getPending(), computeCode(-4))
    expect(late.body.fields?.code).toMatch(/clock is about 2 minutes slow.*The server’s time is \d\d:\d\d:\d\d UTC/)
    const early = await complete(await getPending(), computeCode(4))
    expect(early.body.fields?.code).toContain('This code isn’t right. The server’s time is')
  })

  it('a recovery code works once, in any spelling, and is mailed', async () => {
    const [first = '', second = ''] = recoveryCodes
    expect(new Set(recoveryCodes).size).toBe(10)
    const done = await complete(await getPending(), first.toUpperCase().replace('-', ' '))
    expect(done.status).toBe(200)
    expect((await complete(await getPending(), first)).status).toBe(400)
    expect((await ada.call(secondFactor.state)).data.recoveryCodesLeft).toBe(9)
    expect(app.mails.at(-1)).toMatchObject({ to: cast.ada.email, text: expect.stringContaining('9 codes are left') })
    const renewed = (await ada.call(secondFactor.renewRecoveryCodes)).data.recoveryCodes
    expect((await complete(await getPending(), second)).status, 'void').toBe(400)
    expect((await complete(await getPending(), renewed[0] ?? '')).status).toBe(200)
    const ben = await app.as('ben')
    await ben.call(secondFactor.setUp)
    const otherPersonsCode = await ben.call(secondFactor.enable, { body: { code: renewed[1] ?? '' } })
    expect(otherPersonsCode.status, 'another person’s code').toBe(400)
  })

  it('turning codes off needs a recent proof; then the password is enough', async () => {
    app.passTime(6 * minuteMs)
    const refused = await ada.call(secondFactor.disable, { withProof: false })
    expect({ status: refused.status, code: refused.body.code }).toEqual({ status: 403, code: 'proof-needed' })
    for (const _ of [1, 2]) expect((await ada.call(secondFactor.disable)).status).toBe(200)
    expect((await signInWithPassword()).status).toBe(200)
    expect(app.mails.filter(({ subject }) => subject.startsWith('Codes are off'))).toHaveLength(1)
  })

  it('survives a rotated secret', async () => {
    const ben = await app.as('ben', ['super-admin'])
    expect(ben.token).not.toBeNull()
    const { createSealer, toSecondFactorBinding } = await import('#server/keys/sealer.ts')
    const { readMasterSecret } = await import('#server/keys/master-key.ts')
    const master = createSealer(await readMasterSecret(null, app.services.settings.dataDir))
    app.services.sealer = master
    const sealed = master.seal(Buffer.from(secret).toString('base64url'), toSecondFactorBinding(ada.id))
    await app.services.db.updateTable('second_factors').set({ sealed }).where('person_id', '=', ada.id).execute()
    await runAdminCommand(app.services, ['rotate-secret'])
    expect((await complete(await getPending(), computeCode())).status).toBe(200)
  })

  it('an administrator or the command line removes it, which is audited and mailed', async () => {
    const ben = await app.as('ben', ['admin'])
    const cleo = await app.as('cleo')
    const accountOfAda = { params: { id: ada.id } }
    expect((await cleo.call(administration.removeSecondFactor, accountOfAda)).status).toBe(403)
    expect((await ben.call(administration.user, accountOfAda)).data).toMatchObject({
      hasSecondFactor: true,
      passkeys: 0,
    })
    expect((await ben.call(administration.removeSecondFactor, accountOfAda)).status).toBe(200)
    expect((await signInWithPassword()).status).toBe(200)
    expect(app.mails.at(-1)).toMatchObject({ to: cast.ada.email, text: expect.stringContaining('An administrator') })
    const { items } = (await ben.call(audit.list, { query: { userId: ada.id, action: 'second-factor-removed' } })).data
    expect(items.map(({ actor }) => actor?.id)).toEqual([ben.id])
    await enable(ada)
    expect(await runAdminCommand(app.services, ['remove-second-factor', cast.ada.email])).toContain('password alone')
    expect(await runAdminCommand(app.services, ['remove-second-factor', cast.ada.email])).toContain('no codes')
    expect((await signInWithPassword()).status).toBe(200)
  })

  it('an administrator who must use two factors has no permissions with only one', async () => {
    const ben = await app.as('ben', ['super-admin'])
    const body = { administratorsNeedTwoFactors: true }
    expect((await ben.call(signInPolicies.save, { body })).status, 'would lock the administrator out').toBe(409)
    await app.as('ada', ['super-admin'])
    expect((await ada.call(signInPolicies.save, { body })).data).toEqual(body)
    const refused = await ben.call(administration.users)
    expect({ status: refused.status, code: refused.body.code }).toEqual({ status: 403, code: 'second-factor-required' })
    const session = (await ben.call(accounts.session)).data
    expect(session).toMatchObject({ secondFactorMissing: true })
    expect(session.permissions, 'administration pages stay visible and give the reason').toContain('manage_users')
    expect((await ada.call(administration.users)).status).toBe(200)
    expect((await ada.call(secondFactor.disable)).status, 'can’t be turned off while required').toBe(409)
    const { uri } = (await ben.call(secondFactor.setUp)).data
    expect(uri).toContain('otpauth://')
    await enable(ben)
    expect((await ben.call(administration.users)).status).toBe(200)
    const cleo = await app.as('cleo')
    expect((await cleo.call(administration.users)).body.code, 'no administrator').toBe('permission-missing')
  })

  describe('remembering a device', () => {
    const remember = async (name: keyof typeof cast = 'ada') => {
      const body = { pendingToken: await getPending(), code: computeCode(), remembersDevice: true }
      const { data } = await app.visitor().call(accounts.completeSignIn, { body })
      app.passTime(2 * minuteMs)
      return { token: data.token, deviceToken: data.deviceToken ?? '', name }
    }
    const signInOn = (deviceToken: string | null, name: keyof typeof cast = 'ada') =>
      app.visitor().call(accounts.login, {
        body: { email: cast[name].email, password: cast[name].password, deviceToken },
      })

    it('needs no code there for 30 days, and still the right password', async () => {
      const { deviceToken } = await remember()
      expect(deviceToken).toMatch(/^kpr_|.{40,}/)
      expect((await signInOn(deviceToken)).status).toBe(200)
      for (const other of [null, '', 'guessed', `${deviceToken}x`])
        expect((await signInOn(other)).body.code).toBe('second-factor-needed')
      const wrong = { email: cast.ada.email, password: 'not the password', deviceToken }
      expect((await app.visitor().call(accounts.login, { body: wrong })).status).toBe(401)
      const rows = await app.services.db.selectFrom('remembered_devices').selectAll().execute()
      expect(JSON.stringify(rows)).not.toContain(deviceToken)
      app.passTime(30 * 24 * 60 * minuteMs)
      expect((await signInOn(deviceToken)).body.code).toBe('second-factor-needed')
    })

    it('a device is remembered only on request', async () => {
      const { data } = await complete(await getPending(), computeCode())
      expect(data.deviceToken).toBeNull()
      expect((await ada.call(secondFactor.devices)).data).toEqual([])
    })

    it("isn't a second factor: the session counts as opened with the password", async () => {
      const { deviceToken } = await remember()
      const { data } = await signInOn(deviceToken)
      const session = await app.services.db
        .selectFrom('sessions')
        .select('method')
        .where('token_hash', '=', hashToken(data.token))
        .executeTakeFirst()
      expect(session).toEqual({ method: 'password' })
    })

    it('works for one person only, is listed, and is forgotten by them', async () => {
      const { deviceToken } = await remember()
      const ben = await app.as('ben')
      await enable(ben)
      expect((await signInOn(deviceToken, 'ben')).body.code).toBe('second-factor-needed')
      const { data: devices } = await ada.call(secondFactor.devices)
      expect(devices).toMatchObject([{ id: expect.any(String), expiresAt: expect.any(String) }])
      expect((await ben.call(secondFactor.devices)).data).toEqual([])
      const params = { id: devices[0]?.id ?? '' }
      expect((await ben.call(secondFactor.forgetDevice, { params })).status).toBe(404)
      expect((await ada.call(secondFactor.forgetDevice, { params })).status).toBe(200)
      expect((await ada.call(secondFactor.forgetDevice, { params })).status).toBe(404)
      expect((await signInOn(deviceToken)).body.code).toBe('second-factor-needed')
    })

    it.each<[string, () => Promise<unknown>]>([
      [
        'a new password',
        () =>
          ada.call(accounts.changePassword, {
            body: { currentPassword: cast.ada.password, newPassword: 'a new harbour password' },
          }),
      ],
      ['signing out everywhere else', () => ada.call(ownAccount.endOtherSessions)],
      ['turning codes off', () => ada.call(secondFactor.disable)],
    ])('is forgotten after %s', async (_, change) => {
      await remember()
      await change()
      expect(await app.services.db.selectFrom('remembered_devices').select('id').execute()).toEqual([])
    })

    it('keeps the newest 20 devices', async () => {
      for (let index = 0; index < 22; index++) {
        const { writes } = rememberDevice(app.services, ada.id, null)
        await app.services.db.batch(writes)
        app.passTime(1000)
      }
      expect((await ada.call(secondFactor.devices)).data).toHaveLength(20)
    })
  })
})
