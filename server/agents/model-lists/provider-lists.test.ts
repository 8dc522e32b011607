import { beforeEach, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { models } from '#contract/agents/models.ts'
import { versions } from '#contract/agents/versions.ts'
import { keys } from '#contract/keys/keys.ts'
import { getProviderInfo } from '#contract/providers/registry.ts'
import { resetBreakers } from '#server/models/breaker.ts'
import { dayMs, hourMs } from '#server/values/time-units.ts'
import { createTestAgent } from '#tests/create-test-agent.ts'
import { engines } from '#tests/engines.ts'
import { type FakeProvider, fakeProviders } from '#tests/fake-providers.ts'
import { startScriptedServer } from '#tests/fakes/model-providers/scripted-server.ts'
import { canaryKeys, canaryPlatformKeys, createProviderApp, saveKeys } from '#tests/provider-app.ts'
import { createTestApp } from '#tests/test-app.ts'
import { useApp } from '#tests/use-test-app.ts'

const offeredModels: Record<FakeProvider, string> = {
  openai: 'gpt-5-mini',
  anthropic: 'claude-sonnet-4-5-20250929',
  together: 'meta-llama/Llama-3.3-70B-Instruct-Turbo',
  elevenlabs: 'eleven_turbo_v2_5',
}
const builtInModels: Record<FakeProvider, string> = {
  openai: 'gpt-3.5-turbo',
  anthropic: 'claude-3-opus',
  together: 'meta-llama/Llama-2-70b-chat-hf',
  elevenlabs: 'eleven_monolingual_v1',
}

describe.each(engines)('provider model lists on %s', (engine) => {
  const { app, ada, ben, cleo } = useApp(() => createProviderApp(engine), ['ada', 'ben', 'cleo'], {
    roles: { cleo: ['super-admin'] },
  })
  beforeEach(async () => {
    app.passTime(2 * hourMs)
    await app.services.db.deleteFrom('provider_keys').execute()
    await app.services.db.deleteFrom('throttle_windows').execute()
    for (const provider of fakeProviders) {
      app.services.settings.providers[provider] = { key: null, baseUrl: app.fakes[provider].baseUrl }
      app.fakes[provider].requests.length = 0
    }
  })

  const savePlatform = (provider: FakeProvider = 'openai', fields: object = {}) =>
    cleo.call(keys.savePlatform, { body: { provider, api_key: canaryPlatformKeys[provider], ...fields } })
  const listModels = (actor = ada, provider: FakeProvider = 'openai', fields: object = {}) =>
    actor.call(models.list, { query: { provider, ...fields } })
  const listSentKeys = (provider: FakeProvider = 'openai') =>
    app.fakes[provider].requests.map(({ headers }) =>
      String(headers['x-api-key'] ?? headers['xi-api-key'] ?? headers.authorization?.replace('Bearer ', '') ?? 'none'),
    )

  it.each([...fakeProviders])(
    'is fetched from a local %s server and replaces the built-in models',
    async (provider) => {
      await saveKeys(ada, provider)
      const { status, data } = await listModels(ada, provider)
      expect(status).toBe(200)
      expect(data.models).toContain(offeredModels[provider])
      expect(getProviderInfo(provider).offeredModels).toContain(builtInModels[provider])
      expect(data.models).not.toContain(builtInModels[provider])
      expect(data).toMatchObject({
        provider,
        source: 'provider',
        key_source: 'personal',
        local_host: new URL(app.fakes[provider].baseUrl).host,
        fetched_at: expect.stringMatching(/Z$/),
        problem: null,
      })
      expect(listSentKeys(provider)).toEqual([canaryKeys[provider]])
    },
  )

  it.each([...fakeProviders])('is fetched from %s and precedes the built-in models', async (provider) => {
    const { settings, modelRuntime } = app.services
    const { fetch } = modelRuntime
    const { baseUrl } = app.fakes[provider]
    settings.providers[provider].baseUrl = null
    modelRuntime.fetch = (url, init) => fetch(String(url).replace(/^https:\/\/[^/]+\/v1/, baseUrl), init)
    try {
      await saveKeys(ada, provider)
      const { data } = await listModels(ada, provider)
      expect(data).toMatchObject({ source: 'provider', local_host: null, problem: null })
      expect(data.models).toEqual(
        expect.arrayContaining([offeredModels[provider], ...getProviderInfo(provider).offeredModels]),
      )
      expect(data.models).toEqual([...new Set(data.models)])
      expect(data.models.indexOf(builtInModels[provider])).toBeGreaterThan(data.models.indexOf(offeredModels[provider]))
    } finally {
      modelRuntime.fetch = fetch
    }
  })

  it('uses the personal key, then the platform’s, then none for local servers', async () => {
    await savePlatform()
    await saveKeys(ada, 'openai')
    expect((await listModels(ada)).data.key_source).toBe('personal')
    expect((await listModels(ben)).data.key_source).toBe('platform')
    expect(listSentKeys()).toEqual([canaryKeys.openai, canaryPlatformKeys.openai])
    await savePlatform('openai', { is_active: false })
    expect((await listModels(ben)).data.key_source).toBe('none')
    expect(listSentKeys().at(-1)).toBe('none')
  })

  it('is not fetched without a key or local server', async () => {
    app.services.settings.providers.openai.baseUrl = null
    expect((await listModels()).data).toEqual({
      provider: 'openai',
      models: getProviderInfo('openai').offeredModels,
      details: getProviderInfo('openai').offeredModels.map((model) =>
        expect.objectContaining({ model, replacement: 'gpt-6-luna' }),
      ),
      default_model: 'gpt-6-luna',
      recommended: ['gpt-6-luna', 'gpt-6.1-terra', 'gpt-6.2-sol'],
      source: 'list',
      key_source: 'mock',
      local_host: null,
      fetched_at: null,
      problem: null,
    })
    expect(app.providerRequestCount()).toBe(0)
  })

  it('is cached for an hour per key and person', async () => {
    await saveKeys(ada, 'openai')
    await saveKeys(ben, 'openai')
    await listModels(ada)
    app.passTime(hourMs - 60_000)
    const initial = await listModels(ada)
    expect(app.fakes.openai.requests).toHaveLength(1)
    await listModels(ben)
    expect(app.fakes.openai.requests).toHaveLength(2)
    app.passTime(2 * 60_000)
    const later = await listModels(ada)
    expect(app.fakes.openai.requests).toHaveLength(3)
    expect(Date.parse(later.data.fetched_at ?? '')).toBeGreaterThan(Date.parse(initial.data.fetched_at ?? ''))
  })

  it('is fetched once for concurrent requests', async () => {
    await savePlatform()
    const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => listModels(index % 2 ? ada : ben)))
    expect(answers.every(({ data }) => data.source === 'provider')).toBe(true)
    expect(app.fakes.openai.requests).toHaveLength(1)
  })

  it('is fetched again when the key changes', async () => {
    await saveKeys(ada, 'openai')
    await listModels()
    await ada.call(keys.savePersonal, { body: { provider: 'openai', apiKey: 'sk-another0key0of0hers0Xx00' } })
    await listModels()
    expect(listSentKeys()).toEqual([canaryKeys.openai, 'sk-another0key0of0hers0Xx00'])
    await saveKeys(ada, 'openai')
    await listModels()
    expect(listSentKeys()).toHaveLength(3)
    await ada.call(keys.removePersonal, { params: { provider: 'openai' } })
    expect((await listModels()).data.key_source).toBe('none')
  })

  it('can be refreshed six times a minute', async () => {
    await saveKeys(ada, 'openai')
    await listModels()
    const fetchFreshStatus = async () => (await listModels(ada, 'openai', { fresh: 'true' })).status
    const statuses: number[] = []
    for (let attempt = 0; attempt < 7; attempt++) statuses.push(await fetchFreshStatus())
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429])
    expect(app.fakes.openai.requests).toHaveLength(7)
    expect((await listModels()).status, 'the cached list is still returned').toBe(200)
    const refused = await listModels(ada, 'openai', { fresh: 'true' })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await listModels(ben, 'openai', { fresh: 'true' })).status).toBe(200)
  })

  it.each([
    ['status-401', /did not accept the key/],
    ['status-401-permission', /doesn’t let this key do that.*Missing scopes/],
    ['ok-html', /can’t read/],
    ['status-503', /busy/],
    ['redirect-302', /redirect/],
    ['reset-before-answer', /could not be reached/],
    ['json-cut', /can’t read/],
  ])('%s: returns the built-in list and the reason, after one request', async (fault, problem) => {
    await saveKeys(ada, 'openai')
    app.fakes.openai.script([fault])
    const { status, data, text } = await listModels()
    expect(status).toBe(200)
    expect(data).toMatchObject({
      models: getProviderInfo('openai').offeredModels,
      source: 'list',
      fetched_at: null,
      key_source: 'personal',
    })
    expect(data.problem).toMatch(problem)
    expect(text).not.toContain('canary')
    await listModels()
    expect(app.fakes.openai.requests, 'requested again right away').toHaveLength(1)
    app.passTime(61_000)
    expect((await listModels()).data).toMatchObject({ source: 'provider', problem: null })
  })

  it.each([...fakeProviders])('a redirect from %s never sends the key to another host', async (provider) => {
    await saveKeys(ada, provider)
    for (const status of [301, 302, 303, 307, 308]) {
      app.fakes[provider].script([`redirect-${status}`])
      expect((await listModels(ada, provider, status === 301 ? {} : { fresh: 'true' })).data.source).toBe('list')
    }
    expect(app.fakes[provider].requests).toHaveLength(5)
    expect(app.fakes[provider].requests.filter(({ path }) => path.includes('elsewhere'))).toEqual([])
  })

  it('reports a key that can’t be decrypted and uses no other', async () => {
    await saveKeys(ben, 'openai')
    await savePlatform()
    await app.services.db.updateTable('provider_keys').set({ owner: ada.id }).where('owner', '=', ben.id).execute()
    const { status, data } = await listModels()
    expect({ status, source: data.source }).toEqual({ status: 200, source: 'list' })
    expect(data.problem).toContain('Save it again')
    expect(app.providerRequestCount()).toBe(0)
  })

  it('voices use the same key and cache', async () => {
    const listVoices = (fields: Record<string, string> = {}) => ada.call(models.voices, { query: fields })
    await saveKeys(ada, 'elevenlabs')
    const { data } = await listVoices()
    expect(data).toMatchObject({
      voices: [
        { id: '21m00Tcm4TlvDq8ikWAM', name: 'Rachel' },
        { id: 'pNInz6obpgDQGcFmaJgB', name: 'Adam' },
      ],
      key_source: 'personal',
      problem: null,
    })
    await listVoices()
    expect(listSentKeys('elevenlabs')).toEqual([canaryKeys.elevenlabs])
    app.fakes.elevenlabs.script(['status-401-permission'])
    const limited = await listVoices({ fresh: 'true' })
    expect(limited.data.problem).toMatch(/doesn’t let this key do that.*missing the permission/)
    app.fakes.elevenlabs.script(['status-401'])
    const refused = await listVoices({ fresh: 'true' })
    expect(refused.data).toMatchObject({ voices: [], problem: expect.stringMatching(/did not accept the key/) })
    expect(refused.text).not.toContain('canary')
  })

  it('returns no voices without a key and says what to do', async () => {
    app.services.settings.providers.elevenlabs.baseUrl = null
    const { data } = await ada.call(models.voices)
    expect(data).toMatchObject({
      voices: [],
      key_source: 'mock',
      problem: expect.stringContaining('Personal API Keys'),
    })
    expect(app.providerRequestCount()).toBe(0)
  })
})

