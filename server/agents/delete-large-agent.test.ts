import { describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { json } from '#server/db/database.ts'
import { engines } from '#tests/engines.ts'
import { useTestApp } from '#tests/use-test-app.ts'

describe.each(engines)('an agent with a thousand runs on %s', (engine) => {
  const { app } = useTestApp(engine)

  it('is deleted with its history in small batches', async () => {
    const { db } = app.services
    const ada = await app.as('ada')
    const createAgent = async (name: string) =>
      (await ada.call(agents.create, { body: { name, purpose: 'Helps.', memory_enabled: true, agent_class: 'Lead' } }))
        .data.id
    const [much, other] = [await createAgent('Much used'), await createAgent('Another')]
    for (const agentId of [much, other]) await ada.call(agents.run, { body: { agentId, input: 'Hello' } })
    const run = await db.selectFrom('runs').selectAll().where('agent_id', '=', much).executeTakeFirstOrThrow()
    const row = Object.fromEntries(
      Object.entries(run).map(([name, value]) => [
        name,
        typeof value === 'object' && value !== null ? json(value) : value,
      ]),
    )
    const copies = Array.from({ length: 1_200 }, (_, index) => ({ ...row, id: `copy-${index}`, session_id: null }))
    for (let at = 0; at < copies.length; at += 100)
      await db
        .insertInto('runs')
        .values(copies.slice(at, at + 100) as never)
        .execute()

    const write = db.write.bind(db)
    const deletedCounts: number[] = []
    db.write = async (statement) => {
      const result = await write(statement)
      deletedCounts.push(result.changes)
      return result
    }
    expect((await ada.call(agents.remove, { query: { id: much } } as never)).status).toBe(200)
    db.write = write
    expect(deletedCounts.filter((changes) => changes > 0)).toEqual([500, 201])
    const left = async (table: 'runs' | 'chat_sessions') =>
      (await db.selectFrom(table).select('agent_id').execute()).map(({ agent_id }) => agent_id)
    expect({ runs: await left('runs'), chat_sessions: await left('chat_sessions') }).toEqual({
      runs: [other],
      chat_sessions: [other],
    })
  })
})
