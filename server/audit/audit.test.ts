import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { accounts } from '#contract/accounts/accounts.ts'
import { administration } from '#contract/administration/administration.ts'
import { type AuditAction, audit, auditActions } from '#contract/administration/audit.ts'
import { keys } from '#contract/keys/keys.ts'
import { runAdminCommand } from '#server/administration/admin-commands.ts'
import { cast } from '#tests/cast.ts'
import { engines } from '#tests/engines.ts'
import { canaryPlatformKeys } from '#tests/provider-app.ts'
import { isTest, readSourceTree } from '#tests/source-tree.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { insertAudit } from './write-audit.ts'

describe.each(engines)('the audit trail, on %s', (engine) => {
  const { app, ada, cleo } = useTestApp(engine, ['ada', 'cleo'], { perTest: true, roles: { cleo: ['super-admin'] } })

  const list = async (query: Record<string, string | number> = {}) => (await cleo.call(audit.list, { query })).data
  const listActions = async (userId: string) => (await list({ userId })).items.map(({ action }) => action)
  const write = (count: number, action: AuditAction = 'member-added') =>
    app.services.db.batch(
      Array.from({ length: count }, (_, index) =>
        insertAudit(app.services, { action, actor: ada, subject: `number ${index}` }),
      ),
    )

  it('is append-only, whatever the SQL', async () => {
    const { db } = app.services
    const previous = (await list()).items
    expect(previous.length).toBeGreaterThan(0)
    // PostgreSQL reports only the code of the trigger's error.
    const refusal = /append-only|P0001/
    await expect(db.updateTable('audit_events').set({ subject: 'x' }).execute()).rejects.toThrow(refusal)
    await expect(db.deleteFrom('audit_events').execute()).rejects.toThrow(refusal)
    for (const statement of [
      sql`update audit_events set actor_id = null`,
      sql`update audit_events set at = 0 where id = ${previous[0]?.id}`,
      sql`delete from audit_events where id = ${previous[0]?.id}`,
      sql`insert into audit_events select * from audit_events where id = ${previous[0]?.id} on conflict (id) do update set subject = 'x'`,
    ])
      await expect(db.write(statement)).rejects.toThrow(refusal)
    expect((await list()).items).toEqual(previous)
  })

  it('names registrations, sign-ins and password changes, never the secrets', async () => {
    const { email, password } = cast.ada
    const signedIn = await app.visitor().call(accounts.login, { body: { email, password } })
    const headers = { authorization: `Bearer ${signedIn.data.token}` }
    const newPassword = 'another-lantern-77'
    await ada.call(accounts.changePassword, { body: { currentPassword: password, newPassword } })
    await app.visitor().call(accounts.login, { body: { email, password } })
    await app.visitor().call(accounts.logout, { headers })
    await ada.call(accounts.logout)
    expect(await listActions(ada.id)).toEqual(['session-ended', 'password-changed', 'signed-in', 'account-registered'])
    const { text } = await cleo.call(audit.list)
    for (const secret of [email, password, newPassword, signedIn.data.token]) expect(text).not.toContain(secret)
  })

  it('writes a sign-in and its session in one database message', async () => {
    const { email, password } = cast.ada
    let batches = 0
    const { db } = app.services
    const batch = db.batch.bind(db)
    db.batch = (writes) => {
      batches++
      return batch(writes)
    }
    expect((await app.visitor().call(accounts.login, { body: { email, password } })).status).toBe(200)
    expect(batches).toBe(1)
  })

  it('names platform keys saved, switched and removed, never the key', async () => {
    const save = (is_active: boolean) =>
      cleo.call(keys.savePlatform, { body: { provider: 'openai', api_key: canaryPlatformKeys.openai, is_active } })
    await save(true)
    await save(false)
    await cleo.call(keys.removePlatform, { params: { provider: 'openai' } })
    expect((await cleo.call(keys.removePlatform, { params: { provider: 'openai' } })).status).toBe(404)
    const { items } = await list({ userId: cleo.id })
    const ofKeys = items.filter(({ action }) => action.startsWith('platform-key'))
    expect(ofKeys.map(({ action, subject }) => [action, subject]).toSorted()).toEqual([
      ['platform-key-removed', 'openai'],
      ['platform-key-saved', 'openai'],
      ['platform-key-saved', 'openai'],
      ['platform-key-switched', 'openai'],
    ])
    expect(ofKeys.find(({ action }) => action === 'platform-key-switched')?.details).toEqual({ from: 'on', to: 'off' })
    expect(JSON.stringify(items)).not.toContain(canaryPlatformKeys.openai)
  })

  it('has no actor for the command line', async () => {
    await runAdminCommand(app.services, ['grant', cast.ada.email, 'viewer'])
    await runAdminCommand(app.services, ['reset-link', cast.ada.email])
    const { items } = await list({ userId: ada.id })
    expect(items.slice(0, 2).map(({ actor }) => actor)).toEqual([null, null])
    expect(new Set(items.slice(0, 2).map(({ action }) => action))).toEqual(new Set(['role-granted', 'reset-link-made']))
  })

  it('pages without repeating or losing entries, even during writes', async () => {
    await write(120)
    const listedIds: string[] = []
    let cursor: string | null | undefined
    do {
      const page = await list({ limit: 50, action: 'member-added', ...(cursor && { cursor }) })
      listedIds.push(...page.items.map(({ id }) => id))
      cursor = page.next_cursor
      await write(5)
    } while (cursor)
    expect(new Set(listedIds).size).toBe(listedIds.length)
    expect(listedIds.length).toBe(120)
    for (const query of [{ cursor: 'x' }, { cursor: '1-' }, { limit: 101 }, { action: 'dance' }, { from: 'today' }])
      expect((await cleo.call(audit.list, { query: query as never })).status).toBe(400)
  })

  it('filters by person, action, domain and days, including the last day', async () => {
    const { services } = app
    const day = (at: Date) => at.toISOString().slice(0, 10)
    const today = day(services.now())
    await services.db.batch([insertAudit(services, { action: 'domain-changed', actor: cleo, domainId: 'gone' })])
    expect((await list({ domainId: 'gone' })).items).toMatchObject([
      { action: 'domain-changed', domain: { id: 'gone', name: null }, actor: { id: cleo.id } },
    ])
    expect((await list({ action: 'account-registered' })).items.map(({ actor }) => actor?.id).toSorted()).toEqual(
      [ada.id, cleo.id].toSorted(),
    )
    expect((await list({ from: today, to: today })).items.length).toBeGreaterThan(2)
    app.passTime(24 * 60 * 60 * 1000)
    expect((await list({ from: day(services.now()) })).items).toEqual([])
    expect((await list({ to: today })).items.length).toBeGreaterThan(2)
  })

  it('keeps a name while the person is here, and only the id afterwards', async () => {
    await app.services.db.batch([
      insertAudit(app.services, { action: 'account-deleted', actor: null, personId: 'was' }),
    ])
    expect((await list({ userId: 'was' })).items[0]?.person).toEqual({ id: 'was', name: null })
    expect((await list({ userId: ada.id })).items[0]?.person).toEqual({ id: ada.id, name: cast.ada.name })
  })

  it('exports every listed event as CSV, with formulas defused', async () => {
    // More than one person's daily limit.
    for (let days = 0; days < 2; days++) {
      app.passTime(24 * 60 * 60_000)
      await write(550)
    }
    await app.services.db.updateTable('people').set({ name: '=1+1' }).where('id', '=', ada.id).execute()
    const response = await cleo.fetch('/api/admin/audit/export?action=member-added')
    expect(response.headers.get('content-type')).toContain('text/csv')
    expect(response.headers.get('content-disposition')).toMatch(/keeper-audit-\d{4}-\d\d-\d\d\.csv/)
    const lines = (await response.text()).trimEnd().split('\r\n')
    expect(lines[0]).toBe('event_id,at,action,actor_id,actor,person_id,person,domain_id,domain,subject,details')
    expect(lines).toHaveLength(1101)
    expect(new Set(lines).size).toBe(1101)
    expect(lines[1]).toContain(",'=1+1,")
  })

  it('contains nothing of a refused action', async () => {
    const previous = (await list()).items.length
    await ada.call(administration.assignRole, { body: { userId: ada.id, roleName: 'super-admin' } })
    await cleo.call(administration.removeRole, { body: { userId: cleo.id, roleName: 'super-admin' } })
    await cleo.call(administration.deactivate, { params: { id: cleo.id } })
    expect((await list()).items).toHaveLength(previous)
  })

  it('has one word per action', () => {
    expect(new Set(auditActions).size).toBe(auditActions.length)
  })
})

it('every action in the filter is written somewhere', () => {
  const sources = readSourceTree()
    .filter(({ path }) => path.startsWith('server/') && !isTest(path))
    .map(({ source }) => source)
    .join('\n')
  const isWritten = (action: string) => new RegExp(`\\baction(?::| =)[^,;]*'${action}'`).test(sources)
  expect(auditActions.filter((action) => !isWritten(action))).toEqual([])
  expect(isWritten('dance')).toBe(false)
})
