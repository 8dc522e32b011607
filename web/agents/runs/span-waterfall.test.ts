import { expect, test } from 'vitest'
import type { RunSpan } from '#contract/agents/runs.ts'
import type { ToolCall } from '#contract/agents/tools.ts'
import { createSpan } from '#tests/create-span.ts'
import { getStepNotes, layoutWaterfall, moveInTree } from './span-waterfall.tsx'

const step = (id: string, changes: Partial<RunSpan>) =>
  createSpan(id, { kind: 'tool', name: 'look', ended_ms: 1, input: {}, ...changes })
function call(result: string | null, args: unknown, name = 'look'): ToolCall {
  return { id: `${result}`, name, title: name, state: 'done', agent_slug: 'a', arguments: args, result }
}

test('tool results belong to their steps, even for repeated calls', () => {
  const spans = [
    step('later', { started_ms: 9, input: { q: 'door' } }),
    step('sooner', { started_ms: 2, input: { q: 'door' } }),
    step('other', { started_ms: 3, input: { q: 'boat' } }),
  ]
  const tools = [call('14 found', { q: 'door' }), call('1 found', { q: 'boat' }), call('none found', { q: 'door' })]
  expect(Object.fromEntries(getStepNotes(spans, tools))).toEqual({
    sooner: '14 found',
    later: 'none found',
    other: '1 found',
  })
})

test('running, unknown and agent calls have no note', () => {
  const spans = [
    step('waits', {}),
    step('unknown', { name: 'other' }),
    step('asks', { name: 'run_agent', input: { agent: 'b' } }),
  ]
  expect(getStepNotes(spans, [call(null, {}), call('It answered.', { agent: 'b' }, 'run_agent')]).size).toBe(0)
})

test('memory items are counted', () => {
  const item = { entity: 'card', id: '1', title: 'Doors', text: 'Left open.' }
  const spans = [
    step('one', { kind: 'memory', memory: [item] }),
    step('three', { kind: 'memory', memory: [item, item, item] }),
    step('none', { kind: 'memory' }),
  ]
  expect(Object.fromEntries(getStepNotes(spans, []))).toEqual({ one: '1 item', three: '3 items' })
})

const timed = (id: string, parent_id: string | null, started_ms: number, ended_ms: number | null) =>
  createSpan(id, { parent_id, started_ms, ended_ms })
const round = [
  timed('round', null, 0, 6420),
  timed('write', 'keeper', 2500, 5000),
  timed('keeper', 'round', 1800, 4900),
  timed('plan', 'round', 60, 840),
]
const none = new Set<string>()
const ids = (collapsed = none) =>
  layoutWaterfall(round, collapsed, 6420).rows.map((row) => `${row.depth}${row.span.id}`)

test('steps follow their parents in start order', () => {
  expect(ids()).toEqual(['0round', '1plan', '1keeper', '2write'])
  expect(ids(new Set(['keeper']))).toEqual(['0round', '1plan', '1keeper'])
  expect(ids(new Set(['round']))).toEqual(['0round'])
})

test('bars share one axis with round ticks and stay inside', () => {
  const { rows, ticks } = layoutWaterfall(round, none, 6420)
  expect(ticks.map((tick) => tick.label)).toEqual(['0 s', '2 s', '4 s', '6 s'])
  for (const row of rows) expect(row.start + row.width).toBeLessThanOrEqual(1)
  expect(rows[0]?.width).toBeCloseTo(1 / 1.03)
})

test('marks of the shortest runs are whole milliseconds at their own time', () => {
  const getTicks = (ms: number) => layoutWaterfall([timed('a', null, 0, ms)], none, ms).ticks
  expect(getTicks(1)).toEqual([{ position: 0, label: '0 ms' }])
  expect(getTicks(3).map((tick) => tick.label)).toEqual(['0 ms', '1 ms', '2 ms'])
  expect(getTicks(2)[1]?.position).toBeCloseTo(1 / (2 * 1.03))
})

test('short runs are marked in milliseconds and an empty run does not divide by zero', () => {
  expect(layoutWaterfall([timed('a', null, 0, 90)], none, 90).ticks.map((tick) => tick.label)).toEqual([
    '0 ms',
    '50 ms',
  ])
  expect(layoutWaterfall([], none, 0).rows).toEqual([])
  expect(layoutWaterfall([timed('a', null, 0, 0)], none, 0).rows[0]?.width).toBe(0)
})

test('a running step grows, and orphaned steps are shown', () => {
  expect(layoutWaterfall([timed('a', null, 100, null)], none, 400).rows[0]?.ms).toBe(300)
  expect(layoutWaterfall([timed('a', 'gone', 0, 10)], none, 10).rows).toHaveLength(1)
})

test('arrow keys move, collapse and expand', () => {
  const { rows } = layoutWaterfall(round, none, 6420)
  expect(moveInTree(rows, undefined, 'ArrowDown')).toEqual({ chosenId: 'round' })
  expect(moveInTree(rows, 'round', 'ArrowDown')).toEqual({ chosenId: 'plan' })
  expect(moveInTree(rows, 'write', 'ArrowDown')).toEqual({ chosenId: 'write' })
  expect(moveInTree(rows, 'write', 'ArrowLeft')).toEqual({ chosenId: 'keeper' })
  expect(moveInTree(rows, 'keeper', 'ArrowLeft')).toEqual({ chosenId: 'keeper', collapseId: 'keeper' })
  expect(moveInTree(rows, 'keeper', 'ArrowRight')).toEqual({ chosenId: 'write' })
  const collapsed = layoutWaterfall(round, new Set(['keeper']), 6420).rows
  expect(moveInTree(collapsed, 'keeper', 'ArrowRight')).toEqual({ chosenId: 'keeper', expandId: 'keeper' })
  expect(moveInTree(rows, 'plan', 'End')).toEqual({ chosenId: 'write' })
})
