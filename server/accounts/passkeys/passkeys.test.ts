import { describe, expect, it } from 'vitest'
import { ownAccount } from '#contract/accounts/own-account.ts'
import { passkeySignIns } from '#contract/accounts/passkey-sign-ins.ts'
import { passkeys } from '#contract/accounts/passkeys.ts'
import { proofs } from '#contract/accounts/second-factor.ts'
import { administration } from '#contract/administration/administration.ts'
import { json } from '#server/db/database.ts'
import { minuteMs } from '#server/values/time-units.ts'
import { cast } from '#tests/cast.ts'
import { engines } from '#tests/engines.ts'
import { FakeAuthenticator } from '#tests/fake-authenticator.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { findPasskeyHost, warnAboutOtherHosts } from './passkey-host.ts'

describe.each(engines)('passkeys, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'], { perTest: true })

  async function addPasskey(actor: Actor, key = new FakeAuthenticator({ isSynced: true }), name?: string) {
    const options = (await actor.call(passkeys.registrationOptions)).data
    const body = { ...(name && { name }), response: key.create(options) }
    return { key, options, answer: await actor.call(passkeys.register, { body }) }
  }
  const getOptions = async () => (await app.visitor().call(passkeySignIns.options)).data
  const signIn = async (key: FakeAuthenticator, options?: Awaited<ReturnType<typeof getOptions>>) =>
    app.visitor().call(passkeySignIns.finish, { body: { response: key.get(options ?? (await getOptions())) } })
  const listPasskeys = async (actor: Actor) => (await actor.call(passkeys.list)).data

  it('are registered with names, renamed, listed and removed', async () => {
    const { options, answer, key } = await addPasskey(ada, undefined, 'Phone')
    expect(options.options).toMatchObject({
      rp: { id: 'localhost', name: 'Keeper' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ alg, type: 'public-key' })),
    })
    const userId = Buffer.from((options.options.user as { id: string }).id, 'base64url')
    expect(userId.length).toBe(32)
    expect(answer.data).toMatchObject({ name: 'Phone', isSynced: true, worksHere: true, lastUsedAt: null })
    const second = await addPasskey(ada, new FakeAuthenticator({ aaguid: 'bada5566-a7aa-401f-bd96-45619a55120d' }))
    expect(second.answer.data).toMatchObject({ name: '1Password', isSynced: false })
    expect(second.options.options).toMatchObject({
      user: { id: (options.options.user as { id: string }).id },
      excludeCredentials: [{ id: key.id }],
    })
    const { id } = answer.data
    const renamed = await ada.call(passkeys.rename, { params: { id }, body: { name: 'Old phone' } })
    expect(renamed.data.name).toBe('Old phone')
    expect((await ben.call(passkeys.rename, { params: { id }, body: { name: 'x' } })).status).toBe(404)
    expect((await ben.call(passkeys.remove, { params: { id } })).status).toBe(404)
    const removed = await ada.call(passkeys.remove, { params: { id } })
    expect(removed.data).toMatchObject({ rpId: 'localhost', credentialIds: [second.key.id] })
    expect((await listPasskeys(ada)).passkeys.map(({ name }) => name)).toEqual(['1Password'])
    expect((await signIn(key)).body.code).toBe('passkey-unknown')
    expect(app.mails.map(({ subject }) => subject)).toEqual([
      'A passkey was added to your Keeper account',
      'A passkey was added to your Keeper account',
      'A passkey was removed from your Keeper account',
    ])
  })

  it('sign in without an email, count as two factors, and name the session', async () => {
    const { key } = await addPasskey(ada)
    const options = await getOptions()
    expect(options.options).toMatchObject({ userVerification: 'required', rpId: 'localhost' })
    expect(options.options.allowCredentials).toBeUndefined()
    const { status, data } = await signIn(key)
    expect({ status, email: data.user.email }).toEqual({ status: 200, email: cast.ada.email })
    const headers = { authorization: `Bearer ${data.token}` }
    const [current] = (await app.visitor().call(ownAccount.sessions, { headers })).data
    expect(current?.method).toBe('passkey')
    expect((await listPasskeys(ada)).passkeys[0]?.lastUsedAt).toMatch(/Z$/)
  })

  it('a challenge works once, for five minutes, for its own purpose', async () => {
    const { key } = await addPasskey(ada)
    const options = await getOptions()
    const response = key.get(options)
    const answers = await Promise.all(
      [1, 2].map(() => app.visitor().call(passkeySignIns.finish, { body: { response } })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403])
    const oldOptions = await getOptions()
    app.passTime(5 * minuteMs)
    expect((await signIn(key, oldOptions)).body.code).toBe('passkey-refused')
    const forged = { rpId: 'localhost', options: { challenge: Buffer.alloc(56).toString('base64url') } }
    expect((await signIn(key, forged)).body.code).toBe('passkey-refused')
    const forProof = (await ada.call(proofs.passkeyOptions)).data
    expect((await signIn(key, forProof)).body.code).toBe('passkey-refused')
    const bensOptions = (await ben.call(passkeys.registrationOptions)).data
    const stolen = { response: new FakeAuthenticator().create(bensOptions) }
    expect((await ada.call(passkeys.register, { body: stolen })).body.code, 'another’s challenge').toBe(
      'passkey-refused',
    )
    expect((await listPasskeys(ada)).passkeys).toHaveLength(1)
  })

  it('are refused without the PIN, from another site, and with another’s handle', async () => {
    const { key } = await addPasskey(ada)
    await addPasskey(ben)
    key.options = { isSynced: true, isUserVerified: false }
    const withoutPin = { code: 'passkey-refused', error: { message: expect.stringContaining('check a PIN') } }
    expect((await signIn(key)).body).toMatchObject(withoutPin)
    key.options = { isSynced: true, origin: 'https://evil.example' }
    expect((await signIn(key)).body.code).toBe('passkey-refused')
    key.options = { isSynced: true }
    const response = key.get(await getOptions())
    const bensHandle = (await app.services.db
      .selectFrom('people')
      .select('passkey_user_id')
      .where('id', '=', ben.id)
      .executeTakeFirstOrThrow()) as { passkey_user_id: string }
    const spoofed = { ...response, response: { ...response.response, userHandle: bensHandle.passkey_user_id } }
    expect((await app.visitor().call(passkeySignIns.finish, { body: { response: spoofed } })).status).toBe(403)
    const { userHandle: _, ...withoutHandle } = response.response
    const anonymous = { ...response, response: withoutHandle }
    expect((await app.visitor().call(passkeySignIns.finish, { body: { response: anonymous } })).status).toBe(403)
    const unverified = new FakeAuthenticator({ isUserVerified: false })
    expect((await addPasskey(ada, unverified)).answer.body).toMatchObject(withoutPin)
    expect((await signIn(key)).status, 'still works').toBe(200)
    expect(app.logLines.join()).toContain('a passkey was refused')
  })

  it('a lower counter is accepted from synced passkeys only', async () => {
    const { key: synced } = await addPasskey(
      ada,
      new FakeAuthenticator({ isSynced: true, isBackedUp: false, counter: 9 }),
    )
    synced.options = { isSynced: true, isBackedUp: true, counter: 4 }
    expect((await signIn(synced)).status).toBe(200)
    expect((await listPasskeys(ada)).passkeys[0]?.isBackedUp, 'updated at sign-in').toBe(true)
    synced.options.counter = 4
    expect((await signIn(synced)).status).toBe(200)
    const { key: single } = await addPasskey(ada, new FakeAuthenticator({ counter: 5 }))
    single.options.counter = 6
    expect((await signIn(single)).status).toBe(200)
    expect((await signIn(single)).body.code, 'a copy').toBe('passkey-refused')
    expect(app.mails.at(-1)?.subject).toBe('A passkey of your Keeper account may have been copied')
    expect(app.logLines.join()).toContain('its key may be copied')
    single.options.counter = 7
    expect((await signIn(single)).status).toBe(200)
    const { key: keyWithoutCounter } = await addPasskey(ada, new FakeAuthenticator({ counter: 0 }))
    for (const _ of [1, 2]) expect((await signIn(keyWithoutCounter)).status, 'has no counter').toBe(200)
  })

  it('the last way to sign in can’t be removed; one of another host doesn’t count', async () => {
    const [first, second] = [(await addPasskey(ada)).answer.data, (await addPasskey(ada)).answer.data]
    const { db } = app.services
    await db.updateTable('people').set({ password_hash: 'none' }).where('id', '=', ada.id).execute()
    await db.updateTable('passkeys').set({ rp_id: 'old.example' }).where('id', '=', second.id).execute()
    expect((await listPasskeys(ada)).passkeys.map(({ worksHere }) => worksHere)).toEqual([true, false])
    const refused = await ada.call(passkeys.remove, { params: { id: first.id } })
    expect({ status: refused.status, text: refused.text }).toEqual({
      status: 409,
      text: expect.stringContaining('only way you can sign in'),
    })
    await db.updateTable('passkeys').set({ rp_id: 'localhost' }).where('id', '=', second.id).execute()
    const removals = await Promise.all([first, second].map(({ id }) => ada.call(passkeys.remove, { params: { id } })))
    expect(removals.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  it('a deactivated account, and too many wrong passkeys, are refused', async () => {
    const { key } = await addPasskey(ada)
    const cleo = await app.as('cleo', ['super-admin'])
    await cleo.call(administration.deactivate, { params: { id: ada.id } })
    expect((await signIn(key)).body.code).toBe('account-deactivated')
    app.services.settings.limits.signInPerAddress = 3
    const unknown = new FakeAuthenticator()
    for (let index = 0; index < 2; index++) expect((await signIn(unknown)).status).toBe(403)
    expect((await signIn(unknown)).status).toBe(429)
  })

  it('prove a session for five minutes, but only with one of the person’s own', async () => {
    const { key } = await addPasskey(ada)
    app.passTime(6 * minuteMs)
    const requestOptions = () => ada.call(passkeys.registrationOptions, { withProof: false })
    expect((await requestOptions()).body.code).toBe('proof-needed')
    expect((await ada.call(proofs.methods)).data).toEqual({
      password: true,
      passkey: true,
      code: false,
      provider: null,
    })
    const { key: bensKey } = await addPasskey(ben)
    const options = (await ada.call(proofs.passkeyOptions)).data
    expect((await ada.call(proofs.prove, { body: { passkey: bensKey.get(options) } })).status, 'ben’s').toBe(403)
    const freshOptions = (await ada.call(proofs.passkeyOptions)).data
    expect((await ada.call(proofs.prove, { body: { passkey: key.get(freshOptions) } })).status).toBe(200)
    expect((await requestOptions()).status).toBe(200)
    const [current] = (await ada.call(ownAccount.sessions)).data
    expect(current?.method).toBe('password+passkey')
    app.passTime(5 * minuteMs)
    expect((await requestOptions()).body.code).toBe('proof-needed')
  })

  it('an account has at most twenty passkeys', async () => {
    await addPasskey(ada)
    const [row] = await app.services.db.selectFrom('passkeys').selectAll().execute()
    for (let index = 1; index < 20; index++)
      await app.services.db
        .insertInto('passkeys')
        .values({ ...row!, id: `p${index}`, credential_id: `c${index}`, transports: json([]) })
        .execute()
    expect((await ada.call(passkeys.registrationOptions)).status).toBe(409)
  })
})

const toServices = (publicUrl: string | null) => ({ settings: { publicUrl } }) as never

describe('the host of passkeys', () => {
  it('comes from KEEPER_PUBLIC_URL, with its exact origin', () => {
    expect(findPasskeyHost(toServices('https://keeper.example:8443'))).toEqual({
      rpId: 'keeper.example',
      origin: 'https://keeper.example:8443',
    })
    expect(findPasskeyHost(toServices(null))).toEqual({ rpId: 'localhost', origin: null })
    expect(findPasskeyHost(toServices('http://localhost:3000'))).toMatchObject({ rpId: 'localhost' })
  })

  it.each([
    'http://192.168.1.9',
    'https://10.0.0.1:3000',
    'https://[::1]',
    'http://keeper.example',
    'http://127.0.0.1:3000',
  ])('is missing for %s, and the reason names the setting', (address) =>
    expect(findPasskeyHost(toServices(address))).toMatch(/KEEPER_PUBLIC_URL/),
  )
})

describe.each(engines)('passkeys of another host, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'], { perTest: true })

  it('are warned about at start', async () => {
    await warnAboutOtherHosts(app.services)
    expect(app.logLines.join()).not.toContain('another host name')
    const options = (await ada.call(passkeys.registrationOptions)).data
    const key = new FakeAuthenticator()
    await ada.call(passkeys.register, { body: { response: key.create(options) } })
    app.services.settings.publicUrl = 'https://keeper.example'
    await warnAboutOtherHosts(app.services)
    expect(app.logLines.join()).toContain('another host name')
    expect((await ada.call(passkeys.list)).data).toMatchObject({
      unavailable: null,
      passkeys: [{ worksHere: false }],
    })
    app.services.settings.publicUrl = 'https://10.0.0.1'
    expect((await ada.call(passkeys.list)).data.unavailable).toContain('KEEPER_PUBLIC_URL')
    expect((await app.visitor().call(passkeySignIns.options)).status).toBe(422)
  })
})
