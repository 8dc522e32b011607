import { expect, test } from 'vitest'
import type { RunDetail } from '#contract/agents/runs.ts'
import { getProviderInfo } from '#contract/providers/registry.ts'
import { getAnswerText } from './log-texts.ts'
import { compareDetails, compareSettings } from './run-compare.tsx'

const run = (more: Partial<RunDetail> = {}) =>
  ({
    status: 'success',
    agent: { name: 'Tide Table' },
    agent_version: 2,
    origin: 'run',
    model: 'gpt-4o',
    model_provider: 'openai',
    key_source: 'personal',
    attempts: 1,
    usage: { input_tokens: 100, output_tokens: 10, cost_usd: 0.01, estimated: false },
    model_settings: getProviderInfo('openai').settings,
    overrides: null,
    output: JSON.stringify({ type: 'text', text: 'High at noon.' }),
    ...more,
  }) as RunDetail

const findRow = (name: string, comparison: ReturnType<typeof compareDetails>) =>
  comparison.find((row) => row.name === name)

test('equal runs have no differences', () => {
  expect(compareDetails(run(), run(), 800, 800).some((row) => row.differs)).toBe(false)
  expect(compareSettings(run(), run()).some((row) => row.differs)).toBe(false)
})

test('differences have percentages once both runs have finished', () => {
  const usage = { input_tokens: 150, output_tokens: 10, cost_usd: 0.005, estimated: false }
  const comparison = compareDetails(run(), run({ usage }), 1000, 250)
  expect(findRow('Duration', comparison)).toMatchObject({ differs: true, note: '75% less' })
  const tokenRow = { name: 'Tokens in', first: '100', second: '150', differs: true, note: '50% more' }
  expect(findRow('Tokens in', comparison)).toEqual(tokenRow)
  expect(findRow('Cost', comparison)).toMatchObject({ note: '50% less' })
  const running = compareDetails(run(), run({ status: 'running', usage }), 1000, 250)
  expect(findRow('Tokens in', running)).toEqual({ name: 'Tokens in', first: '100', second: '–', differs: true })
})

test('another person’s key is described as theirs', () => {
  const comparison = compareDetails(run(), run({ model_settings: null }), 1, 1)
  expect(findRow('Key', comparison)).toMatchObject({ first: 'Your own key', second: 'Their own key' })
})

test('a missing setting is shown as not set, and an overridden purpose in full', () => {
  const other = run({ model_settings: getProviderInfo('anthropic').settings, overrides: { purpose: 'In rhyme.' } })
  const comparison = compareSettings(run(), other)
  expect(findRow('top_p', comparison)).toMatchObject({ first: '1', second: 'not set', differs: true })
  expect(findRow('max_retries', comparison)).toMatchObject({ first: '3', second: '3', differs: false })
  expect(findRow('purpose', comparison)).toMatchObject({ first: 'from Tide Table v2', second: 'In rhyme.' })
})

test('an answer is its text, and hidden for other people’s runs', () => {
  expect(getAnswerText(run())).toBe('High at noon.')
  expect(getAnswerText(run({ output: null }))).toBe('')
  expect(getAnswerText(run({ model_settings: null }))).toBeUndefined()
  expect(getAnswerText(run({ output: '{"type":"audio","mime":"audio/mpeg"}' }))).toContain('audio/mpeg')
})
