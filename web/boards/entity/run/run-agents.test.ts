import { describe, expect, it } from 'vitest'
import type { RunSpan, SpanKind } from '#contract/agents/runs.ts'
import { sumUsage } from '#contract/agents/sum-usage.ts'
import { overlaps } from '#contract/boards/free-positions.ts'
import { buildRunAgents, getRunAgentSnapshot, getTurningPoints, type RunAgentSnapshot } from './run-agents.ts'
import { layOutRunAgents, runFrameSize } from './run-tree.ts'

type SpanTuple = [
  id: string,
  parent: string | null,
  kind: SpanKind,
  from: number,
  to: number | null,
  fields?: Partial<RunSpan>,
]
const toSpans = (...tuples: SpanTuple[]): RunSpan[] =>
  tuples.map(([id, parent_id, kind, started_ms, ended_ms, fields]) => ({
    id,
    parent_id,
    kind,
    name: id,
    agent_slug: kind === 'agent' || kind === 'coordinator' ? id : null,
    provider: null,
    model: kind === 'model' ? 'gpt-4o' : null,
    started_ms,
    ended_ms,
    failure: null,
    input: null,
    output: null,
    reasoning: null,
    memory: [],
    usage: null,
    ...fields,
  }))
const usageFields = (input_tokens: number, output_tokens: number, cost_usd: number | null = 0.01) => ({
  usage: { input_tokens, output_tokens, cost_usd, estimated: false },
})

/** A coordinator calls Anna and Bert in parallel, Bert calls Carl through a tool, then the coordinator answers. */
const trio = toSpans(
  ['duo', null, 'coordinator', 0, 1000, { output: 'All said.', ...usageFields(60, 25) }],
  ['m1', 'duo', 'model', 10, 100, { ...usageFields(10, 5), output: { text: 'I ask them.', calls: [] } }],
  ['anna', 'duo', 'agent', 110, 400, { output: 'Anna here', ...usageFields(10, 5) }],
  ['bert', 'duo', 'agent', 110, 800, { failure: 'key-rejected' }],
  ['m2', 'anna', 'model', 120, 390, { ...usageFields(10, 5), output: 'Anna here' }],
  ['m3', 'bert', 'model', 120, 300, { ...usageFields(10, 5), output: { text: '', calls: [] } }],
  ['run_agent', 'bert', 'tool', 310, 700],
  ['carl', 'run_agent', 'agent', 320, 690, { output: 'Carl here' }],
  ['wait', 'carl', 'wait', 350, 450, { name: 'wait before retry' }],
  ['m4', 'carl', 'model', 450, 680, { ...usageFields(10, 5), output: 'Carl here' }],
  ['m5', 'bert', 'model', 710, 790, { ...usageFields(10, 0) }],
  ['m6', 'duo', 'model', 810, 990, { ...usageFields(10, 5), output: 'All said.' }],
)

