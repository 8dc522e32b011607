import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import type { Provider } from '#contract/agents/model-settings.ts'
import { keys } from '#contract/keys/keys.ts'
import { resetBreakers } from '#server/models/breaker.ts'
import { countRows } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { canaryKeys, canaryPlatformKeys, createProviderApp, type ProviderApp } from '#tests/provider-app.ts'
import type { Actor } from '#tests/test-app.ts'

describe.each(engines)('the key that pays for a run, on %s', (engine) => {
  let app: ProviderApp
  let ada: Actor
  let ben: Actor
  let agentId: string
  beforeAll(async () => {
    app = await createProviderApp(engine)
    ada = await app.as('ada')
    ben = await app.as('ben')
    const createdAgent = await ada.call(agents.create, { body: { name: 'Payer', purpose: 'p', visibility: 'public' } })
    agentId = createdAgent.data.id
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    resetBreakers()
    app.services.settings.providers.openai.key = null
    app.services.settings.providers.openai.baseUrl = app.fakes.openai.baseUrl
    await app.services.db.deleteFrom('provider_keys').execute()
    app.fakes.openai.requests.length = 0
  })

  const run = async (actor = ada) => {
    const answer = await actor.call(agents.run, { body: { agentId, input: 'hello' } })
    const { key_source, mock_mode } = await app.services.db
      .selectFrom('runs')
      .select(['key_source', 'mock_mode'])
      .orderBy('created_at', 'desc')
      .orderBy('lease_until', 'desc')
      .executeTakeFirstOrThrow()
    const paidBy = app.fakes.openai.requests.map(({ headers }) => headers.authorization?.replace('Bearer ', ''))
    return { answer, key_source, mock_mode, paidBy }
  }
  const savePersonal = (actor: Actor, apiKey = canaryKeys.openai) =>
    actor.call(keys.savePersonal, { body: { provider: 'openai', apiKey } })
  const savePlatform = async (more: object = {}) =>
    (await app.as('cleo', ['super-admin'])).call(keys.savePlatform, {
      body: { provider: 'openai', api_key: canaryPlatformKeys.openai, ...more },
    })

  it("is the runner's own, before the platform's and the environment's", async () => {
    app.services.settings.providers.openai.key = 'sk-environment0key0of0the0server'
    await savePlatform()
    await savePersonal(ada)
    expect(await run()).toMatchObject({ key_source: 'personal', mock_mode: false, paidBy: [canaryKeys.openai] })
  })

  it("is no one's without an own or shared key, whoever else has one", async () => {
    await savePersonal(ada)
    const { key_source, paidBy } = await run(ben)
    expect({ key_source, paidBy: paidBy.filter(Boolean) }).toEqual({ key_source: 'none', paidBy: [] })
  })

  it("is not the owner's when someone else runs a public agent", async () => {
    await savePersonal(ada)
    await savePlatform()
    expect(await run(ben)).toMatchObject({ key_source: 'platform', paidBy: [canaryPlatformKeys.openai] })
  })

  it("is the active platform key before the environment's", async () => {
    app.services.settings.providers.openai.key = 'sk-environment0key0of0the0server'
    await savePlatform()
    expect(await run()).toMatchObject({ key_source: 'platform', paidBy: [canaryPlatformKeys.openai] })
  })

  it("is the environment's if none is stored", async () => {
    app.services.settings.providers.openai.key = 'sk-environment0key0of0the0server'
    expect(await run()).toMatchObject({ key_source: 'platform', paidBy: ['sk-environment0key0of0the0server'] })
  })

  it('is never an inactive platform key', async () => {
    await savePlatform({ is_active: false })
    app.services.settings.providers.openai.baseUrl = null
    const { answer, key_source, paidBy } = await run()
    expect({ key_source, mock_mode: answer.data.mock_mode, paidBy }).toEqual({
      key_source: 'mock',
      mock_mode: true,
      paidBy: [],
    })
  })

  it("is not the environment's if hidden by an inactive platform key", async () => {
    app.services.settings.providers.openai.key = 'sk-environment0key0of0the0server'
    await savePlatform({ is_active: false })
    const { key_source, paidBy } = await run()
    expect({ key_source, paidBy }).toEqual({ key_source: 'none', paidBy: [undefined] })
  })

  it('is none for a local server with only an address', async () => {
    const { key_source, mock_mode, paidBy } = await run()
    expect({ key_source, mock_mode, paidBy }).toEqual({ key_source: 'none', mock_mode: false, paidBy: [undefined] })
  })

  it('is none without settings: no provider is called, and the mock says so', async () => {
    app.services.settings.providers.openai.baseUrl = null
    const { answer, key_source, mock_mode, paidBy } = await run()
    expect({ key_source, mock_mode, paidBy }).toEqual({ key_source: 'mock', mock_mode: true, paidBy: [] })
    expect(answer.data).toMatchObject({ mock_mode: true, usage: { cost_usd: 0 } })
    expect(answer.data.response).toContain('mock answer')
    const { data } = await ada.call(agents.logs)
    expect(data.logs[0]).toMatchObject({ mock_mode: true, key_source: 'mock' })
  })

  it.each(['status-401', 'status-429-quota', 'status-403'])(
    'a personal key failing with %s never falls back to the platform key',
    async (fault) => {
      await savePersonal(ada)
      await savePlatform()
      app.fakes.openai.script([fault])
      const { answer, key_source, paidBy } = await run()
      expect(answer.status).toBe(502)
      expect({ key_source, paidBy }).toEqual({ key_source: 'personal', paidBy: [canaryKeys.openai] })
      expect(answer.text).not.toContain('canary')
    },
  )

  it.each([
    ['moved from another person', 'personal'],
    ['moved from the platform', 'platform'],
  ])("a sealed key %s doesn't open, and no other key is used instead", async (_, from) => {
    await (from === 'personal' ? savePersonal(ben) : savePlatform())
    await app.services.db.updateTable('provider_keys').set({ owner: ada.id }).execute()
    if (from === 'personal') await savePlatform()
    const runs = await countRows(app.services.db, 'runs')
    const answer = await ada.call(agents.run, { body: { agentId, input: 'hello' } })
    expect({ status: answer.status, error: answer.body.error }).toEqual({
      status: 409,
      error: expect.stringContaining('Save it again'),
    })
    expect(app.fakes.openai.requests).toEqual([])
    expect(await countRows(app.services.db, 'runs')).toBe(runs)
    expect(app.logLines.some((line) => line.includes('could not be decrypted'))).toBe(true)
  })

  it("a provider address in an agent's config is never called", async () => {
    await savePersonal(ada)
    const trap = 'http://127.0.0.1:9/v1'
    const createdAgent = await ada.call(agents.create, {
      body: {
        name: 'Trap',
        purpose: 'p',
        config: { base_url: trap, baseUrl: trap, host: trap } as never,
        model_settings: { base_url: trap, baseURL: trap } as never,
      },
    })
    const answer = await ada.call(agents.run, {
      body: { agentId: createdAgent.data.id, input: 'hello', base_url: trap } as never,
    })
    expect(answer.status).toBe(200)
    expect(app.fakes.openai.requests).toHaveLength(1)
  })

  it.each<Provider>(['anthropic', 'together'])('a key for openai is never sent to %s', async (provider) => {
    await savePersonal(ada)
    const createdAgent = await ada.call(agents.create, {
      body: { name: `Of ${provider}`, purpose: 'p', model_provider: provider },
    })
    app.fakes[provider as 'together'].requests.length = 0
    await ada.call(agents.run, { body: { agentId: createdAgent.data.id, input: 'hello' } })
    expect(JSON.stringify(app.fakes[provider as 'together'].requests.map(({ headers }) => headers))).not.toContain(
      'canary',
    )
  })
})
