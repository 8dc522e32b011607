import { expect, test } from 'vitest'
import type { RunDetail } from '#contract/agents/runs.ts'
import { getProviderFacts } from '#contract/providers/registry.ts'
import { comparedFacts, comparedSettings } from './compare-runs.ts'
import { answerOf } from './log-words.ts'

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
    model_settings: getProviderFacts('openai').settings,
    overrides: null,
    output: JSON.stringify({ type: 'text', text: 'High at noon.' }),
    ...more,
  }) as RunDetail

const named = (name: string, facts: ReturnType<typeof comparedFacts>) => facts.find((fact) => fact.name === name)

test('equal runs have no differences', () => {
  expect(comparedFacts(run(), run(), 800, 800).some((fact) => fact.differs)).toBe(false)
  expect(comparedSettings(run(), run()).some((fact) => fact.differs)).toBe(false)
})

test('differences have percentages once both runs have finished', () => {
  const usage = { input_tokens: 150, output_tokens: 10, cost_usd: 0.005, estimated: false }
  const facts = comparedFacts(run(), run({ usage }), 1000, 250)
  expect(named('Duration', facts)).toMatchObject({ differs: true, note: '75 % less' })
  expect(named('Tokens in', facts)).toEqual({
    name: 'Tokens in',
    first: '100',
    second: '150',
    differs: true,
    note: '50 % more',
  })
  expect(named('Cost', facts)).toMatchObject({ note: '50 % less' })
  const underWay = comparedFacts(run(), run({ status: 'running', usage }), 1000, 250)
  expect(named('Tokens in', underWay)).toEqual({ name: 'Tokens in', first: '100', second: '–', differs: true })
})

test('another person’s key is described as theirs', () => {
  const facts = comparedFacts(run(), run({ model_settings: null }), 1, 1)
  expect(named('Key', facts)).toMatchObject({ first: 'Your own key paid', second: 'Their own key paid' })
})

test('a missing setting is not set, and an overridden purpose is shown', () => {
  const other = run({ model_settings: getProviderFacts('anthropic').settings, overrides: { purpose: 'In rhyme.' } })
  const facts = comparedSettings(run(), other)
  expect(named('top_p', facts)).toMatchObject({ first: '1', second: 'not set', differs: true })
  expect(named('max_retries', facts)).toMatchObject({ first: '3', second: '3', differs: false })
  expect(named('purpose', facts)).toMatchObject({ first: 'from Tide Table v2', second: 'In rhyme.' })
})

test('an answer is its text, and hidden for other people’s runs', () => {
  expect(answerOf(run())).toBe('High at noon.')
  expect(answerOf(run({ output: null }))).toBe('')
  expect(answerOf(run({ model_settings: null }))).toBeUndefined()
  expect(answerOf(run({ output: '{"type":"audio","mime":"audio/mpeg"}' }))).toContain('audio/mpeg')
})
