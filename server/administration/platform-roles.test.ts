import { describe, expect, it } from 'vitest'
import { accounts, platformRoles } from '#contract/accounts/accounts.ts'
import { administration } from '#contract/administration/administration.ts'
import { audit } from '#contract/administration/audit.ts'
import type { LiveEvent } from '#contract/live/live-events.ts'
import { cast } from '#tests/cast.ts'
import { engines } from '#tests/engines.ts'
import { raceSuperAdmins } from '#tests/race-super-admins.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'

describe.each(engines)('platform roles, on %s', (engine) => {
  const { app, ada, ben, cleo } = useTestApp(engine, ['ada', 'ben', 'cleo'], {
    perTest: true,
    roles: { cleo: ['super-admin'] },
  })

  const grant = (userId: string, roleName: string, by = cleo) =>
    by.call(administration.assignRole, { body: { userId, roleName } })
  const revoke = (userId: string, roleName: string, by = cleo) =>
    by.call(administration.removeRole, { body: { userId, roleName } })
  const getSession = async (actor: Actor) => (await actor.call(accounts.session)).data

  it('are seven, in the order of the table', async () => {
    const { data } = await cleo.call(administration.roles)
    expect(data).toEqual(platformRoles.map((name) => ({ id: name, name })))
  })

  it('granting and revoking count on the next request and notify the page', async () => {
    const events: LiveEvent[] = []
    app.services.live.subscribe(ben.id, (event) => events.push(event))
    app.services.live.subscribe(ada.id, (event) => events.push(event))
    expect((await ben.call(administration.users)).status).toBe(403)
    const granted = await grant(ben.id, 'admin')
    expect(granted.data).toEqual({
      id: ben.id,
      name: cast.ben.name,
      email: cast.ben.email,
      roles: ['admin'],
      deactivated: false,
      leaving: false,
    })
    expect((await ben.call(administration.users)).status).toBe(200)
    expect((await getSession(ben)).permissions).toContain('manage_users')
    expect(events).toEqual([{ type: 'session-changed' }])

    expect((await revoke(ben.id, 'admin')).data.roles).toEqual([])
    expect((await ben.call(administration.users)).status).toBe(403)
    expect((await getSession(ben)).permissions).toEqual([])
    expect(events).toHaveLength(2)
  })

  it("repeated grants and revocations change nothing and aren't audited", async () => {
    await grant(ben.id, 'support')
    const countAuditEvents = async () => (await cleo.call(audit.list, { query: { userId: ben.id } })).data.items.length
    const previous = await countAuditEvents()
    expect((await grant(ben.id, 'support')).data.roles).toEqual(['support'])
    expect((await revoke(ben.id, 'viewer')).data.roles).toEqual(['support'])
    expect(await countAuditEvents()).toBe(previous)
  })

  it('ten concurrent grants create one grant and one audit entry', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => grant(ben.id, 'analyst')))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    const { data } = await cleo.call(audit.list, { query: { action: 'role-granted', userId: ben.id } })
    expect(data.items).toHaveLength(1)
    expect(data.items[0]).toMatchObject({
      actor: { id: cleo.id, name: cast.cleo.name },
      person: { id: ben.id, name: cast.ben.name },
      subject: 'analyst',
    })
  })

  it('lists holders by highest role, then everyone else by name', async () => {
    await grant(ben.id, 'viewer')
    await grant(ben.id, 'support')
    const { data } = await cleo.call(administration.roleUsers)
    expect(data.map(({ id, roles }) => [id, roles])).toEqual([
      [cleo.id, ['super-admin']],
      [ben.id, ['support', 'viewer']],
      [ada.id, []],
    ])
  })

  it('searches name and email, ignoring case, with every character literal', async () => {
    const searchIds = async (search: string) =>
      (await cleo.call(administration.roleUsers, { query: { search } })).data.map(({ id }) => id)
    for (const search of ['HAUG', 'ben@WILLOW', ' Ben H ']) expect(await searchIds(search), search).toEqual([ben.id])
    for (const search of ['%', '_', '\\', "';--", 'nobody']) expect(await searchIds(search), search).toEqual([])
    expect(await searchIds('')).toHaveLength(3)
  })

  it("an admin sees roles and can't grant them", async () => {
    await grant(ben.id, 'admin')
    expect((await ben.call(administration.roles)).status).toBe(200)
    expect((await ben.call(administration.roleUsers)).status).toBe(403)
    for (const answer of [await grant(ben.id, 'super-admin', ben), await revoke(cleo.id, 'super-admin', ben)]) {
      expect(answer).toMatchObject({ status: 403, body: { code: 'permission-missing' } })
    }
    expect((await getSession(ben)).platformRoles).toEqual(['admin'])
    expect((await getSession(cleo)).platformRoles).toEqual(['super-admin'])
  })
})

describe.each(engines)('the last super-admin, on %s', (engine) => {
  const { app, ada, cleo } = useTestApp(engine, ['ada', 'cleo'], {
    perTest: true,
    roles: { ada: ['super-admin'], cleo: ['super-admin'] },
  })

  const removeSuperAdmin = (by: Actor, target: Actor) =>
    by.call(administration.removeRole, { body: { userId: target.id, roleName: 'super-admin' } })

  const isReportedAsLast = async ({ id }: Actor) =>
    (await ada.call(administration.user, { params: { id } })).data.lastSuperAdmin

  it('keeps the role, with a reason', async () => {
    await app.as('cleo', ['admin'])
    expect((await removeSuperAdmin(ada, cleo)).data.roles, 'another role doesn’t replace it').toEqual(['admin'])
    const refused = await removeSuperAdmin(ada, ada)
    expect(refused).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(refused.body.error).toBe('This is the last super-admin. Grant the role to someone else first.')
    expect((await ada.call(administration.roleUsers)).data[0]).toMatchObject({ id: ada.id, roles: ['super-admin'] })
  })

  it('is the one remaining when the others are deactivated or leaving', async () => {
    for (const closedState of [{ deactivated_at: 1 }, { deactivated_at: null, deletes_at: 1 }]) {
      await app.services.db.updateTable('people').set(closedState).where('id', '=', cleo.id).execute()
      expect((await removeSuperAdmin(ada, ada)).status).toBe(409)
      expect(await isReportedAsLast(ada)).toBe(true)
    }
    expect((await ada.call(administration.roleUsers)).data.find(({ id }) => id === cleo.id)?.leaving).toBe(true)
    await app.services.db.updateTable('people').set({ deletes_at: null }).where('id', '=', cleo.id).execute()
    expect(await isReportedAsLast(ada)).toBe(false)
    expect((await removeSuperAdmin(ada, ada)).status).toBe(200)
  })

  it('survives 150 rounds of mutual removal by role and by deactivation', async () => {
    const { hasNoSuperAdmin, refused } = await raceSuperAdmins(app, [ada, cleo], 150)
    expect(hasNoSuperAdmin).toBe(false)
    expect(refused.length, 'one of two was refused').toBeGreaterThanOrEqual(150)
    expect(new Set(refused)).toEqual(new Set(['conflict']))
  }, 120_000)
})
