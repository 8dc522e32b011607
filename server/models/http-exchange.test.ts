import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { defaultLimits, type ModelLimits } from '../settings/model-limits.ts'
import { Exchange } from './http-exchange.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const limits = { ...defaultLimits, firstByteMs: 1_000, idleMs: 400, noProgressMs: 60_000 }

function createExchange(overrides: Partial<ModelLimits> = {}): Exchange {
  const context = { provider: { name: 'OpenAI' }, secrets: { keys: [], privateTexts: [] } }
  return new Exchange(
    context,
    { ...limits, ...overrides },
    { noProgressMs: limits.noProgressMs, signal: new AbortController().signal },
  )
}

async function wait(one: Exchange, milliseconds: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const waiting = one.waitFor(promise)
  await vi.advanceTimersByTimeAsync(milliseconds)
  resolve()
  await waiting
}

async function expectTimeoutAfter(one: Exchange, milliseconds: number): Promise<void> {
  void one.waitFor(new Promise(() => undefined))
  await vi.advanceTimersByTimeAsync(milliseconds - 10)
  expect(one.failure).toBeUndefined()
  await vi.advanceTimersByTimeAsync(20)
  expect(one.failure).toMatchObject({ code: 'provider-timeout' })
}

function receive(one: Exchange): void {
  one.resetSilence()
  one.recordProgress()
}

test('silence fails at the first-byte limit, then at the silence limit', async () => {
  const silent = createExchange()
  await expectTimeoutAfter(silent, 1_000)
  expect(silent.failure?.message).toContain('first-byte timeout of 1 second expired')
  expect(silent.failure?.message).toContain('KEEPER_MODEL_TIMEOUT_FIRST_BYTE')

  const spoke = createExchange()
  await wait(spoke, 900)
  receive(spoke)
  await expectTimeoutAfter(spoke, 400)
  expect(spoke.failure?.message).toContain('KEEPER_MODEL_TIMEOUT_SILENCE')
})

test('any bytes end a silence, up to the total timeout', async () => {
  const pinging = createExchange()
  for (let ping = 0; ping < 65; ping++) {
    await wait(pinging, 900)
    pinging.resetSilence()
  }
  expect(pinging.failure).toBeUndefined()
  for (let ping = 0; ping < 3; ping++) {
    await wait(pinging, 900)
    pinging.resetSilence()
  }
  expect(pinging.failure?.message).toContain('KEEPER_MODEL_TIMEOUT_TOTAL')
})

test('a steady answer outlasts the total timeout, up to its own limit', async () => {
  const talks = createExchange()
  for (let word = 0; word < 400; word++) {
    await wait(talks, 300)
    receive(talks)
  }
  expect(talks.failure).toBeUndefined()
  const endless = createExchange({ maxMs: 2_000 })
  for (let word = 0; word < 8; word++) {
    await wait(endless, 300)
    receive(endless)
  }
  expect(endless.failure?.message).toContain('KEEPER_MODEL_TIMEOUT_ANSWER')
})

test('consecutive waits without a byte count as one silence', async () => {
  const sendsPings = createExchange()
  await wait(sendsPings, 200)
  receive(sendsPings)
  await wait(sendsPings, 300)
  await expectTimeoutAfter(sendsPings, 100)
})

test('time spent by the consumer doesn’t count as silence', async () => {
  const patient = createExchange()
  await wait(patient, 300)
  receive(patient)
  await wait(patient, 300)
  await vi.advanceTimersByTimeAsync(20_000)
  await wait(patient, 90)
  expect(patient.failure).toBeUndefined()
})

test('all chunks share one silence timer, which ends with the exchange', async () => {
  const one = createExchange()
  for (let chunk = 0; chunk < 20; chunk++) {
    await wait(one, 10)
    receive(one)
  }
  void one.waitFor(new Promise(() => undefined))
  expect(vi.getTimerCount()).toBe(2)
  one.close()
  void one.waitFor(new Promise(() => undefined))
  expect(vi.getTimerCount()).toBe(0)
})
