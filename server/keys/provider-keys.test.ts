import { beforeEach, describe, expect, it } from 'vitest'
import { keys } from '#contract/keys/keys.ts'
import { countRows } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { canaryKeys, canaryPlatformKeys, saveKeys } from '#tests/provider-app.ts'
import { type Actor, createTestApp } from '#tests/test-app.ts'
import { useApp, useTestApp } from '#tests/use-test-app.ts'
import { maskKey } from './provider-keys.ts'

it.each([
  ['sk-canary0personal0openai0Zq81', 'sk-••••••••Zq81'],
  ['sk-ant-canary0personal0anthropic0Zq82', 'sk-ant-••••••••Zq82'],
  ['sk-proj-abcdefghijklmnopqrstuv', 'sk-proj-••••••••stuv'],
  ['canary0personal0together0Zq83', '••••••••Zq83'],
  ['only19characterslong', '••••••••long'],
  ['only19characterslon', '••••••••'],
  ['short', '••••••••'],
])('the key %j is masked as %j', (key, masked) => {
  expect(maskKey(key)).toBe(masked)
})

describe.each(engines)('personal keys, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'])
  beforeEach(() => app.services.db.deleteFrom('provider_keys').execute())

  it('are saved, replaced and listed masked, for their owner only', async () => {
    await saveKeys(ada, 'anthropic')
    const saved = await ada.call(keys.savePersonal, { body: { provider: 'openai', apiKey: `  ${canaryKeys.openai} ` } })
    expect(saved.data).toEqual({ provider: 'openai', maskedKey: 'sk-••••••••Zq81', rejected_at: null })
    await ada.call(keys.savePersonal, { body: { provider: 'openai', apiKey: 'sk-another0key0of0hers0Xx00' } })
    const list = await ada.call(keys.listPersonal)
    expect(list.data).toEqual([
      { provider: 'openai', maskedKey: 'sk-••••••••Xx00', rejected_at: null },
      { provider: 'anthropic', maskedKey: 'sk-ant-••••••••Zq82', rejected_at: null },
    ])
    expect((await ben.call(keys.listPersonal)).data).toEqual([])
    expect(await countRows(app.services.db, 'provider_keys')).toBe(2)
    for (const text of [saved.text, list.text, app.logLines.join('')]) expect(text).not.toContain('canary0personal')
  })

  it.each([
    ['openai', `sk-${'x'.repeat(17)}`],
    ['anthropic', `sk-ant-${'x'.repeat(23)}`],
    ['together', 'x'.repeat(10)],
    ['elevenlabs', 'x'.repeat(10)],
    ['openai', ' '],
    ['openai', `sk-${'x'.repeat(500)}`],
  ] as const)('a malformed %s key is refused by name, neither stored nor repeated', async (provider, apiKey) => {
    const answer = await ada.call(keys.savePersonal, { body: { provider, apiKey } })
    expect(answer.status).toBe(400)
    expect(Object.keys(answer.body.fields ?? {})).toEqual(['apiKey'])
    expect(await countRows(app.services.db, 'provider_keys')).toBe(0)
    if (apiKey.trim()) expect(answer.text).not.toContain(apiKey)
  })

  it('an unknown provider is refused', async () => {
    const answer = await ada.call(keys.savePersonal, { body: { provider: 'acme' as never, apiKey: canaryKeys.openai } })
    expect(answer.status).toBe(400)
    const removed = await ada.call(keys.removePersonal, { params: { provider: 'acme' as never } })
    expect(removed.status).toBe(400)
  })

  it("are deleted once, and no one deletes another person's", async () => {
    await saveKeys(ada, 'openai')
    const remove = (actor: Actor) => actor.call(keys.removePersonal, { params: { provider: 'openai' } })
    expect((await remove(ben)).status).toBe(404)
    expect(await countRows(app.services.db, 'provider_keys')).toBe(1)
    expect((await remove(ada)).status).toBe(200)
    expect((await remove(ada)).status).toBe(404)
    expect(await countRows(app.services.db, 'provider_keys')).toBe(0)
  })

  it("belong to the token's person, whatever header, query or body say", async () => {
    await ada.call(keys.savePersonal, {
      query: { userId: ben.id },
      body: { provider: 'openai', apiKey: canaryKeys.openai, userId: ben.id, owner: ben.id } as never,
      headers: { 'x-user-id': ben.id },
    })
    expect((await ben.call(keys.listPersonal)).data).toEqual([])
    expect((await ada.call(keys.listPersonal, { headers: { 'x-user-id': ben.id } })).data).toHaveLength(1)
  })
})

