import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { boards } from '#contract/boards/boards.ts'
import { accepts, type BoardEntity } from '#contract/boards/frame-types.ts'
import { sharingInDomains } from '#contract/domains/sharing-in-domains.ts'
import { journeys } from '#contract/keepers/journeys.ts'
import { keeperTypes } from '#contract/keepers/keeper-types.ts'
import { domainOf } from '#tests/domain-of.ts'
import { engines } from '#tests/engines.ts'
import { keeperOf } from '#tests/keeper-of.ts'
import { type Actor, type TestApp, testApp } from '#tests/test-app.ts'

describe.each(engines)('boards of entities, on %s', (engine) => {
  let app: TestApp
  let ada: Actor
  let ben: Actor
  beforeAll(async () => {
    app = await testApp(engine)
    ada = await app.as('ada')
    ben = await app.as('ben')
  })
  afterAll(() => app.close())

  const agentOf = async (who = ada) =>
    (await who.call(agents.create, { body: { name: 'Listener', purpose: 'Listens.' } })).data
  const boardOf = (entityType: BoardEntity, entityId: string, who = ada) =>
    who.call(boards.ofEntity, { body: { entityType, entityId } })

  it("an agent's board is created once and backs its workspace", async () => {
    const agent = await agentOf()
    const workspace = () => ada.call(boards.agentWorkspace, { params: { agentId: agent.slug } })
    expect((await workspace()).data).toMatchObject({ agent: { id: agent.id }, frames: [] })
    const { status, data } = await boardOf('agent', agent.slug)
    expect([status, data.type, data.entityType, data.entityId, data.name]).toEqual([
      200,
      'agent',
      'agent',
      agent.id,
      'Listener',
    ])
    expect(data.frames.map(({ data: { frameType, content } }) => [frameType, content])).toEqual([
      ['agent_preview', { agentId: agent.id, input: '', runId: null }],
      ['config_panel', { entity: 'agent', entityId: agent.id }],
    ])
    expect((await boardOf('agent', agent.id)).data).toEqual(data)
    expect((await workspace()).data.frames).toEqual(data.frames)
    expect((await ben.call(boards.agentWorkspace, { params: { agentId: agent.id } })).status).toBe(404)
  })

  it('concurrent requests get one board', async () => {
    const agent = await agentOf()
    const answers = await Promise.all(Array.from({ length: 4 }, () => boardOf('agent', agent.id)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1)
    const rows = await app.services.db.selectFrom('boards').select('id').where('entity_id', '=', agent.id).execute()
    expect(rows).toHaveLength(1)
  })

  it('each person has their own board of a shared entity', async () => {
    const { data: agent } = await ada.call(agents.create, {
      body: { name: 'Open', purpose: 'p', visibility: 'public' },
    })
    const [adas, bens] = [await boardOf('agent', agent.id), await boardOf('agent', agent.id, ben)]
    expect([bens.status, bens.data.id === adas.data.id]).toEqual([200, false])
    expect((await ben.call(boards.agentWorkspace, { params: { agentId: agent.id } })).data.frames).toEqual(
      bens.data.frames,
    )
  })

  it('every entity board starts with valid, non-overlapping frames', async () => {
    const keeper = await keeperOf(ada)
    const journey = (await ada.call(journeys.create, { params: { id: keeper.id }, body: { title: 'Crossing' } })).data
    const { data: types } = await ada.call(keeperTypes.list)
    const domainId = await domainOf(app, ada)
    const expected: [BoardEntity, string, string[]][] = [
      [
        'journey',
        journey.id,
        ['journey_line', 'journey_waypoints', 'journey_moments', 'journey_map', 'journey_learned'],
      ],
      ['domain', domainId, ['domain_overview', 'people_overview', 'domain_sharing', 'config_panel']],
      ['keeper-type', types[0]?.id ?? '', ['keeper_type_identity', 'keeper_type_templates', 'keeper_type_agents']],
      ['people', domainId, ['people_overview', 'role_manager', 'collaboration_network', 'activity_feed']],
      ['people', ada.id, ['people_overview', 'role_manager', 'collaboration_network', 'activity_feed']],
    ]
    for (const [type, id, frameTypes] of expected) {
      const { status, data } = await boardOf(type, id)
      expect([status, data.type, data.frames.map((frame) => frame.data.frameType)]).toEqual([200, type, frameTypes])
      const places = data.frames.map(({ data: { position, size } }) => ({ ...position, ...size }))
      for (const { x, y, width, height } of places)
        expect([x % 20, y % 20, width % 20, height % 20]).toEqual([0, 0, 0, 0])
      for (const [index, one] of places.entries())
        for (const other of places.slice(index + 1)) {
          const apart =
            one.x + one.width <= other.x ||
            other.x + other.width <= one.x ||
            one.y + one.height <= other.y ||
            other.y + other.height <= one.y
          expect(apart).toBe(true)
        }
      for (const frame of data.frames)
        expect(accepts(frame.FrameConfig.engagementMode, frame.data.frameType)).toBe(true)
      expect(new Set(data.frames.map((frame) => frame.data.slug)).size).toBe(frameTypes.length)
    }
  })

  it('an invisible entity answers like an unknown one and creates no board', async () => {
    const keeper = await keeperOf(ada)
    const journey = (await ada.call(journeys.create, { params: { id: keeper.id }, body: { title: 'Canary' } })).data
    const bens: [BoardEntity, string][] = [
      ['agent', (await agentOf()).id],
      ['journey', journey.id],
      ['domain', await domainOf(app, ada)],
      ['people', await domainOf(app, ada)],
      ['people', ada.id],
      ['keeper-type', app.services.newId()],
    ]
    for (const [type, id] of bens) {
      const [theirs, none] = [await boardOf(type, id, ben), await boardOf(type, app.services.newId(), ben)]
      expect([type, theirs.status, theirs.body.error]).toEqual([type, 404, none.body.error])
    }
    const made = await app.services.db
      .selectFrom('boards')
      .select('id')
      .where('owner_id', '=', ben.id)
      .where('entity_type', '!=', 'agent')
      .execute()
    expect(made).toEqual([])
  })

  it('finding a journey takes as many statements in many domains as in one', async () => {
    const statements = async () => {
      const read = vi.spyOn(app.services.db.getExecutor(), 'executeQuery')
      expect((await boardOf('journey', '0'.repeat(32))).status).toBe(404)
      const asked = read.mock.calls.length
      read.mockRestore()
      return asked
    }
    const inOne = await statements()
    for (let more = 0; more < 5; more++) await domainOf(app, ada)
    expect(await statements()).toBe(inOne)
  })

  it('readers of a shared journey have a board of it while it is shared', async () => {
    const keeper = await keeperOf(ada)
    const journey = (await ada.call(journeys.create, { params: { id: keeper.id }, body: { title: 'Together' } })).data
    const domainId = await domainOf(app, ada, [[ben, 'friend']])
    expect((await boardOf('journey', journey.id, ben)).status).toBe(404)
    const params = { id: domainId, journeyId: journey.id }
    await ada.call(sharingInDomains.shareJourney, { params, body: { roles: ['friend'] } })
    expect((await boardOf('journey', journey.id, ben)).data).toMatchObject({ name: 'Together', may: 'owner' })
    await app.services.db.deleteFrom('domain_journeys').execute()
    expect((await boardOf('journey', journey.id, ben)).status).toBe(404)
  })

  it('a trashed board is replaced, and restored only once its successor is gone', async () => {
    const agent = await agentOf()
    const first = (await boardOf('agent', agent.id)).data
    await ada.call(boards.remove, { params: { id: first.id } })
    const second = (await boardOf('agent', agent.id)).data
    expect(second.id).not.toBe(first.id)
    const refused = await ada.call(boards.restore, { params: { id: first.id } })
    expect([refused.status, refused.body.error]).toEqual([409, expect.stringContaining('newer board for this')])
    await ada.call(boards.remove, { params: { id: second.id } })
    expect((await ada.call(boards.restore, { params: { id: first.id } })).data).toEqual(first)
  })

  it('an unknown journey is not found without a domain either', async () => {
    const dot = await app.as('dot')
    await app.services.db.deleteFrom('domains').where('owner_id', '=', dot.id).execute()
    expect((await boardOf('journey', 'nowhere', dot)).status).toBe(404)
  })
})
