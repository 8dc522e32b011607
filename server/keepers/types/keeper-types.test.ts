import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Agent, agents } from '#contract/agents/agents.ts'
import { type KeeperType, keeperTypes } from '#contract/keepers/keeper-types.ts'
import { engines } from '#tests/engines.ts'
import { type Actor, createTestApp, type TestApp } from '#tests/test-app.ts'
import { addSystemKeeperTypes } from './system-keeper-types.ts'

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
  const listTypes = async (actor: Actor) => (await actor.call(keeperTypes.list)).data
  const assign = (actor: Actor, keeperTypeId: string, agentId = agent.id) =>
    actor.call(keeperTypes.assign, { params: { agentId, keeperTypeId } })
  const unassign = (actor: Actor, keeperTypeId: string) =>
    actor.call(keeperTypes.unassign, { params: { agentId: agent.id, keeperTypeId } })
  const listAssigned = async (actor = ada) =>
    (await actor.call(keeperTypes.ofAgent, { params: { agentId: agent.id } })).data.map(({ name }) => name)

  it('include six system types with a pattern, added once', async () => {
    const first = await listTypes(ben)
    expect(first.map(({ name }) => name)).toEqual(systemNames)
    expect(first.every(({ system, description }) => system && description !== '')).toBe(true)
    expect(new Set(first.map(({ memoryPattern }) => memoryPattern))).toEqual(new Set(['SOLE', 'CRMTimeline']))
    await addSystemKeeperTypes(app.services)
    expect(await listTypes(ben)).toEqual(first)
  })

  it('get a unique slug from their name', async () => {
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
    const again = await createType(ben, { name: 'Harbour Log' })
    expect(again.slug).toMatch(/^harbour-log-\w+$/)
    expect(again.memoryPattern).toBe('SOLE')
    expect((await createType(ada, { name: '日記' })).slug).toMatch(/^type/)
  })

  it('require a short name', async () => {
    const empty = await ada.call(keeperTypes.create, { body: { name: '  ' } })
    expect({ status: empty.status, fields: empty.body.fields }).toEqual({
      status: 400,
      fields: { name: 'Enter a name.' },
    })
    expect((await ada.call(keeperTypes.create, { body: { name: 'x'.repeat(81) } })).status).toBe(400)
  })

  it('are visible to their maker and within a domain only', async () => {
    const type = await createType(ada, { name: 'Quay' })
    const canSee = async (actor: Actor) => (await listTypes(actor)).some(({ id }) => id === type.id)
    expect({ ada: await canSee(ada), ben: await canSee(ben) }).toEqual({ ada: true, ben: false })
    const domain = await app.services.db
      .selectFrom('domains')
      .select('id')
      .where('owner_id', '=', ada.id)
      .executeTakeFirstOrThrow()
    const membership = { domain_id: domain.id, person_id: ben.id, role: 'friend' as const, added_at: 1, agreed_at: 1 }
    await app.services.db.insertInto('domain_members').values(membership).execute()
    const bens = await createType(ben, { name: 'Choir' })
    expect({ canSeeBen: await canSee(ben), canSeeAppAsDot: await canSee(await app.as('dot')) }).toEqual({
      canSeeBen: true,
      canSeeAppAsDot: false,
    })
    expect((await listTypes(ada)).some(({ id }) => id === bens.id)).toBe(true)
    await app.services.db.deleteFrom('domain_members').where('person_id', '=', ben.id).execute()
    expect(await canSee(ben)).toBe(false)
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
