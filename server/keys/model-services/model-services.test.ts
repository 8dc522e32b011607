import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { audit } from '#contract/administration/audit.ts'
import { agents } from '#contract/agents/agents.ts'
import { models } from '#contract/agents/models.ts'
import { keys } from '#contract/keys/keys.ts'
import { providerCalls } from '#contract/providers/calls.ts'
import { modelServices } from '#contract/providers/model-services.ts'
import { isProvider, setConfiguredProviders } from '#contract/providers/registry.ts'
import { resetBreakers } from '#server/models/breaker.ts'
import { createServices } from '#server/start/create-services.ts'
import { createTestAgent } from '#tests/create-test-agent.ts'
import { countRows } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { startScriptedServer, toChunk, toStream } from '#tests/fakes/model-providers/scripted-server.ts'
import { type Actor, createTestApp, type TestApp } from '#tests/test-app.ts'

const key = 'canary0service0key0Zq91'
const headerValue = 'canary0header0value0Zq92'

const startService = (text: string) =>
  startScriptedServer(({ path }) =>
    path.endsWith('/models')
      ? { type: 'application/json', body: JSON.stringify({ data: [{ id: 'tide-1' }, { id: 'tide-2' }] }) }
      : { body: toStream(toChunk({ content: text }), toChunk({}, 'stop')) },
  )

