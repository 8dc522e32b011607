import { describe, expect, it } from 'vitest'
import { accounts } from '#contract/accounts/accounts.ts'
import { administration } from '#contract/administration/administration.ts'
import type { Write } from '#server/db/database.ts'
import { DatabaseUnavailable } from '#server/db/database-errors.ts'
import { cast } from '#tests/cast.ts'
import { engines } from '#tests/engines.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { createResetUrl } from './change-password.ts'

const fresh = 'a-fresh-word-77'
const other = 'another-word-78'

/** Comparing a password takes time, so the account may change before the write. */
describe.each(engines)('concurrent account changes, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'], { perTest: true })

  const signIn = (password: string = cast.ada.password) =>
    app.visitor().call(accounts.login, { body: { email: cast.ada.email, password } })
  const change = (newPassword: string, currentPassword: string = cast.ada.password) =>
    ada.call(accounts.changePassword, { body: { currentPassword, newPassword } })
  const complete = (token: string, newPassword: string) =>
    app.visitor().call(accounts.completePasswordReset, { body: { token, newPassword } })
  const newToken = async () => (await createResetUrl(app.services, ada.id))?.split('reset=')[1] ?? ''
  const adas = async () => ({
    sessions: (await app.services.db.selectFrom('sessions').select('id').where('person_id', '=', ada.id).execute())
      .length,
    ...(await app.services.db
      .selectFrom('people')
      .select('last_sign_in_at')
      .where('id', '=', ada.id)
      .executeTakeFirstOrThrow()),
  })
  /** Runs `happening` once, right before a batch whose SQL contains the text. */
  const beforeBatch = (sqlPart: string, happening: () => Promise<unknown>) => {
    const { db } = app.services
    const { batch } = db
    const getSql = (write: Write) => ('compile' in write ? write.compile(db) : write).sql
    db.batch = async (writes) => {
      if (!writes.some((write) => getSql(write).includes(sqlPart))) return batch.call(db, writes)
      db.batch = batch
      await happening()
      return batch.call(db, writes)
    }
  }

  it('a sign-in with the right password opens a session', async () => {
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
  ])('a sign-in while %s opens no session and fails as a wrong password', async (_, happening, left) => {
    const wrong = await signIn('not-her-password')
    const at = (await adas()).last_sign_in_at
    app.passTime(1000)
    beforeBatch('insert into "sessions"', async () => expect((await happening()).status).toBe(200))
    const late = await signIn()
    expect({ status: late.status, error: late.body.error }).toEqual({ status: 401, error: wrong.body.error })
    expect(late.text).not.toContain('kpr_')
    expect(await adas()).toEqual({ sessions: left, last_sign_in_at: at })
  })

  it('a sign-in during the deletion of the account fails as a wrong password', async () => {
    beforeBatch('insert into "sessions"', () => app.services.db.deleteFrom('people').where('id', '=', ada.id).execute())
    expect((await signIn()).status).toBe(401)
  })

  it("the old password can't replace one a link just set", async () => {
    const token = await newToken()
    beforeBatch('update "people" set "password_hash"', async () =>
      expect((await complete(token, fresh)).status).toBe(200),
    )
    const changed = await change(other)
    expect({ status: changed.status, fields: Object.keys(changed.body.fields ?? {}) }).toEqual({
      status: 400,
      fields: ['currentPassword'],
    })
    expect({
      signInStatusOther: (await signIn(other)).status,
      signInStatusFresh: (await signIn(fresh)).status,
    }).toEqual({ signInStatusOther: 401, signInStatusFresh: 200 })
  })

  it.each([
    ['changed', () => change(fresh)],
    ['set by a link', async () => complete(await newToken(), fresh)],
  ])("if the other sessions can't be ended, the password is not %s", async (_, action) => {
    await signIn()
    const { sessions } = await adas()
    beforeBatch('delete from "sessions" where "person_id"', async () => {
      throw new DatabaseUnavailable('The connection to PostgreSQL failed (lost)')
    })
    expect((await action()).status).toBe(503)
    expect((await adas()).sessions).toBe(sessions)
    expect({ signInStatusFresh: (await signIn(fresh)).status, signInStatus: (await signIn()).status }).toEqual({
      signInStatusFresh: 401,
      signInStatus: 200,
    })
  })

  it('a reset link stops working once the password is changed', async () => {
    const token = await newToken()
    expect((await change(fresh)).status).toBe(200)
    expect((await complete(token, other)).status).toBe(403)
    expect({
      signInStatusOther: (await signIn(other)).status,
      signInStatusFresh: (await signIn(fresh)).status,
    }).toEqual({ signInStatusOther: 401, signInStatusFresh: 200 })
  })

  it("a reset link stops working after signing out everywhere; others' links work", async () => {
    const ben = await app.as('ben')
    const cleo = await app.as('cleo', ['super-admin'])
    const token = await newToken()
    const bens = (await createResetUrl(app.services, ben.id))?.split('reset=')[1] ?? ''
    expect((await cleo.call(administration.signOutEverywhere, { params: { id: ada.id } })).status).toBe(200)
    expect((await complete(token, other)).status).toBe(403)
    expect((await complete(bens, other)).status).toBe(200)
    expect((await complete(await newToken(), fresh)).status).toBe(200)
  })
})
