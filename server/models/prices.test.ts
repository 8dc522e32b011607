import { expect, it } from 'vitest'
import type { Provider } from '#contract/agents/model-settings.ts'
import { getProviderInfo } from '#contract/providers/registry.ts'
import { calculateMaxMicros, calculateMicros, PriceBook } from './prices.ts'

const usage = { input_tokens: 1_000_000, output_tokens: 1_000_000 }

const getCost = (provider: Provider, model: string, tokenUsage = usage, book = new PriceBook()) => {
  const price = book.find(provider, model)
  return price && calculateMicros(price, tokenUsage) / 1_000_000
}

it('every chat model of the form has a price', () => {
  for (const provider of ['openai', 'anthropic', 'together'] as const) {
    for (const model of getProviderInfo(provider).offeredModels)
      expect(getCost(provider, model, usage), model).toBeGreaterThan(0)
  }
})

it('counts input and output at separate prices', () => {
  expect(getCost('openai', 'gpt-4o', usage)).toBe(12.5)
  expect(getCost('openai', 'gpt-4o', { input_tokens: 17, output_tokens: 23 })).toBeCloseTo(0.0002725, 10)
})

it('a dated name has the price of its model', () => {
  expect(getCost('openai', 'gpt-4o-mini-2024-07-18', usage)).toBe(0.75)
  expect(getCost('anthropic', 'claude-3-5-sonnet-20241022', usage)).toBe(18)
  expect(getCost('anthropic', 'claude-3-5-haiku-latest', usage)).toBe(4.8)
})

it('unknown models and speech have no price', () => {
  expect(getCost('openai', 'gpt-4o-mini-turbo-next', usage)).toBeNull()
  expect(getCost('openai', 'toString', usage)).toBeNull()
  expect(getCost('elevenlabs', 'eleven_multilingual_v2', usage)).toBeNull()
})

it('prices set on this server override built-in prices, also for dated names', () => {
  const book = new PriceBook([
    { provider: 'openai', model: 'gpt-4o', input: 1, output: 2 },
    { provider: 'elevenlabs', model: 'eleven_v3', input: 50, output: 0 },
  ])
  expect(getCost('openai', 'gpt-4o', usage, book)).toBe(3)
  expect(getCost('openai', 'gpt-4o-2024-08-06', usage, book)).toBe(3)
  expect(getCost('openai', 'gpt-4o-mini', usage, book)).toBe(0.75)
  expect(getCost('elevenlabs', 'eleven_v3', usage, book)).toBe(50)
})

it('the highest price of each provider includes custom prices', () => {
  expect(new PriceBook().getMaxPrice('openai')).toEqual({ input: 30, output: 60 })
  expect(new PriceBook().getMaxPrice('elevenlabs')).toEqual({ input: 480, output: 0 })
  const voices = new PriceBook([{ provider: 'elevenlabs', model: 'eleven_v3', input: 1200, output: 0 }])
  expect(voices.getMaxPrice('elevenlabs')).toEqual({ input: 1200, output: 0 })
  const book = new PriceBook([{ provider: 'openai', model: 'gpt-9', input: 100, output: 1 }])
  expect(book.getMaxPrice('openai')).toEqual({ input: 100, output: 60 })
})

it('counts cached input at its own price, or as input without one', () => {
  const cached = { input_tokens: 10_000, cached_tokens: 9_000, output_tokens: 100 }
  const getCachedCost = (model: string) =>
    calculateMicros(book.find('openai', model) ?? { input: 0, output: 0 }, cached)
  const book = new PriceBook([{ provider: 'openai', model: 'gpt-9', input: 2.5, output: 10 }])
  expect(getCachedCost('gpt-4o-2024-08-06')).toBe(14_750)
  expect(getCachedCost('gpt-9')).toBe(26_000)
})

it('counts cache writes at their own price, and at most the tokens sent', () => {
  const price = { input: 2, cachedInput: 0.1, cacheWrite: 2.5, output: 10 }
  expect(
    calculateMicros(price, { input_tokens: 1000, cached_tokens: 600, cache_write_tokens: 300, output_tokens: 0 }),
  ).toBe(600 * 0.1 + 300 * 2.5 + 100 * 2)
  expect(
    calculateMicros(price, { input_tokens: 100, cached_tokens: 600, cache_write_tokens: 300, output_tokens: 0 }),
  ).toBe(10)
  expect(calculateMaxMicros(price, { input_tokens: 1000, output_tokens: 10 })).toBe(2600)
})

it('counts a long prompt entirely at the long-prompt price', () => {
  const haiku = new PriceBook().find('anthropic', 'claude-haiku-5-5') ?? { input: 0, output: 0 }
  expect(calculateMicros(haiku, { input_tokens: 100_000, output_tokens: 1000 })).toBeCloseTo(10_500)
  expect(calculateMicros(haiku, { input_tokens: 100_001, output_tokens: 1000 })).toBeCloseTo(52_500.5)
})

it('the price of the current day applies', () => {
  const getArgonPriceOn = (day: string) => new PriceBook([], new Date(day)).find('google', 'gemini-4-argon')
  expect(getArgonPriceOn('2026-11-30T23:59:59Z')).toEqual({ input: 2, output: 10 })
  expect(getArgonPriceOn('2026-12-01T00:00:00Z')).toEqual({ input: 4, output: 20 })
})
