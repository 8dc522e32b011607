import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { runs } from '#contract/agents/runs.ts'
import { sharedParts, sharingInDomains } from '#contract/domains/sharing-in-domains.ts'
import { keeperTypes } from '#contract/keepers/keeper-types.ts'
import { logbook } from '#contract/keepers/logbook.ts'
import { moments } from '#contract/keepers/moments.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { sole } from '#contract/keepers/sole.ts'
import { keys } from '#contract/keys/keys.ts'
import { resetBreakers } from '#server/models/breaker.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { insertDomain } from '#tests/insert-domain.ts'
import { parseConversation } from '#tests/model-conversation.ts'
import { canaryKeys, createProviderApp, type ProviderApp } from '#tests/provider-app.ts'
import type { Actor } from '#tests/test-app.ts'

/** Only the owner's agents read a keeper; those of people it is shared with do not. */
describe.each(engines)('an agent run by a reader of a shared keeper, on %s', (engine) => {
  let app: ProviderApp
  let ada: Actor
  let ben: Actor
  let adasKeeper: string
  beforeAll(async () => {
    app = await createProviderApp(engine, {
      answer: (_, request) => {
        const { input, results } = parseConversation(request)
        const [, name, args] = /^CALL (\w+) (\{.*\})$/.exec(input) ?? []
        if (!name || results.length > 0) return { text: results.join('\n') || 'I see.' }
        return { text: '', calls: [{ name, arguments: JSON.parse(args ?? '{}') }] }
      },
    })
    ada = await app.as('ada')
    ben = await app.as('ben')
    for (const actor of [ada, ben])
      await actor.call(keys.savePersonal, { body: { provider: 'openai', apiKey: canaryKeys.openai } })
    const domain = await insertDomain(app, ada, [[ben, 'friend']])
    const keeper = await createTestKeeper(ada, { title: 'canary harbour', keeperTypeId: 'system-journal' })
    adasKeeper = keeper.id
    await createTestKeeper(ben, { title: 'Ben’s quay', keeperTypeId: 'system-journal' })
    const params = { id: keeper.id }
    await ada.call(moments.create, { params, body: { body: 'canary harbour moment' } })
    await ada.call(logbook.create, { params, body: { entry: 'canary harbour', label: 'canary', category: 'canary' } })
    const written = await ada.call(reflections.create, { params, body: { content: 'canary harbour reflection' } })
    await ada.call(reflections.promote, { params: { id: written.data.id } })
    await ada.call(sole.submitDraft, { params, body: { statements: [{ text: 'canary harbour statement' }] } })
    await ada.call(sole.approve, { params, body: { version: 1 } })
    await ada.call(sharingInDomains.shareKeeper, {
      params: { id: domain, keeperId: keeper.id },
      body: { parts: [...sharedParts], roles: ['friend'] },
    })
    const read = await ben.call(sharingInDomains.moments, { params: { id: domain, keeperId: keeper.id } })
    expect(read.text).toContain('canary harbour moment')
  })
  afterAll(() => app.close())

  async function createReadingAgent(actor: Actor): Promise<string> {
    const body = {
      name: 'Harbour friend',
      purpose: 'You help.',
      context_scope: 'keeper',
      tools: ['search_memory', 'read_sole', 'list_moments'],
    } as never
    const { data } = await actor.call(agents.create, { body })
    await actor.call(keeperTypes.assign, { params: { agentId: data.id, keeperTypeId: 'system-journal' } })
    return data.id
  }
  async function getModelInput(actor: Actor, agentId: string, input: string): Promise<string> {
    resetBreakers()
    const requestsBefore = app.requestCount()
    const { data } = await actor.call(agents.run, { body: { agentId, input } })
    const sent = app.fakes.openai.requests.slice(-(app.requestCount() - requestsBefore))
    const detail = await actor.call(runs.show, { params: { runId: data.run_id } })
    expect(app.requestCount()).toBeGreaterThan(requestsBefore)
    return JSON.stringify(sent.map(({ body }) => body)).replace(input, '') + detail.text.replace(input, '')
  }

  it('gives the model none of it, by context or tools', async () => {
    const agentId = await createReadingAgent(ben)
    const inputs = [
      'What of the harbour?',
      'CALL search_memory {"query":"harbour"}',
      'CALL read_sole {}',
      'CALL list_moments {}',
      `CALL list_moments {"keeperId":"${adasKeeper}"}`,
    ]
    for (const input of inputs) expect(await getModelInput(ben, agentId, input), input).not.toContain('canary harbour')
  })

  it('gives the model its content when run by the owner', async () => {
    const agentId = await createReadingAgent(ada)
    expect(await getModelInput(ada, agentId, 'What of the harbour?')).toContain('canary harbour')
  })
})