describe.each(engines)('services added by administrators, on %s', (engine) => {
  let app: TestApp
  let cleo: Actor
  let ada: Actor
  beforeAll(async () => {
    app = await createTestApp(engine, {
      environment: {
        KEEPER_PROVIDERS: JSON.stringify({ quay: { url: 'http://127.0.0.1:9/v1?code=hidden', name: 'Quay' } }),
      },
    })
    cleo = await app.as('cleo', ['super-admin'])
    ada = await app.as('ada')
  })
  afterAll(async () => {
    setConfiguredProviders([])
    await app.close()
  })
  beforeEach(async () => {
    resetBreakers()
    for (const table of ['provider_keys', 'model_services', 'agents'] as const)
      await app.services.db.deleteFrom(table).execute()
    await app.services.modelServices.load(app.services)
  })

  const harbour = { id: 'harbour', name: 'Harbour models', base_url: 'http://127.0.0.1:8000/v1' }
  const create = (overrides: object = {}) => cleo.call(modelServices.create, { body: { ...harbour, ...overrides } })
  const update = (body: object, ifMatch?: number) =>
    cleo.call(modelServices.update, { params: { id: 'harbour' }, body, ...(ifMatch !== undefined && { ifMatch }) })
  const remove = (id = 'harbour') => cleo.call(modelServices.remove, { params: { id } })
  const createAgent = async () => {
    return (await createTestAgent(ada, { name: 'Tide', model_provider: 'harbour', model: 'tide-1' })).id
  }
  const run = (agentId: string) => ada.call(agents.run, { body: { agentId, input: 'Hello' } })

  it('serve agents right away and never reveal their secrets', async () => {
    const service = await startService('From the harbour.')
    const headers = [
      { name: 'Api-Key', value: headerValue },
      { name: 'x-team', value: 'herons' },
    ]
    const created = await create({ base_url: `${service.baseUrl}/chat/completions`, key, headers })
    expect(created.data).toEqual({
      ...harbour,
      base_url: service.baseUrl,
      header_names: ['api-key', 'x-team'],
      source: 'stored',
      agents: 0,
      personal_keys: 0,
      problem: null,
      rev: 1,
      correction: `/chat/completions at the end was removed, so Keeper calls ${service.baseUrl}`,
    })
    expect((await ada.call(providerCalls.list)).data).toEqual([
      { id: 'quay', name: 'Quay' },
      { id: 'harbour', name: 'Harbour models' },
    ])
    const modelList = await ada.call(models.list, { query: { provider: 'harbour' } })
    expect(modelList.data).toMatchObject({ models: ['tide-1', 'tide-2'], source: 'provider', key_source: 'platform' })
    const answer = await run(await createAgent())
    expect(answer.data.response).toBe('From the harbour.')
    const sent = service.requests.at(-1)?.headers
    expect(sent?.authorization).toBe(`Bearer ${key}`)
    expect(sent?.['api-key']).toEqual(headerValue)
    expect(sent?.['x-team']).toBe('herons')
    const trial = await cleo.call(modelServices.tryOut, { params: { id: 'harbour' } })
    expect(trial.data).toEqual({ works: true, message: 'Harbour models answers with 2 models: tide-1, tide-2.' })
    const lists = [await cleo.call(modelServices.list), await cleo.call(keys.listPlatform)]
    expect(lists[0]?.data).toMatchObject([
      { id: 'quay', source: 'environment', base_url: 'http://127.0.0.1:9/v1' },
      { id: 'harbour', agents: 1 },
    ])
    const rows = await app.services.db.selectFrom('model_services').selectAll().execute()
    const texts = [created, modelList, answer, trial, ...lists].map(({ text }) => text)
    for (const text of [...texts, app.logLines.join('\n'), JSON.stringify(rows)])
      expect(text).not.toMatch(/canary0|herons|hidden/)
  })

  it('are changed and deleted only with permission to manage keys', async () => {
    await create()
    for (const [actor, status] of [
      [ada, 403],
      [app.visitor(), 401],
    ] as const) {
      const params = { id: 'harbour' }
      const answers = await Promise.all([
        actor.call(modelServices.list),
        actor.call(modelServices.create, { body: { ...harbour, id: 'other' } }),
        actor.call(modelServices.update, { params, body: { name: 'Mine' } }),
        actor.call(modelServices.remove, { params }),
        actor.call(modelServices.tryOut, { params }),
      ])
      expect(answers.map((answer) => answer.status)).toEqual(Array(5).fill(status))
    }
    expect(await countRows(app.services.db, 'model_services')).toBe(1)
  })

  it('are audited by id and host', async () => {
    const params = { id: 'pier' }
    await create({ ...params, key })
    await cleo.call(modelServices.update, { params, body: { name: 'Port' } })
    await cleo.call(modelServices.update, { params, body: { base_url: 'http://127.0.0.1:8001/v1', key } })
    await remove('pier')
    const { items } = (await cleo.call(audit.list, { query: { limit: 20 } })).data
    const events = items.filter(({ subject }) => subject === 'pier')
    expect(events.map(({ action, details }) => `${action} ${Object.values(details).toSorted()}`).toSorted()).toEqual([
      'model-service-added 127.0.0.1:8000',
      'model-service-changed 127.0.0.1:8000',
      'model-service-changed 127.0.0.1:8000,127.0.0.1:8001',
      'model-service-removed 127.0.0.1:8001',
      'platform-key-saved ',
      'platform-key-saved ',
    ])
  })

  it.each([
    ['id', { id: 'openai' }, 'A built-in provider has this ID. Choose another one.'],
    ['id', { id: 'quay' }, 'A service from the server’s environment already has this ID. Choose another one.'],
    ['id', { id: 'Harbour!' }, 'Use 1 to 40 lowercase letters, digits and hyphens.'],
    ['name', { name: ' ' }, 'Enter a name for the service.'],
    [
      'base_url',
      { base_url: 'localhost:11434' },
      'The base URL must be an address starting with http:// or https://, such as http://127.0.0.1:11434/v1.',
    ],
    [
      'base_url',
      { base_url: 'https://a.example/v1?key=hidden' },
      'The base URL can’t have a query, except for Azure’s “api-version”. If it contains a key, enter the key in its own field or as a header.',
    ],
    ...['169.254.169.254', '[fe80::1]', '2852039166', '[::ffff:169.254.169.254]', '[fd00:ec2::254]'].map(
      (host) =>
        [
          'base_url',
          { base_url: `http://${host}/v1` },
          expect.stringContaining('is a link-local address, where cloud servers get their credentials'),
        ] as const,
    ),
    ['key', { key: 'short' }, 'Invalid format. Expected format: at least 6 characters'],
    ['headers.0.name', { headers: [{ name: 'Host', value: 'x' }] }, 'Keeper sets this header itself. Use another one.'],
    ['headers.0.value', { headers: [{ name: 'api-key' }] }, 'Enter the value of this header.'],
    [
      'headers',
      {
        headers: [
          { name: 'a', value: '1' },
          { name: 'A', value: '2' },
        ],
      },
      'List each header only once.',
    ],
    ['headers', { headers: Array(21).fill({ name: 'a', value: '1' }) }, 'Use at most 20 headers.'],
  ] as const)('are refused at the field %s (case %#)', async (field, overrides, message) => {
    const refused = await create(overrides)
    expect(refused.status).toBe(400)
    expect(refused.body.fields).toEqual({ [field]: message })
    expect(refused.text).not.toContain('hidden')
    expect(await countRows(app.services.db, 'model_services')).toBe(0)
  })

  it('are refused for hosts of cloud metadata and for existing ids', async () => {
    app.services.egress.resolve = async () => ['127.0.0.1', '169.254.169.254']
    const refused = await create({ base_url: 'http://metadata.example/v1' })
    expect(refused.body.fields?.base_url).toMatch(/^metadata\.example is a link-local address/)
    delete app.services.egress.resolve
    await create()
    expect((await create()).body.fields).toEqual({ id: 'There’s already a service with this ID. Choose another one.' })
  })

  it('keep fields an update leaves out, and report stale updates', async () => {
    const service = await startService('Here.')
    const headers = [{ name: 'api-key', value: headerValue }]
    await create({ base_url: service.baseUrl, headers, key })
    const second = await update({ name: 'Port', headers: [{ name: 'api-key' }, { name: 'x-team', value: 'gulls' }] }, 1)
    expect(second.data).toMatchObject({ name: 'Port', rev: 2, header_names: ['api-key', 'x-team'] })
    const late = await update({ name: 'Quayside' }, 1)
    expect({ status: late.status, code: late.body.code }).toEqual({ status: 409, code: 'stale' })
    expect(late.body.data).toMatchObject({ yours: { name: 'Quayside', rev: 1 }, current: { name: 'Port', rev: 2 } })
    await run(await createAgent())
    const sent = service.requests.at(-1)?.headers
    expect(sent?.authorization).toBe(`Bearer ${key}`)
    expect(sent?.['api-key']).toEqual(headerValue)
    expect(sent?.['x-team']).toBe('gulls')
  })

  it("send no secret to another host, and people's keys are deleted", async () => {
    await create({ key, headers: [{ name: 'api-key', value: headerValue }] })
    await ada.call(keys.savePersonal, { body: { provider: 'harbour', apiKey: 'adas-own-key' } })
    const base_url = 'http://127.0.0.1:8001/v1'
    const headers = [{ name: 'api-key', value: 'another' }]
    expect((await update({ base_url, key })).body.fields).toEqual({
      'headers.0.value':
        'The base URL points to another host, and saved values aren’t sent there. Enter the value again.',
    })
    expect((await update({ base_url, headers })).body.fields).toEqual({
      key: 'The base URL points to another host, and the saved key isn’t sent there. Enter the key for that host.',
    })
    expect((await ada.call(keys.listPersonal)).data).toHaveLength(1)
    expect((await update({ base_url: `${harbour.base_url}/v1` })).data.correction).toContain('repeated version path')
    expect((await ada.call(keys.listPersonal)).data).toHaveLength(1)
    expect((await update({ base_url, headers, key })).status).toBe(200)
    expect((await ada.call(keys.listPersonal)).data).toEqual([])
    expect((await cleo.call(keys.listPlatform)).data.keys).toMatchObject([{ provider: 'harbour' }])
  })

  it('are deleted with their keys, and runs of their agents explain it', async () => {
    await create({ key })
    const id = await createAgent()
    await ada.call(keys.savePersonal, { body: { provider: 'harbour', apiKey: 'adas-own-key' } })
    expect((await remove()).status).toBe(200)
    expect(await countRows(app.services.db, 'provider_keys')).toBe(0)
    expect((await remove()).status).toBe(404)
    const failed = await run(id)
    expect(failed).toMatchObject({
      status: 409,
      body: {
        code: 'provider-missing',
        error:
          'The model service “harbour” is no longer set up on this server. Choose another model provider for Tide, or ask an administrator to add the service again.',
      },
    })
    expect(isProvider('harbour')).toBe(false)
  })

  it("services set in the environment can't be changed here", async () => {
    for (const answer of [
      await cleo.call(modelServices.update, { params: { id: 'quay' }, body: { name: 'Mine' } }),
      await remove('quay'),
    ])
      expect(answer).toMatchObject({
        status: 409,
        body: { error: 'This service is set in the server’s environment. An administrator can change it there.' },
      })
  })

  it('report the result of a trial, even without a response', async () => {
    await create({ base_url: 'http://127.0.0.1:9/v1' })
    const { works, message } = (await cleo.call(modelServices.tryOut, { params: { id: 'harbour' } })).data
    expect(works).toBe(false)
    expect(message).toMatch(
      /^Harbour models is saved, but its list of models couldn’t be read\. .+ in an agent’s form\.$/,
    )
    expect((await cleo.call(modelServices.tryOut, { params: { id: 'nowhere' } })).status).toBe(404)
  })

  it('are loaded at startup; settings override them, and a wrong key reads no secrets', async () => {
    await create({ headers: [{ name: 'api-key', value: headerValue }] })
    const { db, log, settings } = app.services
    const masterSecret = 'a secret that only tests use, long enough'
    const restarted = createServices({ db, log, settings, masterSecret })
    await restarted.modelServices.load(restarted)
    expect(restarted.modelServices.find('harbour')).toMatchObject({ headers: { 'api-key': headerValue } })
    const harbourSettings = { ...harbour, baseUrl: 'http://127.0.0.1:7/v1', key: null, headers: {} }
    const overridden = createServices({ db, log, settings: { ...settings, services: [harbourSettings] }, masterSecret })
    await overridden.modelServices.load(overridden)
    expect(overridden.modelServices.list()).toEqual([harbourSettings])
    const withOtherKey = createServices({ db, log, settings, masterSecret: 'another secret, long enough to be one' })
    await withOtherKey.modelServices.load(withOtherKey)
    expect(withOtherKey.modelServices.find('harbour')).toMatchObject({
      headers: {},
      problem: 'The saved headers of Harbour models can no longer be decrypted. Enter them again.',
    })
  })
})
