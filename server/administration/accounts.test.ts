import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { accounts } from '#contract/accounts/accounts.ts'
import { administration, type PlatformUserDetails } from '#contract/administration/administration.ts'
import { audit } from '#contract/administration/audit.ts'
import { agents } from '#contract/agents/agents.ts'
import { boards } from '#contract/boards/boards.ts'
import { keepers } from '#contract/keepers/keepers.ts'
import { moments } from '#contract/keepers/moments.ts'
import { keys } from '#contract/keys/keys.ts'
import { createResetLink } from '#server/accounts/one-time-link.ts'
import { json } from '#server/db/database.ts'
import { beforeNextBatch } from '#tests/before-next-batch.ts'
import { cast } from '#tests/cast.ts'
import { engines } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import { insertDomain } from '#tests/insert-domain.ts'
import { canaryKeys } from '#tests/provider-app.ts'
import { type Actor, createTestApp, type TestApp } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { runAdminCommand } from './admin-commands.ts'
import { grantRole } from './roles.ts'

describe.each(engines)('account administration, on %s', (engine) => {
  let app: TestApp
  let ada: Actor
  let ben: Actor
  let cleo: Actor
  beforeEach(async () => {
    app = await createTestApp(engine)
    ada = await app.as('ada')
    app.passTime(1000)
    ben = await app.as('ben', ['admin'])
    app.passTime(1000)
    cleo = await app.as('cleo', ['super-admin'])
  })
  afterEach(() => app.close())

  const toParams = (id: string) => ({ params: { id } })
  const showUser = async (id: string, by = ben): Promise<PlatformUserDetails> =>
    (await by.call(administration.user, toParams(id))).data
  const signIn = (name: keyof typeof cast) =>
    app.visitor().call(accounts.login, { body: { email: cast[name].email, password: cast[name].password } })
  const listAuditActions = async (userId: string) =>
    (await cleo.call(audit.list, { query: { userId } })).data.items.map(({ action, actor }) => [action, actor?.id])

  it('lists accounts newest first, page by page, with the total', async () => {
    const fullList = await ben.call(administration.users)
    expect(fullList.data.map(({ id }) => id)).toEqual([cleo.id, ben.id, ada.id])
    expect(fullList.body).toMatchObject({ total: 3, next_cursor: null })
    expect(fullList.data[1]).toEqual({
      id: ben.id,
      name: cast.ben.name,
      email: cast.ben.email,
      platformRoles: ['admin'],
      createdAt: expect.stringMatching(/Z$/),
      lastLoginAt: expect.stringMatching(/Z$/),
      deactivatedAt: null,
    })
    const listedIds: string[] = []
    let cursor: string | null | undefined
    do {
      const page = await ben.call(administration.users, { query: { limit: 1, ...(cursor && { cursor }) } })
      listedIds.push(...page.data.map(({ id }) => id))
      cursor = page.body.next_cursor
    } while (cursor)
    expect(listedIds).toEqual([cleo.id, ben.id, ada.id])
    const matches = await ben.call(administration.users, { query: { search: 'LINDQ' } })
    expect({ ids: matches.data.map(({ id }) => id), total: matches.body.total }).toEqual({ ids: [ada.id], total: 1 })
    for (const query of [{ cursor: 'x' }, { limit: 0 }, { limit: 1001 }])
      expect((await ben.call(administration.users, { query: query as never })).status).toBe(400)
  })

  it('shows counts, but no content, keys or tokens', async () => {
    const canaries = {
      title: 'Harbour canary',
      purpose: 'purpose canary',
      keeperType: 'journal',
      memoryPattern: 'sole',
    }
    // The viewer has the same content, to check that it isn't counted.
    for (const [actor, provider] of [
      [ada, 'openai'],
      [ben, 'anthropic'],
    ] as const) {
      const { id } = (await actor.call(keepers.create, { body: canaries })).data
      await actor.call(moments.create, { params: { id }, body: { body: 'moment canary' } })
      const agent = (await actor.call(agents.create, { body: { name: 'Agent canary', purpose: 'p' } })).data
      await actor.call(boards.create, { body: { name: 'Board canary' } })
      await actor.call(agents.run, { body: { agentId: agent.id, input: 'input canary' } })
      await actor.call(keys.savePersonal, { body: { provider, apiKey: canaryKeys[provider] } })
    }
    const answer = await ben.call(administration.user, toParams(ada.id))
    expect(answer.data).toMatchObject({
      id: ada.id,
      email: cast.ada.email,
      nickname: null,
      platformRoles: [],
      deletesAt: null,
      domains: [{ name: cast.ada.name, role: 'owner' }],
      counts: { keepers: 1, agents: 1, boards: 1, domains: 1, runs: 1, errors: 0 },
      sessions: [{ current: false }],
      keys: [{ provider: 'openai' }],
      mayAct: true,
    })
    const file = await (await ben.fetch(`/api/admin/users/${ada.id}/export`)).text()
    for (const text of [answer.text, file])
      for (const secret of [
        'canary',
        canaryKeys.openai,
        ada.token ?? '',
        cast.ada.password,
        '$argon2id',
        'sealed',
        'token',
      ])
        expect(text).not.toContain(secret)
    await app.services.db.updateTable('runs').set({ status: 'error' }).execute()
    expect((await showUser(ada.id)).counts).toMatchObject({ runs: 1, errors: 1 })
    app.passTime(31 * 24 * 60 * 60 * 1000)
    const newToken = (await signIn('ben')).data.token
    const headers = { authorization: `Bearer ${newToken}` }
    const aged = await app.visitor().call(administration.user, { ...toParams(ada.id), headers })
    expect({ runs: aged.data.counts.runs, sessions: aged.data.sessions }).toEqual({ runs: 0, sessions: [] })
  })

  it('answers 404 for an unknown account on every verb', async () => {
    const { user, signOutEverywhere, deactivate, reactivate, resetLink, exportUser } = administration
    for (const verb of [user, signOutEverywhere, deactivate, reactivate, resetLink, exportUser]) {
      const { status, body } = await ben.call(verb, toParams('nobody'))
      expect({ status, code: body.code }).toEqual({ status: 404, code: 'not-found' })
    }
  })

  it('signing out everywhere ends all sessions and streams, but not signing in', async () => {
    const second = (await signIn('ada')).data.token
    const eventStream = await ada.fetch('/api/events')
    expect((await ben.call(administration.signOutEverywhere, toParams(ada.id))).status).toBe(200)
    // Reads to the end, which only comes when the stream is closed.
    expect(await eventStream.text()).toContain('{"type":"session-ended"}')
    expect((await ada.call(accounts.session)).status).toBe(401)
    const headers = { authorization: `Bearer ${second}` }
    expect((await app.visitor().call(accounts.session, { headers })).status).toBe(401)
    expect((await ben.call(accounts.session)).status).toBe(200)
    expect((await signIn('ada')).status).toBe(200)
    expect((await listAuditActions(ada.id)).slice(0, 2)).toEqual([
      ['signed-in', ada.id],
      ['signed-out-everywhere', ben.id],
    ])
  })

  it('deactivation blocks the token, sign-in and reset links; reactivation restores', async () => {
    const link = (await ben.call(administration.resetLink, toParams(ada.id))).data.link
    await createResetLink(app.services, cleo.id)
    expect((await ben.call(administration.deactivate, toParams(ada.id))).status).toBe(200)
    const links = await app.services.db.selectFrom('one_time_links').select('person_id').execute()
    expect(links, 'another person’s link stays').toEqual([{ person_id: cleo.id }])
    expect((await ada.call(accounts.session)).status).toBe(401)
    const refused = await signIn('ada')
    expect({ status: refused.status, code: (refused.body.error as { code: string }).code }).toEqual({
      status: 403,
      code: 'account-deactivated',
    })
    const token = new URL(link).searchParams.get('reset')
    const reset = { body: { token, newPassword: 'another-lantern-77' } }
    expect((await app.visitor().call(accounts.completePasswordReset, reset)).status).toBe(403)
    expect((await ben.call(administration.resetLink, toParams(ada.id))).status).toBe(409)
    expect((await showUser(ada.id)).deactivatedAt).toMatch(/Z$/)
    const [first] = (await cleo.call(administration.roleUsers, { query: { search: 'ada@' } })).data
    expect(first?.deactivated).toBe(true)

    expect((await ben.call(administration.reactivate, toParams(ada.id))).status).toBe(200)
    expect((await ada.call(accounts.session)).status, 'the old token stays invalid').toBe(401)
    expect((await signIn('ada')).status).toBe(200)
    expect((await showUser(ada.id)).counts.domains).toBe(1)
  })

  it('a repeated deactivation or reactivation is audited once', async () => {
    for (const verb of [administration.deactivate, administration.reactivate])
      for (let repetition = 0; repetition < 2; repetition++)
        expect((await ben.call(verb, toParams(ada.id))).status).toBe(200)
    expect((await listAuditActions(ada.id)).slice(0, 2).map(([action]) => action)).toEqual([
      'account-reactivated',
      'account-deactivated',
    ])
    expect((await listAuditActions(ada.id)).filter(([action]) => action === 'account-deactivated')).toHaveLength(1)
  })

  it('deactivation notifies only people who share a domain', async () => {
    const received: string[] = []
    const [adasDomainId, cleosDomainId] = [
      await insertDomain(app, ada),
      await insertDomain(app, cleo, [[ben, 'friend']]),
    ]
    for (const { id } of [ada, ben, cleo])
      app.services.live.subscribe(id, (event) => {
        // Each of them also has a personal domain.
        if (event.type === 'domains-changed' && [adasDomainId, cleosDomainId].includes(event.domainId ?? ''))
          received.push(event.domainId ?? '')
      })
    await ben.call(administration.deactivate, toParams(ada.id))
    await ben.call(administration.reactivate, toParams(ada.id))
    expect(received).toEqual([adasDomainId, adasDomainId])
    received.length = 0
    await cleo.call(administration.deactivate, toParams(ben.id))
    expect(received.toSorted()).toEqual([cleosDomainId, cleosDomainId])
  })

  it('public lead agents of a deactivated person answer no visitors', async () => {
    const lead = { name: 'Harbour Lead', purpose: 'p', agent_class: 'Lead', memory_enabled: true, visibility: 'public' }
    const { slug, id } = (await ada.call(agents.create, { body: lead })).data
    const getAgentStatus = async () => (await app.visitor().call(agents.bySlug, { query: { slug } })).status
    const getSessionStatus = async () =>
      (await app.visitor().call(agents.createSession, { body: { agentId: id } })).status
    expect({ agentStatus: await getAgentStatus(), sessionStatus: await getSessionStatus() }).toEqual({
      agentStatus: 200,
      sessionStatus: 200,
    })
    await ben.call(administration.deactivate, toParams(ada.id))
    expect({ agentStatus: await getAgentStatus(), sessionStatus: await getSessionStatus() }).toEqual({
      agentStatus: 404,
      sessionStatus: 404,
    })
    await ben.call(administration.reactivate, toParams(ada.id))
    expect({ agentStatus: await getAgentStatus(), sessionStatus: await getSessionStatus() }).toEqual({
      agentStatus: 200,
      sessionStatus: 200,
    })
  })

  it('a reset link sets a password once, and the audit names its creator', async () => {
    const { link } = (await ben.call(administration.resetLink, toParams(ada.id))).data
    const token = new URL(link).searchParams.get('reset') ?? ''
    const body = { token, newPassword: 'another-lantern-77' }
    expect((await app.visitor().call(accounts.completePasswordReset, { body })).status).toBe(200)
    expect((await app.visitor().call(accounts.completePasswordReset, { body })).status).toBe(403)
    const { text } = await cleo.call(audit.list, { query: { userId: ada.id } })
    expect((await listAuditActions(ada.id)).slice(0, 2)).toEqual([
      ['password-reset', ada.id],
      ['reset-link-made', ben.id],
    ])
    expect(text).not.toContain(token)
  })

  it("an admin's reset link stops working once the person gets a role", async () => {
    const { link } = (await ben.call(administration.resetLink, toParams(ada.id))).data
    const body = { userId: ada.id, roleName: 'super-admin' }
    expect((await cleo.call(administration.assignRole, { body })).status).toBe(200)
    const token = new URL(link).searchParams.get('reset') ?? ''
    const answer = await app
      .visitor()
      .call(accounts.completePasswordReset, { body: { token, newPassword: 'another-lantern-77' } })
    expect(answer).toMatchObject({ status: 403, body: { code: 'reset-link-refused' } })
    expect((await ada.call(accounts.session)).data.platformRoles).toEqual(['super-admin'])
  })

  it('an admin acts on no one with more permissions, and not on themselves', async () => {
    const { signOutEverywhere, deactivate, reactivate, resetLink } = administration
    await app.as('dot', ['developer'])
    const dot = await app.as('dot')
    for (const verb of [signOutEverywhere, deactivate, reactivate, resetLink]) {
      for (const [by, to] of [
        [ben, cleo],
        [ben, dot],
        [ben, ben],
        [cleo, cleo],
      ] as const) {
        const { status, body } = await by.call(verb, toParams(to.id))
        expect({ status, code: body.code }).toEqual({ status: 403, code: 'forbidden' })
      }
    }
    expect((await showUser(cleo.id)).mayAct).toBe(false)
    expect((await showUser(ben.id)).mayAct).toBe(false)
    expect((await showUser(ben.id, cleo)).mayAct).toBe(true)
    for (const actor of [ben, cleo, dot]) expect((await actor.call(accounts.session)).status).toBe(200)
    expect((await cleo.call(signOutEverywhere, toParams(ben.id))).status).toBe(200)
    expect((await ben.call(accounts.session)).status).toBe(401)
  })

  it('the export is a file with details and audit, and is audited itself', async () => {
    const response = await ben.fetch(`/api/admin/users/${ada.id}/export`)
    expect(response.headers.get('content-disposition')).toMatch(/attachment; filename="keeper-account-.*\.json"/)
    const file = JSON.parse(await response.text())
    expect(file).toMatchObject({ format: 'keeper-account', version: 1, account: { id: ada.id, email: cast.ada.email } })
    expect(file.audit.map((event: { action: string }) => event.action)).toEqual([
      'account-exported',
      'account-registered',
    ])
  })

  it('the export contains the whole audit of a busy person', async () => {
    const event = { action: 'signed-in', actor_id: ada.id, person_id: ada.id, domain_id: null, subject: null } as const
    const toId = (at: number) => at.toString(16).padStart(32, '0')
    for (let from = 0; from < 10_500; from += 500) {
      const batch = Array.from({ length: 500 }, (_, index) => ({
        ...event,
        id: toId(from + index),
        at: 1_700_000_000_000 + from + index,
      }))
      await app.services.db
        .insertInto('audit_events')
        .values(batch.map((row) => ({ ...row, details: json({}) })))
        .execute()
    }
    const response = await ben.fetch(`/api/admin/users/${ada.id}/export`)
    const file = JSON.parse(await response.text()) as { audit: { id: string }[] }
    expect(new Set(file.audit.map(({ id }) => id)).size).toBe(10_502)
    expect(file.audit).toHaveLength(10_502)
    expect(file.audit.at(-1)?.id).toBe(toId(0))
  })
})

