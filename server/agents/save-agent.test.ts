import { beforeEach, describe, expect, it } from 'vitest'
import { contextScopes } from '#contract/agents/agent-constants.ts'
import { type Agent, agents } from '#contract/agents/agents.ts'
import { settingBounds } from '#contract/agents/model-settings.ts'
import { builtInTools } from '#contract/agents/tools.ts'
import { versions } from '#contract/agents/versions.ts'
import { getProviderInfo } from '#contract/providers/registry.ts'
import { createTestAgent } from '#tests/create-test-agent.ts'
import { countRows, dumpDatabase } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { fakeProviders } from '#tests/fake-providers.ts'
import { useTestApp } from '#tests/use-test-app.ts'

describe.each(engines)('creating agents on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'])

  let number = 0
  const create = (body: object = {}, actor = ada) =>
    actor.call(agents.create, { body: { name: `Agent ${++number}`, purpose: 'Helps.', ...body } as never })
  const expectRefusal = async (body: object, field: string) => {
    const previousCount = await countRows(app.services.db, 'agents')
    const answer = await create(body)
    expect(answer.status).toBe(400)
    expect(Object.keys(answer.body.fields ?? {})).toEqual([field])
    expect(await countRows(app.services.db, 'agents')).toBe(previousCount)
    return String(answer.body.fields?.[field])
  }

  it('needs only a name and a purpose; other fields get the form defaults', async () => {
    const { data } = await create({ name: 'Harbour Keeper', purpose: ' Reads. ' })
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      slug: 'harbour-keeper',
      name: 'Harbour Keeper',
      purpose: 'Reads.',
      model: 'gpt-6-luna',
      agent_class: 'Standard',
      context_scope: 'user_input',
      memory_enabled: false,
      tools: [],
      permissions: [],
      config: {},
      status: 'ready',
      model_provider: 'openai',
      model_settings: getProviderInfo('openai').settings,
      visibility: 'private',
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      updated_at: expect.stringMatching(/^\d{4}-.*Z$/),
      rev: 1,
      owner_id: ada.id,
      may: { run: true, edit: true, share: true, remove: true },
      visitors_spend_owner_key: false,
      visitor_daily_usd: null,
    })
  })

  it.each(fakeProviders)('%s brings its own defaults, overridden by submitted settings', async (model_provider) => {
    expect((await create({ model_provider })).data.model_settings).toEqual(getProviderInfo(model_provider).settings)
    const { data } = await create({
      model_provider,
      model: 'a-model-of-next-year',
      model_settings: { temperature: 0.1 },
    })
    expect(data.model).toBe('a-model-of-next-year')
    expect(data.model_settings).toEqual({
      ...getProviderInfo(model_provider).settings,
      model: data.model,
      temperature: 0.1,
    })
  })

  it('a Coordinator has its own defaults, overridden by submitted settings', async () => {
    const body = { agent_class: 'Coordinator', config: { bundle: ['type-agent'] } }
    const defaults = { ...getProviderInfo('openai').settings, max_tokens: 4000, temperature: 0.1 }
    expect((await create(body)).data.model_settings).toEqual(defaults)
    const { data } = await create({ ...body, model_settings: { temperature: 1 } })
    expect(data.model_settings).toEqual({ ...defaults, temperature: 1 })
  })

  it('a Lead gets default looks for missing fields, other classes get none', async () => {
    const createLeadConfig = async (config?: object) => (await create({ agent_class: 'Lead', config })).data.config
    expect(await createLeadConfig()).toEqual({ avatar: '🤖', theme_color: '#3b82f6' })
    expect(await createLeadConfig({ tagline: 'Hi', avatar: '⚓' })).toEqual({
      tagline: 'Hi',
      avatar: '⚓',
      theme_color: '#3b82f6',
    })
    expect(await createLeadConfig({ theme_color: '#123456', avatar: ' ' })).toEqual({
      avatar: '🤖',
      theme_color: '#123456',
    })
    expect((await create({ config: { tagline: 'Hi' } })).data.config).toEqual({ tagline: 'Hi' })
  })

  it('creates nothing without a name or a purpose', async () => {
    for (const [field, value] of [
      ['name', ' '],
      ['name', 'x'.repeat(121)],
      ['purpose', ''],
      ['purpose', 'x'.repeat(8001)],
    ] as const)
      await expectRefusal({ [field]: value }, field)
    expect((await create({ name: 'x'.repeat(120), purpose: 'x'.repeat(8000) })).status).toBe(200)
  })

  it('agents with the same name get different slugs, even concurrently', async () => {
    const responses = await Promise.all(Array.from({ length: 4 }, () => create({ name: 'Twin' })))
    const slugs = responses.filter((answer) => answer.status === 200).map((answer) => answer.data.slug)
    expect(new Set(slugs).size).toBe(slugs.length)
    expect(responses.map((answer) => answer.status)).toEqual([200, 200, 200, 200])
    for (const slug of slugs) expect(slug).toMatch(/^twin(-[0-9a-f]{8})?$/)
  })

  it('avoids reserved slugs, and asks for one if the name has no letters', async () => {
    expect((await create({ name: 'Login' })).data.slug).toMatch(/^login-[0-9a-f]{8}$/)
    await expectRefusal({ name: '🤖' }, 'slug')
    expect((await create({ name: '🤖', slug: 'robot' })).data.slug).toBe('robot')
  })

  it('a taken slug is a conflict that names it, whoever has it', async () => {
    await create({ slug: 'taken-one' })
    for (const actor of [ada, ben]) {
      const answer = await create({ slug: 'taken-one' }, actor)
      expect(answer.status).toBe(409)
      expect(answer.body.code).toBe('slug-taken')
      expect(Object.keys(answer.body.fields ?? {})).toEqual(['slug'])
    }
  })

  it.each(['login', 'kip', 'a b', 'built-in-kip', 'f'.repeat(32)])(
    'refuses the slug %j and names the field',
    async (slug) => {
      await expectRefusal({ slug }, 'slug')
    },
  )

  const retrySettings = ['max_retries', 'retry_delay_ms']
  it.each(Object.entries(settingBounds))(
    'accepts %s at its bounds and refuses it just outside',
    async (name, bounds) => {
      const { min, max, step } = bounds
      const isRetrySetting = retrySettings.includes(name)
      const createSettings = (value: unknown) =>
        isRetrySetting ? { retry: { max_retries: 3, retry_delay_ms: 1000, [name]: value } } : { [name]: value }
      const field = isRetrySetting ? `model_settings.retry.${name}` : `model_settings.${name}`
      for (const value of [min, max]) {
        const { status, data } = await create({ model_settings: createSettings(value) })
        expect(status).toBe(200)
        expect(data.model_settings).toEqual({ ...getProviderInfo('openai').settings, ...createSettings(value) })
      }
      for (const value of [min - step, max + step, String(min)])
        await expectRefusal({ model_settings: createSettings(value) }, field)
      // Retries are Keeper's own; the other settings can be left to the model.
      const withoutValue = createSettings(null)
      if (isRetrySetting) await expectRefusal({ model_settings: withoutValue }, field)
      else expect((await create({ model_settings: withoutValue })).data.model_settings).toMatchObject(withoutValue)
      if (step >= 1) await expectRefusal({ model_settings: createSettings(min + 0.5) }, field)
    },
  )

  it('refuses the class Persona as coming soon', async () => {
    expect(await expectRefusal({ agent_class: 'Persona' }, 'agent_class')).toMatch(/coming soon/i)
    await expectRefusal({ agent_class: 'Boss' }, 'agent_class')
  })

  it('accepts every context scope, maps general to empty, refuses others', async () => {
    for (const context_scope of contextScopes)
      expect((await create({ context_scope })).data.context_scope).toBe(context_scope)
    expect((await create({ context_scope: 'general' })).data.context_scope).toBe('')
    await expectRefusal({ context_scope: 'everything' }, 'context_scope')
  })

  it('accepts only known tools, trimmed and deduplicated', async () => {
    const { data } = await create({
      tools: [' search_memory ', 'search_memory', '', 'http_fetch'],
      permissions: [' read ', ''],
    })
    expect(data.tools).toEqual(['search_memory', 'http_fetch'])
    expect(data.permissions).toEqual(['read'])
    const text = await expectRefusal({ tools: ['search_memory', 'rm_rf', '__proto__'] }, 'tools')
    expect(text).toContain('rm_rf')
    for (const tool of builtInTools) expect(text).toContain(tool)
  })

  it('a Coordinator bundles only agents its creator can run, and not itself', async () => {
    const ownAgent = (await create({ slug: 'my-own' })).data
    await create({ slug: 'bens-secret' }, ben)
    await create({ slug: 'bens-public', visibility: 'public' }, ben)
    const createBundle = (...slugs: string[]) => ({
      agent_class: 'Coordinator',
      slug: 'the-round',
      config: { bundle: slugs },
    })
    for (const slugs of [[], [' '], ['the-round'], ['nobody'], ['my-own', 'bens-secret']])
      await expectRefusal(createBundle(...slugs), 'config.bundle')
    await expectRefusal({ agent_class: 'Coordinator' }, 'config.bundle')
    const unknown = await expectRefusal(createBundle('no-such-one'), 'config.bundle')
    const secret = await expectRefusal(createBundle('bens-secret'), 'config.bundle')
    expect(secret.replace('bens-secret', '')).toBe(unknown.replace('no-such-one', ''))
    expect((await create(createBundle('my-own', ownAgent.id, 'bens-public', 'type-agent'))).status).toBe(200)
  })

  it('stores bundle names trimmed, deduplicated and without empty ones', async () => {
    await create({ slug: 'first-hand' })
    const input = {
      agent_class: 'Coordinator',
      config: { tagline: ' Hm ', bundle: [' first-hand', '', 'kip ', 'kip', ' '] },
    }
    const { data } = await create(input)
    expect(data.config).toEqual({ tagline: 'Hm', bundle: ['first-hand', 'kip'] })
    const changed = await ada.call(agents.update, { body: { id: data.id, config: { bundle: ['  kip', ' '] } } })
    expect(changed.data.config).toEqual({ bundle: ['kip'] })
    const stored = await app.services.db.selectFrom('agents').select('config').where('id', '=', data.id).execute()
    expect(stored).toEqual([{ config: { bundle: ['kip'] } }])
    expect(
      (await create({ config: { tagline: 'None' } })).data.config,
      'no bundle is created from an empty list',
    ).toEqual({
      tagline: 'None',
    })
  })

  it.each(['#12345', 'red', '#1234567', 'red;background:url(//e)', '#12345g', 'javascript:alert(1)'])(
    'refuses the theme color %j',
    async (theme_color) => {
      await expectRefusal({ config: { theme_color } }, 'config.theme_color')
    },
  )

  it('ignores server-controlled fields in the body', async () => {
    const { data } = await create({
      id: 'chosen',
      owner_id: ben.id,
      ownerId: ben.id,
      userId: ben.id,
      status: 'error',
      created_at: '2001-01-01T00:00:00.000Z',
      updated_at: '2001-01-01T00:00:00.000Z',
      rev: 99,
      may: { edit: false },
    })
    expect(data).toMatchObject({ owner_id: ada.id, status: 'ready', rev: 1, may: { edit: true } })
    expect(data.id).not.toBe('chosen')
    expect(data.created_at).not.toContain('2001')
  })
})

