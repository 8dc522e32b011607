import { describe, expect, it } from 'vitest'
import { accounts } from '#contract/accounts/accounts.ts'
import { firstKeeperTitle, ownAccount } from '#contract/accounts/own-account.ts'
import { agents } from '#contract/agents/agents.ts'
import { diagnostics } from '#contract/diagnostics/diagnostics.ts'
import { domains } from '#contract/domains/domains.ts'
import { invitations } from '#contract/domains/invitations.ts'
import { keepers } from '#contract/keepers/keepers.ts'
import { moments } from '#contract/keepers/moments.ts'
import { getSampleKeeperId, sampleKeeper } from '#contract/keepers/sample-keeper.ts'
import { keys } from '#contract/keys/keys.ts'
import { cast } from '#tests/cast.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import { insertDomain } from '#tests/insert-domain.ts'
import { toRequest } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

describe.each(engines)("one's own sessions, on %s", (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'])

  async function openAnotherSession(userAgent?: string) {
    const { email, password } = cast.ada
    const { path, init } = toRequest(accounts.login, {
      body: { email, password },
      ...(userAgent && { headers: { 'user-agent': userAgent } }),
    })
    const { data } = (await (await app.fetch(path, init)).json()) as { data: { token: string } }
    const authorization = `Bearer ${data.token}`
    const request = (url: string) => app.fetch(url, { headers: { authorization } })
    return { token: data.token, request, status: async () => (await request('/api/kam/auth/session')).status }
  }
  const listSessions = async (actor = ada) => (await actor.call(ownAccount.sessions)).data
  const countAuditEntries = async (action: 'session-ended' | 'signed-out-everywhere') =>
    (
      await app.services.db
        .selectFrom('audit_events')
        .selectAll()
        .where('action', '=', action)
        .where('person_id', '=', ada.id)
        .execute()
    ).length

  it('lists the current session first, with browsers and without tokens', async () => {
    const other = await openAnotherSession(firefox)
    const listed = await listSessions()
    expect(listed.map(({ current, device }) => [current, device])).toEqual([
      [true, null],
      [false, 'Firefox on Linux'],
    ])
    const text = JSON.stringify(listed)
    for (const hidden of [ada.token ?? '-', other.token, 'Mozilla', 'hash']) expect(text).not.toContain(hidden)
    const rows = await app.services.db.selectFrom('sessions').select('device').execute()
    expect(JSON.stringify(rows)).not.toContain('Mozilla')
    expect(await listSessions(ben)).toHaveLength(1)
  })

  it("an expired session isn't listed", async () => {
    await openAnotherSession(firefox)
    const previous = (await listSessions()).length
    await app.services.db
      .updateTable('sessions')
      .set({ expires_at: app.services.now().getTime() })
      .where('person_id', '=', ada.id)
      .where('device', '=', 'Firefox on Linux')
      .execute()
    expect((await listSessions()).length).toBeLessThan(previous)
    expect((await listSessions()).every(({ device }) => device === null)).toBe(true)
  })

  it('ending one immediately invalidates its token and stream, and no other', async () => {
    const [doomed, spared] = [await openAnotherSession(firefox), await openAnotherSession()]
    expect({ doomedStatus: await doomed.status(), sparedStatus: await spared.status() }).toEqual({
      doomedStatus: 200,
      sparedStatus: 200,
    })
    const stream = await doomed.request('/api/events')
    const text = stream.text()
    const [target] = (await listSessions()).filter(({ device }) => device === 'Firefox on Linux')
    const previous = await countAuditEntries('session-ended')
    expect((await ada.call(ownAccount.endSession, { params: { id: target?.id ?? '' } })).status).toBe(200)
    expect({ doomedStatus: await doomed.status(), sparedStatus: await spared.status() }).toEqual({
      doomedStatus: 401,
      sparedStatus: 200,
    })
    expect(await text).toContain('session-ended')
    expect(await countAuditEntries('session-ended')).toBe(previous + 1)
    expect((await listSessions()).some(({ id }) => id === target?.id)).toBe(false)
  })

  it("Ben's session answers Ada like an unknown one, and continues", async () => {
    const [bens] = await listSessions(ben)
    const previous = await countAuditEntries('session-ended')
    const refused = await ada.call(ownAccount.endSession, { params: { id: bens?.id ?? '' } })
    const none = await ada.call(ownAccount.endSession, { params: { id: app.services.newId() } })
    expect(refused.status).toBe(404)
    expect({ ...refused.body, requestId: '' }).toEqual({ ...none.body, requestId: '' })
    expect((await ben.call(accounts.session)).status).toBe(200)
    expect(await countAuditEntries('session-ended')).toBe(previous)
  })

  it('ending a session twice concurrently ends it once', async () => {
    await openAnotherSession(firefox)
    const [target] = (await listSessions()).filter(({ device }) => device === 'Firefox on Linux')
    const end = () => ada.call(ownAccount.endSession, { params: { id: target?.id ?? '' } })
    const statuses = (await Promise.all([end(), end()])).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 404])
  })

  it('ending all others keeps the current one', async () => {
    const otherSessions = [await openAnotherSession(firefox), await openAnotherSession()]
    expect((await ada.call(ownAccount.endOtherSessions)).status).toBe(200)
    expect(await Promise.all(otherSessions.map((session) => session.status()))).toEqual([401, 401])
    expect((await listSessions()).map(({ current }) => current)).toEqual([true])
    expect(await countAuditEntries('signed-out-everywhere')).toBe(1)
    expect((await ben.call(accounts.session)).status).toBe(200)
  })

  it('an open page is notified whenever the list changes', async () => {
    const received: string[] = []
    const unsubscribe = app.services.live.subscribe(ada.id, ({ type }) => received.push(type))
    const expectPublished = async (action: () => Promise<unknown>) => {
      received.length = 0
      await action()
      await eventually(() => expect(received).toContain('account-changed'))
    }
    let otherToken = ''
    await expectPublished(async () => {
      otherToken = (await openAnotherSession()).token
    })
    const { path, init } = toRequest(accounts.logout)
    const headers = { ...init.headers, authorization: `Bearer ${otherToken}` }
    await expectPublished(async () => app.fetch(path, { ...init, headers }))
    await openAnotherSession()
    await expectPublished(() => ada.call(ownAccount.endOtherSessions))
    await openAnotherSession()
    const body = { currentPassword: cast.ada.password, newPassword: 'a-fresh-word-77' }
    await expectPublished(() => ada.call(accounts.changePassword, { body }))
    unsubscribe()
  })
})

