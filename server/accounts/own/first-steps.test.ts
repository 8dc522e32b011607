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
import { insertDomain } from '#tests/insert-domain.ts'
import { toRequest } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'

const android =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36'

describe.each(engines)('the first steps, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'], { perTest: true })
  const steps = async (actor = ada) => (await actor.call(ownAccount.firstSteps)).data
  const dismiss = (dismissed: boolean) => ada.call(ownAccount.dismissFirstSteps, { body: { dismissed } })

  it('each is done once its entity exists, and not before', async () => {
    expect(await steps()).toEqual({ done: [], dismissed: false })

    const first = await createTestKeeper(ada, { title: firstKeeperTitle })
    expect((await steps()).done, 'a keeper made for a moment is not one of their own yet').toEqual([])
    const { data: moment } = await ada.call(moments.create, {
      params: { id: first.id },
      body: { body: 'Eleven cormorants.' },
    })
    expect((await steps()).done).toEqual(['moment'])

    const { data: kip } = await ada.call(agents.bySlug, { query: { slug: 'kip' } })
    const { status } = await ada.call(agents.run, { body: { agentId: kip.id, input: 'What do you notice?' } })
    expect(status).toBe(200)
    expect((await steps()).done).toEqual(['moment', 'answer'])

    await ada.call(keepers.update, { params: { id: first.id }, body: { title: 'The house' } })
    expect((await steps()).done).toEqual(['moment', 'answer', 'keeper'])

    await ada.call(keys.savePersonal, { body: { provider: 'openai', apiKey: 'sk-a-key-of-nobody-0123456789' } })
    expect((await steps()).done).toEqual(['moment', 'answer', 'keeper', 'key'])

    const { email, password } = cast.ada
    const { path, init } = toRequest(accounts.login, { body: { email, password }, headers: { 'user-agent': android } })
    expect((await app.fetch(path, init)).status).toBe(200)
    expect((await steps()).done).toEqual(['moment', 'answer', 'keeper', 'key', 'phone'])

    const { data: ownSteps } = await ada.call(domains.mine)
    const invited = await ada.call(invitations.create, {
      params: { id: ownSteps[0]?.id ?? '' },
      body: { emails: ['friend@example.com'], role: 'friend' },
    })
    expect(invited.status, invited.text).toBe(200)
    expect((await steps()).done).toEqual(['moment', 'answer', 'keeper', 'key', 'phone', 'invite'])

    await ada.call(moments.remove, { params: { id: moment.id } })
    expect((await steps()).done).not.toContain('moment')
    expect(await steps(ben), 'nothing of it is Ben’s').toEqual({ done: [], dismissed: false })
  })

  it("inviting counts once another person is in one's own domain", async () => {
    const cleo = await app.as('cleo')
    await insertDomain(app, ada, [[ada, 'user']])
    await insertDomain(app, cleo, [[ben, 'friend']])
    expect({ stepsDone: (await steps()).done, stepsDoneBen: (await steps(ben)).done }).toEqual({
      stepsDone: [],
      stepsDoneBen: [],
    })
    expect((await steps(cleo)).done).toEqual(['invite'])
  })

  it("a diagnostics run doesn't count as an answer", async () => {
    const { data: kip } = await ada.call(agents.bySlug, { query: { slug: 'kip' } })
    const { data: session } = await ada.call(agents.createSession, { body: { agentId: kip.id } })
    const statementCount = { agentId: kip.id, input: 'Answer with one word: ping', sessionId: session.id }
    const ran = await ada.call(agents.run, { body: { ...statementCount, origin: 'diagnostics' } })
    expect(ran.status, ran.text).toBe(200)
    const { status } = await ada.call(diagnostics.modelProviderTest, {
      body: { provider: 'openai', messages: [{ role: 'user', content: 'ping' }] },
    })
    expect(status).toBe(200)
    expect((await steps()).done).toEqual([])
    await ada.call(agents.run, { body: statementCount })
    expect((await steps()).done).toEqual(['answer'])
  })

  it("content of the sample keeper doesn't count", async () => {
    await ada.call(sampleKeeper.make, { body: {} })
    await ada.call(keepers.update, { params: { id: getSampleKeeperId(ada.id) }, body: { title: 'Mine now' } })
    expect((await steps()).done).toEqual([])
  })

  it('hidden on one device they are hidden on all until shown again', async () => {
    expect((await dismiss(true)).data).toEqual({ done: [], dismissed: true })
    expect((await steps()).dismissed).toBe(true)
    expect((await steps(ben)).dismissed).toBe(false)
    expect((await dismiss(false)).data).toEqual({ done: [], dismissed: false })
    expect((await steps()).dismissed).toBe(false)
  })
})
