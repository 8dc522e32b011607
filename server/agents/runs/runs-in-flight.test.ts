import { beforeAll, describe, expect, it, test } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import type { Services } from '#server/services.ts'
import { createTestAgent } from '#tests/create-test-agent.ts'
import { engines } from '#tests/engines.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { countRemoteRuns, RunRegistry } from './execute/run-registry.ts'

test('starting runs are counted only for their owner', () => {
  const registry = new RunRegistry()
  const createOwner = (personId: string | null, visitorId: string | null) => ({ agentId: 'lead', personId, visitorId })
  for (const owner of [
    createOwner('ada', null),
    createOwner('ada', null),
    createOwner('ben', null),
    createOwner(null, 'visitor'),
  ])
    registry.reserve(owner)
  const count = (personId: string | null, visitorId: string | null = null) => registry.countFor({ personId, visitorId })
  expect(count('ada')).toBe(2)
  expect(count('ben')).toBe(1)
  expect(count('dot')).toBe(0)
  expect(count(null, 'visitor')).toBe(1)
  expect(count(null, 'other')).toBe(0)
  expect(registry.countVisitorRuns('lead')).toBe(1)
})

describe.each(engines)('runs in other processes on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'])
  let services: Services
  beforeAll(async () => {
    services = Object.create(app.services, { bus: { value: { isOpen: true } } })
  })

  it('are counted per person, and for visitors also per agent', async () => {
    const { id: agentId } = await createTestAgent(ada, { name: 'Lead', agent_class: 'Lead', visibility: 'public' })
    const startRemoteRun = async (owner: { person_id: string | null; visitor_id: string | null }) => {
      const { data } = await ada.call(agents.run, { body: { agentId, input: 'hello' } })
      const lease_until = services.now().getTime() + 60_000
      const runningColumns = { ...owner, status: 'running' as const, lease_until }
      await services.db.updateTable('runs').set(runningColumns).where('id', '=', data.run_id).execute()
    }
    for (const person of [ada, ada, ben]) await startRemoteRun({ person_id: person.id, visitor_id: null })
    for (const visitor_id of ['one', 'two', 'two']) await startRemoteRun({ person_id: null, visitor_id })
    const count = (personId: string | null, visitorId: string | null, agent = agentId) =>
      countRemoteRuns(services, { agentId: agent, personId, visitorId })
    expect(await count(ada.id, null)).toEqual({ byRunner: 2, byVisitors: 0 })
    expect(await count(ben.id, null)).toEqual({ byRunner: 1, byVisitors: 0 })
    expect(await count(null, 'one')).toEqual({ byRunner: 1, byVisitors: 3 })
    expect(await count(null, 'two', 'another')).toEqual({ byRunner: 2, byVisitors: 2 })
    expect(await countRemoteRuns(app.services, { agentId, personId: ada.id, visitorId: null })).toEqual({
      byRunner: 0,
      byVisitors: 0,
    })
  })
})
