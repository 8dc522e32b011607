import type { CompiledQuery } from 'kysely'
import { describe, expect, it } from 'vitest'
import { agentClassCalls } from '#contract/agents/agent-classes.ts'
import { agents } from '#contract/agents/agents.ts'
import { sharing } from '#contract/agents/sharing.ts'
import { json } from '#server/db/database.ts'
import { createTestAgent } from '#tests/create-test-agent.ts'
import { engines } from '#tests/engines.ts'
import { insertDomain } from '#tests/insert-domain.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'

describe.each(engines)('agent classes on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'], { perTest: true })

  const list = async (actor = ada) => (await actor.call(agentClassCalls.list)).data
  const create = (body: object = {}, actor = ada) =>
    actor.call(agentClassCalls.create, { body: { name: 'Night clerk', base: 'Standard', ...body } as never })
  const remove = (id: string, actor = ada) => actor.call(agentClassCalls.remove, { params: { id } })
  const createAgentWithClass = (actor: Actor, class_slug?: string) =>
    actor.call(agents.create, {
      body: {
        name: `Clerk ${app.services.newId().slice(-6)}`,
        purpose: 'p',
        config: class_slug ? { class_slug } : {},
      },
    })

  /** The result of `work` and the database rows it read. */
  async function captureRows<Answer>(work: () => Promise<Answer>): Promise<{ answer: Answer; rows: unknown[] }> {
    const driver = app.services.db.engineDriver
    const { acquireConnection, longRead } = driver
    const rows: unknown[] = []
    driver.acquireConnection = async () => {
      const connection = await acquireConnection.call(driver)
      const execute = connection.executeQuery.bind(connection)
      connection.executeQuery = async <Row>(query: CompiledQuery) => {
        const result = await execute<Row>(query)
        rows.push(...result.rows)
        return result
      }
      return connection
    }
    driver.longRead = async (...args) => {
      const read = await longRead.apply(driver, args)
      rows.push(...read)
      return read
    }
    const answer = await work()
    Object.assign(driver, { acquireConnection, longRead })
    return { answer, rows }
  }

  it('count visible agents', async () => {
    const count = async (actor = ada) =>
      Object.fromEntries((await list(actor)).map(({ slug, _count }) => [slug, _count.Agent]))
    const previousCounts = await count()
    expect(previousCounts).toMatchObject({ lead: 2, persona: 0 })
    await createAgentWithClass(ada)
    expect(await count()).toEqual({ ...previousCounts, standard: (previousCounts.standard ?? 0) + 1 })
    expect(await count(ben)).toEqual(previousCounts)
  })

  it('an agent made with a custom class counts for it and its base class', async () => {
    const { data } = await create({
      base: 'Lead',
      defaults: {
        model_provider: 'anthropic',
        memory_enabled: true,
        context_scope: 'keeper',
        tools: ['search_memory'],
      },
    })
    expect(data).toMatchObject({ slug: 'night-clerk', base: 'Lead', mine: true, _count: { Agent: 0 } })
    const createdAgent = await createAgentWithClass(ada, data.slug)
    expect(createdAgent.data).toMatchObject({ agent_class: 'Standard', config: { class_slug: 'night-clerk' } })
    expect((await list()).find(({ id }) => id === data.id)?._count.Agent).toBe(1)
  })

  it('counts public and shared agents once, without reading their content', async () => {
    const { data } = await create()
    const createAgent = async (actor: Actor, fields: object) => {
      return createTestAgent(actor, {
        name: `One ${app.services.newId().slice(-6)}`,
        purpose: 'canary of a purpose',
        ...fields,
      })
    }
    const config = { class_slug: data.slug }
    for (let index = 0; index < 5; index++)
      await createAgent(ben, { config, visibility: 'public', agent_class: 'Lead' })
    await createAgent(ada, { config, visibility: 'public', agent_class: 'Lead' })
    await createAgent(ben, { config, agent_class: 'Lead' })
    const shared = await createAgent(ben, { config, visibility: 'shared', agent_class: 'Lead' })
    const params = { agentId: shared.id, personId: ada.id }
    await ben.call(sharing.grant, { params, body: { rights: ['run'] } })
    const ownAgent = await createAgent(ada, { config, visibility: 'shared', agent_class: 'Lead' })
    const rights = { may_run: true, may_edit: true, may_share: true, may_delete: true, granted_by: null, granted_at: 1 }
    await app.services.db
      .insertInto('agent_grants')
      .values({ agent_id: ownAgent.id, person_id: ada.id, ...rights })
      .execute()

    const { rows, answer: listed } = await captureRows(() => list())
    const getCount = (slug: string) => listed.find((agentClass) => agentClass.slug === slug)?._count.Agent
    expect(getCount('lead')).toEqual(2 + 8)
    expect(getCount(data.slug)).toBe(8)
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain('canary')
  })

  it('is deleted without reading other agents’ configs', async () => {
    const { data } = await create()
    await insertDomain(app, ada, [[ben, 'user']])
    const createdAgent = await createAgentWithClass(ben, data.slug)
    await createAgentWithClass(ben)
    const config = { class_slug: 'another', tagline: 'canary' }
    await app.services.db
      .updateTable('agents')
      .set({ config: json(config) })
      .where('id', '!=', createdAgent.data.id)
      .execute()
    const refused = await captureRows(() => remove(data.id))
    expect(refused.answer.status).toBe(409)
    await ben.call(agents.remove, { body: { id: createdAgent.data.id } })
    const removed = await captureRows(() => remove(data.id))
    expect(removed.answer.status).toBe(200)
    expect(refused.rows.length).toBeGreaterThan(0)
    expect(JSON.stringify([refused.rows, removed.rows])).not.toContain('canary')
  })

  it('refuses invalid classes and names the field', async () => {
    const listRefusedFields = async (body: object) => Object.keys((await create(body)).body.fields ?? {})
    expect(await listRefusedFields({ base: 'Persona' })).toEqual(['base'])
    expect(await listRefusedFields({ name: 'lead' })).toEqual(['name'])
    expect(await listRefusedFields({ defaults: { tools: ['fly'] } })).toEqual(['defaults.tools'])
    expect(await listRefusedFields({ defaults: { context_scope: 'everything' } })).toEqual(['defaults.context_scope'])
    expect(await listRefusedFields({ defaults: { model_settings: { temperature: 9 } } })).toEqual([
      'defaults.model_settings.temperature',
    ])
  })
})
