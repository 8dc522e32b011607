import { beforeEach, describe, expect, it } from 'vitest'
import { type Agent, agents } from '#contract/agents/agents.ts'
import { type KeeperType, keeperTypes } from '#contract/keepers/keeper-types.ts'
import { keepers } from '#contract/keepers/keepers.ts'
import { json } from '#server/db/database.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { insertDomain } from '#tests/insert-domain.ts'
import { removeRequestId } from '#tests/remove-request-id.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'

const systemNames = ['Journal', 'Project', 'Educational', 'Professional', 'Wellness', 'Custom']
const unknownId = '0'.repeat(32)

describe.each(engines)('keeper types, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'], { perTest: true })
  let type: KeeperType
  let agent: Agent
  beforeEach(async () => {
    type = await createType(ada, { name: 'Walks' })
    agent = (await ada.call(agents.create, { body: { name: 'Wayfarer', purpose: 'Helps.' } })).data
  })

  const createType = async (actor: Actor, body: object): Promise<KeeperType> =>
    (await actor.call(keeperTypes.create, { body })).data
  const assign = (actor: Actor, keeperTypeId: string, agentId = agent.id) =>
    actor.call(keeperTypes.assign, { params: { agentId, keeperTypeId } })
  const unassign = (actor: Actor, keeperTypeId: string) =>
    actor.call(keeperTypes.unassign, { params: { agentId: agent.id, keeperTypeId } })
  const listAssigned = async (actor = ada) =>
    (await actor.call(keeperTypes.ofAgent, { params: { agentId: agent.id } })).data.map(({ name }) => name)
  const findListed = async (actor: Actor, id = type.id) =>
    (await actor.call(keeperTypes.list)).data.find((candidate) => candidate.id === id)
  const remove = (id: string) => ada.call(keeperTypes.remove, { params: { id } })
  const link = (templateId: string, actor = ada, id = type.id) =>
    actor.call(keeperTypes.linkTemplate, { params: { id, templateId } })
  const unlink = (templateId: string, actor = ada, id = type.id) =>
    actor.call(keeperTypes.unlinkTemplate, { params: { id, templateId } })
  const listTemplates = async (actor = ada) =>
    (await actor.call(keeperTypes.templates, { params: { id: type.id } })).data.map(({ slug }) => slug)
  const insertTemplate = (slug: string, owner: Actor | null, fields: object = {}) =>
    app.services.db
      .insertInto('engagement_templates')
      .values({
        id: slug,
        owner_id: owner?.id ?? null,
        kind: 'content-type',
        slug,
        label: slug,
        type: 'other',
        description: '',
        category: '',
        system: owner === null,
        fields: json([]),
        steps: json([]),
        target: 'reflection',
        created_at: 1,
        updated_at: 1,
        ...fields,
      })
      .execute()

  it('have a memory pattern, SOLE by default', async () => {
    const listed = (await ben.call(keeperTypes.list)).data
    expect(listed.map(({ name }) => name)).toEqual(systemNames)
    expect(listed.every(({ system, description }) => system && description !== '')).toBe(true)
    expect(new Set(listed.map(({ memoryPattern }) => memoryPattern))).toEqual(new Set(['SOLE', 'CRMTimeline']))
    const type = await createType(ada, { name: 'Harbour Log', description: 'Ships.', memoryPattern: 'tracker' })
    expect(type).toEqual({
      id: expect.any(String),
      name: 'Harbour Log',
      slug: 'harbour-log',
      description: 'Ships.',
      memoryPattern: 'tracker',
      system: false,
      mine: true,
      rev: 1,
      createdAt: expect.any(String),
      _count: { engagement_templates: 0, Keeper: 0 },
    })
    expect((await createType(ben, { name: 'Harbour Log' })).memoryPattern).toBe('SOLE')
  })

  it('are assigned and unassigned by the agent’s owner, idempotently', async () => {
    expect(await listAssigned()).toEqual([])
    await assign(ada, 'system-wellness')
    await assign(ada, 'system-journal', agent.slug)
    expect((await assign(ada, 'system-journal')).status).toBe(200)
    expect(await listAssigned()).toEqual(['Journal', 'Wellness'])
    await Promise.all([unassign(ada, 'system-journal'), unassign(ada, 'system-journal')])
    expect((await unassign(ada, 'system-journal')).status).toBe(200)
    expect(await listAssigned()).toEqual(['Wellness'])
  })

  it('cannot be assigned to a foreign agent, hidden or visible', async () => {
    const responses = await Promise.all([assign(ben, 'system-journal'), assign(ben, 'system-journal', unknownId)])
    expect(responses.map(({ status }) => status)).toEqual([404, 404])
    expect(new Set(responses.map(({ text }) => removeRequestId(text))).size).toBe(1)
    await ada.call(agents.update, { body: { id: agent.id, visibility: 'public' } })
    await assign(ada, 'system-journal')
    expect(await listAssigned(ben)).toEqual(['Journal'])
    expect((await assign(ben, 'system-custom')).status).toBe(403)
    expect((await unassign(ben, 'system-journal')).status).toBe(403)
    expect(await listAssigned()).toEqual(['Journal'])
  })

  it('hidden types respond like unknown ids and stay off public agents', async () => {
    const bensType = await createType(ben, { name: 'Tenor' })
    const responses = await Promise.all([assign(ada, bensType.id), assign(ada, unknownId)])
    expect(responses.map(({ status }) => status)).toEqual([404, 404])
    expect(new Set(responses.map(({ text }) => removeRequestId(text))).size).toBe(1)
    const adasType = await createType(ada, { name: 'Only mine' })
    await assign(ada, adasType.id)
    await ada.call(agents.update, { body: { id: agent.id, visibility: 'public' } })
    expect(await listAssigned()).toEqual(['Only mine'])
    expect(await listAssigned(ben)).toEqual([])
  })

  it('lose their assignment when the agent is deleted', async () => {
    await assign(ada, 'system-journal')
    await ada.call(agents.remove, { body: { id: agent.id } })
    expect(await app.services.db.selectFrom('agent_keeper_types').selectAll().execute()).toEqual([])
  })

  it('can change their memory pattern', async () => {
    const { data } = await ada.call(keeperTypes.update, {
      params: { id: type.id },
      body: { memoryPattern: 'CRMTimeline' },
    })
    expect(data).toEqual({ ...type, memoryPattern: 'CRMTimeline', rev: 2 })
  })

  it('types of the system or other people can’t be linked to templates', async () => {
    await insertDomain(app, ada, [[ben, 'admin']])
    await insertTemplate('t', null)
    const message = 'This is a system-reserved Keeper Type. Editing is disabled.'
    const systemTypeId = 'system-journal'
    for (const response of [await link('t', ada, systemTypeId), await unlink('t', ada, systemTypeId)])
      expect({ status: response.status, error: response.body.error }).toEqual({ status: 403, error: message })
    for (const response of [await link('t', ben), await unlink('t', ben)]) expect(response.status).toBe(403)
    expect((await findListed(ada, systemTypeId))?._count.engagement_templates).toBe(
      (await findListed(ben, systemTypeId))?._count.engagement_templates,
    )
  })

  it('hidden types respond like unknown ids when templates are linked', async () => {
    await insertTemplate('t', null)
    const calls = [
      (id: string) => link('t', ben, id),
      (id: string) => unlink('t', ben, id),
      (id: string) => ben.call(keeperTypes.templates, { params: { id } }),
      (id: string) => ben.call(keeperTypes.agents, { params: { id } }),
      (id: string) => ben.call(keeperTypes.orderTemplates, { params: { id }, body: { templateIds: ['t'] } }),
    ]
    for (const call of calls) {
      const responses = await Promise.all([call(type.id), call(unknownId)])
      expect(responses.map(({ status }) => status)).toEqual([404, 404])
      expect(new Set(responses.map(({ text }) => removeRequestId(text))).size).toBe(1)
    }
  })

  it('count only the person’s own undeleted keepers', async () => {
    await insertDomain(app, ada, [[ben, 'admin']])
    const { id } = await createTestKeeper(ada, { keeperTypeId: type.id })
    await createTestKeeper(ada, { keeperTypeId: type.id })
    await createTestKeeper(ben, { keeperTypeId: type.id })
    expect((await findListed(ada))?._count.Keeper).toBe(2)
    expect((await findListed(ben))?._count.Keeper).toBe(1)
    await ada.call(keepers.remove, { params: { id } })
    expect((await findListed(ada))?._count.Keeper).toBe(1)
  })

  it('a deleted type is removed from its agents, keepers and templates', async () => {
    for (const keeperTypeId of [type.id, 'system-wellness']) await assign(ada, keeperTypeId)
    const { id } = await createTestKeeper(ada, { keeperTypeId: type.id })
    await ada.call(keepers.remove, { params: { id } })
    await insertTemplate('t', ada)
    await link('t')
    expect((await remove(type.id)).status).toBe(200)
    const { db } = app.services
    expect(await db.selectFrom('agent_keeper_types').select('keeper_type_id').execute()).toEqual([
      { keeper_type_id: 'system-wellness' },
    ])
    expect(await db.selectFrom('keepers').select('keeper_type_id').execute()).toEqual([{ keeper_type_id: null }])
    expect(
      await db.selectFrom('keeper_type_templates').select('template_id').where('template_id', '=', 't').execute(),
    ).toEqual([])
  })

  it('link templates in order, once, for all their keepers', async () => {
    await insertTemplate('alpha', ada)
    await insertTemplate('beta', null)
    const keeper = await createTestKeeper(ada, { keeperTypeId: type.id })
    for (const id of ['beta', 'alpha', 'beta']) expect((await link(id)).status).toBe(200)
    expect(await listTemplates()).toEqual(['beta', 'alpha'])
    expect((await findListed(ada))?._count.engagement_templates).toBe(2)
    const fetchedKeeper = await ada.call(keepers.show, { params: { id: keeper.id } })
    expect(fetchedKeeper.data.engagement_templates.map(({ slug }) => slug)).toEqual(['beta', 'alpha'])
    for (const _ of [1, 2]) expect((await unlink('beta')).status).toBe(200)
    expect(await listTemplates()).toEqual(['alpha'])
  })

  it('reorder templates, ignoring unlinked ones', async () => {
    for (const id of ['a', 'b', 'c', 'd']) await insertTemplate(id, ada)
    for (const id of ['a', 'b', 'c']) await link(id)
    const order = (templateIds: string[], actor = ada, id = type.id) =>
      actor.call(keeperTypes.orderTemplates, { params: { id }, body: { templateIds } })
    const { data } = await order(['c', 'd', 'c', 'a'])
    expect(data.map(({ slug }) => slug)).toEqual(['c', 'a', 'b'])
    expect(await listTemplates()).toEqual(['c', 'a', 'b'])
    await order(['b'])
    await order([])
    expect(await listTemplates()).toEqual(['b', 'c', 'a'])
    await link('d')
    expect(await listTemplates()).toEqual(['b', 'c', 'a', 'd'])
    await insertDomain(app, ada, [[ben, 'admin']])
    expect((await order(['a'], ben)).status).toBe(403)
    expect((await order(['a'], ada, 'system-journal')).status).toBe(403)
    expect(await listTemplates()).toEqual(['b', 'c', 'a', 'd'])
  })

  it('list their agents without hidden ones', async () => {
    await insertDomain(app, ada, [[ben, 'admin']])
    const createAgent = async (actor: Actor, name: string, visibility: 'private' | 'public') =>
      (await actor.call(agents.create, { body: { name, purpose: 'p', visibility } })).data
    const ownAgent = await createAgent(ada, 'Own', 'private')
    const hiddenAgent = await createAgent(ben, 'Hidden', 'private')
    const publicAgent = await createAgent(ben, 'Public', 'public')
    for (const [actor, agent] of [
      [ada, ownAgent],
      [ben, hiddenAgent],
      [ben, publicAgent],
    ] as const)
      await actor.call(keeperTypes.assign, { params: { agentId: agent.id, keeperTypeId: type.id } })
    const listAgentNames = async (actor: Actor) =>
      (await actor.call(keeperTypes.agents, { params: { id: type.id } })).data.map(({ name }) => name).sort()
    expect({ ada: await listAgentNames(ada), ben: await listAgentNames(ben) }).toEqual({
      ada: ['Own', 'Public'],
      ben: ['Hidden', 'Public'],
    })
    await ada.call(keeperTypes.unassign, { params: { agentId: ownAgent.id, keeperTypeId: type.id } })
    expect(await listAgentNames(ada)).toEqual(['Public'])
  })

  it('refuse other people’s templates like missing ones', async () => {
    await insertTemplate('bens', ben)
    const responses = await Promise.all([link('bens'), link(unknownId)])
    expect(responses.map(({ status }) => status)).toEqual([404, 404])
    expect(new Set(responses.map(({ text }) => removeRequestId(text))).size).toBe(1)
    expect(await listTemplates()).toEqual([])
  })

  it('show the number of processes that use a content type', async () => {
    await insertTemplate('form', ada)
    const step = { title: 'S', prompt: '', agentSlug: null, waitHours: null }
    await insertTemplate('process', ada, {
      kind: 'process',
      steps: json([
        { ...step, contentTypeId: 'form' },
        { ...step, contentTypeId: null },
      ]),
    })
    await insertTemplate('bens', ben, { kind: 'process', steps: json([{ ...step, contentTypeId: 'form' }]) })
    await link('form')
    const { data } = await ada.call(keeperTypes.templates, { params: { id: type.id } })
    expect(data).toMatchObject([{ slug: 'form', templateCount: 1, mine: true, system: false }])
  })
})
