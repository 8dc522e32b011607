import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { models } from '#contract/agents/models.ts'
import { versions } from '#contract/agents/versions.ts'
import { keys } from '#contract/keys/keys.ts'
import { getProviderInfo } from '#contract/providers/registry.ts'
import { addBuiltInAgents } from '#server/agents/built-in-agents.ts'
import { resetBreakers } from '#server/models/breaker.ts'
import { engines } from '#tests/engines.ts'
import { startScriptedServer } from '#tests/fakes/model-providers/scripted-server.ts'
import { type Actor, createTestApp, type TestApp } from '#tests/test-app.ts'

const key = 'sk-of0this0person0Zq81'
const day = 24 * 60 * 60 * 1000
const toDate = (ms: number) => new Date(ms).toISOString().slice(0, 10)

describe.each(engines)('model lifecycle on %s', (engine) => {
  let app: TestApp
  let ada: Actor
  let cleo: Actor
  let listed: object[]
  beforeEach(async () => {
    resetBreakers()
    const { baseUrl } = await startScriptedServer(({ path, body }) => {
      if (path === '/v1/models') return { type: 'application/json', body: JSON.stringify({ data: listed }) }
      const isThere = listed.some((model) => 'id' in model && model.id === body.model)
      const refused = 'temperature' in body || 'max_tokens' in body
      if (!isThere || refused) {
        const error = isThere
          ? { message: "Unsupported parameter: 'temperature'", param: 'temperature', code: 'unsupported_parameter' }
          : { message: `The model \`${body.model}\` does not exist`, code: 'model_not_found' }
        return { status: isThere ? 400 : 404, type: 'application/json', body: JSON.stringify({ error }) }
      }
      const message = { role: 'assistant', content: `I am ${body.model}.` }
      return {
        type: 'application/json',
        body: JSON.stringify({
          choices: [{ index: 0, message, finish_reason: 'stop' }],
          usage: { prompt_tokens: 10, completion_tokens: 5 },
        }),
      }
    })
    app = await createTestApp(engine, {
      environment: { OPENAI_BASE_URL: baseUrl },
      modelRuntime: { sleep: async () => {} },
    })
    ada = await app.as('ada')
    cleo = await app.as('cleo', ['super-admin'])
    await addBuiltInAgents(app.services)
    await ada.call(keys.savePersonal, { body: { provider: 'openai', apiKey: key } })
  })
  afterEach(() => app.close())

  const today = () => app.services.now().getTime()
  const luna = { id: 'gpt-6-luna', shutdown_date: null }
  const list = async (entries: object[]) => {
    listed = entries
    app.passTime(61 * 60_000)
    return (await ada.call(models.list, { query: { provider: 'openai' } })).data
  }
  const createAgent = async (fields: object = {}) =>
    (await ada.call(agents.create, { body: { name: `Agent ${Math.random()}`, purpose: 'Helps.', ...fields } })).data
  const run = async (agentId: string, actor = ada) =>
    (await actor.call(agents.run, { body: { action: 'run', agentId, input: 'Who are you?' } as never })).text
  const fetchRetiring = async (actor = ada) => (await actor.call(models.retiring)).data

  it('built-in and new agents run on a fresh installation with a key', async () => {
    const offered = await list([luna, { id: 'gpt-transcribe' }, { id: 'text-embedding-3-small' }])
    expect(offered.models).toEqual(['gpt-6-luna'])
    expect(await run('kip')).toContain('I am gpt-6-luna.')
    const created = await createAgent()
    expect({ model: created.model, run: await run(created.id) }).toEqual({
      model: 'gpt-6-luna',
      run: expect.stringContaining('I am gpt-6-luna.'),
    })
  })

  it('recommends the next model if the first choice isn’t listed', async () => {
    expect((await list([{ id: 'gpt-6.1-terra' }, { id: 'other' }])).default_model).toBe('gpt-6.1-terra')
    expect((await createAgent()).model).toBe('gpt-6.1-terra')
    expect(
      (await list([{ id: 'old', shutdown_date: toDate(today() + day) }, { id: 'of-this-house' }])).default_model,
    ).toBe('of-this-house')
    expect((await createAgent({ model: 'chosen' })).model).toBe('chosen')
    expect((await list([luna])).default_model).toBe('gpt-6-luna')
  })

  it('marks retiring models with date and replacement', async () => {
    const inThirtyDays = toDate(today() + 30 * day)
    const { details } = await list([
      { ...luna, context_length: 500_000 },
      { id: 'old', shutdown_date: inThirtyDays },
      { id: 'older', shutdown_date: toDate(today() - day) },
    ])
    expect(details).toEqual([
      {
        model: 'gpt-6-luna',
        status: 'available',
        shutdown_date: null,
        replacement: null,
        window: 500_000,
        price: { input_usd: 0.1, cached_input_usd: 0.01, output_usd: 0.5 },
      },
      expect.objectContaining({ model: 'old', status: 'deprecated', replacement: 'gpt-6-luna', price: null }),
      expect.objectContaining({ model: 'older', status: 'shut-down', replacement: 'gpt-6-luna' }),
    ])
    expect(details[1]?.shutdown_date).toBe(inThirtyDays)
  })

  it('marks retired built-in models and never makes them the default', async () => {
    const { data } = await ada.call(models.list, { query: { provider: 'anthropic' } })
    expect({ models: data.models, source: data.source, default_model: data.default_model }).toEqual({
      models: getProviderInfo('anthropic').offeredModels,
      source: 'list',
      default_model: 'claude-haiku-5-5',
    })
    expect(new Set(data.details.map(({ status }) => status))).toEqual(new Set(['shut-down']))
  })

  it('lists agents with retired models, or ones retiring within 60 days', async () => {
    await list([
      luna,
      { id: 'soon', shutdown_date: toDate(today() + 30 * day) },
      { id: 'later', shutdown_date: toDate(today() + 90 * day) },
    ])
    await createAgent({ model: 'later' })
    await createAgent({ model: 'unlisted-model' })
    const soon = await createAgent({ model: 'soon' })
    const shutDown = await createAgent({ model: 'gpt-4' })
    const retiringModels = await fetchRetiring()
    expect(
      retiringModels.map(({ agent_id, model, status, replacement }) => [agent_id, model, status, replacement]),
    ).toEqual(
      expect.arrayContaining([
        [soon.id, 'soon', 'deprecated', 'gpt-6-luna'],
        [shutDown.id, 'gpt-4', 'shut-down', 'gpt-6-luna'],
      ]),
    )
    expect(retiringModels.map(({ model }) => model)).not.toContain('later')
    expect(retiringModels.map(({ model }) => model)).not.toContain('unlisted-model')
    expect(await fetchRetiring(await app.as('ben'))).toEqual([])
    expect((await fetchRetiring(cleo)).map(({ agent_id }) => agent_id)).not.toContain(soon.id)
    expect((await app.visitor().call(models.retiring)).status).toBe(401)
  })

  it('switching creates a version, and the previous one can be restored', async () => {
    await list([luna])
    const created = await createAgent({ model: 'gpt-4o', model_settings: { temperature: 0.2 } })
    const [retiringModel] = (await fetchRetiring()).filter(({ agent_id }) => agent_id === created.id)
    expect(retiringModel).toMatchObject({
      rev: 1,
      model: 'gpt-4o',
      replacement: 'gpt-6-luna',
      shutdown_date: '2027-01-14',
    })
    const body = { id: created.id, model: retiringModel?.replacement ?? '' }
    const { data: switched } = await ada.call(agents.update, { body, ifMatch: 1 })
    expect({ model: switched.model, temperature: switched.model_settings.temperature, rev: switched.rev }).toEqual({
      model: 'gpt-6-luna',
      temperature: 0.2,
      rev: 2,
    })
    expect((await fetchRetiring()).map(({ agent_id }) => agent_id)).not.toContain(created.id)
    const params = { agentId: created.id, version: '1' }
    const { data: back } = await ada.call(versions.restore, { params })
    expect({ model: back.agent.model, rev: back.agent.rev }).toEqual({ model: 'gpt-4o', rev: 3 })
    expect((await ada.call(agents.update, { body, ifMatch: 1 })).status, 'not over a newer one').toBe(409)
  })
})
