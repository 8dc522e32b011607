import { beforeEach, describe, expect, it } from 'vitest'
import { type Agent, agents } from '#contract/agents/agents.ts'
import { versions } from '#contract/agents/versions.ts'
import { getProviderInfo } from '#contract/providers/registry.ts'
import { countRows, dumpDatabase } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { useTestApp } from '#tests/use-test-app.ts'

describe.each(engines)('updating agents on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'])
  let agent: Agent
  let number = 0
  beforeEach(async () => {
    agent = (await ada.call(agents.create, { body: { name: `Agent ${++number}`, purpose: 'Helps.' } })).data
  })

  const update = (changes: object, ifMatch?: number, actor = ada) =>
    actor.call(agents.update, {
      body: { id: agent.id, ...changes } as never,
      ...(ifMatch !== undefined && { ifMatch }),
    })
  const fetchAgent = async () => (await ada.call(agents.byId, { query: { id: agent.id } })).data

  it('changes given fields, keeps the rest and increments the revision', async () => {
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

  it('a new provider resets model and settings, with given ones on top', async () => {
    await update({ model_settings: { temperature: 1.5, top_p: 0.3 }, model: 'gpt-4' })
    const { data } = await update({ model_provider: 'anthropic' })
    expect({ model: data.model, model_settings: data.model_settings }).toEqual({
      model: 'claude-haiku-5-5',
      model_settings: getProviderInfo('anthropic').settings,
    })
    const back = await update({ model_provider: 'openai', model_settings: { temperature: 0.2 } })
    expect(back.data.model_settings).toEqual({ ...getProviderInfo('openai').settings, temperature: 0.2 })
    const same = await update({ model_provider: 'openai', model: 'gpt-4' })
    expect(same.data.model_settings).toEqual({
      ...getProviderInfo('openai').settings,
      temperature: 0.2,
      model: 'gpt-4',
    })
  })

  it('a Lead without looks gets the default ones', async () => {
    const { data } = await update({ agent_class: 'Lead' })
    expect(data.config).toMatchObject({ avatar: '🤖', theme_color: '#3b82f6' })
    const configAfter = async (config: object) => (await update({ config })).data.config
    expect(await configAfter({ avatar: '⚓', theme_color: '#123456' })).toEqual({
      avatar: '⚓',
      theme_color: '#123456',
    })
    expect(await configAfter({ avatar: '', theme_color: '#123456' })).toEqual({ avatar: '🤖', theme_color: '#123456' })
    const previous = (await fetchAgent()).config
    expect((await update({ name: 'Another' })).data.config).toEqual(previous)
  })

  it('refuses a status that only the server sets', async () => {
    const answer = await ada.call(agents.update, { body: { id: agent.id, status: 'in-progress' } as never })
    expect({ status: answer.status, fields: answer.body.fields }).toEqual({
      status: 400,
      fields: { status: 'Choose one of: ready, error.' },
    })
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
    const hashDatabase = () => dumpDatabase(app.services.db, ['held_slugs'])
    const previous = await hashDatabase()
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
      { visibility: 'everybody' },
      { status: 'broken' },
      { model_provider: 'acme' },
    ])
      expect((await update(changes)).status, JSON.stringify(changes)).toBe(400)
    expect((await update({ slug: 'kip' })).status).toBe(400)
    const other = (await ada.call(agents.create, { body: { name: 'Other', purpose: 'p' } })).data
    expect((await update({ slug: other.slug })).status).toBe(409)
    await ada.call(agents.remove, { body: { id: other.id } })
    expect(await hashDatabase()).toBe(previous)
  })

  it('requests during a deletion succeed or find nothing', async () => {
    for (let round = 0; round < 8; round++) {
      const { id } = (await ada.call(agents.create, { body: { name: `Gone ${round}`, purpose: 'p' } })).data
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
    expect({ status, fields: body.fields }).toEqual({
      status: 400,
      fields: { config: 'Use at most 32,000 characters in all.' },
    })
    expect(await fetchAgent()).toEqual(previous)
    expect((await update({ config: { notes: 'x'.repeat(31_000) } })).status).toBe(200)
  })

  it('deleting removes runs, sessions and messages, and works only once', async () => {
    const otherAgent = await ada.call(agents.create, { body: { name: 'Kept', purpose: 'p', memory_enabled: true } })
    await update({ memory_enabled: true })
    for (const agentId of [agent.id, otherAgent.data.id])
      expect((await ada.call(agents.run, { body: { agentId, input: 'hello' } })).status).toBe(200)
    const counts = async () =>
      Promise.all(
        (['runs', 'run_spans', 'chat_sessions', 'messages'] as const).map((table) => countRows(app.services.db, table)),
      )
    expect(await counts()).toEqual([2, 4, 2, 4])
    expect((await ada.call(agents.remove, { body: { id: agent.id } })).status).toBe(200)
    expect(await counts()).toEqual([1, 2, 1, 2])
    expect((await ada.call(agents.remove, { body: { id: agent.id } })).status).toBe(404)
    expect((await ada.call(agents.byId, { query: { id: agent.id } })).status).toBe(404)
    await ada.call(agents.remove, { query: { id: otherAgent.data.slug }, body: {} })
    expect(await counts()).toEqual([0, 0, 0, 0])
    expect((await ada.call(agents.remove, { body: {} })).body.fields).toHaveProperty('id')
  })
})
