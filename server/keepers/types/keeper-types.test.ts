import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Agent, agents } from '#contract/agents/agents.ts'
import { type KeeperType, keeperTypes } from '#contract/keepers/keeper-types.ts'
import { engines } from '#tests/engines.ts'
import { type Actor, createTestApp, type TestApp } from '#tests/test-app.ts'

const systemNames = ['Journal', 'Project', 'Educational', 'Professional', 'Wellness', 'Custom']
const withoutRequestId = (text: string) => text.replace(/"requestId":"\w+"/, '')

describe.each(engines)('keeper types, on %s', (engine) => {
  let app: TestApp
  let ada: Actor
  let ben: Actor
  let agent: Agent
  let number = 0
  beforeAll(async () => {
    app = await createTestApp(engine)
    ada = await app.as('ada')
    ben = await app.as('ben')
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    agent = (await ada.call(agents.create, { body: { name: `Agent ${++number}`, purpose: 'Helps.' } })).data
  })

  const createType = async (actor: Actor, body: object): Promise<KeeperType> =>
    (await actor.call(keeperTypes.create, { body })).data
  const assign = (actor: Actor, keeperTypeId: string, agentId = agent.id) =>
    actor.call(keeperTypes.assign, { params: { agentId, keeperTypeId } })
  const unassign = (actor: Actor, keeperTypeId: string) =>
    actor.call(keeperTypes.unassign, { params: { agentId: agent.id, keeperTypeId } })
  const listAssigned = async (actor = ada) =>
    (await actor.call(keeperTypes.ofAgent, { params: { agentId: agent.id } })).data.map(({ name }) => name)

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
    const random = '0'.repeat(32)
    const answers = await Promise.all([assign(ben, 'system-journal'), assign(ben, 'system-journal', random)])
    expect(answers.map(({ status }) => status)).toEqual([404, 404])
    expect(new Set(answers.map(({ text }) => withoutRequestId(text))).size).toBe(1)
    await ada.call(agents.update, { body: { id: agent.id, visibility: 'public' } })
    await assign(ada, 'system-journal')
    expect(await listAssigned(ben)).toEqual(['Journal'])
    expect({
      assignStatus: (await assign(ben, 'system-custom')).status,
      unassignStatus: (await unassign(ben, 'system-journal')).status,
    }).toEqual({ assignStatus: 403, unassignStatus: 403 })
    expect(await listAssigned()).toEqual(['Journal'])
  })

  it('that are hidden answer like missing ones and stay off public agents', async () => {
    const bens = await createType(ben, { name: 'Tenor' })
    const answers = await Promise.all([assign(ada, bens.id), assign(ada, '0'.repeat(32))])
    expect(answers.map(({ status }) => status)).toEqual([404, 404])
    expect(new Set(answers.map(({ text }) => withoutRequestId(text))).size).toBe(1)
    const adas = await createType(ada, { name: 'Only mine' })
    await assign(ada, adas.id)
    await ada.call(agents.update, { body: { id: agent.id, visibility: 'public' } })
    expect({ assigned: await listAssigned(), assignedBen: await listAssigned(ben) }).toEqual({
      assigned: ['Only mine'],
      assignedBen: [],
    })
  })

  it('lose their assignment when the agent is deleted', async () => {
    await assign(ada, 'system-journal')
    await ada.call(agents.remove, { body: { id: agent.id } })
    const left = await app.services.db
      .selectFrom('agent_keeper_types')
      .select('keeper_type_id')
      .where('agent_id', '=', agent.id)
      .execute()
    expect(left).toEqual([])
  })
})
