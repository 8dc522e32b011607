import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { runs } from '#contract/agents/runs.ts'
import { createTestAgent } from '#tests/create-test-agent.ts'
import { countRows } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { createProviderApp } from '#tests/provider-app.ts'
import type { Actor } from '#tests/test-app.ts'
import { useApp } from '#tests/use-test-app.ts'

describe.each(engines)('a run of an agent that is not ready on %s', (engine) => {
  let agentId: string
  const { app, ada } = useApp(
    () => createProviderApp(engine, { keyless: true }, { KEEPER_VISITOR_RUNS_PER_MINUTE: '3' }),
    ['ada'],
  )
  beforeAll(async () => {
    const { id } = await createTestAgent(ada, {
      name: 'Tired',
      agent_class: 'Lead',
      visibility: 'public',
      memory_enabled: true,
      context_scope: 'keeper',
    })
    agentId = id
    await ada.call(agents.update, { body: { id: agentId, status: 'error' } })
  })
  beforeEach(() => app.passTime(120_000))

  const runAgent = (actor: Actor, fields: object = {}) =>
    actor.call(agents.run, { body: { agentId, input: 'Hello', ...fields } })
  const refusalMessage = 'Tired is not ready. Set its status to ready before running it.'

  it('fails with its run id, calls no model and costs nothing', async () => {
    const { status, body, data } = await runAgent(ada)
    expect(status).toBe(409)
    expect(body.code).toBe('agent-not-ready')
    expect(body.error).toEqual(refusalMessage)
    expect(data.run_id).toEqual(expect.any(String))
    expect(body.processing_time_ms).toEqual(expect.any(Number))
    const run = (await ada.call(runs.show, { params: { runId: data.run_id } })).data
    expect(run).toMatchObject({
      status: 'error',
      error_code: 'agent-not-ready',
      error: refusalMessage,
      attempts: 0,
      mock_mode: false,
      key_source: 'none',
      sources: [],
      usage: { input_tokens: 0, output_tokens: 0, cost_usd: 0 },
    })
    expect(run.spans.map(({ kind, failure }) => [kind, failure])).toEqual([['agent', 'agent-not-ready']])
    expect(app.providerRequestCount()).toBe(0)
    expect(await countRows(app.services.db, 'model_calls')).toBe(0)
  })

  it('keeps the question in the chat, which continues once the agent is ready', async () => {
    const first = await runAgent(ada)
    const sessionId = first.data.session_id
    await ada.call(agents.update, { body: { id: agentId, status: 'ready' } })
    const second = await runAgent(ada, { sessionId })
    await ada.call(agents.update, { body: { id: agentId, status: 'error' } })
    expect(second.status).toBe(200)
    const messages = (await ada.call(agents.messages, { query: { sessionId: sessionId ?? '' } })).data
    expect(messages.map(({ sender }) => sender)).toEqual(['user', 'agent', 'user', 'agent'])
  })

  it('ends a stream with one error', async () => {
    const { events } = await ada.stream(agents.run, { body: { agentId, input: 'Hello' } })
    expect(events.filter(({ event }) => event === 'done' || event === 'error')).toMatchObject([
      { event: 'error', data: { code: 'agent-not-ready', message: refusalMessage, run_id: expect.any(String) } },
    ])
    expect(events[0]).toMatchObject({ event: 'start' })
  })

  it('counts against visitor limits and shows visitors no instructions', async () => {
    const visitor = app.visitor()
    const answers = []
    for (let attempt = 0; attempt < 4; attempt++) answers.push(await runAgent(visitor))
    expect(answers.map(({ status }) => status)).toEqual([409, 409, 409, 429])
    expect(answers[0]?.body.code).toBe('agent-not-ready')
    expect(answers[0]?.body.error).toBe(
      'I apologize, but I encountered an error processing your request. Please try again.',
    )
  })
})
