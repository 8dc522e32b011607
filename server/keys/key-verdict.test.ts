import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { models } from '#contract/agents/models.ts'
import { keys } from '#contract/keys/keys.ts'
import { resetBreakers } from '#server/models/breaker.ts'
import { engines } from '#tests/engines.ts'
import { canaryKeys, canaryPlatformKeys, createProviderApp, type ProviderApp } from '#tests/provider-app.ts'
import type { Actor } from '#tests/test-app.ts'
import { recordKeyVerdict } from './key-verdict.ts'

describe.each(engines)('a key its provider rejected, on %s', (engine) => {
  let app: ProviderApp
  let ada: Actor
  let ben: Actor
  let cleo: Actor
  let agentId: string
  beforeAll(async () => {
    app = await createProviderApp(engine)
    ada = await app.as('ada')
    ben = await app.as('ben')
    cleo = await app.as('cleo', ['super-admin'])
    const retry = { max_retries: 0, retry_delay_ms: 100 }
    const body = { name: 'Payer', purpose: 'p', visibility: 'public' as const, model_settings: { retry } }
    agentId = (await ada.call(agents.create, { body: body as never })).data.id
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    resetBreakers()
    await app.services.db.deleteFrom('provider_keys').execute()
    await save()
  })

  const save = (actor = ada, apiKey = canaryKeys.openai) =>
    actor.call(keys.savePersonal, { body: { provider: 'openai', apiKey } })
  const run = (fault: string, actor = ada) =>
    actor.call(agents.run, { body: { agentId, input: `hello [[fault:${fault}]]` } })
  const rejectedAt = async (actor = ada) => (await actor.call(keys.listPersonal)).data[0]?.rejected_at
  const eventually = (expected: unknown) => expect.poll(() => rejectedAt()).toEqual(expected)

  it('is flagged by the failing run and cleared when it works', async () => {
    expect(await rejectedAt()).toBeNull()
    await run('status-401')
    expect(Math.abs(Date.parse((await rejectedAt()) ?? '') - app.services.now().getTime())).toBeLessThan(60_000)
    await run('ok')
    await eventually(null)
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
    expect(await rejectedAt()).toBeNull()
  })

  it('stays flagged through unrelated failures', async () => {
    await run('status-401')
    await run('status-500')
    expect(await rejectedAt()).not.toBeNull()
  })

  it('is flagged by a rejected list and cleared by a successful one', async () => {
    const list = () => ada.call(models.list, { query: { provider: 'openai', fresh: 'true' } })
    app.fakes.openai.script(['status-401'])
    await list()
    expect(await rejectedAt()).not.toBeNull()
    await list()
    expect(await rejectedAt()).toBeNull()
  })

  it('is cleared when it is saved again', async () => {
    await run('status-401')
    await save()
    expect(await rejectedAt()).toBeNull()
  })

  it("replaced during a run isn't blamed for the old one", async () => {
    await save(ada, 'sk-another0key0of0hers0Xx00')
    const used = { provider: 'openai' as const, payer: ada.id, key: canaryKeys.openai }
    await recordKeyVerdict(app.services, used, { code: 'key-rejected', status: 401 })
    expect(await rejectedAt()).toBeNull()
  })

  it("of the platform is flagged on the platform's card only", async () => {
    await save(ben)
    await app.services.db.deleteFrom('provider_keys').where('owner', '=', ada.id).execute()
    await cleo.call(keys.savePlatform, { body: { provider: 'openai', api_key: canaryPlatformKeys.openai } })
    await run('status-401')
    const { data } = await cleo.call(keys.listPlatform)
    expect(data.keys[0]?.rejected_at).not.toBeNull()
    expect(await rejectedAt(ben)).toBeNull()
    await cleo.call(keys.savePlatform, { body: { provider: 'openai', api_key: canaryPlatformKeys.openai } })
    expect((await cleo.call(keys.listPlatform)).data.keys[0]?.rejected_at).toBeNull()
  })

  it('pages learn which providers are custom servers, by host only', async () => {
    app.services.settings.providers.together.baseUrl = null
    const host = (provider: 'openai' | 'anthropic' | 'elevenlabs') => new URL(app.fakes[provider].baseUrl).host
    const expected = { openai: host('openai'), anthropic: host('anthropic'), elevenlabs: host('elevenlabs') }
    expect((await ada.call(keys.listPersonal)).body.local_hosts).toEqual(expected)
    expect((await cleo.call(keys.listPlatform)).data.local_hosts).toEqual(expected)
    app.services.settings.providers.together.baseUrl = 'http://name:secret@10.0.0.7:8080/v1'
    const { text } = await ada.call(keys.listPersonal)
    expect(text).toContain('"together":"10.0.0.7:8080"')
    expect(text).not.toContain('secret')
  })
})