const toDate = (ms: number) => new Date(ms).toISOString().slice(0, 10)

describe.each(engines)('model lifecycle on %s', (engine) => {
  let listed: object[]
  const createApp = async () => {
    const { baseUrl } = await startScriptedServer(({ path, body }) => {
      if (path === '/v1/models') return { type: 'application/json', body: JSON.stringify({ data: listed }) }
      const isListed = listed.some((model) => 'id' in model && model.id === body.model)
      const refused = 'temperature' in body || 'max_tokens' in body
      if (!isListed || refused) {
        const error = isListed
          ? { message: "Unsupported parameter: 'temperature'", param: 'temperature', code: 'unsupported_parameter' }
          : { message: `The model \`${body.model}\` does not exist`, code: 'model_not_found' }
        return { status: isListed ? 400 : 404, type: 'application/json', body: JSON.stringify({ error }) }
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
    return createTestApp(engine, {
      environment: { OPENAI_BASE_URL: baseUrl },
      modelRuntime: { sleep: async () => {} },
    })
  }
  const { app, ada, cleo } = useApp(createApp, ['ada', 'cleo'], { perTest: true, roles: { cleo: ['super-admin'] } })
  beforeEach(async () => {
    resetBreakers()
    await saveKeys(ada, 'openai')
  })

  const getNow = () => app.services.now().getTime()
  const luna = { id: 'gpt-6-luna', shutdown_date: null }
  const listModels = async (entries: object[]) => {
    listed = entries
    app.passTime(61 * 60_000)
    return (await ada.call(models.list, { query: { provider: 'openai' } })).data
  }
  const run = async (agentId: string, actor = ada) =>
    (await actor.call(agents.run, { body: { action: 'run', agentId, input: 'Who are you?' } as never })).text
  const fetchRetiring = async (actor = ada) => (await actor.call(models.retiring)).data

  it('built-in and new agents run on a fresh installation with a key', async () => {
    const listedModels = await listModels([luna, { id: 'gpt-transcribe' }, { id: 'text-embedding-3-small' }])
    expect(listedModels.models).toEqual(['gpt-6-luna'])
    expect(await run('kip')).toContain('I am gpt-6-luna.')
    const created = await createTestAgent(ada)
    expect(created.model).toBe('gpt-6-luna')
    expect(await run(created.id)).toContain('I am gpt-6-luna.')
  })

  it('recommends the next model if the first choice isn’t listed', async () => {
    expect((await listModels([{ id: 'gpt-6.1-terra' }, { id: 'other' }])).default_model).toBe('gpt-6.1-terra')
    expect((await createTestAgent(ada)).model).toBe('gpt-6.1-terra')
    expect(
      (await listModels([{ id: 'old', shutdown_date: toDate(getNow() + dayMs) }, { id: 'local-model' }])).default_model,
    ).toBe('local-model')
    expect((await createTestAgent(ada, { model: 'chosen' })).model).toBe('chosen')
    expect((await listModels([luna])).default_model).toBe('gpt-6-luna')
  })

  it('marks retiring models with date and replacement', async () => {
    const inThirtyDays = toDate(getNow() + 30 * dayMs)
    const { details } = await listModels([
      { ...luna, context_length: 500_000 },
      { id: 'old', shutdown_date: inThirtyDays },
      { id: 'older', shutdown_date: toDate(getNow() - dayMs) },
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
    expect(data.models).toEqual(getProviderInfo('anthropic').offeredModels)
    expect(data.source).toBe('list')
    expect(data.default_model).toBe('claude-haiku-5-5')
    expect(new Set(data.details.map(({ status }) => status))).toEqual(new Set(['shut-down']))
  })

  it('lists agents with retired models, or ones retiring within 60 days', async () => {
    await listModels([
      luna,
      { id: 'soon', shutdown_date: toDate(getNow() + 30 * dayMs) },
      { id: 'later', shutdown_date: toDate(getNow() + 90 * dayMs) },
    ])
    await createTestAgent(ada, { model: 'later' })
    await createTestAgent(ada, { model: 'unlisted-model' })
    const soon = await createTestAgent(ada, { model: 'soon' })
    const shutDown = await createTestAgent(ada, { model: 'gpt-4' })
    const retiringModels = await fetchRetiring()
    expect(retiringModels).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          agent_id: soon.id,
          model: 'soon',
          status: 'deprecated',
          replacement: 'gpt-6-luna',
        }),
        expect.objectContaining({
          agent_id: shutDown.id,
          model: 'gpt-4',
          status: 'shut-down',
          replacement: 'gpt-6-luna',
        }),
      ]),
    )
    expect(retiringModels.map(({ model }) => model)).not.toContain('later')
    expect(retiringModels.map(({ model }) => model)).not.toContain('unlisted-model')
    expect(await fetchRetiring(await app.as('ben'))).toEqual([])
    expect((await fetchRetiring(cleo)).map(({ agent_id }) => agent_id)).not.toContain(soon.id)
    expect((await app.visitor().call(models.retiring)).status).toBe(401)
  })

  it('switching creates a version, and the previous one can be restored', async () => {
    await listModels([luna])
    const created = await createTestAgent(ada, { model: 'gpt-4o', model_settings: { temperature: 0.2 } })
    const [retiringModel] = (await fetchRetiring()).filter(({ agent_id }) => agent_id === created.id)
    expect(retiringModel).toMatchObject({
      rev: 1,
      model: 'gpt-4o',
      replacement: 'gpt-6-luna',
      shutdown_date: '2027-01-14',
    })
    const body = { id: created.id, model: retiringModel?.replacement ?? '' }
    const { data: switched } = await ada.call(agents.update, { body, ifMatch: 1 })
    expect(switched).toMatchObject({ model: 'gpt-6-luna', model_settings: { temperature: 0.2 }, rev: 2 })
    expect((await fetchRetiring()).map(({ agent_id }) => agent_id)).not.toContain(created.id)
    const params = { agentId: created.id, version: '1' }
    const { data: restored } = await ada.call(versions.restore, { params })
    expect({ model: restored.agent.model, rev: restored.agent.rev }).toEqual({ model: 'gpt-4o', rev: 3 })
    expect((await ada.call(agents.update, { body, ifMatch: 1 })).status, 'doesn’t overwrite a newer list').toBe(409)
  })
})
