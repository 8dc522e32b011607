import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import type { Provider } from '#contract/agents/model-settings.ts'
import { models } from '#contract/agents/models.ts'
import { keys } from '#contract/keys/keys.ts'
import { resetBreakers } from '#server/models/breaker.ts'
import { createTestAgent } from '#tests/create-test-agent.ts'
import { countRows } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { canaryKeys, canaryPlatformKeys, createProviderApp } from '#tests/provider-app.ts'
import type { Actor } from '#tests/test-app.ts'
import { useApp } from '#tests/use-test-app.ts'
import { recordKeyVerdict } from './key-verdict.ts'

describe.each(engines)('the key that pays for a run, on %s', (engine) => {
  let agentId: string
  const { app, ada, ben } = useApp(() => createProviderApp(engine), ['ada', 'ben'])
  beforeAll(async () => {
    const createdAgent = await ada.call(agents.create, { body: { name: 'Payer', purpose: 'p', visibility: 'public' } })
    agentId = createdAgent.data.id
  })
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
  const savePlatform = async (fields: object = {}) =>
    (await app.as('cleo', ['super-admin'])).call(keys.savePlatform, {
      body: { provider: 'openai', api_key: canaryPlatformKeys.openai, ...fields },
    })

  it("is the runner's own, before the platform's and the environment's", async () => {
    app.services.settings.providers.openai.key = 'sk-environment0key0of0the0server'
    await savePlatform()
    await savePersonal(ada)
    expect(await run()).toMatchObject({ key_source: 'personal', mock_mode: false, paidBy: [canaryKeys.openai] })
  })

  it('is missing without a personal or shared key, even if other people have one', async () => {
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
    expect(key_source).toBe('mock')
    expect(answer.data.mock_mode).toBe(true)
    expect(paidBy).toEqual([])
  })

  it("is not the environment's if hidden by an inactive platform key", async () => {
    app.services.settings.providers.openai.key = 'sk-environment0key0of0the0server'
    await savePlatform({ is_active: false })
    const { key_source, paidBy } = await run()
    expect({ key_source, paidBy }).toEqual({ key_source: 'none', paidBy: [undefined] })
  })

  it('is not needed for a local server with only an address', async () => {
    const { key_source, mock_mode, paidBy } = await run()
    expect({ key_source, mock_mode, paidBy }).toEqual({ key_source: 'none', mock_mode: false, paidBy: [undefined] })
  })

  it('is missing without settings: no provider is called, and the mock says so', async () => {
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
    const previousRunCount = await countRows(app.services.db, 'runs')
    const answer = await ada.call(agents.run, { body: { agentId, input: 'hello' } })
    expect(answer).toMatchObject({ status: 409, body: { error: expect.stringContaining('Save it again') } })
    expect(app.fakes.openai.requests).toEqual([])
    expect(await countRows(app.services.db, 'runs')).toBe(previousRunCount)
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

describe.each(engines)('a key its provider rejected, on %s', (engine) => {
  let agentId: string
  const { app, ada, ben, cleo } = useApp(() => createProviderApp(engine), ['ada', 'ben', 'cleo'], {
    roles: { cleo: ['super-admin'] },
  })
  beforeAll(async () => {
    const retry = { max_retries: 0, retry_delay_ms: 100 }
    const { id } = await createTestAgent(ada, { name: 'Payer', visibility: 'public', model_settings: { retry } })
    agentId = id
  })
  beforeEach(async () => {
    resetBreakers()
    await app.services.db.deleteFrom('provider_keys').execute()
    await saveKey()
  })

  const saveKey = (actor = ada, apiKey = canaryKeys.openai) =>
    actor.call(keys.savePersonal, { body: { provider: 'openai', apiKey } })
  const run = (fault: string, actor = ada) =>
    actor.call(agents.run, { body: { agentId, input: `hello [[fault:${fault}]]` } })
  const fetchRejectedAt = async (actor = ada) => (await actor.call(keys.listPersonal)).data[0]?.rejected_at
  const expectRejectedAt = (expected: unknown) => expect.poll(() => fetchRejectedAt()).toEqual(expected)

  it('is flagged by the failing run and cleared when it works', async () => {
    expect(await fetchRejectedAt()).toBeNull()
    await run('status-401')
    expect(Math.abs(Date.parse((await fetchRejectedAt()) ?? '') - app.services.now().getTime())).toBeLessThan(60_000)
    await run('ok')
    await expectRejectedAt(null)
  })

  it.each([
    'status-401-permission',
    'status-403',
    'status-429-quota',
    'status-500',
    'status-404',
    'reset-before-answer',
  ])("isn't flagged by %s, which isn't about the key", async (fault) => {
    await run(fault)
    expect(await fetchRejectedAt()).toBeNull()
  })

  it('stays flagged through unrelated failures', async () => {
    await run('status-401')
    await run('status-500')
    expect(await fetchRejectedAt()).not.toBeNull()
  })

  it('is flagged by a rejected list and cleared by a successful one', async () => {
    const list = () => ada.call(models.list, { query: { provider: 'openai', fresh: 'true' } })
    app.fakes.openai.script(['status-401'])
    await list()
    expect(await fetchRejectedAt()).not.toBeNull()
    await list()
    expect(await fetchRejectedAt()).toBeNull()
  })

  it('is cleared when it is saved again', async () => {
    await run('status-401')
    await saveKey()
    expect(await fetchRejectedAt()).toBeNull()
  })

  it("replaced during a run isn't blamed for the old one", async () => {
    await saveKey(ada, 'sk-another0key0of0hers0Xx00')
    const usedKey = { provider: 'openai' as const, payer: ada.id, key: canaryKeys.openai }
    await recordKeyVerdict(app.services, usedKey, { code: 'key-rejected', status: 401 })
    expect(await fetchRejectedAt()).toBeNull()
  })

  it("a rejected platform key is flagged on the platform's card only", async () => {
    await saveKey(ben)
    await app.services.db.deleteFrom('provider_keys').where('owner', '=', ada.id).execute()
    await cleo.call(keys.savePlatform, { body: { provider: 'openai', api_key: canaryPlatformKeys.openai } })
    await run('status-401')
    const { data } = await cleo.call(keys.listPlatform)
    expect(data.keys[0]?.rejected_at).not.toBeNull()
    expect(await fetchRejectedAt(ben)).toBeNull()
    await cleo.call(keys.savePlatform, { body: { provider: 'openai', api_key: canaryPlatformKeys.openai } })
    expect((await cleo.call(keys.listPlatform)).data.keys[0]?.rejected_at).toBeNull()
  })

  it('pages learn which providers are custom servers, by host only', async () => {
    app.services.settings.providers.together.baseUrl = null
    const getHost = (provider: 'openai' | 'anthropic' | 'elevenlabs') => new URL(app.fakes[provider].baseUrl).host
    const expected = { openai: getHost('openai'), anthropic: getHost('anthropic'), elevenlabs: getHost('elevenlabs') }
    expect((await ada.call(keys.listPersonal)).body.local_hosts).toEqual(expected)
    expect((await cleo.call(keys.listPlatform)).data.local_hosts).toEqual(expected)
    app.services.settings.providers.together.baseUrl = 'http://name:secret@10.0.0.7:8080/v1'
    const { text } = await ada.call(keys.listPersonal)
    expect(text).toContain('"together":"10.0.0.7:8080"')
    expect(text).not.toContain('secret')
  })
})