describe.each(engines)('platform keys, on %s', (engine) => {
  const { app, cleo } = useApp(
    () => createTestApp(engine, { environment: { TOGETHER_API_KEY: canaryPlatformKeys.together } }),
    ['cleo'],
    { roles: { cleo: ['super-admin'] } },
  )

  it('are saved with label and state, listed masked with stats, and replaced', async () => {
    const save = (body: object) => cleo.call(keys.savePlatform, { body: body as never })
    expect((await save({ provider: 'openai', api_key: canaryPlatformKeys.openai, label: ' Main ' })).data).toEqual({
      provider: 'openai',
      maskedKey: 'sk-••••••••Yw91',
      label: 'Main',
      is_active: true,
      rejected_at: null,
      source: 'stored',
    })
    // A person's key is no earlier state of the platform's.
    const ben = await app.as('ben')
    await saveKeys(ben, 'anthropic')
    await save({ provider: 'anthropic', api_key: canaryPlatformKeys.anthropic, is_active: false })
    const switched = app.services.db
      .selectFrom('audit_events')
      .select('id')
      .where('action', '=', 'platform-key-switched')
    expect(await switched.execute()).toEqual([])
    const list = await cleo.call(keys.listPlatform)
    expect(list.data.keys.map((key) => [key.provider, key.is_active, key.source])).toEqual([
      ['openai', true, 'stored'],
      ['anthropic', false, 'stored'],
      ['together', true, 'environment'],
    ])
    const stats = {
      total: 3,
      active: 2,
      byProvider: { openai: 1, anthropic: 1, together: 1, elevenlabs: 0, google: 0 },
      hasActiveKeys: true,
    }
    expect(list.data.stats).toEqual(stats)
    expect((await cleo.call(keys.platformStats)).data).toEqual(stats)
    expect(list.text).not.toMatch(/canary|Yw93/)
    expect((await save({ provider: 'openai', api_key: 'no-key' })).body.fields).toHaveProperty('api_key')
  })

  it('saving and deleting return a message for the page', async () => {
    const body = { provider: 'elevenlabs', api_key: canaryPlatformKeys.elevenlabs } as const
    expect((await cleo.call(keys.savePlatform, { body })).body.message).toBe('Platform key for ElevenLabs saved.')
    const params = { provider: 'elevenlabs' }
    const removed = await cleo.call(keys.removePlatform, { params })
    expect(removed.data).toEqual({})
    expect(removed.body.message).toBe('Platform key for ElevenLabs deleted.')
    expect((await cleo.call(keys.removePlatform, { params })).body.message).toBeUndefined()
  })

  it("an environment key can't be read or deleted, but be hidden by a stored one", async () => {
    const remove = () => cleo.call(keys.removePlatform, { params: { provider: 'together' } })
    const refused = await remove()
    expect(refused).toMatchObject({ status: 409, body: { error: expect.stringContaining('environment') } })
    await cleo.call(keys.savePlatform, { body: { provider: 'together', api_key: 'stored0together0key0Vv11' } })
    expect((await cleo.call(keys.listPlatform)).data.keys.at(-1)).toMatchObject({
      maskedKey: '••••••••Vv11',
      source: 'stored',
    })
    expect((await remove()).status).toBe(200)
    expect((await remove()).status).toBe(409)
    expect((await cleo.call(keys.removePlatform, { params: { provider: 'elevenlabs' } })).status).toBe(404)
  })

  it('people see which providers have a fallback key, and nothing of the key', async () => {
    const ada = await app.as('ada')
    const list = await ada.call(keys.listPersonal)
    expect(list.body.platform).toEqual(['openai', 'together'])
    expect(list.text).not.toMatch(/••|canary/)
  })

  it("platform keys can't be read or changed without permission", async () => {
    const ada = await app.as('ada')
    const previousCount = await countRows(app.services.db, 'provider_keys')
    const answers = [
      await ada.call(keys.listPlatform),
      await ada.call(keys.platformStats),
      await ada.call(keys.savePlatform, { body: { provider: 'openai', api_key: canaryPlatformKeys.openai } }),
      await ada.call(keys.removePlatform, { params: { provider: 'openai' } }),
    ]
    expect(answers.map((answer) => [answer.status, answer.body.code])).toEqual(
      answers.map(() => [403, 'permission-missing']),
    )
    expect(await countRows(app.services.db, 'provider_keys')).toBe(previousCount)
  })
})

describe.each(engines)('keys in other formats, on %s', (engine) => {
  it('are accepted for custom servers only', async () => {
    const app = await createTestApp(engine, { environment: { OPENAI_BASE_URL: 'http://127.0.0.1:9' } })
    const ada = await app.as('ada')
    const cleo = await app.as('cleo', ['super-admin'])
    const save = (apiKey: string) => ada.call(keys.savePersonal, { body: { provider: 'openai', apiKey } })
    const savePlatform = (provider: 'openai' | 'anthropic', api_key: string) =>
      cleo.call(keys.savePlatform, { body: { provider, api_key } })
    for (const apiKey of ['gsk_aBcDeFGhIjKlMnOpQrStUvWxYz12345', 'lm-studio', '123456'])
      expect((await save(apiKey)).status, apiKey).toBe(200)
    for (const apiKey of ['12345', 'two words', 'sk-“quoted”-0123456789'])
      expect((await save(apiKey)).body.fields, apiKey).toHaveProperty('apiKey')
    expect((await savePlatform('openai', 'ollama')).status).toBe(200)
    expect((await savePlatform('anthropic', 'ollama')).body.fields).toEqual({
      api_key: 'Invalid format. Expected format: sk-ant-…',
    })
    await app.close()
  })
})
