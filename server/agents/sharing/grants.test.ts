import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type Agent, agents } from '#contract/agents/agents.ts'
import { type AgentRight, agentRights, sharing } from '#contract/agents/sharing.ts'
import { createTestAgent } from '#tests/create-test-agent.ts'
import { computeDatabaseHash, dumpDatabase } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'

describe.each(engines)('granting and revoking rights on %s', (engine) => {
  const { app, ada, ben, dot, cleo } = useTestApp(engine, ['ada', 'ben', 'dot', 'cleo'], {
    roles: { cleo: ['super-admin'] },
  })
  let agent: Agent
  beforeEach(async () => {
    agent = await createTestAgent(ada, { visibility: 'shared' })
  })

  const grant = (actor: Actor, to: Actor | string, rights: AgentRight[]) =>
    actor.call(sharing.grant, {
      params: { agentId: agent.id, personId: typeof to === 'string' ? to : to.id },
      body: { rights },
    })
  const revoke = (actor: Actor, from: Actor) =>
    actor.call(sharing.revoke, { params: { agentId: agent.id, personId: from.id } })
  const listGrants = (actor: Actor) => actor.call(sharing.list, { params: { agentId: agent.id } })
  const fetchRights = async (actor: Actor) =>
    (await listGrants(ada)).data.grants.find(({ person }) => person.id === actor.id)?.rights ?? []
  const expectRefusal = async (attempt: Promise<{ status: number }>, status = 403) => {
    const previous = await dumpDatabase(app.services.db)
    expect((await attempt).status).toBe(status)
    expect(await dumpDatabase(app.services.db)).toBe(previous)
  }

  it('the owner can grant, change, revoke and list rights', async () => {
    const { data } = await grant(ada, ben, ['edit', 'run'])
    expect(data).toEqual({
      person: { id: ben.id, name: 'Ben Haugen', email: null },
      rights: ['run', 'edit'],
      granted_at: expect.stringMatching(/Z$/),
      may_change: true,
    })
    const dots = await grant(ada, dot, ['share'])
    expect(dots.data).toMatchObject({ person: { id: dot.id }, rights: ['share'] })
    expect((await listGrants(ada)).data).toEqual({
      mine: [...agentRights],
      grants: [data, expect.objectContaining({ rights: ['share'] })],
    })
    expect((await grant(ada, ben, [])).data, 'a grant needs a right').toBeNull()
    expect((await revoke(ada, dot)).status).toBe(200)
    expect((await listGrants(ada)).data.grants).toEqual([])
    expect((await revoke(ada, dot)).status, 'revoking again changes nothing').toBe(200)
  })

  it('people can grant and revoke only rights they hold', async () => {
    await grant(ada, ben, ['run', 'share'])
    for (const rights of [['edit'], ['delete'], ['run', 'edit'], [...agentRights]] as AgentRight[][])
      await expectRefusal(grant(ben, dot, rights))
    expect((await grant(ben, dot, ['run'])).status).toBe(200)
    await grant(ada, dot, ['run', 'delete'])
    await expectRefusal(grant(ben, dot, ['run']))
    await expectRefusal(revoke(ben, dot))
    expect((await grant(ben, dot, ['run', 'share', 'delete'])).status, 'unchanged rights are not granted again').toBe(
      200,
    )
    expect((await grant(ben, dot, ['delete'])).status).toBe(200)
    expect(await fetchRights(dot)).toEqual(['delete'])
  })

  it('neither edit nor delete includes share', async () => {
    await grant(ada, ben, ['run', 'edit', 'delete'])
    await expectRefusal(grant(ben, dot, ['run']))
    await expectRefusal(listGrants(ben))
  })

  it('no one can change their own or the owner’s rights', async () => {
    await grant(ada, ben, ['run', 'share'])
    await grant(ada, dot, [...agentRights])
    for (const actor of [ben, dot]) {
      await expectRefusal(grant(actor, actor, ['run']))
      await expectRefusal(grant(actor, actor, [...agentRights]))
      await expectRefusal(revoke(actor, actor))
      await expectRefusal(grant(actor, ada, []))
      await expectRefusal(revoke(actor, ada))
    }
    await expectRefusal(grant(ada, ada, ['run']))
    expect((await listGrants(ben)).data.grants.map(({ person, may_change }) => [person.id, may_change])).toEqual([
      [ben.id, false],
      [dot.id, true],
    ])
    expect((await listGrants(ben)).data.mine).toEqual(['run', 'share'])
  })

  it('editors can’t change visibility or visitor spending', async () => {
    await grant(ada, ben, ['edit'])
    const updateAgent = (fields: object) => ben.call(agents.update, { body: { id: agent.id, ...fields } as never })
    for (const fields of [
      { visibility: 'public' },
      { visibility: 'private' },
      { visitors_spend_owner_key: true },
      { visitor_daily_usd: 100 },
      { name: 'And this', visibility: 'public' },
    ])
      await expectRefusal(updateAgent(fields))
    expect(Object.keys((await updateAgent({ visibility: 'public' })).body.fields ?? {})).toEqual(['visibility'])
    const { data } = await updateAgent({ name: 'Renamed', visibility: 'shared', visitors_spend_owner_key: false })
    expect(data).toMatchObject({ name: 'Renamed', visibility: 'shared', owner_id: ada.id, rev: 2 })
  })

  it('editors can bundle only agents that they and the owner can run', async () => {
    const createAgent = async (actor: Actor, name: string) => (await createTestAgent(actor, { name })).slug
    const [adas, bens] = [await createAgent(ada, 'Adas Secret'), await createAgent(ben, 'Bens Secret')]
    await grant(ada, ben, ['edit'])
    const toBundleUpdate = (...slugs: string[]) => ({
      body: { id: agent.id, agent_class: 'Coordinator', config: { bundle: slugs } } as never,
    })
    expect((await ada.call(agents.update, toBundleUpdate(adas, 'kip'))).status).toBe(200)
    expect(
      (await ben.call(agents.update, toBundleUpdate(adas, 'type-agent'))).status,
      'agents already bundled can stay',
    ).toBe(200)
    await expectRefusal(ben.call(agents.update, toBundleUpdate(adas, bens)), 400)
    await ada.call(agents.update, toBundleUpdate('kip'))
    await expectRefusal(ben.call(agents.update, toBundleUpdate('kip', adas)), 400)
    expect((await ben.call(agents.update, toBundleUpdate('kip', adas))).body.error).toContain(
      'that you and its owner can run',
    )
    expect((await ada.call(agents.update, toBundleUpdate('kip', bens))).body.error).toContain('that you can run')
  })

  it('agents that are only visible can’t be bundled', async () => {
    await grant(ada, ben, ['share'])
    const body = { name: 'Round', purpose: 'p', agent_class: 'Coordinator', config: { bundle: [agent.slug] } }
    await expectRefusal(ben.call(agents.create, { body }), 400)
    await grant(ada, ben, ['run'])
    expect((await ben.call(agents.create, { body })).status).toBe(200)
  })

  it('grants need a shared agent, an existing person and valid rights', async () => {
    await expectRefusal(grant(ada, 'f'.repeat(32), ['run']), 404)
    await expectRefusal(grant(ada, ben, ['own'] as never), 400)
    await ada.call(agents.update, { body: { id: agent.id, visibility: 'private' } })
    await expectRefusal(grant(ada, ben, ['run']), 409)
    agent = { ...agent, id: 'built-in-kip' }
    for (const actor of [ada, cleo]) await expectRefusal(grant(actor, ben, ['run']))
  })

  it('rights are deleted with the agent', async () => {
    await grant(ada, ben, ['run'])
    await grant(ada, dot, ['run'])
    const countGrants = async () =>
      (await app.services.db.selectFrom('agent_grants').select('person_id').where('agent_id', '=', agent.id).execute())
        .length
    expect(await countGrants()).toBe(2)
    await ada.call(agents.remove, { body: { id: agent.id } })
    expect(await countGrants()).toBe(0)
  })

  it('concurrent changes are atomic and limited to rights held', async () => {
    await grant(ada, ben, ['run', 'share'])
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, () => grant(ben, dot, ['run'])),
      ...Array.from({ length: 6 }, () => grant(ada, dot, ['edit'])),
      ...Array.from({ length: 6 }, () => revoke(ben, dot)),
    ])
    for (const { status } of answers) expect([200, 403]).toContain(status)
    expect(answers.slice(6, 12).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
    const rights = await fetchRights(dot)
    expect([['edit'], ['run'], ['run', 'edit'], []]).toContainEqual(rights)
  })

  it('a grant fails if its giver loses their rights concurrently', async () => {
    await grant(ada, ben, ['run', 'share'])
    const { db } = app.services
    const batch = db.batch.bind(db)
    vi.spyOn(db, 'batch').mockImplementationOnce(async (writes) => {
      await revoke(ada, ben)
      return batch(writes)
    })
    expect((await grant(ben, dot, ['run'])).status).toBe(404)
    expect((await listGrants(ada)).data.grants).toEqual([])
  })

  it('notifies everyone affected', async () => {
    const publishSpy = vi.spyOn(app.services.live, 'publish')
    for (const change of [
      () => grant(ada, ben, ['run', 'edit']),
      () => ben.call(agents.update, { body: { id: agent.id, purpose: 'Changed.' } }),
      () => revoke(ada, ben),
    ]) {
      publishSpy.mockClear()
      await change()
      expect(publishSpy.mock.calls.map(([personId]) => personId).sort()).toEqual([ada.id, ben.id].sort())
      expect(new Set(publishSpy.mock.calls.map(([, event]) => event.type))).toEqual(new Set(['agents-changed']))
    }
    publishSpy.mockRestore()
  })
})

