import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { models } from '#contract/agents/models.ts'
import { keys } from '#contract/keys/keys.ts'
import { getProviderInfo } from '#contract/providers/registry.ts'
import { engines } from '#tests/engines.ts'
import { type FakeProvider, fakeProviders } from '#tests/fake-providers.ts'
import { canaryKeys, canaryPlatformKeys, createProviderApp, type ProviderApp } from '#tests/provider-app.ts'
import type { Actor } from '#tests/test-app.ts'

const hour = 60 * 60 * 1000
const offered: Record<FakeProvider, string> = {
  openai: 'gpt-5-mini',
  anthropic: 'claude-sonnet-4-5-20250929',
  together: 'meta-llama/Llama-3.3-70B-Instruct-Turbo',
  elevenlabs: 'eleven_turbo_v2_5',
}
const notOffered: Record<FakeProvider, string> = {
  openai: 'gpt-3.5-turbo',
  anthropic: 'claude-3-opus',
  together: 'meta-llama/Llama-2-70b-chat-hf',
  elevenlabs: 'eleven_monolingual_v1',
}

describe.each(engines)('provider model lists on %s', (engine) => {
  let app: ProviderApp
  let ada: Actor
  let ben: Actor
  let cleo: Actor
  beforeAll(async () => {
    app = await createProviderApp(engine)
    ada = await app.as('ada')
    ben = await app.as('ben')
    cleo = await app.as('cleo', ['super-admin'])
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    app.passTime(2 * hour)
    await app.services.db.deleteFrom('provider_keys').execute()
    await app.services.db.deleteFrom('throttle_windows').execute()
    for (const provider of fakeProviders) {
      app.services.settings.providers[provider] = { key: null, baseUrl: app.fakes[provider].baseUrl }
      app.fakes[provider].requests.length = 0
    }
  })

  const savePersonal = (actor: Actor, provider: FakeProvider = 'openai') =>
    actor.call(keys.savePersonal, { body: { provider, apiKey: canaryKeys[provider] } })
  const savePlatform = (provider: FakeProvider = 'openai', more: object = {}) =>
    cleo.call(keys.savePlatform, { body: { provider, api_key: canaryPlatformKeys[provider], ...more } })
  const list = (actor = ada, provider: FakeProvider = 'openai', more: object = {}) =>
    actor.call(models.list, { query: { provider, ...more } })
  const keysSent = (provider: FakeProvider = 'openai') =>
    app.fakes[provider].requests.map(({ headers }) =>
      String(headers['x-api-key'] ?? headers['xi-api-key'] ?? headers.authorization?.replace('Bearer ', '') ?? 'none'),
    )

  it.each([...fakeProviders])(
    'is fetched from a local %s server and replaces the built-in models',
    async (provider) => {
      await savePersonal(ada, provider)
      const { status, data } = await list(ada, provider)
      expect(status).toBe(200)
      expect(data.models).toContain(offered[provider])
      expect(getProviderInfo(provider).offeredModels).toContain(notOffered[provider])
      expect(data.models).not.toContain(notOffered[provider])
      expect(data).toMatchObject({
        provider,
        source: 'provider',
        key_source: 'personal',
        local_host: new URL(app.fakes[provider].baseUrl).host,
        fetched_at: expect.stringMatching(/Z$/),
        problem: null,
      })
      expect(keysSent(provider)).toEqual([canaryKeys[provider]])
    },
  )

  it.each([...fakeProviders])('is fetched from %s and precedes the built-in models', async (provider) => {
    const { settings, modelRuntime } = app.services
    const { fetch } = modelRuntime
    const { baseUrl } = app.fakes[provider]
    settings.providers[provider].baseUrl = null
    modelRuntime.fetch = (url, init) => fetch(String(url).replace(/^https:\/\/[^/]+\/v1/, baseUrl), init)
    try {
      await savePersonal(ada, provider)
      const { data } = await list(ada, provider)
      expect(data).toMatchObject({ source: 'provider', local_host: null, problem: null })
      expect(data.models).toEqual(
        expect.arrayContaining([offered[provider], ...getProviderInfo(provider).offeredModels]),
      )
      expect(data.models).toEqual([...new Set(data.models)])
      expect(data.models.indexOf(notOffered[provider])).toBeGreaterThan(data.models.indexOf(offered[provider]))
    } finally {
      modelRuntime.fetch = fetch
    }
  })

  it('uses the personal key, then the platform’s, then none for local servers', async () => {
    await savePlatform()
    await savePersonal(ada)
    expect((await list(ada)).data.key_source).toBe('personal')
    expect((await list(ben)).data.key_source).toBe('platform')
    expect(keysSent()).toEqual([canaryKeys.openai, canaryPlatformKeys.openai])
    await savePlatform('openai', { is_active: false })
    expect((await list(ben)).data.key_source).toBe('none')
    expect(keysSent().at(-1)).toBe('none')
  })

  it('is not fetched without a key or local server', async () => {
    app.services.settings.providers.openai.baseUrl = null
    expect((await list()).data).toEqual({
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
    expect(app.requestCount()).toBe(0)
  })

  it('is cached for an hour per key and person', async () => {
    await savePersonal(ada)
    await savePersonal(ben)
    await list(ada)
    app.passTime(hour - 60_000)
    const initial = await list(ada)
    expect(app.fakes.openai.requests).toHaveLength(1)
    await list(ben)
    expect(app.fakes.openai.requests).toHaveLength(2)
    app.passTime(2 * 60_000)
    const later = await list(ada)
    expect(app.fakes.openai.requests).toHaveLength(3)
    expect(Date.parse(later.data.fetched_at ?? '')).toBeGreaterThan(Date.parse(initial.data.fetched_at ?? ''))
  })

  it('is fetched once for concurrent requests', async () => {
    await savePlatform()
    const answers = await Promise.all(Array.from({ length: 8 }, (_, at) => list(at % 2 ? ada : ben)))
    expect(answers.every(({ data }) => data.source === 'provider')).toBe(true)
    expect(app.fakes.openai.requests).toHaveLength(1)
  })

  it('is fetched again when the key changes', async () => {
    await savePersonal(ada)
    await list()
    await ada.call(keys.savePersonal, { body: { provider: 'openai', apiKey: 'sk-another0key0of0hers0Xx00' } })
    await list()
    expect(keysSent()).toEqual([canaryKeys.openai, 'sk-another0key0of0hers0Xx00'])
    await savePersonal(ada)
    await list()
    expect(keysSent()).toHaveLength(3)
    await ada.call(keys.removePersonal, { params: { provider: 'openai' } })
    expect((await list()).data.key_source).toBe('none')
  })

  it('can be refreshed six times a minute', async () => {
    await savePersonal(ada)
    await list()
    const fresh = async () => (await list(ada, 'openai', { fresh: 'true' })).status
    const statuses: number[] = []
    for (let attempt = 0; attempt < 7; attempt++) statuses.push(await fresh())
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429])
    expect(app.fakes.openai.requests).toHaveLength(7)
    expect((await list()).status, 'the kept one is still told').toBe(200)
    const refused = await list(ada, 'openai', { fresh: 'true' })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await list(ben, 'openai', { fresh: 'true' })).status).toBe(200)
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
    await savePersonal(ada)
    app.fakes.openai.script([fault])
    const { status, data, text } = await list()
    expect(status).toBe(200)
    expect(data).toMatchObject({
      models: getProviderInfo('openai').offeredModels,
      source: 'list',
      fetched_at: null,
      key_source: 'personal',
    })
    expect(data.problem).toMatch(problem)
    expect(text).not.toContain('canary')
    await list()
    expect(app.fakes.openai.requests, 'asked again at once').toHaveLength(1)
    app.passTime(61_000)
    expect((await list()).data).toMatchObject({ source: 'provider', problem: null })
  })

  it.each([...fakeProviders])('a redirect from %s never sends the key to another host', async (provider) => {
    await savePersonal(ada, provider)
    for (const status of [301, 302, 303, 307, 308]) {
      app.fakes[provider].script([`redirect-${status}`])
      expect((await list(ada, provider, status === 301 ? {} : { fresh: 'true' })).data.source).toBe('list')
    }
    expect(app.fakes[provider].requests).toHaveLength(5)
    expect(app.fakes[provider].requests.filter(({ path }) => path.includes('elsewhere'))).toEqual([])
  })

  it('reports a key that can’t be decrypted and uses no other', async () => {
    await savePersonal(ben)
    await savePlatform()
    await app.services.db.updateTable('provider_keys').set({ owner: ada.id }).where('owner', '=', ben.id).execute()
    const { status, data } = await list()
    expect({ status, source: data.source }).toEqual({ status: 200, source: 'list' })
    expect(data.problem).toContain('Save it again')
    expect(app.requestCount()).toBe(0)
  })

  it('voices use the same key and cache', async () => {
    const voices = (more: Record<string, string> = {}) => ada.call(models.voices, { query: more })
    await savePersonal(ada, 'elevenlabs')
    const { data } = await voices()
    expect(data).toMatchObject({
      voices: [
        { id: '21m00Tcm4TlvDq8ikWAM', name: 'Rachel' },
        { id: 'pNInz6obpgDQGcFmaJgB', name: 'Adam' },
      ],
      key_source: 'personal',
      problem: null,
    })
    await voices()
    expect(keysSent('elevenlabs')).toEqual([canaryKeys.elevenlabs])
    app.fakes.elevenlabs.script(['status-401-permission'])
    const limited = await voices({ fresh: 'true' })
    expect(limited.data.problem).toMatch(/doesn’t let this key do that.*missing the permission/)
    app.fakes.elevenlabs.script(['status-401'])
    const refused = await voices({ fresh: 'true' })
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
    expect(app.requestCount()).toBe(0)
  })
})