const freshPassword = 'a-fresh-word-77'

describe.each(engines)('reset links and account permissions, on %s', (engine) => {
  const { app, ada, ben, cleo } = useTestApp(engine, ['ada', 'ben', 'cleo'], {
    perTest: true,
    roles: { ben: ['admin'], cleo: ['super-admin'] },
  })

  const toParams = (id: string) => ({ params: { id } })
  const grant = (by = cleo) =>
    by.call(administration.assignRole, { body: { userId: ada.id, roleName: 'super-admin' } as const })
  const createLink = (by: Actor) => by.call(administration.resetLink, toParams(ada.id))
  const parseResetToken = (text = '') => /\?reset=(\S+)/.exec(text)?.[1] ?? ''
  const completeReset = (token: string, newPassword = freshPassword) =>
    app.visitor().call(accounts.completePasswordReset, { body: { token, newPassword } })
  const requestEmailedToken = async () => {
    const previous = app.mails.length
    await app.visitor().call(accounts.requestPasswordReset, { body: { email: cast.ada.email } })
    await eventually(() => expect(app.mails).toHaveLength(previous + 1))
    return parseResetToken(app.mails.at(-1)?.text)
  }
  const listLinks = () => app.services.db.selectFrom('one_time_links').selectAll().execute()
  const listRolesOfAda = async () =>
    (await app.services.db.selectFrom('role_grants').select('role').where('person_id', '=', ada.id).execute()).map(
      ({ role }) => role,
    )
  const beforeLinkWrite = (change: () => Promise<unknown>) =>
    beforeNextBatch(app, change, 'insert into "one_time_links"')

  it("an admin can't create a link for someone just given a role", async () => {
    beforeLinkWrite(async () => expect((await grant()).status).toBe(200))
    const refused = await createLink(ben)
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect(await listLinks()).toEqual([])
    expect((await createLink(cleo)).status, 'a super-admin can create one').toBe(200)
  })

  it("a super-admin's link is created despite a concurrent grant", async () => {
    beforeLinkWrite(() => grantRole(app.services, { personId: ada.id, role: 'viewer', by: null }))
    const { data, status } = await createLink(cleo)
    expect(status).toBe(200)
    expect((await completeReset(parseResetToken(data.link))).status).toBe(200)
  })

  it('an account deactivated concurrently gets no link, emailed or handed over', async () => {
    const deactivate = async () =>
      expect((await cleo.call(administration.deactivate, toParams(ada.id))).status).toBe(200)
    beforeLinkWrite(deactivate)
    const refused = await createLink(ben)
    expect(refused).toMatchObject({ status: 409, body: { error: 'This account is deactivated. Reactivate it first.' } })
    await expect(runAdminCommand(app.services, ['reset-link', cast.ada.email])).rejects.toThrow('is deactivated')
    await cleo.call(administration.reactivate, toParams(ada.id))
    const transactionWritten = Promise.withResolvers<void>()
    beforeLinkWrite(async () => {
      await deactivate()
      transactionWritten.resolve()
    })
    await app.visitor().call(accounts.requestPasswordReset, { body: { email: cast.ada.email } })
    await transactionWritten.promise
    // The email would be sent in the same tick as the response.
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect({ links: await listLinks(), mails: app.mails }).toEqual({ links: [], mails: [] })
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
      expect(await listLinks()).toEqual([])
    })

  it('a password an admin may know blocks roles until another reset', async () => {
    const first = parseResetToken((await createLink(ben)).data.link)
    expect((await completeReset(first)).status).toBe(200)
    const signedIn = await app
      .visitor()
      .call(accounts.login, { body: { email: cast.ada.email, password: freshPassword } })
    const refused = await grant()
    expect(refused).toMatchObject({ status: 409, body: { error: expect.stringMatching(/Create a new reset link/) } })
    await expect(runAdminCommand(app.services, ['grant', cast.ada.email, 'viewer'])).rejects.toThrow('reset link')
    // Anyone who knows the password can change it.
    const headers = { authorization: `Bearer ${signedIn.data.token}` }
    const body = { currentPassword: freshPassword, newPassword: 'another-word-78' }
    expect((await app.visitor().call(accounts.changePassword, { body, headers })).status).toBe(200)
    expect((await grant()).status).toBe(409)
    expect(await listRolesOfAda()).toEqual([])

    expect((await completeReset(parseResetToken((await createLink(cleo)).data.link), 'a-third-word-79')).status).toBe(
      200,
    )
    expect((await app.visitor().call(accounts.session, { headers })).status, 'earlier sessions are signed out').toBe(
      401,
    )
    expect((await grant()).status).toBe(200)
    expect(await listRolesOfAda()).toEqual(['super-admin'])
  })

  it('an emailed link also lifts the block; command-line links never set one', async () => {
    await completeReset(parseResetToken((await createLink(ben)).data.link))
    expect((await completeReset(await requestEmailedToken(), 'a-third-word-79')).status).toBe(200)
    expect((await grant()).status).toBe(200)
    const output = await runAdminCommand(app.services, ['reset-link', cast.ben.email])
    expect((await completeReset(parseResetToken(output))).status).toBe(200)
    await grantRole(app.services, { personId: ben.id, role: 'analyst', by: null })
  })

  it('an unknown account is a 404; granting an existing role changes nothing', async () => {
    const body = { userId: 'nobody', roleName: 'viewer' } as const
    expect((await cleo.call(administration.assignRole, { body })).status).toBe(404)
    await completeReset(parseResetToken((await createLink(ben)).data.link))
    await app.as('ada', ['viewer'])
    const currentRole = { userId: ada.id, roleName: 'viewer' } as const
    expect((await cleo.call(administration.assignRole, { body: currentRole })).status).toBe(200)
  })

  it("emailed links don't revoke a handed-over one; the first use revokes all", async () => {
    const handedOver = parseResetToken((await createLink(ben)).data.link)
    const byMail = [await requestEmailedToken(), await requestEmailedToken()]
    expect((await completeReset(handedOver)).status).toBe(200)
    for (const token of byMail) expect((await completeReset(token)).status).toBe(403)
  })

  it('a handed-over link revokes earlier ones', async () => {
    const previous = [parseResetToken((await createLink(ben)).data.link), await requestEmailedToken()]
    await createLink(cleo)
    for (const token of previous) expect((await completeReset(token)).status).toBe(403)
  })
})
