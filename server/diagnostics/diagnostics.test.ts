import { rmSync } from 'node:fs'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { audit } from '#contract/administration/audit.ts'
import { agents } from '#contract/agents/agents.ts'
import { completeSettings, type Provider } from '#contract/agents/model-settings.ts'
import { runs } from '#contract/agents/runs.ts'
import { usageCalls } from '#contract/agents/usage.ts'
import { versions } from '#contract/agents/versions.ts'
import { diagnostics } from '#contract/diagnostics/diagnostics.ts'
import { keys } from '#contract/keys/keys.ts'
import type { Person } from '#server/accounts/person.ts'
import { createApp } from '#server/app.ts'
import { json } from '#server/db/database.ts'
import { migrations } from '#server/db/migrations/index.ts'
import { resetBreakers } from '#server/models/breaker.ts'
import { minuteMs } from '#server/values/time-units.ts'
import { computeDatabaseHash } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import { type FakeProvider, fakeProviders } from '#tests/fake-providers.ts'
import { startProviderFake } from '#tests/fakes/model-providers/start-provider-fake.ts'
import { canaryKeys, canaryPlatformKeys, createProviderApp } from '#tests/provider-app.ts'
import { createTestApp } from '#tests/test-app.ts'
import { useApp, useTestApp } from '#tests/use-test-app.ts'
import { testModelProvider } from './test-model-provider.ts'

const testUUID = '0b9f3a52-3f5e-4c57-9a5d-6f0f3f6e0a11'

