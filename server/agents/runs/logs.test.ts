import { beforeAll, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { runs } from '#contract/agents/runs.ts'
import { createTestAgent } from '#tests/create-test-agent.ts'
import { engines } from '#tests/engines.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'

type Runner = 'ada' | 'ben' | 'visitor'
type Sight = 'text' | 'metadata' | 'nothing'

describe.each(engines)('execution logs on %s', (engine) => {
  const { app } = useTestApp(engine, [], { modelRuntime: { sleep: async () => {} } })
  const people: Record<string, Actor> = {}
  const runIds: Record<Runner, string> = { ada: '', ben: '', visitor: '' }
  beforeAll(async () => {
    const ada = await app.as('ada')
    Object.assign(people, { ada, ben: await app.as('ben'), dot: await app.as('dot'), visitor: app.visitor() })
    await ada.call(agents.create, { body: { name: 'Open', purpose: 'p', agent_class: 'Lead', visibility: 'public' } })
    for (const runner of ['ada', 'ben', 'visitor'] as const) {
      app.passTime(1000)
      const { data } = await getActor(runner).call(agents.run, {
        body: { agentId: 'open', input: `canary-of-${runner}` },
      })
      runIds[runner] = data.run_id
    }
  })
  const getActor = (name: string) => people[name] as Actor

  /** Ada owns the agent; Dot is unrelated to it. */
  const table: [reader: string, role: string | null, sights: Record<Runner, Sight>][] = [
    ['ada', null, { ada: 'text', ben: 'metadata', visitor: 'metadata' }],
    ['ben', null, { ada: 'nothing', ben: 'text', visitor: 'nothing' }],
    ['dot', null, { ada: 'nothing', ben: 'nothing', visitor: 'nothing' }],
    ['cleo', 'super-admin', { ada: 'metadata', ben: 'metadata', visitor: 'metadata' }],
    ['cleo', 'support', { ada: 'metadata', ben: 'metadata', visitor: 'metadata' }],
    ['cleo', 'developer', { ada: 'metadata', ben: 'metadata', visitor: 'metadata' }],
    ['cleo', 'admin', { ada: 'nothing', ben: 'nothing', visitor: 'nothing' }],
    ['cleo', 'moderator', { ada: 'nothing', ben: 'nothing', visitor: 'nothing' }],
    ['cleo', 'analyst', { ada: 'nothing', ben: 'nothing', visitor: 'nothing' }],
    ['cleo', 'viewer', { ada: 'nothing', ben: 'nothing', visitor: 'nothing' }],
  ]

  it.each(table)('%s as %s sees other people’s runs as expected', async (name, role, sights) => {
    if (role) {
      const cleo = await app.as('cleo')
      await app.services.db.deleteFrom('role_grants').where('person_id', '=', cleo.id).execute()
      people.cleo = await app.as('cleo', [role as never])
    }
    const reader = getActor(name)
    const list = await reader.call(agents.logs)
    const byUser = await reader.call(agents.logs, {
      query: { userId: getActor('ada').id } as never,
      headers: { 'x-user-id': getActor('ada').id },
    })
    expect(byUser.data).toEqual(list.data)
    for (const [runner, sight] of Object.entries(sights) as [Runner, Sight][]) {
      const row = list.data.logs.find((log) => log.id === runIds[runner])
      const detail = await reader.call(runs.show, { params: { runId: runIds[runner] } })
      if (sight === 'nothing') {
        expect(row).toBeUndefined()
        expect(detail.status).toBe(404)
        continue
      }
      const canary = `canary-of-${runner}`
      expect(row?.agent).toMatchObject({ name: 'Open', slug: 'open', agent_class: 'Lead' })
      expect(JSON.stringify(row).includes(canary)).toBe(sight === 'text')
      expect(detail.text.includes(canary)).toBe(sight === 'text')
      expect(detail.data.spans.length).toBeGreaterThan(0)
      if (sight === 'metadata') {
        expect(row).toMatchObject({ input: '', output: null, mock_mode: true, key_source: 'mock' })
        expect(detail.text).not.toContain('willowbrook')
        expect(detail.data.session_id).toBeNull()
      } else expect(JSON.parse(row?.output ?? '')).toMatchObject({ type: 'text' })
      expect(row?.user).toEqual(runner === 'visitor' ? null : expect.objectContaining({ id: getActor(runner).id }))
    }
    const visibleRuns = Object.entries(sights).filter(([, sight]) => sight !== 'nothing')
    expect(list.data.total).toBe(visibleRuns.length)

    // Search and export reveal no more than the list: hits never depend on other people's content.
    const search = async (q: string) => (await reader.call(agents.logs, { query: { q } as never })).data
    expect((await search('open')).total).toBe(visibleRuns.length)
    const file = await reader.fetch('/api/kip/logs/export')
    const csv = await file.text()
    expect(file.status).toBe(200)
    expect(file.headers.get('keeper-total')).toEqual(String(visibleRuns.length))
    for (const [runner, sight] of Object.entries(sights) as [Runner, Sight][]) {
      const matches = await search(`canary-of-${runner}`)
      expect(matches.logs.map((log) => log.id)).toEqual(sight === 'text' ? [runIds[runner]] : [])
      expect(csv.includes(runIds[runner])).toBe(sight !== 'nothing')
      expect(csv.includes(`canary-of-${runner}`)).toBe(sight === 'text')
      const answered = await search(`CANARY-OF-${runner} OPEN`)
      expect(answered.total).toBe(sight === 'text' ? 1 : 0)
    }
    expect(csv).not.toContain('willowbrook')
  })

  it('visitors can’t read logs, not even their own', async () => {
    for (const answer of [
      await getActor('visitor').call(agents.logs),
      await getActor('visitor').call(agents.stats),
      await getActor('visitor').call(runs.show, { params: { runId: runIds.visitor } }),
      await getActor('visitor').call(runs.exportLogs),
    ])
      expect(answer.status).toBe(401)
  })

  it('people’s content never appears in the server log', () => {
    expect(app.logLines.join('')).not.toContain('canary-of')
  })

  it('are listed newest first, twenty per page, optionally of one agent', async () => {
    const ben = getActor('ben')
    const ownAgent = await createTestAgent(ben)
    for (let index = 0; index < 21; index++) {
      app.passTime(1000)
      await ben.call(agents.run, { body: { agentId: ownAgent.id, input: `run ${index}` } })
    }
    const fetchLogs = async (query: object) => (await ben.call(agents.logs, { query: query as never })).data
    const first = await fetchLogs({ agentId: ownAgent.id })
    expect(first.logs.length).toBe(20)
    expect(first.totalPages).toBe(2)
    expect(first.total).toBe(21)
    expect(first.logs.map((log) => log.input)).toEqual(Array.from({ length: 20 }, (_, index) => `run ${20 - index}`))
    expect((await fetchLogs({ agentId: ownAgent.slug, page: 2 })).logs.map((log) => log.input)).toEqual(['run 0'])
    expect(await fetchLogs({ agentId: ownAgent.id, pageSize: 21 })).toMatchObject({ totalPages: 1 })
    expect(await fetchLogs({ page: 9 })).toMatchObject({ logs: [], totalPages: 2, total: 22 })
    expect(await fetchLogs({ agentId: 'nobody' })).toEqual({ logs: [], totalPages: 1, total: 0 })
    for (const query of [{ page: 0 }, { pageSize: 101 }, { page: -1 }, { pageSize: 1.5 }]) {
      const { status, body } = await ben.call(agents.logs, { query: query as never })
      expect(status).toBe(400)
      expect(Object.values(body.fields ?? {})).toEqual([expect.stringMatching(/^Use a whole number/)])
    }
    expect((await ben.call(agents.logs, { query: { page: '1;drop' } })).status).toBe(400)
    expect((await fetchLogs({ page: 9_007_199_254_740_991 })).logs).toEqual([])
  })

  it('stats count own runs and runs of own agents only', async () => {
    const [ada, ben, dot] = ['ada', 'ben', 'dot'].map(getActor) as [Actor, Actor, Actor]
    const fetchStats = (caller: Actor, agentId?: string) =>
      caller.call(agents.stats, { query: agentId ? { agentId } : {} })
    expect((await fetchStats(ada)).data).toMatchObject({
      runs: 3,
      errors: 0,
      mock_runs: 3,
      cost_usd: 0,
      last_run_at: expect.any(String),
    })
    expect((await fetchStats(ben, 'open')).data.runs).toBe(1)
    expect((await fetchStats(dot, 'open')).data).toMatchObject({
      runs: 0,
      p50_ms: null,
      p95_ms: null,
      last_run_at: null,
    })
    expect((await fetchStats(dot, 'mine')).status).toBe(404)
  })
})
