import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { accounts } from '#contract/accounts/accounts.ts'
import { administration } from '#contract/administration/administration.ts'
import type { Write } from '#server/db/database.ts'
import { DatabaseUnavailable } from '#server/db/database-errors.ts'
import { cast } from '#tests/cast.ts'
import { engines } from '#tests/engines.ts'
import { type Actor, type TestApp, testApp } from '#tests/test-app.ts'
import { resetLink } from './reset-password.ts'

const fresh = 'a-fresh-word-77'
const other = 'another-word-78'

/** To compare a password takes its time, and a write its turn: what was true before need not be true any more. */
describe.each(engines)('what happens to an account meanwhile, on %s', (engine) => {
  let app: TestApp
  let ada: Actor
  beforeEach(async () => {
    app = await testApp(engine)
    ada = await app.as('ada')
  })
  afterEach(() => app.close())

  const signIn = (password: string = cast.ada.password) =>
    app.visitor().call(accounts.login, { body: { email: cast.ada.email, password } })
  const change = (newPassword: string, currentPassword: string = cast.ada.password) =>
    ada.call(accounts.changePassword, { body: { currentPassword, newPassword } })
  const complete = (token: string, newPassword: string) =>
    app.visitor().call(accounts.completePasswordReset, { body: { token, newPassword } })
  const newToken = async () => (await resetLink(app.services, ada.id))?.split('reset=')[1] ?? ''
  const adas = async () => ({
    sessions: (await app.services.db.selectFrom('sessions').select('id').where('person_id', '=', ada.id).execute())
      .length,
    ...(await app.services.db
      .selectFrom('people')
      .select('last_sign_in_at')
      .where('id', '=', ada.id)
      .executeTakeFirstOrThrow()),
  })
  /** Something happens just before a batch with these words in its SQL goes to the database; once. */
  const aheadOf = (words: string, happening: () => Promise<unknown>) => {
    const { db } = app.services
    const { batch } = db
    const sqlOf = (write: Write) => ('compile' in write ? write.compile(db) : write).sql
    db.batch = async (writes) => {
      if (!writes.some((write) => sqlOf(write).includes(words))) return batch.call(db, writes)
      db.batch = batch
      await happening()
      return batch.call(db, writes)
    }
  }

  it('a sign-in with the right password, and nothing meanwhile, opens a session', async () => {
    const { sessions } = await adas()
    expect((await signIn()).status).toBe(200)
    expect((await adas()).sessions).toBe(sessions + 1)
  })

  it.each([
    ['the password is changed', async () => change(fresh), 1],
    ['a link sets another password', async () => complete(await newToken(), fresh), 0],
    [
      'the account is deactivated',
      async () => (await app.as('cleo', ['super-admin'])).call(administration.deactivate, { params: { id: ada.id } }),
      0,
    ],
  ])(
    'a sign-in under way while %s opens no session, and says no more than a wrong password',
    async (_, happening, left) => {
      const wrong = await signIn('not-her-password')
      const at = (await adas()).last_sign_in_at
      app.passTime(1000)
      aheadOf('insert into "sessions"', async () => expect((await happening()).status).toBe(200))
      const late = await signIn()
      expect([late.status, late.body.error]).toEqual([401, wrong.body.error])
      expect(late.text).not.toContain('kpr_')
      expect(await adas()).toEqual({ sessions: left, last_sign_in_at: at })
    },
  )

  it('a sign-in under way while the account is deleted is refused as a wrong password', async () => {
    aheadOf('insert into "sessions"', () => app.services.db.deleteFrom('people').where('id', '=', ada.id).execute())
    expect((await signIn()).status).toBe(401)
  })

  it('who knows the password of before does not change the one a link set meanwhile', async () => {
    const token = await newToken()
    aheadOf('update "people" set "password_hash"', async () => expect((await complete(token, fresh)).status).toBe(200))
    const changed = await change(other)
    expect([changed.status, Object.keys(changed.body.fields ?? {})]).toEqual([400, ['currentPassword']])
    expect([(await signIn(other)).status, (await signIn(fresh)).status]).toEqual([401, 200])
  })

  it.each([
    ['changed', () => change(fresh)],
    ['set by a link', async () => complete(await newToken(), fresh)],
  ])('where the other sessions cannot be ended the password is not %s', async (_, deed) => {
    await signIn()
    const { sessions } = await adas()
    aheadOf('delete from "sessions" where "person_id"', async () => {
      throw new DatabaseUnavailable('The connection to PostgreSQL failed (lost)')
    })
    expect((await deed()).status).toBe(503)
    expect((await adas()).sessions).toBe(sessions)
    expect([(await signIn(fresh)).status, (await signIn()).status]).toEqual([401, 200])
  })

  it('a link to set the password works no more once it was changed', async () => {
    const token = await newToken()
    expect((await change(fresh)).status).toBe(200)
    expect((await complete(token, other)).status).toBe(403)
    expect([(await signIn(other)).status, (await signIn(fresh)).status]).toEqual([401, 200])
  })

  it('nor once the account was signed out everywhere; those of others do', async () => {
    const ben = await app.as('ben')
    const cleo = await app.as('cleo', ['super-admin'])
    const token = await newToken()
    const bens = (await resetLink(app.services, ben.id))?.split('reset=')[1] ?? ''
    expect((await cleo.call(administration.signOutEverywhere, { params: { id: ada.id } })).status).toBe(200)
    expect((await complete(token, other)).status).toBe(403)
    expect((await complete(bens, other)).status).toBe(200)
    expect((await complete(await newToken(), fresh)).status).toBe(200)
  })
})
