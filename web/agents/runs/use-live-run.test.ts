import { expect, test } from 'vitest'
import { createSpan } from '#tests/create-span.ts'
import { upsertById } from './run-view.ts'
import { getSpans } from './use-live-run.ts'

test('new spans are added, ended spans updated, and fetched input kept', () => {
  const fetchedSpans = [createSpan('root', { input: 'Ahoy' }), createSpan('one', { input: 'words' })]
  const liveSpans = [
    createSpan('one', { ended_ms: 40, failure: 'provider-failed' }),
    createSpan('two', { started_ms: 41 }),
  ]
  expect(getSpans({ status: 'running', spans: fetchedSpans }, liveSpans)).toEqual([
    createSpan('root', { input: 'Ahoy' }),
    createSpan('one', { input: 'words', ended_ms: 40, failure: 'provider-failed' }),
    createSpan('two', { started_ms: 41 }),
  ])
})

test('an ended span is not reopened by an outdated event', () => {
  const spans = [createSpan('one', { ended_ms: 40, output: 'Ahoy' })]
  expect(getSpans({ status: 'running', spans }, [createSpan('one')])).toEqual(spans)
})

test('a repeated item replaces the existing one', () => {
  const [first, second, changed] = [{ id: 'a' }, { id: 'b' }, { id: 'a', isChanged: true }]
  expect(upsertById([first, second], changed)).toEqual([changed, second])
  expect(upsertById([{ id: 'a' }], { id: 'c' })).toEqual([{ id: 'a' }, { id: 'c' }])
})