describe('the agents of a run', () => {
  const agents = buildRunAgents(trio)
  const getAgent = (id: string) => agents.find((agent) => agent.id === id) as (typeof agents)[number]

  it('are nested below their caller, also through a tool', () => {
    expect(agents.map(({ id, callerId, depth }) => [id, callerId, depth])).toEqual([
      ['duo', null, 0],
      ['anna', 'duo', 1],
      ['bert', 'duo', 1],
      ['carl', 'bert', 2],
    ])
    expect(getAgent('bert').steps.map(({ id }) => id)).toEqual(['m3', 'run_agent', 'm5'])
  })

  it('add up to the usage of the run, counting each request once', () => {
    const totalUsage = sumUsage(agents.map((agent) => getRunAgentSnapshot(agent, 1000).usage))
    expect(totalUsage).toEqual({ input_tokens: 60, output_tokens: 25, cost_usd: 0.06, estimated: false })
    expect(totalUsage.input_tokens).toBe(trio[0]?.usage?.input_tokens)
    expect(getRunAgentSnapshot(getAgent('duo'), 1000).usage.input_tokens).toBe(20)
  })

  it.each<[ms: number, states: Record<string, [RunAgentSnapshot['state'], string]>]>([
    [5, { duo: ['waiting', 'Waiting for its turn'], anna: ['waiting', 'Not started'] }],
    [50, { duo: ['running', 'Writing'], bert: ['waiting', 'Not started'] }],
    [115, { duo: ['waiting', 'Waiting for 2 agents'], anna: ['waiting', 'Waiting for its turn'] }],
    [200, { anna: ['running', 'Writing'], bert: ['running', 'Writing'], carl: ['waiting', 'Not started'] }],
    [315, { bert: ['running', 'Calling run_agent'] }],
    [360, { bert: ['waiting', 'Waiting for 1 agent'], carl: ['waiting', 'Waiting to retry'] }],
    [500, { anna: ['done', 'Done'], duo: ['waiting', 'Waiting for 1 agent'], carl: ['running', 'Writing'] }],
    [805, { duo: ['running', 'Working'], bert: ['failed', 'Failed: key-rejected'] }],
    [1000, { duo: ['done', 'Done'], carl: ['done', 'Done'] }],
  ])('are in the state of their steps after %i ms', (ms, states) => {
    for (const [id, [state, activity]] of Object.entries(states))
      expect(getRunAgentSnapshot(getAgent(id), ms)).toMatchObject<Partial<RunAgentSnapshot>>({ state, activity })
  })

  it('include the output and usage of requests answered by then', () => {
    const early = getRunAgentSnapshot(getAgent('duo'), 500)
    expect(early).toMatchObject({ output: 'I ask them.', elapsedMs: 500, usage: { input_tokens: 10 }, model: 'gpt-4o' })
    expect(getRunAgentSnapshot(getAgent('anna'), 389).output).toBe('')
    expect(getRunAgentSnapshot(getAgent('anna'), 400)).toMatchObject({ output: 'Anna here', elapsedMs: 290 })
    expect(getRunAgentSnapshot(getAgent('carl'), 100)).toMatchObject({ output: '', elapsedMs: 0, model: null })
    expect(getRunAgentSnapshot(getAgent('duo'), 1000).output).toBe('All said.')
  })

  it('show streamed text while running and the stored output at the end', () => {
    expect(getRunAgentSnapshot(getAgent('anna'), 200, 'Anna h').output).toBe('Anna h')
    expect(getRunAgentSnapshot(getAgent('anna'), 1000, 'Anna h').output).toBe('Anna here')
  })

  it('have no cost when a price is unknown', () => {
    const [agent] = buildRunAgents(
      toSpans(['a', null, 'agent', 0, 9], ['m', 'a', 'model', 1, 8, usageFields(1, 1, null)]),
    )
    expect(agent && getRunAgentSnapshot(agent, 9).usage.cost_usd).toBeNull()
  })

  it('are empty without steps; orphaned steps belong to the first agent', () => {
    expect(buildRunAgents([])).toEqual([])
    const orphaned = buildRunAgents(
      toSpans(['a', null, 'agent', 0, null], ['b', 'missing', 'agent', 5, null], ['m', 'missing', 'model', 5, 6]),
    )
    expect(orphaned.map(({ id, callerId, steps }) => [id, callerId, steps.length])).toEqual([
      ['a', null, 1],
      ['b', 'a', 0],
    ])
    const [circle] = buildRunAgents(
      toSpans(['a', null, 'agent', 0, null], ['x', 'y', 'tool', 1, 2], ['y', 'x', 'tool', 1, 2]),
    )
    expect(circle?.steps).toHaveLength(2)
  })

  it('have turning points where a step starts or ends', () => {
    expect(
      getTurningPoints(buildRunAgents(toSpans(['a', null, 'agent', 0, 90], ['m', 'a', 'model', 10, 80])), 90),
    ).toEqual([0, 10, 80, 90])
  })
})

describe('the tree of a run', () => {
  const buildFan = (count: number) =>
    buildRunAgents(
      toSpans(
        ['a', null, 'agent', 0, 9],
        ...Array.from({ length: count }, (_, index): SpanTuple => [`b${index}`, 'a', 'agent', 1, 2]),
      ),
    )

  it.each([1, 2, 3, 5, 6, 40])('puts %i called agents on the grid without overlaps', (count) => {
    const positions = [...layOutRunAgents(buildFan(count)).values()]
    expect(positions).toHaveLength(count + 1)
    for (const [index, position] of positions.entries()) {
      expect([position.x % 20, position.y % 20].map(Math.abs)).toEqual([0, 0])
      for (const other of positions.slice(index + 1))
        expect(overlaps({ ...position, ...runFrameSize }, { ...other, ...runFrameSize })).toBe(false)
    }
  })

  it('grows down with few agents side by side, to the right with many', () => {
    expect(layOutRunAgents(buildFan(3)).get('b0')).toEqual({ x: 0, y: 360 })
    expect(layOutRunAgents(buildFan(6)).get('b0')).toEqual({ x: 420, y: 0 })
  })
})
