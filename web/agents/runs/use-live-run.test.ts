import { expect, test } from 'vitest'
import type { RunSpan } from '#contract/agents/runs.ts'
import { upsertById } from './run-view.ts'
import { getSpans } from './use-live-run.ts'

const span = (id: string, more: Partial<RunSpan> = {}): RunSpan => ({
  id,
  parent_id: null,
  kind: 'model',
  name: id,
  agent_slug: null,
  provider: null,
  model: null,
  started_ms: 0,
  ended_ms: null,
  failure: null,
  input: null,
  output: null,
  reasoning: null,
  memory: [],
  usage: null,
  ...more,
})

test('new spans are added, ended spans updated, and fetched input kept', () => {
  const fetchedSpans = [span('root', { input: 'Ahoy' }), span('one', { input: 'words' })]
  const liveSpans = [span('one', { ended_ms: 40, failure: 'provider-failed' }), span('two', { started_ms: 41 })]
  expect(getSpans({ status: 'running', spans: fetchedSpans }, liveSpans)).toEqual([
    span('root', { input: 'Ahoy' }),
    span('one', { input: 'words', ended_ms: 40, failure: 'provider-failed' }),
    span('two', { started_ms: 41 }),
  ])
})

test('an ended span is not reopened by an outdated event', () => {
  const spans = [span('one', { ended_ms: 40, output: 'Ahoy' })]
  expect(getSpans({ status: 'running', spans }, [span('one')])).toEqual(spans)
})

test('a repeated item replaces the existing one', () => {
  expect(
    upsertById(
      [
        { id: 'a', is: 1 },
        { id: 'b', is: 1 },
      ],
      { id: 'a', is: 2 },
    ),
  ).toEqual([
    { id: 'a', is: 2 },
    { id: 'b', is: 1 },
  ])
  expect(upsertById([{ id: 'a' }], { id: 'c' })).toEqual([{ id: 'a' }, { id: 'c' }])
})
