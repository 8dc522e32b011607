import { expect, it } from 'vitest'
import type { Provider } from '#contract/agents/model-settings.ts'
import { getProviderFacts } from '#contract/providers/registry.ts'
import { microsFor, PriceBook } from './prices.ts'

const usage = { input_tokens: 1_000_000, output_tokens: 1_000_000 }

const costOf = (provider: Provider, model: string, used = usage, book = new PriceBook()) => {
  const price = book.find(provider, model)
  return price && microsFor(price, used) / 1_000_000
}

it('knows what every chat model of the form costs', () => {
  for (const provider of ['openai', 'anthropic', 'together'] as const) {
    for (const model of getProviderFacts(provider).offeredModels)
      expect(costOf(provider, model, usage), model).toBeGreaterThan(0)
  }
})

it('counts input and output at their own price', () => {
  expect(costOf('openai', 'gpt-4o', usage)).toBe(12.5)
  expect(costOf('openai', 'gpt-4o', { input_tokens: 17, output_tokens: 23 })).toBeCloseTo(0.0002725, 10)
})

it('takes a dated name for the model it dates', () => {
  expect(costOf('openai', 'gpt-4o-mini-2024-07-18', usage)).toBe(0.75)
  expect(costOf('anthropic', 'claude-3-5-sonnet-20241022', usage)).toBe(18)
  expect(costOf('anthropic', 'claude-3-5-haiku-latest', usage)).toBe(4.8)
})

it('does not guess: an unknown model has no price, nor has speech', () => {
  expect(costOf('openai', 'gpt-4o-mini-turbo-next', usage)).toBeNull()
  expect(costOf('openai', 'toString', usage)).toBeNull()
  expect(costOf('elevenlabs', 'eleven_multilingual_v2', usage)).toBeNull()
})

it('takes what was set on this server before what comes with Keeper, also for dated names', () => {
  const book = new PriceBook([
    { provider: 'openai', model: 'gpt-4o', input: 1, output: 2 },
    { provider: 'elevenlabs', model: 'eleven_v3', input: 50, output: 0 },
  ])
  expect(costOf('openai', 'gpt-4o', usage, book)).toBe(3)
  expect(costOf('openai', 'gpt-4o-2024-08-06', usage, book)).toBe(3)
  expect(costOf('openai', 'gpt-4o-mini', usage, book)).toBe(0.75)
  expect(costOf('elevenlabs', 'eleven_v3', usage, book)).toBe(50)
})

it('knows the dearest price of each provider, what was set here included', () => {
  expect(new PriceBook().dearest('openai')).toEqual({ input: 30, output: 60 })
  expect(new PriceBook().dearest('elevenlabs')).toEqual({ input: 480, output: 0 })
  const voices = new PriceBook([{ provider: 'elevenlabs', model: 'eleven_v3', input: 1200, output: 0 }])
  expect(voices.dearest('elevenlabs')).toEqual({ input: 1200, output: 0 })
  const book = new PriceBook([{ provider: 'openai', model: 'gpt-9', input: 100, output: 1 }])
  expect(book.dearest('openai')).toEqual({ input: 100, output: 60 })
})
