import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Provider } from '#contract/agents/model-settings.ts'
import { runs } from '#contract/agents/runs.ts'
import { usageCalls } from '#contract/agents/usage.ts'
import { diagnostics } from '#contract/diagnostics/diagnostics.ts'
import { keys } from '#contract/keys/keys.ts'
import type { Person } from '#server/accounts/person.ts'
import { engines } from '#tests/engines.ts'
import { fakeProviders } from '#tests/fake-providers.ts'
import { canaryKeys, createProviderApp, type ProviderApp } from '#tests/provider-app.ts'
import { type Actor, createTestApp } from '#tests/test-app.ts'
import { testModelProvider } from './test-model-provider.ts'

describe.each(engines)('testing a model provider, on %s', (engine) => {
  let app: ProviderApp
  let ada: Actor
  beforeAll(async () => {
    app = await createProviderApp(engine)
    ada = await app.as('ada')
    for (const provider of fakeProviders)
      await ada.call(keys.savePersonal, { body: { provider, apiKey: canaryKeys[provider] } })
  })
  afterAll(() => app.close())

  const tried = (provider: Provider, content = 'ping', as = ada) =>
    as.call(diagnostics.modelProviderTest, {
      body: { provider, messages: [{ role: 'user', content }], userId: 'somebody else' },
    })
  const countRequests = () => app.fakes.openai.requests.filter(({ path }) => path.includes('completions')).length

  it("calls each provider with the person's own key", async () => {
    for (const provider of fakeProviders) {
      const previous = app.fakes[provider].requests.length
      const { status, body, data, text } = await tried(provider)
      expect({ provider, status, success: body.success }).toEqual({ provider, status: 200, success: true })
      expect(data).toMatchObject({ provider, works: true, code: null, key_source: 'personal' })
      expect(data.asked).toBe(provider === 'elevenlabs' ? 'voices' : 'answer')
      expect(app.fakes[provider].requests.length).toBeGreaterThan(previous)
      expect(text).not.toContain('canary')
    }
  })

  it('counts as usage, appears in the logs as Diagnostics, leaves no session', async () => {
    const { data } = await tried('openai')
    const run = await ada.call(runs.show, { params: { runId: data.run_id ?? '' } })
    expect(run.data).toMatchObject({ origin: 'diagnostics', status: 'success', session_id: null })
    const calls = await app.services.db
      .selectFrom('model_calls')
      .select(['person_id', 'key_source'])
      .where('run_id', '=', data.run_id ?? '')
      .execute()
    expect(calls).toEqual([{ person_id: ada.id, key_source: 'personal' }])
    const request = app.fakes.openai.requests.at(-1)
    expect(JSON.stringify(request?.body)).toContain('"max_tokens":16')
  })

  it.each([
    ['status-401', 'key-rejected', /did not accept the key/],
    ['status-429', 'provider-busy', /is busy/],
    ['status-429-quota', 'provider-quota', /out of credit/],
    ['status-500', 'provider-failed', /internal error/],
    ['status-504', 'provider-timeout', /took too long|fault/],
  ])("reports a provider's %s after one attempt", async (fault, code, message) => {
    app.passTime(60_000)
    const previous = countRequests()
    app.fakes.openai.script([fault])
    const { status, body, data, text } = await tried('openai')
    expect({ status, success: body.success, works: data.works }).toEqual({ status: 200, success: false, works: false })
    expect(body.error).toMatch(message)
    if (fault !== 'status-504') expect(data.code).toBe(code)
    expect(countRequests()).toBe(previous + 1)
    expect(text).not.toContain('canary')
  })

  it('reports an ElevenLabs key that is refused', async () => {
    app.passTime(60_000)
    app.fakes.elevenlabs.script(['status-401'])
    const { body, data } = await tried('elevenlabs')
    expect({ success: body.success, works: data.works }).toEqual({ success: false, works: false })
    expect(body.error).toContain('ElevenLabs')
  })

  it('gives up on a silent provider after the timeout', async () => {
    app.passTime(60_000)
    const { id } = ada
    const person = { id, permissions: new Set() } as unknown as Person
    const messages = [{ role: 'user' as const, content: '[[fault:headers-never]]' }]
    const tested = await testModelProvider(app.services, person, { provider: 'openai', messages }, 300)
    expect(tested).toMatchObject({ works: false, code: 'provider-timeout' })
    expect(tested.error).toMatch(/didn’t answer within 1 second/)
  })

  it('is refused above the budget, and nothing is sent', async () => {
    app.passTime(60_000)
    await ada.call(usageCalls.setBudget, { body: { scope: 'mine', limit_usd: 0 } })
    const previous = countRequests()
    const { status, body } = await tried('openai')
    expect({ status, code: body.code }).toEqual({ status: 429, code: 'over-budget' })
    expect(countRequests()).toBe(previous)
    await ada.call(usageCalls.setBudget, { body: { scope: 'mine', limit_usd: null } })
  })

  it('is throttled per minute, and nothing is sent', async () => {
    app.passTime(120_000)
    const answers = await Promise.all(Array.from({ length: 30 }, () => tried('together')))
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(6)
    const previous = app.requestCount()
    const refused = await tried('openai')
    expect({ status: refused.status, code: refused.body.code }).toEqual({ status: 429, code: 'too-many' })
    expect(app.requestCount()).toBe(previous)
  })

  it('without a key sends nothing and says what to do', async () => {
    const bare = await createTestApp(engine)
    const ben = await bare.as('ben')
    const { status, body, data } = await tried('anthropic', 'ping', ben)
    expect({ status, success: body.success, error: body.error }).toEqual({
      status: 200,
      success: false,
      error: 'There’s no Anthropic key, so nothing was sent. Add one under Personal API Keys.',
    })
    expect(data).toMatchObject({ works: false, code: 'no-key', key_source: 'mock', run_id: null })
    await bare.close()
  })
})
