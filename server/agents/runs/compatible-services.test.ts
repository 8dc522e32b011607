import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { models } from '#contract/agents/models.ts'
import { keys } from '#contract/keys/keys.ts'
import { providerCalls } from '#contract/providers/calls.ts'
import { setConfiguredProviders } from '#contract/providers/registry.ts'
import { resetBreakers } from '#server/models/breaker.ts'
import { forgetListedModels } from '#server/models/catalog/listed-models.ts'
import { createTestAgent } from '#tests/create-test-agent.ts'
import { engines } from '#tests/engines.ts'
import { startScriptedServer, toChunk, toStream } from '#tests/fakes/model-providers/scripted-server.ts'
import { createTestApp } from '#tests/test-app.ts'

beforeEach(() => {
  resetBreakers()
  forgetListedModels()
})

describe.each(engines)('OpenAI-compatible services on %s', (engine) => {
  async function start(details: object | null = {}) {
    const serve = (name: string, model: string) =>
      startScriptedServer(({ path }) => {
        if (!path.endsWith('/models'))
          return { body: toStream(toChunk({ content: `From ${name}.` }), toChunk({}, 'stop')) }
        const data = [{ id: model, ...details }, { id: 'text-embedding-x' }]
        return details === null
          ? { status: 404, type: 'text/plain', body: '404 page not found' }
          : { type: 'application/json', body: JSON.stringify({ data }) }
      })
    const [harbour, island] = await Promise.all([serve('harbour', 'tide-1'), serve('island', 'dune-2')])
    const services = {
      harbour: { name: 'Harbour models', url: `${harbour.baseUrl}/chat/completions`, key: 'harbour-key' },
      island: { url: island.baseUrl, headers: { 'x-team': 'herons' } },
    }
    const app = await createTestApp(engine, { environment: { KEEPER_PROVIDERS: JSON.stringify(services) } })
    onTestFinished(async () => {
      setConfiguredProviders([])
      await app.close()
    })
    return { app, ada: await app.as('ada'), harbour, island }
  }

  it('serve two agents, each with its own address, key and headers', async () => {
    const { ada, harbour, island } = await start()
    const createAgent = async (model_provider: string, model: string) =>
      (await createTestAgent(ada, { name: model, model_provider, model })).id
    const ids = [await createAgent('harbour', 'tide-1'), await createAgent('island', 'dune-2')]
    const answers = await Promise.all(ids.map((agentId) => ada.call(agents.run, { body: { agentId, input: 'Hello' } })))
    expect(answers.map(({ data }) => data.response)).toEqual(['From harbour.', 'From island.'])
    expect(harbour.requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/v1/models', 'Bearer harbour-key'],
      ['/v1/chat/completions', 'Bearer harbour-key'],
    ])
    expect(island.requests.map(({ headers }) => [headers.authorization, headers['x-team']])).toEqual([
      [undefined, 'herons'],
      [undefined, 'herons'],
    ])
    for (const name of ['temperature', 'max_tokens', 'top_p'])
      expect(harbour.requests[1]?.body).not.toHaveProperty(name)
  })

  it('use their own price list from the first run and fetch it once', async () => {
    const { ada, harbour } = await start({ pricing: { prompt: '0.000003', completion: '0.000015' } })
    const { id: agentId } = await createTestAgent(ada, { name: 'Tide', model_provider: 'harbour', model: 'tide-1' })
    const run = async () => (await ada.call(agents.run, { body: { agentId, input: 'Hello' } })).data.usage.cost_usd
    expect(await run()).toBeGreaterThan(0)
    expect(await run()).toBeGreaterThan(0)
    expect(harbour.requests.filter(({ path }) => path === '/v1/models')).toHaveLength(1)
  })

  it('run without a model list', async () => {
    const { ada, harbour } = await start(null)
    const { id: agentId } = await createTestAgent(ada, { name: 'Tide', model_provider: 'harbour', model: 'tide-1' })
    for (let attempt = 0; attempt < 2; attempt++)
      expect((await ada.call(agents.run, { body: { agentId, input: 'Hello' } })).data).toMatchObject({
        response: 'From harbour.',
        usage: { cost_usd: null },
      })
    expect(harbour.requests.filter(({ path }) => path === '/v1/models')).toHaveLength(1)
  })

  it('list their models, accept personal keys, and can be removed', async () => {
    const { ada, harbour } = await start()
    expect((await ada.call(providerCalls.list)).data).toEqual([
      { id: 'harbour', name: 'Harbour models' },
      { id: 'island', name: 'island' },
    ])
    expect((await ada.call(models.list, { query: { provider: 'harbour' } })).data).toMatchObject({
      models: ['tide-1'],
      source: 'provider',
    })
    expect((await ada.call(keys.savePersonal, { body: { provider: 'harbour', apiKey: 'my-own-key' } })).status).toBe(
      200,
    )
    const data = await createTestAgent(ada, { name: 'Tide', model_provider: 'harbour', model: 'tide-1' })
    await ada.call(agents.run, { body: { agentId: data.id, input: 'Hello' } })
    expect(harbour.requests.at(-1)?.headers.authorization).toBe('Bearer my-own-key')
    setConfiguredProviders([])
    const refused = await ada.call(agents.create, {
      body: { name: 'Lost', purpose: 'Helps.', model_provider: 'harbour', model: 'tide-1' },
    })
    expect(refused).toMatchObject({
      status: 400,
      body: { fields: { model_provider: 'Choose one of: openai, anthropic, together, elevenlabs, google.' } },
    })
    expect((await ada.call(agents.list)).data.map(({ model_provider }) => model_provider)).toContain('harbour')
  })
})
