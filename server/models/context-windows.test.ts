import { expect, it } from 'vitest'
import type { Provider } from '#contract/agents/model-settings.ts'
import { getProviderInfo } from '#contract/providers/registry.ts'
import { getMaxInputTokens } from './context-windows.ts'

const getInputLimit = (provider: Provider, model: string, max_tokens = 1000) =>
  getMaxInputTokens(provider, { ...getProviderInfo(provider).settings, model, max_tokens })

it.each([
  ['openai', 'gpt-4', 5_394],
  ['openai', 'gpt-4o-2024-08-06', 95_250],
  ['openai', 'gpt-3.5-turbo', 11_538],
  ['anthropic', 'claude-of-tomorrow', 149_250],
  ['together', 'meta-llama/Llama-2-70b-chat-hf', 2_322],
  ['together', 'unlisted-model', 149_250],
] as const)('%s %s gets at most %i tokens, leaving a quarter for estimation errors', (provider, model, max) => {
  expect(getInputLimit(provider, model)).toBe(max)
})

it('the input limit is half the window if the answer limit is larger or unset', () => {
  const small = { model: 'gpt-4', max_tokens: 8000 }
  expect(getMaxInputTokens('openai', small)).toBe(3072)
  expect(getMaxInputTokens('openai', { ...small, max_tokens: null })).toBe(3072)
  expect(getMaxInputTokens('openai', { ...small, max_tokens: 2192 })).toBe(4500)
})
