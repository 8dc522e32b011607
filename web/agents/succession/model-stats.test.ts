import { expect, it } from 'vitest'
import type { GoldenAnswer, GoldenResult } from '#contract/agents/golden-questions.ts'
import { chooseCandidates, toModelStats } from './model-stats.tsx'

const answer = (ms: number, more: Partial<GoldenAnswer> = {}): GoldenAnswer => ({
  run_id: null,
  answer: 'At the quay',
  passed: true,
  reason: '',
  judge_run_id: null,
  input_tokens: 1,
  output_tokens: 1,
  cost_usd: 0.25,
  ms,
  mock_mode: false,
  ...more,
})
const result = (newAnswer: GoldenAnswer | null): GoldenResult => ({
  question_id: 'q',
  question: 'Where?',
  expectation: 'quay',
  judged_by: 'contains',
  before: null,
  after: newAnswer,
  second: null,
})

it('the stats of a model have the total cost and the median time', () => {
  const results = [answer(100), answer(900, { passed: false }), answer(300)].map(result)
  expect(toModelStats(results, 'after')).toEqual({ passed: 2, answered: 3, costUsd: 0.75, medianMs: 300 })
  expect(toModelStats(results.slice(0, 2), 'after').medianMs).toBe(500)
})

it('the stats have no time without answers and no cost if a price is unknown', () => {
  expect(toModelStats([result(null)], 'after')).toEqual({ passed: 0, answered: 0, costUsd: 0, medianMs: null })
  const failed = answer(2, { answer: '', passed: false, cost_usd: null })
  expect(toModelStats([result(failed), result(answer(80))], 'after')).toMatchObject({ costUsd: null, medianMs: 80 })
})

it.each([
  { current: 'old', replacement: 'new', recommended: ['best', 'new'], expected: ['new', 'best'] },
  { current: 'best', replacement: null, recommended: ['best', 'good', 'fair'], expected: ['good', 'fair'] },
  { current: 'old', replacement: null, recommended: ['best'], expected: ['best', ''] },
])('candidates for $current are $expected', ({ expected, ...models }) => {
  expect(chooseCandidates(models)).toEqual(expected)
})

it('picked candidates take precedence over suggested ones', () => {
  const models = { current: 'old', replacement: 'new', recommended: ['best', 'good'] }
  expect(chooseCandidates(models, ['best'])).toEqual(['best', 'new'])
  expect(chooseCandidates(models, [undefined, 'new'])).toEqual(['best', 'new'])
  expect(chooseCandidates(models, ['good', 'good'])).toEqual(['good', 'good'])
})
