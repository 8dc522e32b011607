import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { keys } from '#contract/keys/keys.ts'
import { resetBreakers } from '#server/models/breaker.ts'
import { engines } from '#tests/engines.ts'
import type { FakeProvider } from '#tests/fake-providers.ts'
import { startProviderFake } from '#tests/fakes/model-providers/start-provider-fake.ts'
import { canaryKeys, canaryPlatformKeys, createProviderApp, type ProviderApp } from '#tests/provider-app.ts'
import type { Actor } from '#tests/test-app.ts'

describe.each(engines)('trying a saved key, on %s', (engine) => {
  let app: ProviderApp
  let ada: Actor
  let cleo: Actor
  beforeAll(async () => {
    app = await createProviderApp(engine)
    ada = await app.as('ada')
    cleo = await app.as('cleo', ['super-admin'])
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    resetBreakers()
    app.passTime(61_000)
    for (const fake of Object.values(app.fakes)) fake.requests.length = 0
    await app.services.db.deleteFrom('provider_keys').execute()
  })

  const save = (provider: FakeProvider, apiKey: string = canaryKeys[provider]) =>
    ada.call(keys.savePersonal, { body: { provider, apiKey } })
  const savePlatform = (provider: FakeProvider, more: object = {}) =>
    cleo.call(keys.savePlatform, { body: { provider, api_key: canaryPlatformKeys[provider], ...more } })
  const tryPersonalKey = (provider: FakeProvider) => ada.call(keys.tryPersonal, { params: { provider } })
  const tryPlatform = (provider: FakeProvider) => cleo.call(keys.tryPlatform, { params: { provider } })
  const host = (provider: FakeProvider) => new URL(app.fakes[provider].url).host
  const listRequests = (provider: FakeProvider) =>
    app.fakes[provider].requests.map(({ method, path }) => `${method} ${path}`)

  it.each(['openai', 'anthropic', 'together', 'elevenlabs'] as const)(
    'takes one request for the models of %s, and the result is a sentence',
    async (provider) => {
      await save(provider)
      expect(app.requestCount(), 'saving itself asks nobody').toBe(0)
      const { data } = await tryPersonalKey(provider)
      expect(data).toEqual({ outcome: 'accepted', message: `${host(provider)} accepts this key.`, kip_answers: true })
      for (const call of listRequests(provider)) expect(call).toMatch(/^GET \/v1\/models/)
      const keysSent = app.fakes[provider].requests.map(({ headers }) => JSON.stringify(headers).includes('canary'))
      expect(keysSent, 'a server of one’s own might list its models to everybody').toEqual(
        provider === 'elevenlabs' ? [true] : [true, false],
      )
    },
  )

  it('names the provider for its own address', async () => {
    const { settings, modelRuntime } = app.services
    const { fetch } = modelRuntime
    const { baseUrl } = settings.providers.openai
    settings.providers.openai.baseUrl = null
    modelRuntime.fetch = (url, init) => fetch(String(url).replace('https://api.openai.com/v1', baseUrl ?? ''), init)
    await save('openai')
    expect((await tryPersonalKey('openai')).data.message).toBe('OpenAI accepts this key.')
    Object.assign(modelRuntime, { fetch })
    settings.providers.openai.baseUrl = baseUrl
  })

  it('asks for one word if a server lists models without a key', async () => {
    const open = await startProviderFake({ provider: 'openai', keyless: true })
    const { openai } = app.services.settings.providers
    const { baseUrl } = openai
    openai.baseUrl = open.baseUrl
    const called = () => open.requests.map(({ method }) => method)
    await save('openai')
    expect((await tryPersonalKey('openai')).data.message).toBe(`${new URL(open.url).host} accepts this key.`)
    expect(called()).toEqual(['GET', 'GET', 'POST'])
    open.script(['ok', 'ok', 'status-401'])
    expect((await tryPersonalKey('openai')).data.outcome).toBe('refused')
    open.script(['ok', 'ok', 'status-404'])
    expect((await tryPersonalKey('openai')).data).toMatchObject({
      outcome: 'accepted',
      message: expect.stringContaining('lists its models, with or without a key'),
    })
    openai.baseUrl = baseUrl
    await open.close()
  })

  it('saves a refused key, reports it and flags it', async () => {
    await save('openai', 'sk-wrong-harbour-0123456789')
    const { data, text } = await tryPersonalKey('openai')
    expect(data).toMatchObject({ outcome: 'refused', kip_answers: false })
    expect(data.message).toMatch(/^OpenAI did not accept the key\. .*OpenAI said: /)
    expect(text).not.toContain('wrong-harbour')
    const list = await ada.call(keys.listPersonal)
    expect(list.data).toEqual([expect.objectContaining({ provider: 'openai', rejected_at: expect.any(String) })])
    await save('openai')
    expect((await tryPersonalKey('openai')).data.outcome).toBe('accepted')
  })

  it.each([
    ['reset-before-answer', 'The key couldn’t be tested: OpenAI could not be reached.'],
    ['status-500', 'The key couldn’t be tested: OpenAI had an internal error.'],
    ['status-429', 'The key couldn’t be tested: OpenAI is busy right now.'],
    ['ok-html', 'The key couldn’t be tested: OpenAI sent an answer that Keeper can’t read.'],
  ])("reports no verdict if the provider doesn't give one: %s", async (fault, message) => {
    await save('openai')
    app.fakes.openai.script([fault])
    const { data } = await tryPersonalKey('openai')
    expect(data).toEqual({ outcome: 'unknown', message: expect.stringContaining(message), kip_answers: false })
    expect((await ada.call(keys.listPersonal)).data[0]?.rejected_at).toBe(null)
    expect(listRequests('openai'), 'asked once').toHaveLength(1)
  })

  it("asks for one word if the key can't list models", async () => {
    await save('openai')
    app.fakes.openai.script(['status-401-permission'])
    expect((await tryPersonalKey('openai')).data).toMatchObject({
      outcome: 'accepted',
      message: `${host('openai')} accepts this key.`,
    })
    expect(listRequests('openai').at(-1)).toBe('POST /v1/chat/completions')

    app.fakes.openai.script(['status-401-permission', 'status-401'])
    const { data } = await tryPersonalKey('openai')
    expect(data).toMatchObject({
      outcome: 'refused',
      message: expect.stringContaining('OpenAI did not accept the key'),
    })
  })

  it('checks ElevenLabs by voices and accepts a key that can list neither', async () => {
    await save('elevenlabs')
    app.fakes.elevenlabs.script(['status-401-permission'])
    expect((await tryPersonalKey('elevenlabs')).data.message).toBe(`${host('elevenlabs')} accepts this key.`)
    expect(listRequests('elevenlabs')).toEqual(['GET /v1/models', 'GET /v1/voices'])
    app.services.lists.forget(ada.id, 'elevenlabs')
    app.fakes.elevenlabs.script(['status-401-permission', 'status-401-permission'])
    expect((await tryPersonalKey('elevenlabs')).data).toMatchObject({
      outcome: 'accepted',
      message: expect.stringContaining('can’t list models or voices'),
    })
  })

  it('uses the platform key and no other, even if it is disabled', async () => {
    await cleo.call(keys.savePersonal, { body: { provider: 'openai', apiKey: canaryKeys.openai } })
    await savePlatform('openai', { is_active: false })
    expect((await tryPlatform('openai')).data.outcome).toBe('accepted')
    expect(app.fakes.openai.requests.map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${canaryPlatformKeys.openai}`,
      undefined,
    ])
    // A question would use Cleo's own key.
    app.fakes.openai.script(['status-401-permission'])
    expect((await tryPlatform('openai')).data.outcome).toBe('unknown')
    expect(app.fakes.openai.requests).toHaveLength(3)
  })

  it('is limited to the owner of an existing key', async () => {
    await save('openai')
    const ben = await app.as('ben')
    expect((await ben.call(keys.tryPersonal, { params: { provider: 'openai' } })).status).toBe(404)
    expect((await tryPersonalKey('anthropic')).status).toBe(404)
    expect((await ada.call(keys.tryPlatform, { params: { provider: 'openai' } })).status).toBe(403)
    expect(app.requestCount()).toBe(0)
  })

  it('is limited to twenty times a minute', async () => {
    await save('together')
    const statuses = await Promise.all(
      Array.from({ length: 22 }, async () => (await tryPersonalKey('together')).status),
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(20)
    expect(statuses.filter((status) => status === 429)).toHaveLength(2)
  })
})