describe.each(engines)('updating agents on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'])
  let agent: Agent
  beforeEach(async () => {
    agent = await createTestAgent(ada)
  })

  const update = (changes: object, ifMatch?: number, actor = ada) =>
    actor.call(agents.update, {
      body: { id: agent.id, ...changes } as never,
      ...(ifMatch !== undefined && { ifMatch }),
    })
  const fetchAgent = async () => (await ada.call(agents.byId, { query: { id: agent.id } })).data

  it('changes submitted fields, keeps others and increments the revision', async () => {
    const { data } = await update({ purpose: 'Helps more.', config: { tagline: 'Here' } })
    expect(data).toEqual({
      ...agent,
      purpose: 'Helps more.',
      config: { tagline: 'Here' },
      rev: 2,
      updated_at: expect.any(String),
    })
    expect(await fetchAgent()).toEqual(data)
    expect((await update({ id: agent.slug, name: 'By slug' })).data.name).toBe('By slug')
  })

  it('only allowed columns can change', async () => {
    const [previous] = await app.services.db.selectFrom('agents').selectAll().where('id', '=', agent.id).execute()
    await update({
      owner_id: 'built-in',
      created_at: 1,
      updated_at: 1,
      rev: 77,
      agent_rev: 77,
      may: { edit: true },
      name: 'New name',
    })
    const [updated] = await app.services.db.selectFrom('agents').selectAll().where('id', '=', agent.id).execute()
    expect(updated).toEqual({ ...previous, name: 'New name', rev: 2, updated_at: updated?.updated_at })
    expect(updated?.updated_at).toBeGreaterThan(1_000_000)
  })

  it('a stale If-Match returns both versions and saves nothing', async () => {
    const concurrentAgent = (await update({ name: 'Theirs' }, 1)).data
    const answer = await update({ name: 'Mine' }, 1)
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 409, code: 'stale' })
    const { yours, current } = answer.body.data as unknown as { yours: Agent; current: Agent }
    expect(current).toEqual(concurrentAgent)
    expect(yours).toMatchObject({ id: agent.id, name: 'Mine', purpose: agent.purpose })
    expect(await fetchAgent()).toEqual(concurrentAgent)
    expect((await update({ name: 'Mine' }, 2)).data).toMatchObject({ name: 'Mine', rev: 3 })
  })

  it.each([
    ['"1"', 200],
    ['1', 200],
    ['"0"', 409],
    ['999999999999', 409],
    ['99999999999999999999', 409],
    ['*', 200],
    ['W/"x"', 400],
    ['"1', 400],
    ['-1', 400],
    ['', 400],
  ])('If-Match %s answers %i', async (ifMatch, status) => {
    const answer = await ada.call(agents.update, {
      body: { id: agent.id, name: 'N' },
      headers: { 'if-match': ifMatch },
    })
    expect(answer.status).toBe(status)
    if (status === 400) expect(answer.body.fields).toEqual({ 'if-match': expect.stringContaining('whole number') })
  })

  it('the last write wins without If-Match, even concurrently', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => update({ name: `Writer ${index}` })))
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200))
    expect((await fetchAgent()).rev).toBe(9)
  })

  it('only one of many writes with the same If-Match wins', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => update({ name: `Writer ${index}` }, 1)))
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409, 409, 409, 409, 409, 409])
    const winner = answers.find((answer) => answer.status === 200)
    expect(await fetchAgent()).toEqual(winner?.data)
  })

  it('a new provider resets model and settings, overridden by submitted ones', async () => {
    await update({ model_settings: { temperature: 1.5, top_p: 0.3 }, model: 'gpt-4' })
    const { data } = await update({ model_provider: 'anthropic' })
    expect(data.model).toBe('claude-haiku-5-5')
    expect(data.model_settings).toEqual(getProviderInfo('anthropic').settings)
    const back = await update({ model_provider: 'openai', model_settings: { temperature: 0.2 } })
    expect(back.data.model_settings).toEqual({ ...getProviderInfo('openai').settings, temperature: 0.2 })
    const same = await update({ model_provider: 'openai', model: 'gpt-4' })
    expect(same.data.model_settings).toEqual({
      ...getProviderInfo('openai').settings,
      temperature: 0.2,
      model: 'gpt-4',
    })
  })

  it('a Lead without looks gets the default ones, and keeps its own', async () => {
    expect((await update({ agent_class: 'Lead' })).data.config).toEqual({ avatar: '🤖', theme_color: '#3b82f6' })
    const ownLooks = { avatar: '⚓', theme_color: '#123456' }
    expect((await update({ config: ownLooks })).data.config).toEqual(ownLooks)
    const { config } = (await update({ config: { ...ownLooks, avatar: '' } })).data
    expect(config).toEqual({ avatar: '🤖', theme_color: '#123456' })
    expect((await update({ name: 'Another' })).data.config).toEqual(config)
  })

  it('refuses a status that only the server sets', async () => {
    const answer = await ada.call(agents.update, { body: { id: agent.id, status: 'in-progress' } as never })
    expect(answer.status).toBe(400)
    expect(answer.body.fields).toEqual({ status: 'Choose one of: ready, error.' })
    expect((await fetchAgent()).status).toBe('ready')
  })

  it('editors can set the status to error and back', async () => {
    expect((await update({ status: 'error' })).data).toMatchObject({ status: 'error', may: { run: false } })
    const refused = await ada.call(agents.run, { body: { agentId: agent.id, input: 'hello' } })
    expect({ status: refused.status, code: refused.body.code }).toEqual({ status: 409, code: 'agent-not-ready' })
    expect((await update({ status: 'ready' })).data.may.run).toBe(true)
    await ada.call(agents.remove, { body: { id: agent.id } })
  })

  it('refuses updates to values that creation refuses', async () => {
    const dumpAll = () => dumpDatabase(app.services.db, ['held_slugs'])
    const previous = await dumpAll()
    for (const changes of [
      { slug: 'login' },
      { slug: 'A B' },
      { agent_class: 'Persona' },
      { agent_class: 'Coordinator' },
      { agent_class: 'Coordinator', config: { bundle: [agent.slug] } },
      { tools: ['unknown'] },
      { name: '' },
      { purpose: ' ' },
      { model_settings: { temperature: 2.1 } },
      { visibility: 'everyone' },
      { status: 'broken' },
      { model_provider: 'acme' },
    ])
      expect((await update(changes)).status, JSON.stringify(changes)).toBe(400)
    expect((await update({ slug: 'kip' })).status).toBe(400)
    const other = await createTestAgent(ada)
    expect((await update({ slug: other.slug })).status).toBe(409)
    await ada.call(agents.remove, { body: { id: other.id } })
    expect(await dumpAll()).toBe(previous)
  })

  it('requests during a deletion succeed or find nothing', async () => {
    for (let round = 0; round < 8; round++) {
      const { id } = await createTestAgent(ada)
      const answers = await Promise.all([
        ada.call(agents.update, { body: { id, purpose: 'Helps.' } }),
        ada.call(agents.remove, { body: { id } }),
        ada.call(agents.createSession, { body: { agentId: id } }),
        ada.call(agents.update, { body: { id, name: 'Renamed' } }),
        ada.call(versions.restore, { params: { agentId: id, version: '1' } }),
      ])
      for (const { status } of answers) expect([200, 404]).toContain(status)
    }
  })

  it('limits the config size, including unknown fields', async () => {
    const previous = await fetchAgent()
    const { status, body } = await update({ config: { notes: 'x'.repeat(32_000) } })
    expect(status).toBe(400)
    expect(body.fields).toEqual({ config: 'Use at most 32,000 characters in all.' })
    expect(await fetchAgent()).toEqual(previous)
    expect((await update({ config: { notes: 'x'.repeat(31_000) } })).status).toBe(200)
  })

  it('deleting removes runs, sessions and messages, and works only once', async () => {
    const otherAgent = await ada.call(agents.create, { body: { name: 'Kept', purpose: 'p', memory_enabled: true } })
    await update({ memory_enabled: true })
    for (const agentId of [agent.id, otherAgent.data.id])
      expect((await ada.call(agents.run, { body: { agentId, input: 'hello' } })).status).toBe(200)
    const countAllRows = async () =>
      Promise.all(
        (['runs', 'run_spans', 'chat_sessions', 'messages'] as const).map((table) => countRows(app.services.db, table)),
      )
    expect(await countAllRows()).toEqual([2, 4, 2, 4])
    expect((await ada.call(agents.remove, { body: { id: agent.id } })).status).toBe(200)
    expect(await countAllRows()).toEqual([1, 2, 1, 2])
    expect((await ada.call(agents.remove, { body: { id: agent.id } })).status).toBe(404)
    expect((await ada.call(agents.byId, { query: { id: agent.id } })).status).toBe(404)
    await ada.call(agents.remove, { query: { id: otherAgent.data.slug }, body: {} })
    expect(await countAllRows()).toEqual([0, 0, 0, 0])
    expect((await ada.call(agents.remove, { body: {} })).body.fields).toHaveProperty('id')
  })
})
