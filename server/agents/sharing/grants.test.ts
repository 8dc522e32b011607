import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Agent, agents } from '#contract/agents/agents.ts'
import { type AgentRight, agentRights, sharing } from '#contract/agents/sharing.ts'
import { engines } from '#tests/engines.ts'
import { type Actor, type TestApp, testApp } from '#tests/test-app.ts'
import { wholeDatabase } from '#tests/whole-database.ts'

describe.each(engines)('granting and revoking rights on %s', (engine) => {
  let app: TestApp
  let ada: Actor
  let ben: Actor
  let cleo: Actor
  let dot: Actor
  let agent: Agent
  let number = 0
  beforeAll(async () => {
    app = await testApp(engine)
    ;[ada, ben, dot] = [await app.as('ada'), await app.as('ben'), await app.as('dot')]
    cleo = await app.as('cleo', ['super-admin'])
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    const body = { name: `Shared ${++number}`, purpose: 'p', visibility: 'shared' }
    agent = (await ada.call(agents.create, { body })).data
  })

  const give = (who: Actor, to: Actor | string, rights: AgentRight[]) =>
    who.call(sharing.grant, {
      params: { agentId: agent.id, personId: typeof to === 'string' ? to : to.id },
      body: { rights },
    })
  const take = (who: Actor, from: Actor) =>
    who.call(sharing.revoke, { params: { agentId: agent.id, personId: from.id } })
  const list = (who: Actor) => who.call(sharing.list, { params: { agentId: agent.id } })
  const rightsOf = async (whom: Actor) =>
    (await list(ada)).data.grants.find(({ person }) => person.id === whom.id)?.rights ?? []
  const refused = async (attempt: Promise<{ status: number }>, status = 403) => {
    const before = await wholeDatabase(app.services.db)
    expect((await attempt).status).toBe(status)
    expect(await wholeDatabase(app.services.db)).toBe(before)
  }

  it('the owner can grant, change, revoke and list rights', async () => {
    const { data } = await give(ada, ben, ['edit', 'run'])
    expect(data).toEqual({
      person: { id: ben.id, name: 'Ben Haugen', email: null },
      rights: ['run', 'edit'],
      granted_at: expect.stringMatching(/Z$/),
      may_change: true,
    })
    const dots = await give(ada, dot, ['share'])
    expect(dots.data).toMatchObject({ person: { id: dot.id }, rights: ['share'] })
    expect((await list(ada)).data).toEqual({
      mine: [...agentRights],
      grants: [data, expect.objectContaining({ rights: ['share'] })],
    })
    expect((await give(ada, ben, [])).data, 'no right is no grant').toBeNull()
    expect((await take(ada, dot)).status).toBe(200)
    expect((await list(ada)).data.grants).toEqual([])
    expect((await take(ada, dot)).status, 'taken twice is taken').toBe(200)
  })

  it('people can grant and revoke only rights they hold', async () => {
    await give(ada, ben, ['run', 'share'])
    for (const rights of [['edit'], ['delete'], ['run', 'edit'], [...agentRights]] as AgentRight[][])
      await refused(give(ben, dot, rights))
    expect((await give(ben, dot, ['run'])).status).toBe(200)
    await give(ada, dot, ['run', 'delete'])
    await refused(give(ben, dot, ['run']))
    await refused(take(ben, dot))
    expect((await give(ben, dot, ['run', 'share', 'delete'])).status, 'what stays is not given').toBe(200)
    expect((await give(ben, dot, ['delete'])).status).toBe(200)
    expect(await rightsOf(dot)).toEqual(['delete'])
  })

  it('neither edit nor delete includes share', async () => {
    await give(ada, ben, ['run', 'edit', 'delete'])
    await refused(give(ben, dot, ['run']))
    await refused(list(ben))
  })

  it('no one can change their own or the owner’s rights', async () => {
    await give(ada, ben, ['run', 'share'])
    await give(ada, dot, [...agentRights])
    for (const who of [ben, dot]) {
      await refused(give(who, who, ['run']))
      await refused(give(who, who, [...agentRights]))
      await refused(take(who, who))
      await refused(give(who, ada, []))
      await refused(take(who, ada))
    }
    await refused(give(ada, ada, ['run']))
    expect((await list(ben)).data.grants.map(({ person, may_change }) => [person.id, may_change])).toEqual([
      [ben.id, false],
      [dot.id, true],
    ])
    expect((await list(ben)).data.mine).toEqual(['run', 'share'])
  })

  it('editors can’t change visibility or visitor spending', async () => {
    await give(ada, ben, ['edit'])
    const change = (fields: object) => ben.call(agents.update, { body: { id: agent.id, ...fields } as never })
    for (const fields of [
      { visibility: 'public' },
      { visibility: 'private' },
      { visitors_spend_owner_key: true },
      { visitor_daily_usd: 100 },
      { name: 'And this', visibility: 'public' },
    ])
      await refused(change(fields))
    expect(Object.keys((await change({ visibility: 'public' })).body.fields ?? {})).toEqual(['visibility'])
    const { data } = await change({ name: 'Renamed', visibility: 'shared', visitors_spend_owner_key: false })
    expect(data).toMatchObject({ name: 'Renamed', visibility: 'shared', owner_id: ada.id, rev: 2 })
  })

  it('editors can bundle only agents that they and the owner can run', async () => {
    const make = async (who: Actor, name: string) =>
      (await who.call(agents.create, { body: { name: `${name} ${number}`, purpose: 'p' } })).data.slug
    const [adas, bens] = [await make(ada, 'Adas Secret'), await make(ben, 'Bens Secret')]
    await give(ada, ben, ['edit'])
    const bundle = (...slugs: string[]) => ({
      body: { id: agent.id, agent_class: 'Coordinator', config: { bundle: slugs } } as never,
    })
    expect((await ada.call(agents.update, bundle(adas, 'kip'))).status).toBe(200)
    expect((await ben.call(agents.update, bundle(adas, 'type-agent'))).status, 'what was there may stay').toBe(200)
    await refused(ben.call(agents.update, bundle(adas, bens)), 400)
    await ada.call(agents.update, bundle('kip'))
    await refused(ben.call(agents.update, bundle('kip', adas)), 400)
    expect((await ben.call(agents.update, bundle('kip', adas))).body.error).toContain('that you and its owner can run')
    expect((await ada.call(agents.update, bundle('kip', bens))).body.error).toContain('that you can run')
  })

  it('agents that are only visible can’t be bundled', async () => {
    await give(ada, ben, ['share'])
    const body = { name: 'Round', purpose: 'p', agent_class: 'Coordinator', config: { bundle: [agent.slug] } }
    await refused(ben.call(agents.create, { body }), 400)
    await give(ada, ben, ['run'])
    expect((await ben.call(agents.create, { body })).status).toBe(200)
  })

  it('grants need a shared agent, an existing person and valid rights', async () => {
    await refused(give(ada, 'f'.repeat(32), ['run']), 404)
    await refused(give(ada, ben, ['own'] as never), 400)
    await ada.call(agents.update, { body: { id: agent.id, visibility: 'private' } })
    await refused(give(ada, ben, ['run']), 409)
    agent = { ...agent, id: 'built-in-kip' }
    for (const who of [ada, cleo]) await refused(give(who, ben, ['run']))
  })

  it('rights are deleted with the person and with the agent', async () => {
    await give(ada, ben, ['run'])
    await give(ada, dot, ['run'])
    const left = async () =>
      (await app.services.db.selectFrom('agent_grants').select('person_id').where('agent_id', '=', agent.id).execute())
        .length
    expect(await left()).toBe(2)
    await ada.call(agents.remove, { body: { id: agent.id } })
    expect(await left()).toBe(0)
  })

  it('concurrent changes are atomic and limited to rights held', async () => {
    await give(ada, ben, ['run', 'share'])
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, () => give(ben, dot, ['run'])),
      ...Array.from({ length: 6 }, () => give(ada, dot, ['edit'])),
      ...Array.from({ length: 6 }, () => take(ben, dot)),
    ])
    for (const { status } of answers) expect([200, 403]).toContain(status)
    expect(answers.slice(6, 12).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
    const rights = await rightsOf(dot)
    expect([['edit'], ['run'], ['run', 'edit'], []]).toContainEqual(rights)
  })

  it('a grant fails if its giver loses their rights concurrently', async () => {
    await give(ada, ben, ['run', 'share'])
    const { db } = app.services
    const batch = db.batch.bind(db)
    vi.spyOn(db, 'batch').mockImplementationOnce(async (writes) => {
      await take(ada, ben)
      return batch(writes)
    })
    expect((await give(ben, dot, ['run'])).status).toBe(404)
    expect((await list(ada)).data.grants).toEqual([])
  })

  it('notifies everyone affected', async () => {
    const tell = vi.spyOn(app.services.live, 'tell')
    for (const act of [
      () => give(ada, ben, ['run', 'edit']),
      () => ben.call(agents.update, { body: { id: agent.id, purpose: 'Told.' } }),
      () => take(ada, ben),
    ]) {
      tell.mockClear()
      await act()
      expect(tell.mock.calls.map(([personId]) => personId).sort()).toEqual([ada.id, ben.id].sort())
      expect(new Set(tell.mock.calls.map(([, event]) => event.type))).toEqual(new Set(['agents-changed']))
    }
    tell.mockRestore()
  })
})
