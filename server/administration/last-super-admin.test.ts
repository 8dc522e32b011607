import { describe, expect, it } from 'vitest'
import { administration } from '#contract/administration/administration.ts'
import { engines } from '#tests/engines.ts'
import { raceSuperAdmins } from '#tests/race-super-admins.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'

describe.each(engines)('the last super-admin, on %s', (engine) => {
  const { app, ada, cleo } = useTestApp(engine, ['ada', 'cleo'], {
    perTest: true,
    roles: { ada: ['super-admin'], cleo: ['super-admin'] },
  })

  const remove = (by: Actor, target: Actor) =>
    by.call(administration.removeRole, { body: { userId: target.id, roleName: 'super-admin' } })

  const isReportedAsLast = async ({ id }: Actor) =>
    (await ada.call(administration.user, { params: { id } })).data.lastSuperAdmin

  it('keeps the role, with a reason', async () => {
    await app.as('cleo', ['admin'])
    expect((await remove(ada, cleo)).data.roles, 'another role does not stand in for it').toEqual(['admin'])
    const refused = await remove(ada, ada)
    expect({ status: refused.status, code: refused.body.code }).toEqual({ status: 409, code: 'conflict' })
    expect(refused.body.error).toBe('This is the last super-admin. Grant the role to someone else first.')
    expect((await ada.call(administration.roleUsers)).data[0]).toMatchObject({ id: ada.id, roles: ['super-admin'] })
  })

  it('is the one left once the others are deactivated or leaving', async () => {
    for (const closedState of [{ deactivated_at: 1 }, { deactivated_at: null, deletes_at: 1 }]) {
      await app.services.db.updateTable('people').set(closedState).where('id', '=', cleo.id).execute()
      expect((await remove(ada, ada)).status).toBe(409)
      expect(await isReportedAsLast(ada)).toBe(true)
    }
    expect((await ada.call(administration.roleUsers)).data.find(({ id }) => id === cleo.id)?.leaving).toBe(true)
    await app.services.db.updateTable('people').set({ deletes_at: null }).where('id', '=', cleo.id).execute()
    expect(await isReportedAsLast(ada)).toBe(false)
    expect((await remove(ada, ada)).status).toBe(200)
  })

  it('survives 500 rounds of mutual removal by role and by deactivation', async () => {
    const { empty, refused } = await raceSuperAdmins(app, [ada, cleo], 500)
    expect(empty).toBe(0)
    expect(refused.length, 'one of two was refused').toBeGreaterThanOrEqual(500)
    expect(new Set(refused)).toEqual(new Set(['conflict']))
  }, 120_000)
})
