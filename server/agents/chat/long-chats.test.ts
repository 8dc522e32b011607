import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { runs } from '#contract/agents/runs.ts'
import { usageCalls } from '#contract/agents/usage.ts'
import { keys } from '#contract/keys/keys.ts'
import { engines } from '#tests/engines.ts'
import { canaryKeys, createProviderApp, type ProviderApp } from '#tests/provider-app.ts'
import type { Actor } from '#tests/test-app.ts'

describe.each(engines)('a chat longer than its model’s context window on %s', (engine) => {
  let app: ProviderApp
  let ada: Actor
  beforeAll(async () => {
    app = await createProviderApp(engine, { answer: () => 'Noted.' })
    ada = await app.as('ada')
    await ada.call(keys.savePersonal, { body: { provider: 'openai', apiKey: canaryKeys.openai } })
  })
  afterAll(() => app.close())
  beforeEach(() => {
    app.fakes.openai.requests.length = 0
  })

  let agentCount = 0
  const createAgentOn = async (model: string) => {
    const model_settings = { model, max_tokens: 1000, retry: { max_retries: 0, retry_delay_ms: 100 } }
    const body = { name: `Long ${++agentCount}`, purpose: 'Remembers.', memory_enabled: true, model_settings } as const
    return (await ada.call(agents.create, { body })).data.id
  }
  const sendMessage = (agentId: string, input: string, sessionId?: string | null) =>
    ada.call(agents.run, { body: { agentId, input, sessionId } })
  const chat = async (agentId: string, turns: number, characters: number) => {
    let sessionId: string | null = null
    for (let turn = 1; turn <= turns; turn++)
      sessionId = (await sendMessage(agentId, `Question ${turn}. `.padEnd(characters, 'x'), sessionId)).data.session_id
    return sessionId
  }
  const getModelMessages = () =>
    app.fakes.openai.requests.map(({ body }) =>
      (body as { messages: { role: string; content: string }[] }).messages
        .filter(({ role }) => role !== 'system')
        .map(({ content }) => content.slice(0, 11)),
    )
  const fetchNotes = async (runId: string) => (await ada.call(runs.show, { params: { runId } })).data.notes

  it('continues without its oldest turns, and the run notes it', async () => {
    const agentId = await createAgentOn('gpt-4')
    const sessionId = await chat(agentId, 6, 8_000)
    app.fakes.openai.requests.length = 0
    const { status, data } = await sendMessage(agentId, 'And now?', sessionId)
    expect(status).toBe(200)
    expect(getModelMessages()).toEqual([['Question 5.', 'Noted.', 'Question 6.', 'Noted.', 'And now?']])
    expect(await fetchNotes(data.run_id)).toEqual(['The model saw only the last 4 of the 12 earlier messages.'])
  })

  it('is sent whole while it fits, or not at all if the question fills the window', async () => {
    const agentId = await createAgentOn('gpt-4')
    const sessionId = await chat(agentId, 2, 4_000)
    const { data } = await sendMessage(agentId, 'And now?', sessionId)
    expect(getModelMessages().at(-1)).toHaveLength(5)
    expect(await fetchNotes(data.run_id)).toEqual([])
    const filled = await sendMessage(agentId, 'Long question'.padEnd(24_000, 'x'), sessionId)
    expect(getModelMessages().at(-1)).toEqual(['Long questi'])
    expect(await fetchNotes(filled.data.run_id)).toEqual([expect.stringContaining('model saw none')])
  })

  it('is retried without its older half if the model finds it too long', async () => {
    const agentId = await createAgentOn('of-this-house')
    const sessionId = await chat(agentId, 5, 100)
    app.fakes.openai.requests.length = 0
    app.fakes.openai.script(['status-400-context'])
    // Budget for one request, not for two concurrent ones.
    await ada.call(usageCalls.setBudget, { body: { scope: 'mine', limit_usd: 1 } })
    const { data: book } = await ada.call(usageCalls.budgets)
    const spent = book.find(({ scope }) => scope === 'mine')?.spent_usd ?? 0
    await ada.call(usageCalls.setBudget, { body: { scope: 'mine', limit_usd: spent + 0.08 } })
    const { status, data } = await sendMessage(agentId, 'And now?', sessionId)
    await ada.call(usageCalls.setBudget, { body: { scope: 'mine', limit_usd: null } })
    expect({ status, response: data.response }).toEqual({ status: 200, response: 'Noted.' })
    expect(getModelMessages().map((messages) => messages.filter((text) => text.startsWith('Question')))).toEqual([
      ['Question 1.', 'Question 2.', 'Question 3.', 'Question 4.', 'Question 5.'],
      ['Question 4.', 'Question 5.'],
    ])
    expect(await fetchNotes(data.run_id)).toEqual([
      'The chat was too long for the provider, so Keeper sent it again without its older half.',
    ])
  })

  it('is sent at most twice, and only once without history', async () => {
    const agentId = await createAgentOn('of-this-house')
    const sessionId = await chat(agentId, 1, 100)
    app.fakes.openai.requests.length = 0
    app.fakes.openai.script(['status-400-context', 'status-400-context'])
    const again = await sendMessage(agentId, 'And now?', sessionId)
    expect({ code: again.body.code, modelMessages: getModelMessages().map(({ length }) => length) }).toEqual({
      code: 'context-too-long',
      modelMessages: [3, 1],
    })
    app.fakes.openai.script(['status-400-context'])
    expect((await sendMessage(agentId, 'Alone')).body.code).toBe('context-too-long')
    expect(app.fakes.openai.requests).toHaveLength(3)
  })
})
