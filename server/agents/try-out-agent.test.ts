import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { runs } from '#contract/agents/runs.ts'
import { usageCalls } from '#contract/agents/usage.ts'
import { createTestAgent } from '#tests/create-test-agent.ts'
import { countRows } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { createProviderApp, saveKeys } from '#tests/provider-app.ts'
import { createTestApp } from '#tests/test-app.ts'
import { useApp } from '#tests/use-test-app.ts'

describe.each(engines)('trying an unsaved agent on %s', (engine) => {
  const { app, ada, ben } = useApp(() => createProviderApp(engine, { answer: () => 'Aye.' }), ['ada', 'ben'])
  beforeAll(() => saveKeys(ada, 'openai'))
  beforeEach(() => {
    app.fakes.openai.requests.length = 0
  })
  const draft = {
    name: 'Harbour Clerk',
    slug: 'harbour-clerk',
    purpose: 'Answers like a harbour master.',
    agent_class: 'Lead' as const,
    memory_enabled: true,
    model_settings: { model: 'gpt-4o', temperature: 0.3 },
  }
  const tryOut = (agent: object = draft, actor = ada) =>
    actor.call(agents.tryOut, { body: { agent, input: 'Ahoy' } as never })

  it('runs the agent as if created, but stores no agent, version, slug or session', async () => {
    const tables = ['agents', 'agent_versions', 'chat_sessions'] as const
    const countAll = () => Promise.all(tables.map((table) => countRows(app.services.db, table)))
    const previousCounts = await countAll()
    const { data } = await tryOut()
    expect(data).toMatchObject({ response: 'Aye.', session_id: null, mock_mode: false, model: 'gpt-4o' })
    expect(app.fakes.openai.requests.at(-1)?.body).toMatchObject({ model: 'gpt-4o', temperature: 0.3 })
    expect(JSON.stringify(app.fakes.openai.requests.at(-1)?.body)).toContain('Answers like a harbour master.')
    expect(await countAll()).toEqual(previousCounts)
    expect((await ada.call(agents.byId, { query: { id: 'harbour-clerk' } })).status).toBe(404)
  })

  it('logs the run with its name, for its author only', async () => {
    const { run_id: runId } = (await tryOut()).data
    const detail = (await ada.call(runs.show, { params: { runId } })).data
    expect(detail).toMatchObject({ origin: 'trial', input: 'Ahoy', agent: { id: 'trial', name: 'Harbour Clerk' } })
    expect((await ben.call(runs.show, { params: { runId } })).status).toBe(404)
  })

  it('usage counts separately from saved agents', async () => {
    const { total } = (await ada.call(agents.logs, { query: { agentId: 'platform-agent' } })).data
    const stats = (await ada.call(agents.stats, { query: { agentId: 'platform-agent' } })).data
    await tryOut()
    expect((await ada.call(agents.logs, { query: { agentId: 'platform-agent' } })).data.total).toBe(total)
    expect((await ada.call(agents.stats, { query: { agentId: 'platform-agent' } })).data).toEqual(stats)
    const { rows } = (await ada.call(usageCalls.show, { query: { scope: 'mine', groupBy: 'agent' } })).data
    expect(rows).toMatchObject([{ key: 'trial', label: 'Trying agents before saving', errors: 0 }])
    expect(rows[0]?.runs).toBeGreaterThan(0)
    expect(rows[0]?.input_tokens).toBeGreaterThan(0)
    expect((await ada.call(agents.lastRuns)).data).toEqual([])
  })

  it('streams the answer', async () => {
    const { events } = await ada.stream(agents.tryOut, { body: { agent: draft, input: 'Ahoy' } as never })
    expect(events.map(({ event }) => event)).toContain('text')
    expect(events.at(-1)).toMatchObject({ event: 'done', data: { response: 'Aye.' } })
  })

  it('rejects what could not be created, and visitors, before anything is sent', async () => {
    const previousRunCount = await countRows(app.services.db, 'runs')
    const cases = [
      [{ name: '', purpose: 'x' }, 'agent.name'],
      [{ ...draft, tools: ['no_such_tool'] }, 'tools'],
      [{ ...draft, agent_class: 'Coordinator', config: { bundle: ['no-such-agent'] } }, 'config.bundle'],
    ] as const
    for (const [agent, field] of cases) {
      const answer = await tryOut(agent)
      expect(answer.status, field).toBe(400)
      expect(Object.keys(answer.body.fields ?? {})).toContain(field)
    }
    expect((await tryOut(draft, app.visitor() as never)).status).toBe(401)
    expect(await countRows(app.services.db, 'runs')).toBe(previousRunCount)
    expect(app.fakes.openai.requests).toEqual([])
  })

  it('lists each agent’s last run once, for its runner only', async () => {
    const { id } = await createTestAgent(ada, { name: 'Tide Table', purpose: 'Tells the tide.', visibility: 'public' })
    for (const actor of [ada, ada, ben]) await actor.call(agents.run, { body: { agentId: id, input: 'When?' } })
    const { logs } = (await ada.call(agents.logs, { query: { agentId: id, whose: 'mine' } })).data
    expect((await ada.call(agents.lastRuns)).data).toEqual([{ agent_id: id, last_run_at: logs[0]?.created_at }])
    expect((await ben.call(agents.lastRuns)).data).toHaveLength(1)
  })
})

describe.each(engines)('trying an unsaved agent without a key on %s', (engine) => {
  const { ada } = useApp(() => createTestApp(engine), ['ada'])

  it('gives a mock answer', async () => {
    const agent = { name: 'Harbour Clerk', purpose: 'Answers.' }
    const { data } = await ada.call(agents.tryOut, { body: { agent, input: 'Ahoy' } as never })
    expect(data).toMatchObject({ mock_mode: true, session_id: null })
    expect(data.response).toContain('Ahoy')
  })
})
