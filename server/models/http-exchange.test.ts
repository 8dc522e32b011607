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

async function wait(exchange: Exchange, milliseconds: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const waiting = exchange.waitFor(promise)
  await vi.advanceTimersByTimeAsync(milliseconds)
  resolve()
  await waiting
}

async function expectTimeoutAfter(exchange: Exchange, milliseconds: number): Promise<void> {
  void exchange.waitFor(new Promise(() => undefined))
  await vi.advanceTimersByTimeAsync(milliseconds - 10)
  expect(exchange.failure).toBeUndefined()
  await vi.advanceTimersByTimeAsync(20)
  expect(exchange.failure).toMatchObject({ code: 'provider-timeout' })
}

function receiveBytes(exchange: Exchange): void {
  exchange.resetSilence()
  exchange.recordProgress()
}

test('silence fails at the first-byte limit, then at the silence limit', async () => {
  const silent = createExchange()
  await expectTimeoutAfter(silent, 1_000)
  expect(silent.failure?.message).toContain('first-byte timeout of 1 second expired')
  expect(silent.failure?.message).toContain('KEEPER_MODEL_TIMEOUT_FIRST_BYTE')

  const exchange = createExchange()
  await wait(exchange, 900)
  receiveBytes(exchange)
  await expectTimeoutAfter(exchange, 400)
  expect(exchange.failure?.message).toContain('KEEPER_MODEL_TIMEOUT_SILENCE')
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
  const exchange = createExchange()
  for (let word = 0; word < 400; word++) {
    await wait(exchange, 300)
    receiveBytes(exchange)
  }
  expect(exchange.failure).toBeUndefined()
  const endless = createExchange({ maxMs: 2_000 })
  for (let word = 0; word < 8; word++) {
    await wait(endless, 300)
    receiveBytes(endless)
  }
  expect(endless.failure?.message).toContain('KEEPER_MODEL_TIMEOUT_ANSWER')
})

test('consecutive waits without a byte count as one silence', async () => {
  const exchange = createExchange()
  await wait(exchange, 200)
  receiveBytes(exchange)
  await wait(exchange, 300)
  await expectTimeoutAfter(exchange, 100)
})

test('time spent by the consumer doesn’t count as silence', async () => {
  const exchange = createExchange()
  await wait(exchange, 300)
  receiveBytes(exchange)
  await wait(exchange, 300)
  await vi.advanceTimersByTimeAsync(20_000)
  await wait(exchange, 90)
  expect(exchange.failure).toBeUndefined()
})

test('all chunks share one silence timer, which ends with the exchange', async () => {
  const exchange = createExchange()
  for (let chunk = 0; chunk < 20; chunk++) {
    await wait(exchange, 10)
    receiveBytes(exchange)
  }
  void exchange.waitFor(new Promise(() => undefined))
  expect(vi.getTimerCount()).toBe(2)
  exchange.close()
  void exchange.waitFor(new Promise(() => undefined))
  expect(vi.getTimerCount()).toBe(0)
})
