import { beforeAll, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { runs } from '#contract/agents/runs.ts'
import { hourMs } from '#server/values/time-units.ts'
import { createTestAgent } from '#tests/create-test-agent.ts'
import { engines } from '#tests/engines.ts'
import { createProviderApp, saveKeys } from '#tests/provider-app.ts'
import { useApp } from '#tests/use-test-app.ts'

describe.each(engines)('filtering the logs on %s', (engine) => {
  let lampId: string
  const times: Record<string, string> = {}
  const { app, ada } = useApp(
    () => createProviderApp(engine, { answer: () => 'The tide is out. 100% sure_of it.' }),
    ['ada'],
  )
  beforeAll(async () => {
    await saveKeys(ada, 'openai', 'anthropic')
    const createAgent = async (name: string, model_provider: 'openai' | 'anthropic') =>
      (await createTestAgent(ada, { name, model_provider })).id
    lampId = await createAgent('Lamp Lighter', 'openai')
    const tideId = await createAgent('Tide Table', 'anthropic')
    for (const [agentId, input] of [
      [lampId, 'Light the first lamp'],
      [tideId, 'When is the ÄRA of tides'],
      [lampId, 'broken lamp'],
      [lampId, 'Straße and café'],
    ] as const) {
      app.passTime(hourMs)
      if (input === 'broken lamp') app.fakes.openai.script(['status-401'])
      await ada.call(agents.run, { body: { agentId, input } })
    }
    for (const log of (await ada.call(agents.logs)).data.logs) times[log.input] = log.created_at
  })

  const listInputs = async (query: object) =>
    (await ada.call(agents.logs, { query: query as never })).data.logs.map((log) => log.input)

  it.each<[query: object, inputs: string[]]>([
    [{ q: 'lamp' }, ['Straße and café', 'broken lamp', 'Light the first lamp']],
    [{ q: 'LAMP first' }, ['Light the first lamp']],
    [{ q: 'lamp tide' }, ['Straße and café', 'Light the first lamp']],
    [{ q: 'ära' }, ['When is the ÄRA of tides']],
    [{ q: 'straße' }, ['Straße and café']],
    [{ q: 'CAFÉ' }, ['Straße and café']],
    [{ q: '100%' }, ['Straße and café', 'When is the ÄRA of tides', 'Light the first lamp']],
    [{ q: '10_%' }, []],
    [{ q: 'sure_of' }, ['Straße and café', 'When is the ÄRA of tides', 'Light the first lamp']],
    [{ q: 'sureXof' }, []],
    [{ q: "\\' or 1=1" }, []],
    [{ status: 'error' }, ['broken lamp']],
    [{ status: 'success', provider: 'openai' }, ['Straße and café', 'Light the first lamp']],
    [{ provider: 'anthropic' }, ['When is the ÄRA of tides']],
    [{ provider: 'together' }, []],
    [{ agentId: 'lamp-lighter', q: 'first' }, ['Light the first lamp']],
  ])('%j', async (query, expected) => {
    expect(await listInputs(query)).toEqual(expected)
    const { data } = await ada.call(agents.logs, { query: query as never })
    expect({ total: data.total, totalPages: data.totalPages }).toEqual({ total: expected.length, totalPages: 1 })
  })

  it('can be limited to own runs', async () => {
    const cleo = await app.as('cleo', ['super-admin'])
    await cleo.call(agents.run, { body: { agentId: 'code-agent', input: 'Cleo asks' } })
    const list = async (query: object) => (await cleo.call(agents.logs, { query: query as never })).data
    expect((await list({})).total).toBe(5)
    const ownRuns = await list({ whose: 'mine' })
    expect(ownRuns.total).toBe(1)
    expect(ownRuns.logs.map((log) => log.input)).toEqual(['Cleo asks'])
    expect((await ada.call(agents.logs, { query: { whose: 'mine' } as never })).data.total).toBe(4)
    expect((await ada.call(agents.logs, { query: { whose: 'ada' } as never })).status).toBe(400)
  })

  it('filters by an inclusive start and an exclusive end', async () => {
    const [second, third] = [times['When is the ÄRA of tides'], times['broken lamp']]
    expect(await listInputs({ from: third })).toEqual(['Straße and café', 'broken lamp'])
    expect(await listInputs({ to: third })).toEqual(['When is the ÄRA of tides', 'Light the first lamp'])
    expect(await listInputs({ from: second, to: third })).toEqual(['When is the ÄRA of tides'])
    expect(await listInputs({ from: '2020-01-01', to: '2020-01-02' })).toEqual([])
    expect(await listInputs({ from: '2020-02-29T23:30+02:00' })).toHaveLength(4)
  })

  it.each([
    ['from', 'yesterday'],
    ['from', '2026-02-30'],
    ['to', '2026-13-01'],
    ['to', '2026-11-20T25:00:00Z'],
    ['from', '20261120'],
    ['to', '1'],
    ['status', 'odd'],
    ['provider', 'unknown'],
  ])('%s can’t be %j, in the list or the export', async (field, value) => {
    for (const call of [agents.logs, runs.exportLogs]) {
      const answer = await ada.call(call as typeof agents.logs, { query: { [field]: value } as never })
      expect(answer.status).toBe(400)
      expect(Object.keys(answer.body.fields as object)).toEqual([field])
    }
  })

  it('finds all runs of the agent that currently has a slug', async () => {
    const dot = await app.as('dot')
    const cleo = await app.as('cleo', ['super-admin'])
    const createAgent = async (name: string) => (await createTestAgent(dot, { name })).id
    const first = await createAgent('Beacon')
    await dot.call(agents.run, { body: { agentId: first, input: 'Before' } })
    await dot.call(agents.update, { body: { id: first, slug: 'old-beacon' } })
    await dot.call(agents.run, { body: { agentId: first, input: 'After' } })
    const second = await createAgent('Beacon')
    await dot.call(agents.update, { body: { id: second, slug: 'beacon' } })
    await dot.call(agents.run, { body: { agentId: second, input: 'Another’s' } })
    const listInputsByAgent = async (agentId: string) =>
      (await dot.call(agents.logs, { query: { agentId } })).data.logs.map(({ input }) => input)
    expect(await listInputsByAgent('old-beacon')).toEqual(await listInputsByAgent(first))
    expect((await listInputsByAgent('old-beacon')).sort()).toEqual(['After', 'Before'])
    expect(await listInputsByAgent('beacon')).toEqual(['Another’s'])
    expect((await cleo.call(agents.logs, { query: { agentId: 'old-beacon' } })).data.total).toBe(2)
  })

  it('finds own runs by a slug that a hidden agent now has', async () => {
    const ben = await app.as('ben')
    const lantern = await ben.call(agents.create, { body: { name: 'Lantern', purpose: 'p' } })
    await ben.call(agents.run, { body: { agentId: lantern.data.id, input: 'Ben’s own' } })
    await app.services.db
      .updateTable('runs')
      .set({ agent_slug: 'tide-table' })
      .where('input', '=', 'Ben’s own')
      .execute()
    const { logs } = (await ben.call(agents.logs, { query: { agentId: 'tide-table' } })).data
    expect(logs.map(({ input }) => input)).toEqual(['Ben’s own'])
  })

  it('refuses an end before the start and names the field', async () => {
    const answer = await ada.call(agents.logs, { query: { from: '2026-11-20', to: '2026-11-20' } as never })
    expect(answer.status).toBe(400)
    expect(answer.body.fields).toEqual({ to: expect.any(String) })
  })
})
