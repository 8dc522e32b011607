import { beforeEach, expect, it } from 'vitest'
import { askModel } from '#tests/fakes/model-providers/ask-model.ts'
import { startProviderFake } from '#tests/fakes/model-providers/start-provider-fake.ts'
import { virtualRuntime } from '#tests/fakes/model-providers/virtual-runtime.ts'
import { reportDown, reportUp, resetBreakers, restOf } from './breaker.ts'

beforeEach(resetBreakers)
const openai = 'openai https://api.openai.com/v1'

it('lets a provider rest for 10 seconds after 5 failures in a row', () => {
  for (const at of [0, 1000, 2000, 3000]) reportDown(openai, at)
  expect(restOf(openai, 3000)).toBe(0)
  reportDown(openai, 4000)
  expect(restOf(openai, 4000)).toBe(10_000)
  expect(restOf(openai, 13_999)).toBe(1)
  expect(restOf('anthropic https://api.anthropic.com/v1', 4000)).toBe(0)
})

it('forgets failures older than 30 seconds, and all of them after a success', () => {
  for (const at of [0, 1000, 20_000, 25_000, 31_500]) reportDown(openai, at)
  expect(restOf(openai, 31_500)).toBe(0)
  reportUp(openai)
  for (const at of [32_000, 32_001, 32_002, 32_003]) reportDown(openai, at)
  expect(restOf(openai, 32_003)).toBe(0)
})

it('lets one call probe after the rest, and rests again when it fails', () => {
  for (const at of [0, 1, 2, 3, 4]) reportDown(openai, at)
  expect(restOf(openai, 10_004)).toBe(0)
  expect(restOf(openai, 10_004)).toBeGreaterThan(0)
  reportDown(openai, 10_500)
  expect(restOf(openai, 20_499)).toBe(1)
  expect(restOf(openai, 20_500)).toBe(0)
  reportUp(openai)
  expect(restOf(openai, 20_501)).toBe(0)
})

it('fails runs fast while a provider is down, and finds it again when it is back', async () => {
  const fake = await startProviderFake({ provider: 'openai' })
  const runtime = virtualRuntime()
  const ask = () => askModel({ provider: 'openai', baseUrl: fake.baseUrl, maxRetries: 0 }, runtime)
  fake.script(['status-500', 'reset-before-answer', 'status-503', 'status-529', 'close-before-answer'])
  for (let run = 0; run < 5; run += 1) await ask()

  const rejected = await ask()
  expect(rejected).toMatchObject({ ending: 'provider-unreachable', attempts: 0 })
  expect(rejected.failure?.message).toContain('try again in 10 seconds')
  expect(fake.requests).toHaveLength(5)

  runtime.advance(10_001)
  expect((await ask()).ending).toBe('ok:stop')
  expect((await ask()).ending).toBe('ok:stop')
  await fake.close()
})

it('does not count what is the caller’s own trouble', async () => {
  const fake = await startProviderFake({ provider: 'openai' })
  for (let run = 0; run < 8; run += 1) {
    await askModel({ provider: 'openai', baseUrl: fake.baseUrl, model: 'fault-status-401' })
  }
  expect((await askModel({ provider: 'openai', baseUrl: fake.baseUrl })).ending).toBe('ok:stop')
  await fake.close()
})
