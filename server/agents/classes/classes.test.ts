import type { CompiledQuery } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { agentClassCalls } from '#contract/agents/agent-classes.ts'
import { agents } from '#contract/agents/agents.ts'
import { sharing } from '#contract/agents/sharing.ts'
import { json } from '#server/db/database.ts'
import { domainOf } from '#tests/domain-of.ts'
import { engines } from '#tests/engines.ts'
import { type Actor, type TestApp, testApp } from '#tests/test-app.ts'
import { addSystemClasses } from './system-classes.ts'

const random = '0'.repeat(32)
const withoutRequestId = (text: string) => text.replace(/"requestId":"\w+"/, '')

describe.each(engines)('agent classes on %s', (engine) => {
  let app: TestApp
  let ada: Actor
  let ben: Actor
  beforeEach(async () => {
    app = await testApp(engine)
    ;[ada, ben] = [await app.as('ada'), await app.as('ben')]
  })
  afterEach(() => app.close())

  const list = async (who = ada) => (await who.call(agentClassCalls.list)).data
  const create = (body: object = {}, who = ada) =>
    who.call(agentClassCalls.create, { body: { name: 'Night clerk', base: 'Standard', ...body } as never })
  const update = (id: string, body: object, who = ada, ifMatch?: number) =>
    who.call(agentClassCalls.update, { params: { id }, body: body as never, ...(ifMatch !== undefined && { ifMatch }) })
  const remove = (id: string, who = ada) => who.call(agentClassCalls.remove, { params: { id } })
  const agentOf = (who: Actor, class_slug?: string) =>
    who.call(agents.create, {
      body: {
        name: `Clerk ${app.services.newId().slice(-6)}`,
        purpose: 'p',
        config: class_slug ? { class_slug } : {},
      },
    })

  /** The result of `work` and the database rows it read. */
  async function readingRows<Answer>(work: () => Promise<Answer>): Promise<{ answer: Answer; rows: unknown[] }> {
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
    driver.longRead = async (...asked) => {
      const read = await longRead.apply(driver, asked)
      rows.push(...read)
      return read
    }
    const answer = await work()
    Object.assign(driver, { acquireConnection, longRead })
    return { answer, rows }
  }

  it('lists each system class once and counts visible agents', async () => {
    await addSystemClasses(app.services)
    const count = async (who = ada) =>
      Object.fromEntries((await list(who)).map(({ slug, _count }) => [slug, _count.Agent]))
    const before = await count()
    expect(Object.keys(before)).toEqual(['standard', 'coordinator', 'lead', 'persona'])
    expect(before).toMatchObject({ lead: 2, persona: 0 })
    await agentOf(ada)
    expect(await count()).toEqual({ ...before, standard: (before.standard ?? 0) + 1 })
    expect(await count(ben)).toEqual(before)
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
    const made = await agentOf(ada, data.slug)
    expect(made.data).toMatchObject({ agent_class: 'Standard', config: { class_slug: 'night-clerk' } })
    expect((await list()).find(({ id }) => id === data.id)?._count.Agent).toBe(1)
    const refused = await remove(data.id)
    expect([refused.status, refused.body.error]).toEqual([
      409,
      expect.stringMatching(/Agents use this class/),
    ])
    await ada.call(agents.remove, { body: { id: made.data.id } })
    expect((await remove(data.id)).status).toBe(200)
  })

  it('counts public and shared agents once, without reading their content', async () => {
    const { data } = await create()
    const make = async (who: Actor, more: object) => {
      const body = { name: `One ${app.services.newId().slice(-6)}`, purpose: 'canary of a purpose', ...more }
      return (await who.call(agents.create, { body: body as never })).data
    }
    const config = { class_slug: data.slug }
    for (let index = 0; index < 5; index++) await make(ben, { config, visibility: 'public', agent_class: 'Lead' })
    await make(ada, { config, visibility: 'public', agent_class: 'Lead' })
    await make(ben, { config, agent_class: 'Lead' })
    const shared = await make(ben, { config, visibility: 'shared', agent_class: 'Lead' })
    const params = { agentId: shared.id, personId: ada.id }
    await ben.call(sharing.grant, { params, body: { rights: ['run'] } })
    const own = await make(ada, { config, visibility: 'shared', agent_class: 'Lead' })
    const rights = { may_run: true, may_edit: true, may_share: true, may_delete: true, granted_by: null, granted_at: 1 }
    await app.services.db
      .insertInto('agent_grants')
      .values({ agent_id: own.id, person_id: ada.id, ...rights })
      .execute()

    const { rows, answer: listed } = await readingRows(() => list())
    const counted = (slug: string) => listed.find((one) => one.slug === slug)?._count.Agent
    expect([counted('lead'), counted(data.slug)]).toEqual([2 + 8, 8])
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain('canary')
  })

  it('is deleted without reading other agents’ configs', async () => {
    const { data } = await create()
    await domainOf(app, ada, [[ben, 'user']])
    const made = await agentOf(ben, data.slug)
    await agentOf(ben)
    const config = { class_slug: 'another', tagline: 'canary' }
    await app.services.db
      .updateTable('agents')
      .set({ config: json(config) })
      .where('id', '!=', made.data.id)
      .execute()
    const refused = await readingRows(() => remove(data.id))
    expect(refused.answer.status).toBe(409)
    await ben.call(agents.remove, { body: { id: made.data.id } })
    const removed = await readingRows(() => remove(data.id))
    expect(removed.answer.status).toBe(200)
    expect(refused.rows.length).toBeGreaterThan(0)
    expect(JSON.stringify([refused.rows, removed.rows])).not.toContain('canary')
  })

  it('refuses invalid classes and names the field', async () => {
    const named = async (body: object) => Object.keys((await create(body)).body.fields ?? {})
    expect(await named({ base: 'Persona' })).toEqual(['base'])
    expect(await named({ name: 'lead' })).toEqual(['name'])
    expect(await named({ defaults: { tools: ['fly'] } })).toEqual(['defaults.tools'])
    expect(await named({ defaults: { context_scope: 'everything' } })).toEqual(['defaults.context_scope'])
    expect(await named({ defaults: { model_settings: { temperature: 9 } } })).toEqual([
      'defaults.model_settings.temperature',
    ])
  })

  it('a stale update returns both versions; concurrent ones all succeed', async () => {
    const { data } = await create()
    expect((await update(data.id, { description: 'By night.' }, ada, 1)).data).toMatchObject({ rev: 2 })
    const late = await update(data.id, { description: 'Late' }, ada, 1)
    expect([late.status, late.body.code]).toEqual([409, 'stale'])
    expect(late.body.data).toMatchObject({ yours: { description: 'Late' }, current: { description: 'By night.' } })
    const atOnce = await Promise.all(['a', 'b', 'c'].map((description) => update(data.id, { description })))
    expect(atOnce.map(({ status }) => status)).toEqual([200, 200, 200])
  })

  it('foreign classes answer like random ids; system ones can’t be changed', async () => {
    const { data } = await create()
    for (const attempt of [(id: string) => update(id, { name: 'Mine' }, ben), (id: string) => remove(id, ben)]) {
      const [foreign, unknown] = [await attempt(data.id), await attempt(random)]
      expect(foreign.status).toBe(404)
      expect(withoutRequestId(foreign.text)).toBe(withoutRequestId(unknown.text))
      expect((await attempt('system-lead')).status).toBe(403)
    }
    expect((await list(ben)).map(({ slug }) => slug)).not.toContain('night-clerk')
    // A stranger's agent with her class doesn't block its deletion.
    await agentOf(ben, data.slug)
    expect((await remove(data.id)).status).toBe(200)
  })

  it('domain members see a class, can reuse its name but not delete it', async () => {
    const { data } = await create()
    await domainOf(app, ada, [[ben, 'user']])
    const seen = (await list(ben)).find(({ id }) => id === data.id)
    expect([seen?.mine, (await list())[4]?.mine]).toEqual([false, true])
    expect((await create({}, ben)).data).toMatchObject({ name: data.name, mine: true })
    expect((await create({})).body.fields).toEqual({ name: 'There is already a class with this name. Choose another one.' })
    expect((await remove(data.id, ben)).status).toBe(403)
    await agentOf(ben, data.slug)
    expect((await remove(data.id)).status).toBe(409)
  })
})
