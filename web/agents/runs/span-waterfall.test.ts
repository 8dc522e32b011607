import { expect, it } from 'vitest'
import type { RunSpan } from '#contract/agents/runs.ts'
import type { ToolCall } from '#contract/agents/tools.ts'
import { getStepNotes } from './span-waterfall.tsx'

function span(id: string, more: Partial<RunSpan>): RunSpan {
  const none = { parent_id: null, agent_slug: null, provider: null, model: null, failure: null, usage: null }
  return {
    id,
    kind: 'tool',
    name: 'look',
    started_ms: 0,
    ended_ms: 1,
    input: {},
    output: null,
    reasoning: null,
    memory: [],
    ...none,
    ...more,
  }
}
function call(result: string | null, args: unknown, name = 'look'): ToolCall {
  return { id: `${result}`, name, title: name, state: 'done', agent_slug: 'a', arguments: args, result }
}

it('matches tool results to steps, even for repeated calls', () => {
  const spans = [
    span('later', { started_ms: 9, input: { q: 'door' } }),
    span('sooner', { started_ms: 2, input: { q: 'door' } }),
    span('other', { started_ms: 3, input: { q: 'boat' } }),
  ]
  const tools = [call('14 found', { q: 'door' }), call('1 found', { q: 'boat' }), call('none found', { q: 'door' })]
  expect(Object.fromEntries(getStepNotes(spans, tools))).toEqual({
    sooner: '14 found',
    later: 'none found',
    other: '1 found',
  })
})

it('has no note for running, unknown or agent calls', () => {
  const spans = [
    span('waits', {}),
    span('unknown', { name: 'other' }),
    span('asks', { name: 'run_agent', input: { agent: 'b' } }),
  ]
  expect(getStepNotes(spans, [call(null, {}), call('It answered.', { agent: 'b' }, 'run_agent')]).size).toBe(0)
})

it('counts memory items', () => {
  const item = { entity: 'card', id: '1', title: 'Doors', text: 'Left open.' }
  const spans = [
    span('one', { kind: 'memory', memory: [item] }),
    span('three', { kind: 'memory', memory: [item, item, item] }),
    span('none', { kind: 'memory' }),
  ]
  expect(Object.fromEntries(getStepNotes(spans, []))).toEqual({ one: '1 item', three: '3 items' })
})
