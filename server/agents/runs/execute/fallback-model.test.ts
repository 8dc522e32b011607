import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { runs } from '#contract/agents/runs.ts'
import { resetBreakers } from '#server/models/breaker.ts'
import { createTestAgent } from '#tests/create-test-agent.ts'
import { engines } from '#tests/engines.ts'
import { createProviderApp, saveKeys } from '#tests/provider-app.ts'

beforeEach(resetBreakers)

describe.each(engines)('an agent with a fallback model on %s', (engine) => {
  async function start() {
    const app = await createProviderApp(engine)
    onTestFinished(() => app.close())
    const ada = await app.as('ada')
    await saveKeys(ada, 'openai', 'anthropic')
    const data = await createTestAgent(ada, {
      name: 'Lead',
      model_provider: 'openai',
      model: 'gpt-6-luna',
      model_settings: { retry: { max_retries: 0, retry_delay_ms: 100 } },
      config: { fallback_model: { provider: 'anthropic', model: 'claude-haiku-5-5' } },
    })
    const run = (fault: string) =>
      ada.call(agents.run, { body: { agentId: data.id, input: `Hello [[fault:${fault}]]` } })
    return { app, ada, run, agent: data }
  }

  it.each(['status-503', 'status-401', 'status-404', 'status-429-quota', 'reset-before-answer'])(
    'uses the fallback after %s and notes it',
    async (fault) => {
      const { app, ada, run } = await start()
      app.fakes.openai.script([fault])
      const { body, data } = await run('ok')
      expect(body).toMatchObject({ success: true, data: { model: 'claude-haiku-5-5' } })
      const detail = await ada.call(runs.show, { params: { runId: data.run_id } })
      expect(detail.data).toMatchObject({ model: 'claude-haiku-5-5', model_provider: 'anthropic', status: 'success' })
      expect(detail.data.notes).toContainEqual(expect.stringContaining('gpt-6-luna was unavailable'))
      expect(detail.data.spans.filter(({ kind }) => kind === 'model').map(({ model }) => model)).toEqual([
        'gpt-6-luna',
        'claude-haiku-5-5',
      ])
      expect(app.fakes.openai.requests.length).toBe(1)
      expect(app.fakes.anthropic.requests.length).toBe(1)
    },
  )

  it.each(['status-400-content-filter', 'finish-refusal', 'status-400', 'cut-mid'])(
    'doesn’t use the fallback after %s',
    async (fault) => {
      const { app, run } = await start()
      app.fakes.openai.script([fault])
      await run('ok')
      expect(app.fakes.anthropic.requests).toEqual([])
    },
  )

  it('fails with the second model’s message if both are unavailable', async () => {
    const { app, run } = await start()
    app.fakes.openai.script(['status-503'])
    app.fakes.anthropic.script(['status-401'])
    expect((await run('ok')).body).toMatchObject({ success: false, code: 'key-rejected' })
    expect(app.fakes.openai.requests.length).toBe(1)
    expect(app.fakes.anthropic.requests.length).toBe(1)
  })

  it('keeps the fallback when saved and loses it when removed', async () => {
    const { ada, agent } = await start()
    expect(agent.config.fallback_model).toEqual({ provider: 'anthropic', model: 'claude-haiku-5-5' })
    const { data } = await ada.call(agents.update, { body: { id: agent.id, config: {} }, ifMatch: agent.rev })
    expect(data.config.fallback_model).toBeUndefined()
  })
})
