import { describe, expect, it } from 'vitest'
import { accounts } from '#contract/accounts/accounts.ts'
import { administration } from '#contract/administration/administration.ts'
import type { Write } from '#server/db/database.ts'
import { cast } from '#tests/cast.ts'
import { engines } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { runAdminCommand } from './admin-commands.ts'
import { grantRole } from './roles.ts'

const fresh = 'a-fresh-word-77'

describe.each(engines)('reset links and account permissions, on %s', (engine) => {
  const { app, ada, ben, cleo } = useTestApp(engine, ['ada', 'ben', 'cleo'], {
    perTest: true,
    roles: { ben: ['admin'], cleo: ['super-admin'] },
  })

  const about = (id: string) => ({ params: { id } })
  const grant = (by = cleo) =>
    by.call(administration.assignRole, { body: { userId: ada.id, roleName: 'super-admin' } as const })
  const createLink = (by: Actor) => by.call(administration.resetLink, about(ada.id))
  const tokenIn = (text = '') => /\?reset=(\S+)/.exec(text)?.[1] ?? ''
  const complete = (token: string, newPassword = fresh) =>
    app.visitor().call(accounts.completePasswordReset, { body: { token, newPassword } })
  const mailed = async () => {
    const previous = app.mails.length
    await app.visitor().call(accounts.requestPasswordReset, { body: { email: cast.ada.email } })
    await eventually(() => expect(app.mails).toHaveLength(previous + 1))
    return tokenIn(app.mails.at(-1)?.text)
  }
  const links = () => app.services.db.selectFrom('one_time_links').selectAll().execute()
  const rolesOfAda = async () =>
    (await app.services.db.selectFrom('role_grants').select('role').where('person_id', '=', ada.id).execute()).map(
      ({ role }) => role,
    )
  /** Runs `happening` once, right before a link is written. */
  const beforeLinkWrite = (happening: () => Promise<unknown>) => {
    const { db } = app.services
    const { batch } = db
    const getSql = (write: Write) => ('compile' in write ? write.compile(db) : write).sql
    db.batch = async (writes) => {
      if (!writes.some((write) => getSql(write).includes('insert into "one_time_links"'))) return batch.call(db, writes)
      db.batch = batch
      await happening()
      return batch.call(db, writes)
    }
  }

  it("an admin can't create a link for someone just given a role", async () => {
    beforeLinkWrite(async () => expect((await grant()).status).toBe(200))
    const refused = await createLink(ben)
    expect({ status: refused.status, code: refused.body.code }).toEqual({ status: 403, code: 'forbidden' })
    expect(await links()).toEqual([])
    expect((await createLink(cleo)).status, 'a super-admin makes one').toBe(200)
  })

  it("a super-admin's link is created despite a concurrent grant", async () => {
    beforeLinkWrite(() => grantRole(app.services, { personId: ada.id, role: 'viewer', by: null }))
    const { data, status } = await createLink(cleo)
    expect(status).toBe(200)
    expect((await complete(tokenIn(data.link))).status).toBe(200)
  })

  it('an account deactivated concurrently gets no link, emailed or handed over', async () => {
    const deactivate = async () => expect((await cleo.call(administration.deactivate, about(ada.id))).status).toBe(200)
    beforeLinkWrite(deactivate)
    const refused = await createLink(ben)
    expect({ status: refused.status, error: refused.body.error }).toEqual({
      status: 409,
      error: 'This account is deactivated. Reactivate it first.',
    })
    await expect(runAdminCommand(app.services, ['reset-link', cast.ada.email])).rejects.toThrow('is deactivated')
    await cleo.call(administration.reactivate, about(ada.id))
    const written = Promise.withResolvers<void>()
    beforeLinkWrite(async () => {
      await deactivate()
      written.resolve()
    })
    await app.visitor().call(accounts.requestPasswordReset, { body: { email: cast.ada.email } })
    await written.promise
    // The email would be sent in the same tick as the response.
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect({ links: await links(), mails: app.mails }).toEqual({ links: [], mails: [] })
  })

  if (engine === 'postgres')
    it('a link waits for a role being written and is then refused', async () => {
      const { db } = app.services
      const locked = Promise.withResolvers<void>()
      const creation = locked.promise.then(() => createLink(ben))
      await db.inTransaction(async (tx) => {
        await tx.selectFrom('people').select('id').where('id', '=', ada.id).forNoKeyUpdate().execute()
        locked.resolve()
        // Long enough for a link that doesn't wait.
        await new Promise((resolve) => setTimeout(resolve, 300))
        const granted = { person_id: ada.id, role: 'super-admin', granted_at: 1, granted_by: null } as const
        await tx.insertInto('role_grants').values(granted).execute()
      })
      expect((await creation).status).toBe(403)
      expect(await links()).toEqual([])
    })

  it('a password an admin may know blocks roles until a better link resets it', async () => {
    const first = tokenIn((await createLink(ben)).data.link)
    expect((await complete(first)).status).toBe(200)
    const signedIn = await app.visitor().call(accounts.login, { body: { email: cast.ada.email, password: fresh } })
    const refused = await grant()
    expect({ status: refused.status, error: refused.body.error }).toEqual({
      status: 409,
      error: expect.stringMatching(/Create a new reset link/),
    })
    await expect(runAdminCommand(app.services, ['grant', cast.ada.email, 'viewer'])).rejects.toThrow('reset link')
    // Anyone who knows the password can change it.
    const headers = { authorization: `Bearer ${signedIn.data.token}` }
    const body = { currentPassword: fresh, newPassword: 'another-word-78' }
    expect((await app.visitor().call(accounts.changePassword, { body, headers })).status).toBe(200)
    expect((await grant()).status).toBe(409)
    expect(await rolesOfAda()).toEqual([])

    expect((await complete(tokenIn((await createLink(cleo)).data.link), 'a-third-word-79')).status).toBe(200)
    expect((await app.visitor().call(accounts.session, { headers })).status, 'who was signed in is not').toBe(401)
    expect((await grant()).status).toBe(200)
    expect(await rolesOfAda()).toEqual(['super-admin'])
  })

  it('an emailed link also lifts the block; command-line links never set one', async () => {
    await complete(tokenIn((await createLink(ben)).data.link))
    expect((await complete(await mailed(), 'a-third-word-79')).status).toBe(200)
    expect((await grant()).status).toBe(200)
    const output = await runAdminCommand(app.services, ['reset-link', cast.ben.email])
    expect((await complete(tokenIn(output))).status).toBe(200)
    await grantRole(app.services, { personId: ben.id, role: 'analyst', by: null })
  })

  it('an unknown account is a 404, and a role already held stays', async () => {
    const body = { userId: 'nobody', roleName: 'viewer' } as const
    expect((await cleo.call(administration.assignRole, { body })).status).toBe(404)
    await complete(tokenIn((await createLink(ben)).data.link))
    await app.as('ada', ['viewer'])
    const currentRole = { userId: ada.id, roleName: 'viewer' } as const
    expect((await cleo.call(administration.assignRole, { body: currentRole })).status).toBe(200)
  })

  it("emailed links don't revoke a handed-over one; the first use revokes all", async () => {
    const handedOver = tokenIn((await createLink(ben)).data.link)
    const byMail = [await mailed(), await mailed()]
    expect((await complete(handedOver)).status).toBe(200)
    for (const token of byMail) expect((await complete(token)).status).toBe(403)
  })

  it('a handed-over link revokes earlier ones', async () => {
    const previous = [tokenIn((await createLink(ben)).data.link), await mailed()]
    await createLink(cleo)
    for (const token of previous) expect((await complete(token)).status).toBe(403)
  })
})
