import { expect, it } from 'vitest'
import { fakeProviders } from '#tests/fake-providers.ts'
import { getProviderInfo } from '../providers/registry.ts'
import { completeSettings, modelSettings, settingBounds } from './model-settings.ts'

it('the defaults of every provider are within bounds and name a listed model', () => {
  for (const provider of fakeProviders) {
    expect(modelSettings.parse(getProviderInfo(provider).settings)).toEqual(getProviderInfo(provider).settings)
    expect(getProviderInfo(provider).settings.retry).toEqual({ max_retries: 3, retry_delay_ms: 1000 })
  }
})

it('only openai keeps top_p and the penalties', () => {
  const settingsInput = { top_p: 0.5, frequency_penalty: 1, presence_penalty: -1, temperature: 0.2 }
  expect(completeSettings('openai', settingsInput)).toMatchObject(settingsInput)
  for (const provider of fakeProviders.filter((name) => name !== 'openai')) {
    const settings = completeSettings(provider, settingsInput)
    expect(settings.temperature).toBe(0.2)
    for (const name of ['top_p', 'frequency_penalty', 'presence_penalty']) expect(settings).not.toHaveProperty(name)
  }
})

it('a partial retry is completed', () => {
  expect(completeSettings('openai', { retry: { max_retries: 0 } as never }).retry).toEqual({
    max_retries: 0,
    retry_delay_ms: 1000,
  })
})

it('the bounds match the form', () => {
  expect(Object.entries(settingBounds).map(([name, { min, max }]) => [name, min, max])).toEqual([
    ['temperature', 0, 2],
    ['max_tokens', 1, 32_000],
    ['top_p', 0, 1],
    ['frequency_penalty', -2, 2],
    ['presence_penalty', -2, 2],
    ['max_retries', 0, 10],
    ['retry_delay_ms', 100, 10_000],
  ])
})