describe.each(engines)('diagnostics, on %s', (engine) => {
  const { app } = useTestApp(engine)

  it('anyone can see whether the server works, and nothing else', async () => {
    const visitor = app.visitor()
    expect((await visitor.call(diagnostics.ping)).text).toBe('{"status":"ok"}')
    expect((await visitor.call(diagnostics.health)).text).toBe('{"status":"ok","reasons":[]}')
    expect((await visitor.call(diagnostics.facts)).text).toBe('{"status":"ok","reasons":[]}')
    expect((await visitor.call(diagnostics.platformStatus)).text).toBe('{"status":"ok"}')
  })

  it('people who are signed in also learn the database engine', async () => {
    const ada = await app.as('ada')
    expect((await ada.call(diagnostics.facts)).data).toMatchObject({ status: 'ok', server: { engine } })
    expect((await ada.call(diagnostics.test)).data.message).toBe('The API answers.')
  })

  it('no other site can read the answers', async () => {
    for (const path of ['/ping', '/health']) {
      const origin = { origin: 'https://other.example' }
      const preflight = await app.fetch(path, { method: 'OPTIONS', headers: origin })
      const response = await app.fetch(path, { headers: origin })
      expect({ preflight: preflight.status, get: response.status }).toEqual({
        preflight: 204,
        get: 200,
      })
      for (const { headers } of [preflight, response]) {
        expect(headers.get('access-control-allow-origin')).toBeNull()
        expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
      }
    }
  })

  it('the database state contains no path or address', async () => {
    const ada = await app.as('ada')
    const { data, text } = await ada.call(diagnostics.database)
    expect(data).toMatchObject({ engine, reachable: true, integrity: 'ok' })
    expect(data.migrations).toEqual({ applied: migrations.length, pending: [] })
    expect(data.tables).toBeGreaterThan(30)
    expect(text).not.toContain(app.services.settings.dataDir)
    expect(text).not.toMatch(/postgres:\/\/|[/\\]tmp|data\.db/)
  })

  it('a value survives the round trip and leaves no row', async () => {
    const ada = await app.as('ada')
    const ben = await app.as('ben')
    await ada.call(diagnostics.uuidTest, { body: { testUUID, testString: '' } })
    const previous = await listThrottleRows()
    for (const testString of ['ping', 'ünï 🗝 "quoted" %_', '']) {
      const body = { testUUID, testString, userID: ben.id }
      expect((await ada.call(diagnostics.uuidTest, { body })).data).toMatchObject({ testUUID, testString })
    }
    expect(await listThrottleRows()).toEqual(previous)
    const invalid = await ada.call(diagnostics.uuidTest, { body: { testUUID: 'none', testString: 'x' } })
    expect({ status: invalid.status, fields: invalid.body.fields }).toEqual({
      status: 400,
      fields: { testUUID: 'Send a UUID.' },
    })
  })

  const listThrottleRows = async () => {
    const rows = await app.services.db.selectFrom('throttle_windows').select('bucket').execute()
    return rows.map(({ bucket }) => bucket).sort()
  }

  it('a submitted form is dropped and reaches neither log nor database', async () => {
    const ada = await app.as('ada')
    const previous = await computeDatabaseHash(app.services.db)
    const body = { action: 'create', domainId: 'x', formData: { name: 'canary-of-a-form', password: 'canary-too' } }
    const answer = await ada.call(diagnostics.formDebug, { body })
    expect({ status: answer.status, success: answer.body.success }).toEqual({ status: 200, success: true })
    expect(`${answer.text}${app.logLines.join('')}`).not.toContain('canary')
    const formLines = app.logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'a form was sent')
    expect(formLines, 'logged at the configured level').toEqual([
      {
        level: 'info',
        time: expect.any(String),
        requestId: expect.any(String),
        personId: ada.id,
        msg: 'a form was sent',
      },
    ])
    expect(await computeDatabaseHash(app.services.db)).toBe(previous)
  })

  it('repairs need the permission, and the refusal names it', async () => {
    const ada = await app.as('ada')
    const dot = await app.as('dot', ['developer', 'admin'])
    const previous = await computeDatabaseHash(app.services.db)
    for (const repair of [diagnostics.fixDatabase, diagnostics.fixKipProvider]) {
      expect((await app.visitor().call(repair)).status).toBe(401)
      for (const actor of [ada, dot]) {
        const { status, body } = await actor.call(repair)
        expect({ status, code: body.code, error: body.error }).toEqual({
          status: 403,
          code: 'permission-missing',
          error: 'You need the permission "system_configuration" for this. Ask a super-admin for a role that has it.',
        })
      }
    }
    expect(await computeDatabaseHash(app.services.db)).toBe(previous)
  })

  it('a pending migration is backed up, applied once and audited', async () => {
    const cleo = await app.as('cleo', ['super-admin'])
    const pending = { name: '9001-pots', statements: () => ['create table pots (id text primary key)'] }
    migrations.push(pending)
    try {
      const health = await cleo.call(diagnostics.health)
      expect({ status: health.status, reasons: health.data.reasons }).toEqual({
        status: 503,
        reasons: ['Pending database migrations: 1.'],
      })
      expect((await cleo.call(diagnostics.database)).data.migrations.pending).toEqual(['9001-pots'])
      const [first, second] = await Promise.all([
        cleo.call(diagnostics.fixDatabase),
        cleo.call(diagnostics.fixDatabase),
      ])
      for (const answer of [first, second]) expect(answer.body).toMatchObject({ success: true, data: { errors: [] } })
      const messages = [...first.data.actions, ...second.data.actions].map(({ message }) => message)
      expect(messages.filter((message) => message === 'Applied the migration 9001-pots.')).toHaveLength(1)
      expect(messages).toContain('No migration was pending.')
      expect(messages).toContain('A backup was saved to the backups folder first.')
      expect(messages.join(' ')).not.toContain(app.services.settings.dataDir)
      await app.services.db.write(sql`insert into pots (id) values ('a pot')`)
      expect((await cleo.call(diagnostics.health)).status).toBe(200)
    } finally {
      migrations.pop()
      await app.services.db.write(sql`delete from keeper_migrations where name = '9001-pots'`)
      await app.services.db.write(sql`drop table pots`)
    }
    const { data } = await cleo.call(audit.list, { query: { action: 'database-repaired' } })
    expect(data.items.map(({ actor, details }) => [actor?.id, details.applied, details.errors]).sort()).toEqual([
      [cleo.id, '9001-pots', '0'],
      [cleo.id, 'none', '0'],
    ])
  })

  it('a failing migration is reported and rolled back', async () => {
    const cleo = await app.as('cleo', ['super-admin'])
    migrations.push({ name: '9001-broken', statements: () => ['create table pots (id text)', 'drop table nowhere'] })
    try {
      const { status, body } = await cleo.call(diagnostics.fixDatabase)
      expect({ status, success: body.success }).toEqual({ status: 200, success: false })
      expect(body.error).toMatch(/^Migration 9001-broken failed and was undone: /)
      expect(body.data?.errors).toEqual([{ error: body.error }])
    } finally {
      migrations.pop()
    }
    expect((await cleo.call(diagnostics.health)).status).toBe(200)
  })

  it('built-in agents get their provider back as a new version each', async () => {
    const cleo = await app.as('cleo', ['super-admin'])
    const { db } = app.services
    const ownAgent = await cleo.call(agents.create, {
      body: { name: 'Mine', purpose: 'p', model_provider: 'together' },
    })
    const damage = { model_provider: 'elevenlabs' as const, status: 'error' as const }
    await db.updateTable('agents').set(damage).where('id', '=', 'built-in-kip').execute()
    const changedSettings = json({ ...completeSettings('openai', undefined), temperature: 2 })
    await db.updateTable('agents').set({ model_settings: changedSettings }).where('id', '=', 'built-in-ceox').execute()
    await db.deleteFrom('agents').where('id', '=', 'built-in-code-agent').execute()

    const { data, body } = await cleo.call(diagnostics.fixKipProvider)
    expect(body.success).toBe(true)
    expect(data.errors).toEqual([])
    expect(data.actions.map(({ message }) => message).sort()).toEqual([
      'CeoX: changed from openai gpt-6-luna to openai gpt-6-luna.',
      'Code Agent was missing and has been restored.',
      'Kip: changed from elevenlabs gpt-6-luna, status error, to openai gpt-6-luna.',
    ])
    const kip = await cleo.call(agents.byId, { query: { id: 'built-in-kip' } })
    expect(kip.data).toMatchObject({ model_provider: 'openai', status: 'ready', rev: 2 })
    expect(kip.data.model_settings).toEqual(completeSettings('openai', undefined))
    const versionList = await cleo.call(versions.list, { params: { agentId: 'built-in-kip' } })
    expect(versionList.data.items.map(({ version }) => version)).toEqual([2, 1])
    expect((await cleo.call(agents.byId, { query: { id: ownAgent.data.id } })).data).toEqual(ownAgent.data)

    const again = await cleo.call(diagnostics.fixKipProvider)
    expect(again.data.actions).toEqual([
      { message: 'Nothing to do: all 5 built-in agents use the default provider and its default settings.' },
    ])
    const { items } = (await cleo.call(audit.list, { query: { action: 'built-in-agents-repaired' } })).data
    expect(items.map(({ details }) => details.agents?.split(', ').sort().join(' ')).sort()).toEqual([
      'ceox code-agent kip',
      'none',
    ])
  })

  it('a lost database is reported without the reason, which is logged', async () => {
    const broken = await createTestApp(engine)
    await broken.services.db.close()
    const health = await broken.visitor().call(diagnostics.health)
    expect({ status: health.status, text: health.text }).toEqual({
      status: 503,
      text: '{"status":"unavailable","reasons":["The database isn’t responding."]}',
    })
    expect((await broken.visitor().call(diagnostics.ping)).status).toBe(200)
    expect(broken.logLines.some((line) => line.includes('isn’t responding'))).toBe(true)
    await broken.close()
  })

  it.runIf(engine === 'postgres')('a database that is read-only is not ready', async () => {
    const readOnly = await createTestApp(engine)
    const { db } = readOnly.services
    const [row] = await db.longRead(sql<{ name: string }>`select current_database() as name`)
    await db.write(sql`alter database ${sql.ref(row!.name)} set default_transaction_read_only = on`)
    const disconnect = sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()`
    await db.write(disconnect).catch(() => {})
    const getHealth = () => readOnly.visitor().call(diagnostics.health)
    await eventually(async () => expect((await getHealth()).data.reasons).toEqual(['The database can’t be written.']))
    expect((await getHealth()).status).toBe(503)
    await readOnly.close()
  })

  it('a missing data folder is reported without its path', async () => {
    const broken = await createTestApp(engine)
    const { dataDir } = broken.services.settings
    rmSync(dataDir, { recursive: true })
    const health = await broken.visitor().call(diagnostics.health)
    expect({ status: health.status, reasons: health.data.reasons }).toEqual({
      status: 503,
      reasons: ['The data folder isn’t writable.'],
    })
    expect(health.text).not.toContain(dataDir)
    const lines = broken.logLines.filter((line) => line.includes('isn’t writable'))
    expect(lines).toHaveLength(1)
    expect(lines[0]).not.toMatch(/stack|\\n/)
    await broken.close()
  })

  it('a stopping server answers health checks and refuses everything else', async () => {
    const stopping = createApp(app.services)
    stopping.refuseNewRequests()
    const request = async (path: string) => {
      const headers = { host: 'localhost' }
      const answer = await stopping.fetch(new Request(`http://localhost${path}`, { headers }))
      return { status: answer.status, body: await answer.json() }
    }
    const reasons = ['The server is shutting down.']
    expect(await request('/health')).toEqual({ status: 503, body: { status: 'unavailable', reasons } })
    expect((await request('/ping')).body).toMatchObject({ code: 'shutting-down' })
  })
})

