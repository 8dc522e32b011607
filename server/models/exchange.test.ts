import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Exchange } from './exchange.ts'
import { defaultLimits } from './model-limits.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const limits = { ...defaultLimits, firstByteMs: 1_000, idleMs: 400, wallMs: 60_000 }

function exchange(): Exchange {
  const context = { provider: 'openai' as const, secrets: { keys: [], privateTexts: [] } }
  return new Exchange(context, limits, { wallLeftMs: limits.wallMs, signal: new AbortController().signal })
}

/** Waits for the network for so long, and then something came. */
async function waited(one: Exchange, milliseconds: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const waiting = one.waitFor(promise)
  await vi.advanceTimersByTimeAsync(milliseconds)
  resolve()
  await waiting
}

/** Nothing comes any more: it fails after so long, and not before. */
async function failsAfter(one: Exchange, milliseconds: number): Promise<void> {
  void one.waitFor(new Promise(() => undefined))
  await vi.advanceTimersByTimeAsync(milliseconds - 10)
  expect(one.failure).toBeUndefined()
  await vi.advanceTimersByTimeAsync(20)
  expect(one.failure).toMatchObject({ code: 'provider-timeout' })
}

test('who says nothing fails at the limit of the first byte, and after a word at that of a silence', async () => {
  await failsAfter(exchange(), 1_000)

  const spoke = exchange()
  await waited(spoke, 900)
  spoke.heard()
  await failsAfter(spoke, 400)
})

test('each word begins the silence anew, however many there are', async () => {
  const talks = exchange()
  for (let word = 0; word < 50; word++) {
    await waited(talks, 300)
    talks.heard()
  }
  expect(talks.failure).toBeUndefined()
})

test('silences without a word between them are one', async () => {
  const mutters = exchange()
  await waited(mutters, 200)
  mutters.heard()
  await waited(mutters, 300)
  await failsAfter(mutters, 100)
})

test('what our own side takes between two waits is no silence of theirs', async () => {
  const patient = exchange()
  await waited(patient, 300)
  patient.heard()
  await waited(patient, 300)
  await vi.advanceTimersByTimeAsync(20_000)
  await waited(patient, 90)
  expect(patient.failure).toBeUndefined()
})

test('however many pieces come there is one clock for silence, and none when it is closed', async () => {
  const one = exchange()
  for (let piece = 0; piece < 20; piece++) {
    await waited(one, 10)
    one.heard()
  }
  void one.waitFor(new Promise(() => undefined))
  // Of the whole answer, and of the silence.
  expect(vi.getTimerCount()).toBe(2)
  one.close()
  void one.waitFor(new Promise(() => undefined))
  expect(vi.getTimerCount()).toBe(0)
})
