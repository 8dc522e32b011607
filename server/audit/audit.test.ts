import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { accounts } from '#contract/accounts/accounts.ts'
import { ownAccount } from '#contract/accounts/own-account.ts'
import { administration } from '#contract/administration/administration.ts'
import { type AuditAction, audit, auditActions } from '#contract/administration/audit.ts'
import { agents } from '#contract/agents/agents.ts'
import { intent } from '#contract/agents/intent.ts'
import { type BudgetScope, usageCalls } from '#contract/agents/usage.ts'
import { versions } from '#contract/agents/versions.ts'
import { boardSharing } from '#contract/boards/board-sharing.ts'
import { boards } from '#contract/boards/boards.ts'
import { keys } from '#contract/keys/keys.ts'
import { runAdminCommand } from '#server/administration/admin-commands.ts'
import { dayMs } from '#server/values/time-units.ts'
import { cast } from '#tests/cast.ts'
import { engines } from '#tests/engines.ts'
import { canaryPlatformKeys } from '#tests/provider-app.ts'
import { isTest, readSourceTree } from '#tests/source-tree.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { AuditLimit, insertAudit, maxActionsPerDay } from './write-audit.ts'

describe.each(engines)('the audit trail, on %s', (engine) => {
  const { app, ada, cleo } = useTestApp(engine, ['ada', 'cleo'], { perTest: true, roles: { cleo: ['super-admin'] } })

  const listEntries = async (query: Record<string, string | number> = {}) =>
    (await cleo.call(audit.list, { query })).data
  const listActions = async (userId: string) => (await listEntries({ userId })).items.map(({ action }) => action)
  const writeEntries = (count: number, action: AuditAction = 'member-added') =>
    app.services.db.batch(
      Array.from({ length: count }, (_, index) =>
        insertAudit(app.services, { action, actor: ada, subject: `number ${index}` }),
      ),
    )

  it('is append-only, whatever the SQL', async () => {
    const { db } = app.services
    const previous = (await listEntries()).items
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
    expect((await listEntries()).items).toEqual(previous)
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
    let batchCount = 0
    const { db } = app.services
    const batch = db.batch.bind(db)
    db.batch = (writes) => {
      batchCount++
      return batch(writes)
    }
    expect((await app.visitor().call(accounts.login, { body: { email, password } })).status).toBe(200)
    expect(batchCount).toBe(1)
  })

  it('names platform keys saved, switched and removed, never the key', async () => {
    const saveKey = (is_active: boolean) =>
      cleo.call(keys.savePlatform, { body: { provider: 'openai', api_key: canaryPlatformKeys.openai, is_active } })
    await saveKey(true)
    await saveKey(false)
    await cleo.call(keys.removePlatform, { params: { provider: 'openai' } })
    expect((await cleo.call(keys.removePlatform, { params: { provider: 'openai' } })).status).toBe(404)
    const { items } = await listEntries({ userId: cleo.id })
    const keyEntries = items.filter(({ action }) => action.startsWith('platform-key'))
    expect(keyEntries.map(({ action, subject }) => [action, subject]).toSorted()).toEqual([
      ['platform-key-removed', 'openai'],
      ['platform-key-saved', 'openai'],
      ['platform-key-saved', 'openai'],
      ['platform-key-switched', 'openai'],
    ])
    expect(keyEntries.find(({ action }) => action === 'platform-key-switched')?.details).toEqual({
      from: 'on',
      to: 'off',
    })
    expect(JSON.stringify(items)).not.toContain(canaryPlatformKeys.openai)
  })

  it('has no actor for the command line', async () => {
    await runAdminCommand(app.services, ['grant', cast.ada.email, 'viewer'])
    await runAdminCommand(app.services, ['reset-link', cast.ada.email])
    const { items } = await listEntries({ userId: ada.id })
    expect(items.slice(0, 2).map(({ actor }) => actor)).toEqual([null, null])
    expect(new Set(items.slice(0, 2).map(({ action }) => action))).toEqual(new Set(['role-granted', 'reset-link-made']))
  })

  it('pages without repeating or losing entries, even during writes', async () => {
    await writeEntries(120)
    const listedIds: string[] = []
    let cursor: string | null | undefined
    do {
      const page = await listEntries({ limit: 50, action: 'member-added', ...(cursor && { cursor }) })
      listedIds.push(...page.items.map(({ id }) => id))
      cursor = page.next_cursor
      await writeEntries(5)
    } while (cursor)
    expect(new Set(listedIds).size).toBe(listedIds.length)
    expect(listedIds.length).toBe(120)
    for (const query of [{ cursor: 'x' }, { cursor: '1-' }, { limit: 101 }, { action: 'dance' }, { from: 'today' }])
      expect((await cleo.call(audit.list, { query: query as never })).status).toBe(400)
  })

  it('filters by person, action, domain and days, including the last day', async () => {
    const { services } = app
    const toDay = (at: Date) => at.toISOString().slice(0, 10)
    const today = toDay(services.now())
    await services.db.batch([
      insertAudit(services, { action: 'domain-changed', actor: cleo, domainId: 'deleted-domain' }),
    ])
    expect((await listEntries({ domainId: 'deleted-domain' })).items).toMatchObject([
      { action: 'domain-changed', domain: { id: 'deleted-domain', name: null }, actor: { id: cleo.id } },
    ])
    expect(
      (await listEntries({ action: 'account-registered' })).items.map(({ actor }) => actor?.id).toSorted(),
    ).toEqual([ada.id, cleo.id].toSorted())
    expect((await listEntries({ from: today, to: today })).items.length).toBeGreaterThan(2)
    app.passTime(24 * 60 * 60 * 1000)
    expect((await listEntries({ from: toDay(services.now()) })).items).toEqual([])
    expect((await listEntries({ to: today })).items.length).toBeGreaterThan(2)
  })

  it("shows a person's name while they exist, and only the id afterwards", async () => {
    await app.services.db.batch([
      insertAudit(app.services, { action: 'account-deleted', actor: null, personId: 'deleted-person' }),
    ])
    expect((await listEntries({ userId: 'deleted-person' })).items[0]?.person).toEqual({
      id: 'deleted-person',
      name: null,
    })
    expect((await listEntries({ userId: ada.id })).items[0]?.person).toEqual({ id: ada.id, name: cast.ada.name })
  })

  it('exports every listed event as CSV, with formulas defused', async () => {
    // Two days of 550 entries, since one person's daily limit is lower than 1,100.
    for (let days = 0; days < 2; days++) {
      app.passTime(24 * 60 * 60_000)
      await writeEntries(550)
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
    const previous = (await listEntries()).items.length
    await ada.call(administration.assignRole, { body: { userId: ada.id, roleName: 'super-admin' } })
    await cleo.call(administration.removeRole, { body: { userId: cleo.id, roleName: 'super-admin' } })
    await cleo.call(administration.deactivate, { params: { id: cleo.id } })
    expect((await listEntries()).items).toHaveLength(previous)
  })

  it('has no duplicate actions', () => {
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

const budgetActions: AuditAction[] = ['budget-set', 'model-price-set', 'model-price-removed']
const contextTextActions: AuditAction[] = ['context-text-set', 'context-text-reset']

describe.each(engines)("audit of administrators' settings, on %s", (engine) => {
  const { app, ada, cleo } = useTestApp(engine, ['ada', 'cleo'], { perTest: true, roles: { cleo: ['super-admin'] } })

  /** Entries of these actions, oldest first; none of them names a person or domain. */
  const listAuditEntries = async (actions: AuditAction[]) => {
    const { items } = (await cleo.call(audit.list)).data
    const entries = items.filter(({ action }) => actions.includes(action)).reverse()
    for (const { person, domain } of entries) expect({ person, domain }).toEqual({ person: null, domain: null })
    return entries.map(({ actor, action, subject, details }) => [actor?.id, action, subject, details])
  }
  /** Gives each action its own time, so that the order is defined. */
  const withOwnTime = <T>(action: Promise<T>) => action.finally(() => app.passTime(1000))
  const setBudget = (actor: Actor, scope: BudgetScope, limit_usd: number | null, options: object = {}) =>
    withOwnTime(actor.call(usageCalls.setBudget, { body: { scope, limit_usd, ...options } }))
  const setPrice = (actor: Actor, model: string, input_usd: number, output_usd: number) =>
    withOwnTime(actor.call(usageCalls.setPrice, { body: { provider: 'openai', model, input_usd, output_usd } }))
  const removePrice = (actor: Actor, model: string) =>
    withOwnTime(actor.call(usageCalls.removePrice, { body: { provider: 'openai', model } }))
  const setContextText = (actor: Actor, body: string, ifMatch?: number) =>
    withOwnTime(actor.call(intent.setContextText, { params: { scope: 'codebase' }, body: { body }, ifMatch }))

  it('a platform budget change is audited with old and new values', async () => {
    await setBudget(cleo, 'platform', 20)
    await setBudget(cleo, 'platform', 12.5, { warn_at_percent: 50 })
    await setBudget(cleo, 'platform', 12.5, { warn_at_percent: 60 })
    await setBudget(cleo, 'each_person', 2)
    await setBudget(cleo, 'visitors', 3)
    await setBudget(cleo, 'visitors', null)
    expect(await listAuditEntries(budgetActions)).toEqual([
      [cleo.id, 'budget-set', 'platform', { from: 'no limit', to: '$20.00' }],
      [cleo.id, 'budget-set', 'platform', { from: '$20.00', to: '$12.50', warnAtPercent: '50' }],
      [cleo.id, 'budget-set', 'platform', { warnAtPercent: '60' }],
      [cleo.id, 'budget-set', 'each_person', { from: 'no limit', to: '$2.00' }],
      [cleo.id, 'budget-set', 'visitors', { from: '$1.00', to: '$3.00' }],
      [cleo.id, 'budget-set', 'visitors', { from: '$3.00', to: 'no limit' }],
    ])
  })

  it("one's own, refused and unchanged budgets are not audited", async () => {
    for (const actor of [ada, cleo])
      expect((await setBudget(actor, 'mine', 5, { warn_at_percent: 50 })).status).toBe(200)
    for (const scope of ['platform', 'each_person', 'visitors'] as const)
      expect((await setBudget(ada, scope, 3)).status).toBe(403)
    expect((await setBudget(cleo, 'platform', -1)).status).toBe(400)
    await setBudget(cleo, 'platform', null, { warn_at_percent: 80 })
    await setBudget(cleo, 'visitors', 1)
    expect(await listAuditEntries(budgetActions)).toEqual([])
    await setBudget(cleo, 'platform', 7)
    expect((await setBudget(cleo, 'platform', 7)).data).toMatchObject({ limit_usd: 7, warn_at_percent: 80 })
    expect(await listAuditEntries(budgetActions)).toHaveLength(1)
  })

  it('concurrent identical changes create one entry', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => setBudget(cleo, 'platform', 4)))
    expect(answers.map(({ status, data }) => [status, data.limit_usd])).toEqual(Array(3).fill([200, 4]))
    const prices = await Promise.all([1, 2, 3].map(() => setPrice(cleo, 'gpt-4o', 1, 2)))
    expect(prices.map(({ status, data }) => [status, data.output_usd])).toEqual(Array(3).fill([200, 2]))
    const removed = await Promise.all([1, 2, 3].map(() => removePrice(cleo, 'gpt-4o')))
    expect(removed.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await listAuditEntries(budgetActions)).map(([, action]) => action)).toEqual([
      'budget-set',
      'model-price-set',
      'model-price-removed',
    ])
  })

  it('setting and removing a price is audited, with or without a default', async () => {
    await setPrice(cleo, 'gpt-4o', 1, 20)
    await setPrice(cleo, 'gpt-4o', 1, 0.000001)
    await removePrice(cleo, 'gpt-4o')
    await setPrice(cleo, 'gpt-new', 3, 4)
    await removePrice(cleo, 'gpt-new')
    expect(await listAuditEntries(budgetActions)).toEqual([
      [
        cleo.id,
        'model-price-set',
        'openai/gpt-4o',
        { from: '$2.50 in, $1.25 cached, $10.00 out', to: '$1.00 in, $20.00 out' },
      ],
      [cleo.id, 'model-price-set', 'openai/gpt-4o', { from: '$1.00 in, $20.00 out', to: '$1.00 in, $0.000001 out' }],
      [
        cleo.id,
        'model-price-removed',
        'openai/gpt-4o',
        { from: '$1.00 in, $0.000001 out', to: '$2.50 in, $1.25 cached, $10.00 out' },
      ],
      [cleo.id, 'model-price-set', 'openai/gpt-new', { from: null, to: '$3.00 in, $4.00 out' }],
      [cleo.id, 'model-price-removed', 'openai/gpt-new', { from: '$3.00 in, $4.00 out', to: null }],
    ])
  })

  it('a refused, unchanged or unknown price is not audited', async () => {
    expect((await setPrice(ada, 'gpt-4o', 1, 2)).status).toBe(403)
    expect((await setPrice(cleo, 'gpt-4o', -1, 2)).status).toBe(400)
    expect((await removePrice(cleo, 'gpt-4o')).status).toBe(200)
    expect(await listAuditEntries(budgetActions)).toEqual([])
    const first = (await setPrice(cleo, 'gpt-4o', 1, 2)).data
    expect((await setPrice(cleo, 'gpt-4o', 1, 2)).data).toEqual(first)
    expect((await removePrice(ada, 'gpt-4o')).status).toBe(403)
    expect(await listAuditEntries(budgetActions)).toHaveLength(1)
  })

  it('changing or resetting a context text is audited by scope, without the text', async () => {
    const canaries = ['The canary sings in src.', 'The canary sleeps in lib.']
    for (const body of canaries) expect((await setContextText(cleo, body)).status).toBe(200)
    await setContextText(cleo, '')
    expect(await listAuditEntries(contextTextActions)).toEqual([
      [cleo.id, 'context-text-set', 'codebase', {}],
      [cleo.id, 'context-text-set', 'codebase', {}],
      [cleo.id, 'context-text-reset', 'codebase', {}],
    ])
    const rows = await app.services.db.selectFrom('audit_events').selectAll().execute()
    const csv = await (await cleo.fetch('/api/admin/audit/export')).text()
    for (const text of [JSON.stringify(rows), csv, app.logLines.join('\n')]) expect(text).not.toContain('canary')
  })

  it('a refused, stale or unchanged context text is not audited', async () => {
    expect((await setContextText(ada, 'Mine.')).status).toBe(403)
    expect((await setContextText(cleo, ' \n')).data.rev).toBe(0)
    expect((await setContextText(cleo, 'x'.repeat(50_001))).status).toBe(400)
    expect((await setContextText(cleo, 'One.', 12)).status).toBe(409)
    expect(await listAuditEntries(contextTextActions)).toEqual([])
    const first = (await setContextText(cleo, 'One.')).data
    expect((await setContextText(cleo, 'One.', first.rev)).data).toEqual(first)
    const answers = await Promise.all(['Two.', 'Three.'].map((body) => setContextText(cleo, body, first.rev)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await listAuditEntries(contextTextActions)).toHaveLength(2)
  })

  it("changes to built-in agents are audited, but not to one's own agents", async () => {
    const agentActions: AuditAction[] = ['built-in-agent-changed']
    const listedAgents = (await cleo.call(agents.list)).data
    const kip = listedAgents.find(({ owner_id }) => owner_id === null)
    if (!kip) throw new Error('no agent comes with Keeper')
    const rename = (actor: Actor, id: string, name: string, ifMatch?: number) =>
      withOwnTime(actor.call(agents.update, { body: { id, name }, ifMatch }))
    const ownAgent = (await ada.call(agents.create, { body: { name: 'Own', purpose: 'Mine alone.' } })).data
    expect((await rename(ada, ownAgent.id, 'Canary')).status).toBe(200)
    expect((await rename(ada, kip.id, 'Canary')).status).toBe(403)
    expect((await rename(cleo, kip.id, 'Canary', kip.rev + 5)).status).toBe(409)
    expect(await listAuditEntries(agentActions)).toEqual([])
    expect((await rename(cleo, kip.id, 'Canary', kip.rev)).status).toBe(200)
    const restored = await withOwnTime(
      cleo.call(versions.restore, { params: { agentId: kip.id, version: `${kip.rev}` } }),
    )
    expect(restored.data.agent.name).toBe(kip.name)
    const expectedEntry = [cleo.id, 'built-in-agent-changed', kip.slug, {}]
    expect(await listAuditEntries(agentActions)).toEqual([expectedEntry, expectedEntry])
  })
})

describe.each(engines)('audited actions of one person, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'], { perTest: true })
  let params: { id: string }
  beforeEach(async () => {
    params = { id: (await ada.call(boards.create, { body: {} })).data.id }
    app.passTime(dayMs - (app.services.now().getTime() % dayMs))
  })

  const createLink = () => ada.call(boardSharing.makeLink, { params })
  const countRowsOfAda = async () => {
    const { rowCount } = await app.services.db
      .selectFrom('audit_events')
      .select(({ fn }) => fn.countAll<number | string>().as('rowCount'))
      .where('actor_id', '=', ada.id)
      .executeTakeFirstOrThrow()
    return Number(rowCount)
  }

  it('are refused for the day after a thousand, except revoking and signing in', async () => {
    for (let count = 1; count < maxActionsPerDay; count++)
      app.services.auditLimit.count('board-link-made', ada.id, app.services.now())
    expect((await createLink()).status).toBe(200)
    const previousCount = await countRowsOfAda()
    const refused = await createLink()
    expect({ status: refused.status, error: refused.body.error }).toEqual({
      status: 429,
      error: expect.stringContaining('Try again tomorrow'),
    })
    expect(await countRowsOfAda()).toBe(previousCount)
    expect((await ada.call(boardSharing.removeLink, { params })).status).toBe(200)
    const { email, password } = cast.ada
    expect((await app.visitor().call(accounts.login, { body: { email, password } })).status).toBe(200)
    expect((await ada.call(boards.create, { body: {} })).status).toBe(200)
    expect((await (await app.as('ben')).call(boards.create, { body: {} })).status).toBe(200)
    app.passTime(dayMs)
    expect((await createLink()).status).toBe(200)
  })

  it('leave no row for signing out everywhere without a session', async () => {
    await ada.call(ownAccount.endOtherSessions)
    const previousCount = await countRowsOfAda()
    expect((await ada.call(ownAccount.endOtherSessions)).status).toBe(200)
    expect(await countRowsOfAda()).toBe(previousCount)
    expect((await ada.call(accounts.session)).status).toBe(200)
  })
})

it('a new action is limited by default', () => {
  const limited = auditActions.filter((action) => {
    const limit = new AuditLimit()
    try {
      for (let count = 0; count <= maxActionsPerDay; count++) limit.count(action, 'ada', new Date(0))
      return false
    } catch {
      return true
    }
  })
  expect(limited).toEqual(expect.arrayContaining(['signed-in', 'keeper-shared', 'domain-changed', 'person-noted']))
  for (const action of ['session-ended', 'keeper-unshared', 'invitation-revoked', 'account-deleted'] as const)
    expect(limited).not.toContain(action)
})
