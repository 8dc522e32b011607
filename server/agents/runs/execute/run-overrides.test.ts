import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { runs } from '#contract/agents/runs.ts'
import { createTestAgent } from '#tests/create-test-agent.ts'
import { countRows } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { createProviderApp, saveKeys } from '#tests/provider-app.ts'
import { removeRequestId } from '#tests/remove-request-id.ts'
import { useApp } from '#tests/use-test-app.ts'

describe.each(engines)('running an agent with changes on %s', (engine) => {
  let agentId: string
  const settings = { model: 'gpt-4o', temperature: 1.4, max_tokens: 900, top_p: 0.3 }
  const { app, ada, ben } = useApp(() => createProviderApp(engine, { answer: () => 'Done.' }), ['ada', 'ben'])
  beforeAll(async () => {
    await saveKeys(ada, 'openai', 'anthropic')
    await saveKeys(ben, 'openai')
    const { id } = await createTestAgent(ada, {
      name: 'Harbour',
      purpose: 'Answers like a harbour master.',
      agent_class: 'Lead',
      visibility: 'public',
      memory_enabled: true,
      model_settings: settings,
    })
    agentId = id
  })
  beforeEach(() => {
    for (const fake of Object.values(app.fakes)) fake.requests.length = 0
  })
  const run = (overrides: object | null, actor = ada, fields: object = {}) =>
    actor.call(agents.run, { body: { agentId, input: 'Ahoy', overrides, ...fields } as never })
  const getSentBody = (provider: 'openai' | 'anthropic') =>
    app.fakes[provider].requests.at(-1)?.body as Record<string, unknown>

  it('sends the changes, keeps the saved agent and logs the changes', async () => {
    const previous = (await ada.call(agents.byId, { query: { id: agentId } })).data
    const overrides = { purpose: 'Answers like a parrot.', model_settings: { temperature: 0.2, max_tokens: 50 } }
    const { data } = await run(overrides)
    expect(getSentBody('openai')).toMatchObject({ model: 'gpt-4o', temperature: 0.2, max_tokens: 50, top_p: 0.3 })
    expect(JSON.stringify(getSentBody('openai').messages)).toContain('Answers like a parrot.')
    expect(JSON.stringify(getSentBody('openai').messages)).not.toContain('harbour master')
    expect((await ada.call(agents.byId, { query: { id: agentId } })).data).toEqual(previous)
    const detail = (await ada.call(runs.show, { params: { runId: data.run_id } })).data
    expect(detail).toMatchObject({ overrides, agent_version: previous.rev, model: 'gpt-4o', session_id: null })
    expect(detail.model_settings).toMatchObject({ ...settings, temperature: 0.2, max_tokens: 50 })
    const plain = (await run(null)).data
    expect((await ada.call(runs.show, { params: { runId: plain.run_id } })).data.overrides).toBeNull()
    expect(getSentBody('openai')).toMatchObject({ temperature: 1.4, max_tokens: 900 })
  })

  it('another provider starts with its own default settings', async () => {
    const { data } = await run({ model_provider: 'anthropic', model_settings: { max_tokens: 60 } })
    expect(app.fakes.openai.requests).toEqual([])
    expect(getSentBody('anthropic')).toMatchObject({ model: 'claude-haiku-5-5', max_tokens: 60 })
    expect(data.model).toBe('claude-haiku-5-5')
    const detail = (await ada.call(runs.show, { params: { runId: data.run_id } })).data
    expect(detail.model_provider).toBe('anthropic')
    expect(detail.model_settings).not.toHaveProperty('top_p')
  })

  it('creates no session, even for an agent with memory', async () => {
    const previousSessionCount = await countRows(app.services.db, 'chat_sessions')
    expect((await run({ model_settings: { temperature: 0 } })).data.session_id).toBeNull()
    expect(await countRows(app.services.db, 'chat_sessions')).toBe(previousSessionCount)
    expect((await run(null)).data.session_id).toEqual(expect.any(String))
  })

  it('is allowed only for people who can edit the agent', async () => {
    const visitor = app.visitor()
    const previousRunCount = await countRows(app.services.db, 'runs')
    for (const actor of [ben, visitor]) {
      const answer = await run({ purpose: 'Tell me everything.' }, actor)
      expect(answer).toMatchObject({
        status: 403,
        body: { error: 'Only people who can edit this agent can run it with changes.' },
      })
    }
    expect(await countRows(app.services.db, 'runs')).toBe(previousRunCount)
    expect(app.providerRequestCount()).toBe(0)
    expect((await run(null, ben)).status).toBe(200)
  })

  it('is never allowed within a session', async () => {
    const session = (await run(null)).data.session_id
    const previousRequestCount = app.providerRequestCount()
    for (const chatFields of [{ sessionId: session }, { sessionId: session, regenerateOf: 'x' }, { editOf: 'x' }]) {
      const answer = await run({ purpose: 'Else.' }, ada, chatFields)
      expect(answer.status).toBe(400)
      expect(answer.body.fields).toEqual({ overrides: expect.any(String) })
    }
    expect(app.providerRequestCount()).toBe(previousRequestCount)
  })

  it.each([
    [{ model_settings: { temperature: 3 } }, 'overrides.model_settings.temperature'],
    [{ model_settings: { max_tokens: 0 } }, 'overrides.model_settings.max_tokens'],
    [{ model_provider: 'unknown' }, 'overrides.model_provider'],
    [{ purpose: ' ' }, 'overrides.purpose'],
  ])('refuses %j and names %s', async (overrides, field) => {
    const answer = await run(overrides)
    expect(answer.status).toBe(400)
    expect(Object.keys(answer.body.fields as object)).toEqual([field])
    expect(app.providerRequestCount()).toBe(0)
  })

  it('doesn’t reveal private agents to strangers', async () => {
    const privateAgentId = (await createTestAgent(ada)).id
    const runWithChanges = (id: string) =>
      ben.call(agents.run, { body: { agentId: id, input: 'x', overrides: { purpose: 'y' } } as never })
    const [foreign, random] = [await runWithChanges(privateAgentId), await runWithChanges('f'.repeat(32))]
    expect({ status: foreign.status, same: removeRequestId(foreign.text) }).toEqual({
      status: 404,
      same: removeRequestId(random.text),
    })
  })
})
