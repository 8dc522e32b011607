import { beforeEach, expect, it } from 'vitest'
import { runModelToEnd } from '#tests/fakes/model-providers/run-model-to-end.ts'
import { startProviderFake } from '#tests/fakes/model-providers/start-provider-fake.ts'
import { createVirtualRuntime } from '#tests/fakes/model-providers/virtual-runtime.ts'
import { type Circuit, getCooldownMs, reportFailure, reportSuccess, resetBreakers } from './breaker.ts'

beforeEach(resetBreakers)
const openai: Circuit = { provider: 'openai', address: 'https://api.openai.com/v1', key: 'sk-ada', model: 'gpt-4o' }

it('a breaker opens for 10 seconds after 5 consecutive failures', () => {
  for (const nowMs of [0, 1000, 2000, 3000]) reportFailure(openai, nowMs)
  expect(getCooldownMs(openai, 3000)).toBe(0)
  reportFailure(openai, 4000)
  expect(getCooldownMs(openai, 4000)).toBe(10_000)
  expect(getCooldownMs(openai, 13_999)).toBe(1)
  const otherCircuits: Partial<Circuit>[] = [
    { provider: 'anthropic' },
    { address: 'http://ollama/v1' },
    { key: 'sk-ben' },
    { key: null },
  ]
  for (const other of [...otherCircuits, { model: 'gpt-4' }])
    expect(getCooldownMs({ ...openai, ...other }, 4000)).toBe(0)
})

it('a breaker forgets failures after 30 seconds, and all failures after a success', () => {
  for (const nowMs of [0, 1000, 20_000, 25_000, 31_500]) reportFailure(openai, nowMs)
  expect(getCooldownMs(openai, 31_500)).toBe(0)
  reportSuccess(openai)
  for (const nowMs of [32_000, 32_001, 32_002, 32_003]) reportFailure(openai, nowMs)
  expect(getCooldownMs(openai, 32_003)).toBe(0)
})

it('a breaker allows one probe and reopens when the probe fails', () => {
  for (const nowMs of [0, 1, 2, 3, 4]) reportFailure(openai, nowMs)
  expect(getCooldownMs(openai, 10_004)).toBe(0)
  expect(getCooldownMs(openai, 10_004)).toBeGreaterThan(0)
  reportFailure(openai, 10_500)
  expect(getCooldownMs(openai, 20_499)).toBe(1)
  expect(getCooldownMs(openai, 20_500)).toBe(0)
  reportSuccess(openai)
  expect(getCooldownMs(openai, 20_501)).toBe(0)
})

it('requests fail fast while a provider is down and recover with it', async () => {
  const fake = await startProviderFake({ provider: 'openai' })
  const runtime = createVirtualRuntime()
  const request = () => runModelToEnd({ provider: 'openai', baseUrl: fake.baseUrl, maxRetries: 0 }, runtime)
  fake.script(['status-500', 'reset-before-answer', 'status-503', 'status-529', 'close-before-answer'])
  for (let run = 0; run < 5; run += 1) await request()

  const rejected = await request()
  expect(rejected).toMatchObject({ outcome: 'provider-unreachable', attempts: 0 })
  expect(rejected.failure?.message).toContain('try again in 10 seconds')
  expect(fake.requests).toHaveLength(5)

  runtime.advance(10_001)
  expect((await request()).outcome).toBe('ok:stop')
  expect((await request()).outcome).toBe('ok:stop')
  await fake.close()
})

it("a broken key or model of one person doesn't fail other people's runs", async () => {
  const fake = await startProviderFake({ provider: 'openai' })
  const runtime = createVirtualRuntime()
  const request = (question: { key?: string; model?: string }) =>
    runModelToEnd({ provider: 'openai', baseUrl: fake.baseUrl, maxRetries: 0, ...question }, runtime)
  for (let run = 0; run < 6; run += 1) await request({ model: 'fault-status-500' })
  expect((await request({ model: 'fault-status-500' })).attempts).toBe(0)
  expect((await request({})).outcome).toBe('ok:stop')
  fake.script(Array(5).fill('status-500'))
  for (let run = 0; run < 6; run += 1) await request({ key: 'sk-broken-0123456789abcdef' })
  expect((await request({})).outcome).toBe('ok:stop')
  await fake.close()
})

it("a breaker doesn't count faults of the caller", async () => {
  const fake = await startProviderFake({ provider: 'openai' })
  for (let run = 0; run < 8; run += 1) {
    await runModelToEnd({ provider: 'openai', baseUrl: fake.baseUrl, model: 'fault-status-401' })
  }
  expect((await runModelToEnd({ provider: 'openai', baseUrl: fake.baseUrl })).outcome).toBe('ok:stop')
  await fake.close()
})
