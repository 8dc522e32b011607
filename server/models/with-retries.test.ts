import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { runModelToEnd } from '#tests/fakes/model-providers/run-model-to-end.ts'
import { createVirtualRuntime } from '#tests/fakes/model-providers/virtual-runtime.ts'
import { resetBreakers } from './breaker.ts'
import { planRetry, type RetryInput } from './with-retries.ts'

beforeEach(resetBreakers)

const retryInput: RetryInput = {
  failure: { retryable: true, retryAfterMs: undefined },
  attempt: 1,
  retry: { max_retries: 3, retry_delay_ms: 1000 },
  elapsedMs: 0,
  noProgressMs: 120_000,
  random: 0.5,
}

describe('the wait before another attempt', () => {
  it('doubles', () => {
    const waits = [1, 2, 3, 4].map((attempt) => planRetry({ ...retryInput, attempt }))
    expect(waits).toEqual([
      { shouldRetry: true, afterMs: 1000 },
      { shouldRetry: true, afterMs: 2000 },
      { shouldRetry: true, afterMs: 4000 },
      { shouldRetry: false },
    ])
  })

  it('has a jitter of 25 % in both directions', () => {
    expect(planRetry({ ...retryInput, random: 0 })).toEqual({ shouldRetry: true, afterMs: 750 })
    expect(planRetry({ ...retryInput, random: 0.999999 })).toEqual({ shouldRetry: true, afterMs: 1250 })
  })

  it('is at least as long as the provider requests', () => {
    const failure = { retryable: true, retryAfterMs: 7000 }
    expect(planRetry({ ...retryInput, failure })).toEqual({ shouldRetry: true, afterMs: 7000 })
    expect(planRetry({ ...retryInput, failure, random: 0 })).toEqual({ shouldRetry: true, afterMs: 7000 })
    expect(planRetry({ ...retryInput, failure, random: 0.999999 })).toEqual({ shouldRetry: true, afterMs: 8750 })
  })

  it('is refused when the provider requests more than 30 seconds', () => {
    expect(planRetry({ ...retryInput, failure: { retryable: true, retryAfterMs: 30_000 } })).toMatchObject({
      shouldRetry: true,
    })
    expect(planRetry({ ...retryInput, failure: { retryable: true, retryAfterMs: 30_001 } })).toEqual({
      shouldRetry: false,
    })
  })

  it('is refused when it exceeds the total timeout', () => {
    expect(planRetry({ ...retryInput, elapsedMs: 118_999 })).toMatchObject({ shouldRetry: true })
    expect(planRetry({ ...retryInput, elapsedMs: 119_000 })).toEqual({ shouldRetry: false })
  })

  it('stays in its bounds for any input', () => {
    const retryAfter = fc.option(fc.nat(200_000), { nil: undefined })
    fc.assert(
      fc.property(
        retryAfter,
        fc.integer({ min: 1, max: 11 }),
        fc.integer({ min: 100, max: 10_000 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (retryAfterMs, attempt, delay, random) => {
          const retry = { max_retries: 10, retry_delay_ms: delay }
          const plan = planRetry({ ...retryInput, failure: { retryable: true, retryAfterMs }, attempt, retry, random })
          if (!plan.shouldRetry) return attempt > 10 || (retryAfterMs ?? 0) > 30_000
          const base = Math.max(retryAfterMs ?? 0, delay * 2 ** (attempt - 1))
          return (
            plan.afterMs <= 30_000 &&
            plan.afterMs >= Math.floor(Math.min(30_000, base * 0.75)) &&
            plan.afterMs <= Math.ceil(base * 1.25) &&
            plan.afterMs >= (retryAfterMs ?? 0)
          )
        },
      ),
    )
  })
})

describe('a run over a failing network', () => {
  const createFailingFetch = (status: number, headers: Record<string, string> = {}) => {
    let callCount = 0
    const fetch: typeof globalThis.fetch = async () => {
      callCount += 1
      return new Response('{}', { status, headers: { 'content-type': 'application/json', ...headers } })
    }
    return { fetch, getCallCount: () => callCount }
  }

  it.each([0, 1, 3, 10])('makes exactly 1 + %i attempts', async (maxRetries) => {
    const { fetch, getCallCount } = createFailingFetch(500)
    const runtime = createVirtualRuntime({ fetch })
    const result = await runModelToEnd(
      { provider: 'openai', baseUrl: null, maxRetries, retryDelayMs: 100, limits: { noProgressMs: 3_600_000 } },
      runtime,
    )
    expect(getCallCount()).toBe(1 + maxRetries)
    expect(result.failure?.attempts).toBe(1 + maxRetries)
    expect(runtime.waits).toEqual(Array.from({ length: maxRetries }, (_, n) => Math.min(30_000, 100 * 2 ** n)))
  })

  it('gives up within two minutes, waits included', async () => {
    const runtime = createVirtualRuntime({ fetch: createFailingFetch(503).fetch })
    await runModelToEnd({ provider: 'openai', baseUrl: null, maxRetries: 10, retryDelayMs: 10_000 }, runtime)
    const totalMs = runtime.waits.reduce((sum, wait) => sum + wait, 0)
    expect(runtime.waits.slice(0, 3)).toEqual([10_000, 20_000, 30_000])
    expect(totalMs).toBeLessThanOrEqual(120_000)
  })

  it('fails immediately with the retry time if the wait is a day', async () => {
    const runtime = createVirtualRuntime({ fetch: createFailingFetch(429, { 'retry-after': '86400' }).fetch })
    const { failure } = await runModelToEnd({ provider: 'anthropic', baseUrl: null }, runtime)
    expect(runtime.waits).toEqual([])
    expect(failure).toMatchObject({ code: 'provider-busy', attempts: 1, retryAfterMs: 86_400_000 })
    expect(failure?.message).toContain('try again in 24 hours')
  })
})
