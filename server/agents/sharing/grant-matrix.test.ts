import { describe, expect, it } from 'vitest'
import { type Agent, agents } from '#contract/agents/agents.ts'
import { type AgentRight, agentRights, sharing } from '#contract/agents/sharing.ts'
import { computeDatabaseHash } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'

const subsets = Array.from({ length: 16 }, (_, bits) => agentRights.filter((_right, index) => bits & (1 << index)))

type Operation = 'read' | 'run' | 'session' | 'edit' | 'share' | 'grant' | 'delete'
/** The right each operation needs; reading needs any right, granting also the granted one. */
const needed: Record<Operation, AgentRight[]> = {
  read: [],
  run: ['run'],
  session: ['run'],
  edit: ['edit'],
  share: ['share'],
  grant: ['share', 'run'],
  delete: ['delete'],
}
const operations = Object.keys(needed) as Operation[]

describe.each(engines)('operations allowed by grants on %s', (engine) => {
  const { app, ada, ben, dot } = useTestApp(engine, ['ada', 'ben', 'dot'], {
    environment: { KEEPER_VISITOR_RUNS_PER_MINUTE: '1000' },
  })

  let number = 0
  async function createSharedAgent(rights: AgentRight[]): Promise<Agent> {
    const body = { name: `Shared ${++number}`, purpose: 'p', visibility: 'shared', agent_class: 'Lead' }
    const { data } = await ada.call(agents.create, { body })
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
  const expected = (rights: AgentRight[], operation: Operation) => {
    if (rights.length === 0) return 404
    return needed[operation].every((right) => rights.includes(right)) ? 200 : 403
  }

  it.each(subsets.map((rights) => [rights.join(', ') || 'nothing', rights] as const))(
    'people with %s can do exactly what it allows',
    async (_, rights) => {
      const agent = await createSharedAgent(rights)
      for (const operation of operations) {
        const status = expected(rights, operation)
        const previousHash = status === 200 ? '' : await computeDatabaseHash(app.services.db)
        expect({ operation, status: (await perform[operation](ben, agent.id)).status }).toEqual({ operation, status })
        if (status !== 200)
          expect(await computeDatabaseHash(app.services.db), `${operation} changed something`).toBe(previousHash)
      }
    },
  )

  it.each(subsets.map((rights) => [rights.join(', ') || 'nothing', rights] as const))(
    'shows people with %s the same permissions',
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
    const show = (as: string) => ada.call(agents.update, { body: { id: agent.id, visibility: as as 'public' } })
    await show(visibility)
    const closed = visibility === 'private' ? 404 : 403
    for (const operation of ['edit', 'share', 'grant', 'delete'] as const)
      expect({ operation, status: (await perform[operation](ben, agent.id)).status }).toEqual({
        operation,
        status: closed,
      })
    expect((await perform.run(ben, agent.id)).status).toBe(visibility === 'private' ? 404 : 200)
    await show('shared')
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