const subsets = Array.from({ length: 16 }, (_, bits) => agentRights.filter((_right, index) => bits & (1 << index)))

type Operation = 'read' | 'run' | 'session' | 'edit' | 'share' | 'grant' | 'delete'
/** The right each operation needs; reading needs any right, granting also the granted one. */
const requiredRights: Record<Operation, AgentRight[]> = {
  read: [],
  run: ['run'],
  session: ['run'],
  edit: ['edit'],
  share: ['share'],
  grant: ['share', 'run'],
  delete: ['delete'],
}
const operations = Object.keys(requiredRights) as Operation[]

describe.each(engines)('operations allowed by grants on %s', (engine) => {
  const { app, ada, ben, dot } = useTestApp(engine, ['ada', 'ben', 'dot'], {
    environment: { KEEPER_VISITOR_RUNS_PER_MINUTE: '1000' },
  })

  async function createSharedAgent(rights: AgentRight[]): Promise<Agent> {
    const data = await createTestAgent(ada, { visibility: 'shared', agent_class: 'Lead' })
    const params = { agentId: data.id, personId: ben.id }
    expect((await ada.call(sharing.grant, { params, body: { rights } })).status).toBe(200)
    return data
  }
  const perform: Record<Operation, (actor: Actor, id: string) => Promise<{ status: number }>> = {
    read: (actor, id) => actor.call(agents.byId, { query: { id } }),
    run: (actor, agentId) => actor.call(agents.run, { body: { agentId, input: 'hello' } }),
    session: (actor, agentId) => actor.call(agents.createSession, { body: { agentId } }),
    edit: (actor, id) => actor.call(agents.update, { body: { id, purpose: 'Changed.' } }),
    share: (actor, agentId) => actor.call(sharing.list, { params: { agentId } }),
    grant: (actor, agentId) =>
      actor.call(sharing.grant, { params: { agentId, personId: dot.id }, body: { rights: ['run'] } }),
    delete: (actor, id) => actor.call(agents.remove, { body: { id } }),
  }
  const getExpectedStatus = (rights: AgentRight[], operation: Operation) => {
    if (rights.length === 0) return 404
    return requiredRights[operation].every((right) => rights.includes(right)) ? 200 : 403
  }

  it.each(subsets.map((rights) => [rights.join(', ') || 'nothing', rights] as const))(
    'people with %s can do exactly what it allows',
    async (_, rights) => {
      const agent = await createSharedAgent(rights)
      for (const operation of operations) {
        const status = getExpectedStatus(rights, operation)
        const previousHash = status === 200 ? '' : await computeDatabaseHash(app.services.db)
        expect({ operation, status: (await perform[operation](ben, agent.id)).status }).toEqual({ operation, status })
        if (status !== 200)
          expect(await computeDatabaseHash(app.services.db), `${operation} changed something`).toBe(previousHash)
      }
    },
  )

  it.each(subsets.map((rights) => [rights.join(', ') || 'nothing', rights] as const))(
    'shows people with %s what they may do',
    async (_, rights) => {
      const agent = await createSharedAgent(rights)
      const listed = (await ben.call(agents.list)).data.find(({ id }) => id === agent.id)
      if (rights.length === 0) return expect(listed).toBeUndefined()
      const may = { run: 'run', edit: 'edit', share: 'share', remove: 'delete' } as const
      for (const [name, right] of Object.entries(may))
        expect({ name, item: listed?.may[name as keyof typeof may] }).toEqual({ name, item: rights.includes(right) })
      expect((await ben.call(agents.byId, { query: { id: agent.slug } })).data).toEqual(listed)
    },
  )

  it.each(operations.filter((operation) => operation !== 'delete'))(
    'revoked rights end with the next request: %s',
    async (operation) => {
      const agent = await createSharedAgent([...agentRights])
      expect((await perform[operation](ben, agent.id)).status).toBe(200)
      const params = { agentId: agent.id, personId: ben.id }
      expect((await ada.call(sharing.revoke, { params })).status).toBe(200)
      expect((await perform[operation](ben, agent.id)).status).toBe(404)
      expect((await ben.call(agents.list)).data.map(({ id }) => id)).not.toContain(agent.id)
    },
  )

  it('revoking one right keeps the others', async () => {
    const agent = await createSharedAgent(['run', 'edit'])
    const params = { agentId: agent.id, personId: ben.id }
    await ada.call(sharing.grant, { params, body: { rights: ['run'] } })
    expect((await perform.run(ben, agent.id)).status).toBe(200)
    expect((await perform.edit(ben, agent.id)).status).toBe(403)
  })

  it.each(['private', 'public'])('grants have no effect while the agent is %s', async (visibility) => {
    const agent = await createSharedAgent([...agentRights])
    const setVisibility = (as: string) =>
      ada.call(agents.update, { body: { id: agent.id, visibility: as as 'public' } })
    await setVisibility(visibility)
    const closed = visibility === 'private' ? 404 : 403
    for (const operation of ['edit', 'share', 'grant', 'delete'] as const)
      expect((await perform[operation](ben, agent.id)).status, operation).toEqual(closed)
    expect((await perform.run(ben, agent.id)).status).toBe(visibility === 'private' ? 404 : 200)
    await setVisibility('shared')
    expect((await perform.edit(ben, agent.id)).status).toBe(200)
  })

  it('visitors never reach a shared agent', async () => {
    const agent = await createSharedAgent([...agentRights])
    const visitor = app.visitor()
    for (const operation of operations)
      expect([401, 404]).toContain((await perform[operation](visitor, agent.id)).status)
    expect((await visitor.call(agents.bySlug, { query: { slug: agent.slug } })).status).toBe(404)
    expect((await ben.call(agents.bySlug, { query: { slug: agent.slug } })).status).toBe(200)
  })
})
