import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { runs } from '#contract/agents/runs.ts'
import { resetBreakers } from '#server/models/breaker.ts'
import { createTestAgent } from '#tests/create-test-agent.ts'
import { engines } from '#tests/engines.ts'
import { parseConversation } from '#tests/model-conversation.ts'
import { createProviderApp, saveKeys } from '#tests/provider-app.ts'
import { useApp } from '#tests/use-test-app.ts'

const canary = 'canary-of-the-code-book'

describe.each(engines)('prompt context and request budgets on %s', (engine) => {
  const { app, ada } = useApp(
    () =>
      createProviderApp(engine, {
        answer(_, request) {
          const { results, tools } = parseConversation(request)
          if (results.length > 0) return { text: 'Done.' }
          if (tools.length === 0) return { text: 'Plain.' }
          const calls = [{ name: 'read_sole', arguments: {} }]
          return { text: 'First.', calls, usage: { input: 1000, output: 1900 } }
        },
      }),
    ['ada'],
  )
  beforeAll(async () => {
    await saveKeys(ada, 'openai')
    const text = { body: `Tabs, not spaces. ${canary}`, updated_at: 0, updated_by: null }
    for (const scope of ['codebase', 'system', 'platform_wide'])
      await app.services.db
        .insertInto('context_texts')
        .values({ ...text, scope })
        .onConflict((conflict) => conflict.column('scope').doUpdateSet(text))
        .execute()
  })
  beforeEach(resetBreakers)

  async function runAs(context_scope: string, tools: string[] = []) {
    const agent = await createTestAgent(ada, {
      name: `Of ${context_scope}`,
      purpose: 'You help.',
      context_scope,
      tools,
    })
    const { data } = await ada.call(agents.run, { body: { agentId: agent.id, input: 'Hello.' } })
    const detail = await ada.call(runs.show, { params: { runId: data.run_id } })
    return { sent: JSON.stringify(app.fakes.openai.requests.at(-1)?.body), detail: detail.data }
  }

  it.each(['codebase', 'system', 'platform_wide'])(
    'adds the operator’s text for the scope %s, and the trace says so',
    async (scope) => {
      const { sent, detail } = await runAs(scope)
      expect(sent).toContain(canary)
      const [root, memory, model] = detail.spans
      expect(memory).toMatchObject({
        kind: 'memory',
        parent_id: root?.id,
        output: expect.stringContaining('characters'),
      })
      const memoryItem = { entity: 'context', id: scope, text: expect.stringContaining(canary) }
      expect(memory?.memory).toMatchObject([memoryItem])
      expect(model?.memory).toMatchObject([memoryItem])
    },
  )

  it.each(['user_input', 'general'])('adds nothing for the scope %s', async (scope) => {
    const { sent, detail } = await runAs(scope)
    expect(sent).not.toContain(canary)
    expect(JSON.parse(sent).messages).toEqual([
      { role: 'system', content: 'You help.' },
      { role: 'user', content: 'Hello.' },
    ])
    expect(detail.spans.every(({ kind, memory }) => kind !== 'memory' && memory.length === 0)).toBe(true)
  })

  it('adds no keeper content without a keeper, and the trace says so', async () => {
    const { sent, detail } = await runAs('keeper')
    expect(sent).not.toContain(canary)
    expect(detail.spans[1]).toMatchObject({
      kind: 'memory',
      output: expect.stringContaining('no keeper yet'),
      memory: [],
    })
  })

  const setBudget = (limit_micros: number) =>
    app.services.db
      .insertInto('budgets')
      .values({ scope: 'mine', subject: ada.id, limit_micros, warn_at_percent: 80, updated_at: 0, updated_by: null })
      .execute()
  const clearBudgets = async () => {
    await app.services.db.deleteFrom('budgets').execute()
    await app.services.db.deleteFrom('spend_windows').execute()
  }

  it('refuses a first request over budget without creating a run', async () => {
    await clearBudgets()
    await setBudget(100)
    const agent = await createTestAgent(ada)
    const previousCount = app.providerRequestCount()
    for (const request of [ada.call, ada.stream] as (typeof ada.call)[]) {
      const answer = await request(agents.run, { body: { agentId: agent.id, input: 'hi' } })
      expect(answer.status).toBe(429)
    }
    expect(app.providerRequestCount()).toBe(previousCount)
    const rows = await app.services.db.selectFrom('runs').select('id').where('agent_id', '=', agent.id).execute()
    expect(rows).toEqual([])
  })

  it('a later request over budget ends the run but keeps its text and cost', async () => {
    await clearBudgets()
    await setBudget(30_000)
    const agent = await createTestAgent(ada, { name: 'Spender', model: 'gpt-4o', tools: ['read_sole'] })
    const previousCount = app.providerRequestCount()
    const answer = await ada.call(agents.run, { body: { agentId: agent.id, input: 'hi' } })
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 429, code: 'over-budget' })
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(app.providerRequestCount()).toBe(previousCount + 1)
    const row = await app.services.db
      .selectFrom('runs')
      .selectAll()
      .where('agent_id', '=', agent.id)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ status: 'error', error_code: 'over-budget', response: 'First.', cost_micros: 21_500 })
    const [spent] = await app.services.db.selectFrom('spend_windows').select('micros').execute()
    expect(spent?.micros).toBe(21_500)
    await clearBudgets()
  })
})
