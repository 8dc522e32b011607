import { describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { runs } from '#contract/agents/runs.ts'
import { json } from '#server/db/database.ts'
import { coordinators } from '#tests/coordinators.ts'
import { engines } from '#tests/engines.ts'

describe.each(engines)('agents that are open to others, on %s', (engine) => {
  const world = coordinators(engine)

  it('a thousand public ones of a stranger push neither one’s own nor the built-in ones out of the list', async () => {
    const { app, ada, ben, make } = world()
    const own = await make('Older than all')
    const some = await make('Public', { visibility: 'public' }, ben)
    const row = await app.services.db
      .selectFrom('agents')
      .selectAll()
      .where('id', '=', some.id)
      .executeTakeFirstOrThrow()
    const later = row.created_at + 1
    const columns = Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        typeof value === 'object' && value !== null ? json(value) : value,
      ]),
    )
    const copies = Array.from({ length: 1_100 }, (_, index) => ({
      ...columns,
      ...{ id: `copy-${index}`, slug: `copy-${index}`, created_at: later + index },
    }))
    for (let at = 0; at < copies.length; at += 100)
      await app.services.db
        .insertInto('agents')
        .values(copies.slice(at, at + 100) as never)
        .execute()

    const { data } = await ada.call(agents.list)
    expect(data).toHaveLength(1000)
    expect(data.map(({ id }) => id)).toContain(own.id)
    expect(data.filter(({ owner_id }) => owner_id === null).length).toBeGreaterThan(0)
    expect(data[0]?.id, 'newest first').toBe('copy-1099')
    expect(data.map(({ created_at }) => created_at)).toEqual(
      data
        .map(({ created_at }) => created_at)
        .toSorted()
        .reverse(),
    )
    await app.services.db.deleteFrom('agents').where('id', 'like', 'copy-%').execute()
  })

  it('those of somebody deactivated are closed to everybody else until they are reactivated', async () => {
    const { app, ada, ben, make, run, lead } = world()
    const open = await make('Opened', { visibility: 'public' }, ben)
    const coordinator = await lead('Asks it', [open.slug])
    const listed = async () => (await ada.call(agents.list)).data.some(({ id }) => id === open.id)
    const set = (deactivated_at: number | null) =>
      app.services.db.updateTable('people').set({ deactivated_at }).where('id', '=', ben.id).execute()
    expect([await listed(), (await run(open.id)).answer.status]).toEqual([true, 200])

    await set(1)
    expect(await listed()).toBe(false)
    expect((await ada.call(agents.byId, { query: { id: open.id } })).status).toBe(404)
    expect((await ada.call(agents.run, { body: { agentId: open.id, input: 'Hello' } })).status).toBe(404)
    const { detail } = await run(coordinator.id)
    expect(detail.spans.map(({ agent_slug }) => agent_slug)).not.toContain(open.slug)

    await set(null)
    expect([await listed(), (await run(open.id)).answer.status]).toEqual([true, 200])
  })

  it('its owner is not told which private agents of others it was made to ask', async () => {
    const { ada, ben, make, replyWith } = world()
    const open = await make('Asks anybody', { visibility: 'public', tools: ['run_agent'] })
    const coach = await make('Divorce coach', {}, ben)
    replyWith({
      'Asks anybody': ({ body }) =>
        JSON.stringify(body).includes('the coach says')
          ? { text: 'Done.' }
          : { calls: [{ name: 'run_agent', arguments: { agent: coach.slug, input: 'What now?' } }] },
      'Divorce coach': () => ({ text: 'the coach says' }),
    })
    const ran = await ben.call(agents.run, { body: { agentId: open.id, input: 'go' } })
    const params = { runId: ran.data.run_id }
    const bens = (await ben.call(runs.show, { params })).data
    expect(bens.spans.map(({ agent_slug }) => agent_slug)).toContain(coach.slug)
    const seen = await ada.call(runs.show, { params })
    expect(seen.status).toBe(200)
    expect(seen.data.spans).toHaveLength(bens.spans.length)
    expect(seen.data.spans.map(({ name }) => name)).toContain('Another agent')
    for (const secret of ['Divorce', coach.slug, 'What now?', 'the coach says']) expect(seen.text).not.toContain(secret)
  })
})
