import { describe, expect, it, vi } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { boards } from '#contract/boards/boards.ts'
import { acceptsFrame, type BoardEntity } from '#contract/boards/frame-types.ts'
import { overlaps } from '#contract/boards/free-positions.ts'
import { sharingInDomains } from '#contract/domains/sharing-in-domains.ts'
import { journeys } from '#contract/keepers/journeys.ts'
import { keeperTypes } from '#contract/keepers/keeper-types.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { insertDomain } from '#tests/insert-domain.ts'
import { useTestApp } from '#tests/use-test-app.ts'

describe.each(engines)('boards of entities, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'])

  const createAgent = async (actor = ada) =>
    (await actor.call(agents.create, { body: { name: 'Listener', purpose: 'Listens.' } })).data
  const openBoard = (entityType: BoardEntity, entityId: string, actor = ada) =>
    actor.call(boards.ofEntity, { body: { entityType, entityId } })

  it("an agent's board is created once and backs its workspace", async () => {
    const agent = await createAgent()
    const showWorkspace = () => ada.call(boards.agentWorkspace, { params: { agentId: agent.slug } })
    expect((await showWorkspace()).data).toMatchObject({ agent: { id: agent.id }, frames: [] })
    const { status, data } = await openBoard('agent', agent.slug)
    expect(status).toBe(200)
    expect(data).toMatchObject({ type: 'agent', entityType: 'agent', entityId: agent.id, name: 'Listener' })
    expect(data.frames.map(({ data: { frameType, content } }) => [frameType, content])).toEqual([
      ['agent_preview', { agentId: agent.id, input: '', runId: null }],
      ['config_panel', { entity: 'agent', entityId: agent.id }],
    ])
    expect((await openBoard('agent', agent.id)).data).toEqual(data)
    expect((await showWorkspace()).data.frames).toEqual(data.frames)
    expect((await ben.call(boards.agentWorkspace, { params: { agentId: agent.id } })).status).toBe(404)
  })

  it('concurrent requests get one board', async () => {
    const agent = await createAgent()
    const answers = await Promise.all(Array.from({ length: 4 }, () => openBoard('agent', agent.id)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1)
    const rows = await app.services.db.selectFrom('boards').select('id').where('entity_id', '=', agent.id).execute()
    expect(rows).toHaveLength(1)
  })

  it('each person has their own board of a shared entity', async () => {
    const { data: agent } = await ada.call(agents.create, {
      body: { name: 'Open', purpose: 'p', visibility: 'public' },
    })
    const { data: boardOfAda } = await openBoard('agent', agent.id)
    const { data: boardOfBen } = await openBoard('agent', agent.id, ben)
    expect(boardOfBen.id).toEqual(expect.any(String))
    expect(boardOfBen.id).not.toBe(boardOfAda.id)
    const workspace = await ben.call(boards.agentWorkspace, { params: { agentId: agent.id } })
    expect(workspace.data.frames).toEqual(boardOfBen.frames)
  })

  it('every entity board starts with valid, non-overlapping frames', async () => {
    const keeper = await createTestKeeper(ada)
    const journey = (await ada.call(journeys.create, { params: { id: keeper.id }, body: { title: 'Crossing' } })).data
    const { data: types } = await ada.call(keeperTypes.list)
    const domainId = await insertDomain(app, ada)
    const expected: [BoardEntity, string, string[]][] = [
      [
        'journey',
        journey.id,
        ['journey_line', 'journey_map', 'journey_waypoints', 'journey_moments', 'journey_learned'],
      ],
      ['domain', domainId, ['domain_overview', 'people_overview', 'domain_sharing', 'config_panel']],
      ['keeper-type', types[0]?.id ?? '', ['keeper_type_identity', 'keeper_type_templates', 'keeper_type_agents']],
      ['people', domainId, ['people_overview', 'role_manager', 'collaboration_network', 'activity_feed']],
      ['people', ada.id, ['people_overview', 'role_manager', 'collaboration_network', 'activity_feed']],
    ]
    for (const [type, id, frameTypes] of expected) {
      const { status, data } = await openBoard(type, id)
      expect(status).toBe(200)
      expect(data.type).toBe(type)
      expect(data.frames.map((frame) => frame.data.frameType)).toEqual(frameTypes)
      const boxes = data.frames.map(({ data: { position, size } }) => ({ ...position, ...size }))
      expect(boxes.every((box) => Object.values(box).every((value) => value % 20 === 0))).toBe(true)
      expect(boxes.some((one, index) => boxes.slice(index + 1).some((other) => overlaps(one, other)))).toBe(false)
      for (const frame of data.frames)
        expect(acceptsFrame(frame.FrameConfig.engagementMode, frame.data.frameType)).toBe(true)
      expect(new Set(data.frames.map((frame) => frame.data.slug)).size).toBe(frameTypes.length)
    }
  })

  it('the frames of a journey fill two rows of the same width', async () => {
    const keeper = await createTestKeeper(ada)
    const journey = (await ada.call(journeys.create, { params: { id: keeper.id }, body: { title: 'Crossing' } })).data
    const rows = Map.groupBy((await openBoard('journey', journey.id)).data.frames, ({ data }) => data.position.y)
    const rightEdges = [...rows.values()].map((frames) =>
      Math.max(...frames.map(({ data: { position, size } }) => position.x + size.width)),
    )
    expect(rightEdges).toEqual([1040, 1040])
  })

  it('an invisible entity answers like an unknown one and creates no board', async () => {
    const keeper = await createTestKeeper(ada)
    const journey = (await ada.call(journeys.create, { params: { id: keeper.id }, body: { title: 'Canary' } })).data
    const adasEntities: [BoardEntity, string][] = [
      ['agent', (await createAgent()).id],
      ['journey', journey.id],
      ['domain', await insertDomain(app, ada)],
      ['people', await insertDomain(app, ada)],
      ['people', ada.id],
      ['keeper-type', app.services.newId()],
    ]
    for (const [type, id] of adasEntities) {
      const [foreignResponse, unknown] = [
        await openBoard(type, id, ben),
        await openBoard(type, app.services.newId(), ben),
      ]
      expect(foreignResponse, type).toMatchObject({ status: 404, body: { error: unknown.body.error } })
    }
    const createdBoards = await app.services.db
      .selectFrom('boards')
      .select('id')
      .where('owner_id', '=', ben.id)
      .where('entity_type', '!=', 'agent')
      .execute()
    expect(createdBoards).toEqual([])
  })

  it('finding a journey takes as many statements in many domains as in one', async () => {
    const countStatements = async () => {
      const read = vi.spyOn(app.services.db.getExecutor(), 'executeQuery')
      expect((await openBoard('journey', '0'.repeat(32))).status).toBe(404)
      const statementCount = read.mock.calls.length
      read.mockRestore()
      return statementCount
    }
    const countInOneDomain = await countStatements()
    for (let domainIndex = 0; domainIndex < 5; domainIndex++) await insertDomain(app, ada)
    expect(await countStatements()).toBe(countInOneDomain)
  })

  it('readers of a shared journey have a board of it while it is shared', async () => {
    const keeper = await createTestKeeper(ada)
    const journey = (await ada.call(journeys.create, { params: { id: keeper.id }, body: { title: 'Together' } })).data
    const domainId = await insertDomain(app, ada, [[ben, 'friend']])
    expect((await openBoard('journey', journey.id, ben)).status).toBe(404)
    const params = { id: domainId, journeyId: journey.id }
    await ada.call(sharingInDomains.shareJourney, { params, body: { roles: ['friend'] } })
    expect((await openBoard('journey', journey.id, ben)).data).toMatchObject({ name: 'Together', may: 'owner' })
    await app.services.db.deleteFrom('domain_journeys').execute()
    expect((await openBoard('journey', journey.id, ben)).status).toBe(404)
  })

  it('a trashed board is replaced, and restored only after its successor is deleted', async () => {
    const agent = await createAgent()
    const first = (await openBoard('agent', agent.id)).data
    await ada.call(boards.remove, { params: { id: first.id } })
    const second = (await openBoard('agent', agent.id)).data
    expect(second.id).not.toBe(first.id)
    const refused = await ada.call(boards.restore, { params: { id: first.id } })
    expect(refused).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('newer board already exists') },
    })
    await ada.call(boards.remove, { params: { id: second.id } })
    expect((await ada.call(boards.restore, { params: { id: first.id } })).data).toEqual(first)
  })

  it('an unknown journey is not found without a domain either', async () => {
    const dot = await app.as('dot')
    await app.services.db.deleteFrom('domains').where('owner_id', '=', dot.id).execute()
    expect((await openBoard('journey', 'nowhere', dot)).status).toBe(404)
  })
})