describe.each(engines)('testing a model provider, on %s', (engine) => {
  const { app, ada } = useApp(() => createProviderApp(engine), ['ada'])
  beforeAll(async () => {
    for (const provider of fakeProviders)
      await ada.call(keys.savePersonal, { body: { provider, apiKey: canaryKeys[provider] } })
  })

  const tryProvider = (provider: Provider, content = 'ping', actor = ada) =>
    actor.call(diagnostics.modelProviderTest, {
      body: { provider, messages: [{ role: 'user', content }], userId: 'somebody else' },
    })
  const countRequests = () => app.fakes.openai.requests.filter(({ path }) => path.includes('completions')).length

  it("calls each provider with the person's own key", async () => {
    for (const provider of fakeProviders) {
      const previous = app.fakes[provider].requests.length
      const { status, body, data, text } = await tryProvider(provider)
      expect({ provider, status, success: body.success }).toEqual({ provider, status: 200, success: true })
      expect(data).toMatchObject({ provider, works: true, code: null, key_source: 'personal' })
      expect(data.asked).toBe(provider === 'elevenlabs' ? 'voices' : 'answer')
      expect(app.fakes[provider].requests.length).toBeGreaterThan(previous)
      expect(text).not.toContain('canary')
    }
  })

  it('counts as usage, appears in the logs as Diagnostics, leaves no session', async () => {
    const { data } = await tryProvider('openai')
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
    const { status, body, data, text } = await tryProvider('openai')
    expect({ status, success: body.success, works: data.works }).toEqual({ status: 200, success: false, works: false })
    expect(body.error).toMatch(message)
    if (fault !== 'status-504') expect(data.code).toBe(code)
    expect(countRequests()).toBe(previous + 1)
    expect(text).not.toContain('canary')
  })

  it('reports an ElevenLabs key that is refused', async () => {
    app.passTime(60_000)
    app.fakes.elevenlabs.script(['status-401'])
    const { body, data } = await tryProvider('elevenlabs')
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
    const { status, body } = await tryProvider('openai')
    expect({ status, code: body.code }).toEqual({ status: 429, code: 'over-budget' })
    expect(countRequests()).toBe(previous)
    await ada.call(usageCalls.setBudget, { body: { scope: 'mine', limit_usd: null } })
  })

  it('is throttled per minute, and nothing is sent', async () => {
    app.passTime(minuteMs - (app.services.now().getTime() % minuteMs))
    const answers = await Promise.all(Array.from({ length: 30 }, () => tryProvider('together')))
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(6)
    const previous = app.providerRequestCount()
    const refused = await tryProvider('openai')
    expect({ status: refused.status, code: refused.body.code }).toEqual({ status: 429, code: 'too-many' })
    expect(app.providerRequestCount()).toBe(previous)
  })

  it('a test without a key sends nothing and says what to do', async () => {
    const keylessApp = await createTestApp(engine)
    const ben = await keylessApp.as('ben')
    const { status, body, data } = await tryProvider('anthropic', 'ping', ben)
    expect({ status, success: body.success, error: body.error }).toEqual({
      status: 200,
      success: false,
      error: 'There’s no Anthropic key, so nothing was sent. Add one under Personal API Keys.',
    })
    expect(data).toMatchObject({ works: false, code: 'no-key', key_source: 'mock', run_id: null })
    await keylessApp.close()
  })
})

