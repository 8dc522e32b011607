import { expect, it } from 'vitest'
import type { ModelList } from '#contract/agents/models.ts'
import { getModelNames, getSourceText } from './provider-lists.tsx'

const now = Date.parse('2026-11-20T12:00:00Z')
const list = (changes: Partial<ModelList>): ModelList => ({
  provider: 'openai',
  details: [],
  default_model: 'gpt-6-luna',
  recommended: [],
  models: ['gpt-5-mini'],
  source: 'provider',
  key_source: 'personal',
  local_host: null,
  fetched_at: '2026-11-20T11:57:00Z',
  problem: null,
  ...changes,
})

it.each([
  [list({}), 'From OpenAI, 3 minutes ago, plus the built-in list'],
  [list({ fetched_at: '2026-11-20T11:59:30Z' }), 'From OpenAI, just now, plus the built-in list'],
  [list({ fetched_at: '2026-11-20T11:58:59Z' }), 'From OpenAI, 1 minute ago, plus the built-in list'],
  // A server clock ahead of ours.
  [list({ fetched_at: '2026-11-20T12:05:00Z' }), 'From OpenAI, just now, plus the built-in list'],
  [list({ local_host: '127.0.0.1:11434' }), 'From local server 127.0.0.1:11434, 3 minutes ago'],
  [list({ source: 'list', fetched_at: null }), 'The built-in list'],
  [undefined, 'The built-in list'],
])('the source text names the origin and age of the list', (modelList, text) => {
  expect(getSourceText('openai', modelList, now)).toBe(text)
})

it('built-in models are offered until the server responds', () => {
  expect(getModelNames('openai', undefined)).toContain('gpt-3.5-turbo')
  expect(getModelNames('openai', list({}))).toEqual(['gpt-5-mini'])
})