const android =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36'

describe.each(engines)('the first steps, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'], { perTest: true })
  const fetchFirstSteps = async (actor = ada) => (await actor.call(ownAccount.firstSteps)).data
  const dismiss = (dismissed: boolean) => ada.call(ownAccount.dismissFirstSteps, { body: { dismissed } })

  it('each is done once its entity exists, and not before', async () => {
    expect(await fetchFirstSteps()).toEqual({ done: [], dismissed: false })

    const first = await createTestKeeper(ada, { title: firstKeeperTitle })
    expect(
      (await fetchFirstSteps()).done,
      'a keeper created for a moment does not count as created by the person',
    ).toEqual([])
    const { data: moment } = await ada.call(moments.create, {
      params: { id: first.id },
      body: { body: 'Eleven cormorants.' },
    })
    expect((await fetchFirstSteps()).done).toEqual(['moment'])

    const { data: kip } = await ada.call(agents.bySlug, { query: { slug: 'kip' } })
    const { status } = await ada.call(agents.run, { body: { agentId: kip.id, input: 'What do you notice?' } })
    expect(status).toBe(200)
    expect((await fetchFirstSteps()).done).toEqual(['moment', 'answer'])

    await ada.call(keepers.update, { params: { id: first.id }, body: { title: 'The house' } })
    expect((await fetchFirstSteps()).done).toEqual(['moment', 'answer', 'keeper'])

    await ada.call(keys.savePersonal, { body: { provider: 'openai', apiKey: 'sk-a-key-of-nobody-0123456789' } })
    expect((await fetchFirstSteps()).done).toEqual(['moment', 'answer', 'keeper', 'key'])

    const { email, password } = cast.ada
    const { path, init } = toRequest(accounts.login, { body: { email, password }, headers: { 'user-agent': android } })
    expect((await app.fetch(path, init)).status).toBe(200)
    expect((await fetchFirstSteps()).done).toEqual(['moment', 'answer', 'keeper', 'key', 'phone'])

    const { data: ownDomains } = await ada.call(domains.mine)
    const invited = await ada.call(invitations.create, {
      params: { id: ownDomains[0]?.id ?? '' },
      body: { emails: ['friend@example.com'], role: 'friend' },
    })
    expect(invited.status, invited.text).toBe(200)
    expect((await fetchFirstSteps()).done).toEqual(['moment', 'answer', 'keeper', 'key', 'phone', 'invite'])

    await ada.call(moments.remove, { params: { id: moment.id } })
    expect((await fetchFirstSteps()).done).not.toContain('moment')
    expect(await fetchFirstSteps(ben), 'Ben has none of these sessions').toEqual({ done: [], dismissed: false })
  })

  it("inviting counts once another person is in one's own domain", async () => {
    const cleo = await app.as('cleo')
    await insertDomain(app, ada, [[ada, 'user']])
    await insertDomain(app, cleo, [[ben, 'friend']])
    expect((await fetchFirstSteps(ada)).done).toEqual([])
    expect((await fetchFirstSteps(ben)).done).toEqual([])
    expect((await fetchFirstSteps(cleo)).done).toEqual(['invite'])
  })

  it("a diagnostics run doesn't count as an answer", async () => {
    const { data: kip } = await ada.call(agents.bySlug, { query: { slug: 'kip' } })
    const { data: session } = await ada.call(agents.createSession, { body: { agentId: kip.id } })
    const runInput = { agentId: kip.id, input: 'Answer with one word: ping', sessionId: session.id }
    const ran = await ada.call(agents.run, { body: { ...runInput, origin: 'diagnostics' } })
    expect(ran.status, ran.text).toBe(200)
    const { status } = await ada.call(diagnostics.modelProviderTest, {
      body: { provider: 'openai', messages: [{ role: 'user', content: 'ping' }] },
    })
    expect(status).toBe(200)
    expect((await fetchFirstSteps()).done).toEqual([])
    await ada.call(agents.run, { body: runInput })
    expect((await fetchFirstSteps()).done).toEqual(['answer'])
  })

  it("content of the sample keeper doesn't count", async () => {
    await ada.call(sampleKeeper.make, { body: {} })
    await ada.call(keepers.update, { params: { id: getSampleKeeperId(ada.id) }, body: { title: 'Mine now' } })
    expect((await fetchFirstSteps()).done).toEqual([])
  })

  it('hidden on one device they are hidden on all until shown again', async () => {
    expect((await dismiss(true)).data).toEqual({ done: [], dismissed: true })
    expect((await fetchFirstSteps()).dismissed).toBe(true)
    expect((await fetchFirstSteps(ben)).dismissed).toBe(false)
    expect((await dismiss(false)).data).toEqual({ done: [], dismissed: false })
    expect((await fetchFirstSteps()).dismissed).toBe(false)
  })
})