describe.each(engines)('trying a saved key, on %s', (engine) => {
  const { app, ada, cleo } = useApp(() => createProviderApp(engine), ['ada', 'cleo'], {
    roles: { cleo: ['super-admin'] },
  })
  beforeEach(async () => {
    resetBreakers()
    app.passTime(61_000)
    for (const fake of Object.values(app.fakes)) fake.requests.length = 0
    await app.services.db.deleteFrom('provider_keys').execute()
  })

  const saveKey = (provider: FakeProvider, apiKey: string = canaryKeys[provider]) =>
    ada.call(keys.savePersonal, { body: { provider, apiKey } })
  const savePlatform = (provider: FakeProvider, overrides: object = {}) =>
    cleo.call(keys.savePlatform, { body: { provider, api_key: canaryPlatformKeys[provider], ...overrides } })
  const tryPersonalKey = (provider: FakeProvider) => ada.call(keys.tryPersonal, { params: { provider } })
  const tryPlatform = (provider: FakeProvider) => cleo.call(keys.tryPlatform, { params: { provider } })
  const getHost = (provider: FakeProvider) => new URL(app.fakes[provider].url).host
  const listRequests = (provider: FakeProvider) =>
    app.fakes[provider].requests.map(({ method, path }) => `${method} ${path}`)

  it.each(['openai', 'anthropic', 'together', 'elevenlabs'] as const)(
    'takes one request for the models of %s, and the result is a sentence',
    async (provider) => {
      await saveKey(provider)
      expect(app.providerRequestCount(), 'saving alone sends no request').toBe(0)
      const { data } = await tryPersonalKey(provider)
      expect(data).toEqual({
        outcome: 'accepted',
        message: `${getHost(provider)} accepts this key.`,
        kip_answers: true,
      })
      for (const call of listRequests(provider)) expect(call).toMatch(/^GET \/v1\/models/)
      const sentWithKey = app.fakes[provider].requests.map(({ headers }) => JSON.stringify(headers).includes('canary'))
      expect(sentWithKey, 'a custom server might list its models to anyone').toEqual(
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
    await saveKey('openai')
    expect((await tryPersonalKey('openai')).data.message).toBe('OpenAI accepts this key.')
    Object.assign(modelRuntime, { fetch })
    settings.providers.openai.baseUrl = baseUrl
  })

  it('asks for one word if a server lists models without a key', async () => {
    const keylessServer = await startProviderFake({ provider: 'openai', keyless: true })
    const { openai } = app.services.settings.providers
    const { baseUrl } = openai
    openai.baseUrl = keylessServer.baseUrl
    const listMethods = () => keylessServer.requests.map(({ method }) => method)
    await saveKey('openai')
    expect((await tryPersonalKey('openai')).data.message).toBe(`${new URL(keylessServer.url).host} accepts this key.`)
    expect(listMethods()).toEqual(['GET', 'GET', 'POST'])
    keylessServer.script(['ok', 'ok', 'status-401'])
    expect((await tryPersonalKey('openai')).data.outcome).toBe('refused')
    keylessServer.script(['ok', 'ok', 'status-404'])
    expect((await tryPersonalKey('openai')).data).toMatchObject({
      outcome: 'accepted',
      message: expect.stringContaining('lists its models, with or without a key'),
    })
    openai.baseUrl = baseUrl
    await keylessServer.close()
  })

  it('saves a refused key, reports it and flags it', async () => {
    await saveKey('openai', 'sk-wrong-harbour-0123456789')
    const { data, text } = await tryPersonalKey('openai')
    expect(data).toMatchObject({ outcome: 'refused', kip_answers: false })
    expect(data.message).toMatch(/^OpenAI did not accept the key\. .*OpenAI said: /)
    expect(text).not.toContain('wrong-harbour')
    const list = await ada.call(keys.listPersonal)
    expect(list.data).toEqual([expect.objectContaining({ provider: 'openai', rejected_at: expect.any(String) })])
    await saveKey('openai')
    expect((await tryPersonalKey('openai')).data.outcome).toBe('accepted')
  })

  it.each([
    ['reset-before-answer', 'The key couldn’t be tested: OpenAI could not be reached.'],
    ['status-500', 'The key couldn’t be tested: OpenAI had an internal error.'],
    ['status-429', 'The key couldn’t be tested: OpenAI is busy right now.'],
    ['ok-html', 'The key couldn’t be tested: OpenAI sent an answer that Keeper can’t read.'],
  ])("reports no verdict if the provider doesn't give one: %s", async (fault, message) => {
    await saveKey('openai')
    app.fakes.openai.script([fault])
    const { data } = await tryPersonalKey('openai')
    expect(data).toEqual({ outcome: 'unknown', message: expect.stringContaining(message), kip_answers: false })
    expect((await ada.call(keys.listPersonal)).data[0]?.rejected_at).toBe(null)
    expect(listRequests('openai'), 'asked once').toHaveLength(1)
  })

  it("asks for one word if the key can't list models", async () => {
    await saveKey('openai')
    app.fakes.openai.script(['status-401-permission'])
    expect((await tryPersonalKey('openai')).data).toMatchObject({
      outcome: 'accepted',
      message: `${getHost('openai')} accepts this key.`,
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
    await saveKey('elevenlabs')
    app.fakes.elevenlabs.script(['status-401-permission'])
    expect((await tryPersonalKey('elevenlabs')).data.message).toBe(`${getHost('elevenlabs')} accepts this key.`)
    expect(listRequests('elevenlabs')).toEqual(['GET /v1/models', 'GET /v1/voices'])
    app.services.modelLists.forget(ada.id, 'elevenlabs')
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
    await saveKey('openai')
    const ben = await app.as('ben')
    expect((await ben.call(keys.tryPersonal, { params: { provider: 'openai' } })).status).toBe(404)
    expect((await tryPersonalKey('anthropic')).status).toBe(404)
    expect((await ada.call(keys.tryPlatform, { params: { provider: 'openai' } })).status).toBe(403)
    expect(app.providerRequestCount()).toBe(0)
  })

  it('is limited to twenty times a minute', async () => {
    await saveKey('together')
    const statuses = await Promise.all(
      Array.from({ length: 22 }, async () => (await tryPersonalKey('together')).status),
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(20)
    expect(statuses.filter((status) => status === 429)).toHaveLength(2)
  })
})
