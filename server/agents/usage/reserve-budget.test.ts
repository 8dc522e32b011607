import { beforeEach, describe, expect, it } from 'vitest'
import type { BudgetScope } from '#contract/agents/usage.ts'
import { Problem } from '#server/http/problem.ts'
import { dayMs } from '#server/values/time-units.ts'
import { engines } from '#tests/engines.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { releaseReservations } from './budget-reservations.ts'
import { type PlannedCall, reserveBudget } from './reserve-budget.ts'
import type { CallOutcome } from './settlement.ts'
import { sweepSpendWindows } from './spend-windows.ts'

const platformKey = { source: 'platform', key: 'k', baseUrl: null, payer: 'platform' } as const

describe.each(engines)('reserving budget for a call on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'])
  beforeEach(async () => {
    for (const table of ['spend_windows', 'budget_holds', 'budgets', 'model_calls', 'model_prices'] as const)
      await app.services.db.deleteFrom(table).execute()
    app.passTime(dayMs)
  })

  /** The maximum cost of a planned call is 1,000 millionths of a dollar: 100 output tokens at $10 per million. */
  const createCall = (fields: Partial<PlannedCall> = {}): PlannedCall => ({
    runId: 'run',
    agent: { id: 'agent', owner_id: ada.id, visitor_daily_micros: null },
    personId: ada.id,
    visitorId: null,
    provider: 'openai',
    model: 'gpt-4o',
    key: platformKey,
    inputTokens: 0,
    maxOutputTokens: 100,
    ...fields,
  })
  const visitors = { personId: null, visitorId: 'visitor' }
  const setBudget = (scope: BudgetScope, limit_micros: number | null, subject = 'all') =>
    app.services.db
      .insertInto('budgets')
      .values({ scope, subject, limit_micros, warn_at_percent: 80, updated_at: 0, updated_by: null })
      .execute()
  const readWindows = async () => {
    const rows = await app.services.db.selectFrom('spend_windows').selectAll().orderBy('bucket').execute()
    return Object.fromEntries(rows.map((row) => [row.bucket.replace(ada.id, 'ada'), row.micros]))
  }
  const listLedgerRows = () => app.services.db.selectFrom('model_calls').selectAll().execute()
  const listReservations = () => app.services.db.selectFrom('budget_holds').select(['run_id', 'micros']).execute()
  const reserve = (fields: Partial<PlannedCall> = {}) => reserveBudget(app.services, createCall(fields))
  const getRefusal = (fields: Partial<PlannedCall> = {}) =>
    reserve(fields).then(
      () => undefined,
      (error: unknown) => (error instanceof Problem ? error : Promise.reject(error)),
    )
  const createOutcome = (input_tokens: number, output_tokens: number, estimated = false): CallOutcome => ({
    usage: { input_tokens, output_tokens, estimated, cost_usd: null },
    failure: null,
    durationMs: 12,
  })

  it.each(['platform', 'each_person', 'mine'] as const)(
    'a budget of ten calls (%s) allows exactly ten of 200 concurrent ones',
    async (scope) => {
      await setBudget(scope, 10_999, scope === 'mine' ? ada.id : 'all')
      const problems = await Promise.all(Array.from({ length: 200 }, () => getRefusal()))
      const refused = problems.filter((problem) => problem !== undefined)
      expect(refused).toHaveLength(190)
      expect(new Set(refused.map(({ kind }) => kind))).toEqual(new Set(['over-budget']))
      expect(await readWindows()).toEqual({ [scope === 'platform' ? scope : `${scope}:ada`]: 10_000 })
      expect(await listLedgerRows()).toEqual([])
    },
  )

  describe('for another attempt', () => {
    it('reserves the maximum again in every budget and releases it', async () => {
      await setBudget('platform', 2_000)
      await setBudget('mine', 5_000, ada.id)
      const reservation = await reserve()
      expect(await reservation.reserveRetry()).toBe(true)
      expect(await readWindows()).toEqual({ platform: 2_000, 'mine:ada': 2_000 })
      expect(await reservation.reserveRetry(), 'not a third time').toBe(false)
      expect(await readWindows()).toEqual({ platform: 2_000, 'mine:ada': 2_000 })
      expect(await getRefusal()).toMatchObject({ kind: 'over-budget' })
      await app.services.db.batch(reservation.settle(createOutcome(10, 20)))
      expect(await readWindows()).toEqual({ platform: 225, 'each_person:ada': 225, 'mine:ada': 225 })
      expect(await listReservations()).toEqual([])
    })

    it('reserves nothing if one of two budgets is exceeded', async () => {
      await setBudget('platform', 5_000)
      await setBudget('mine', 1_999, ada.id)
      const reservation = await reserve()
      expect(await reservation.reserveRetry()).toBe(false)
      expect(await readWindows()).toEqual({ platform: 1_000, 'mine:ada': 1_000 })
    })

    it('allows the attempt without a payer or limit', async () => {
      expect(await (await reserve()).reserveRetry()).toBe(true)
      await setBudget('platform', 1_500)
      const free = await reserve({ key: { source: 'mock', key: null, baseUrl: null, payer: null } })
      expect(await free.reserveRetry()).toBe(true)
    })

    it('fails once the reservation was released as abandoned', async () => {
      await setBudget('platform', 5_000)
      const reservation = await reserve()
      await releaseReservations(app.services, { runId: 'run' })
      expect(await reservation.reserveRetry()).toBe(false)
      expect(await readWindows()).toEqual({ platform: 0 })
    })
  })

  describe('reservations of a dead process', () => {
    it('are released once when a sole server starts', async () => {
      await setBudget('platform', 50_000)
      await setBudget('mine', 50_000, ada.id)
      const spent = await reserve()
      await app.services.db.batch(spent.settle(createOutcome(10, 20)))
      await reserve()
      await reserve()
      expect(await readWindows()).toEqual({ platform: 2_225, 'each_person:ada': 225, 'mine:ada': 2_225 })
      const everything: Parameters<typeof releaseReservations>[1] = { reservedBefore: Number.POSITIVE_INFINITY }
      await Promise.all([releaseReservations(app.services, everything), releaseReservations(app.services, everything)])
      expect(await readWindows()).toEqual({ platform: 225, 'each_person:ada': 225, 'mine:ada': 225 })
      expect(await listReservations()).toEqual([])
    })

    it('are released after seven minutes or with their run', async () => {
      await setBudget('platform', 50_000)
      await reserve({ runId: 'old' })
      app.passTime(7 * 60_000 + 1_000)
      await reserve({ runId: 'abandoned' })
      await reserve({ runId: 'running' })
      await releaseReservations(app.services)
      expect((await readWindows()).platform).toBe(2_000)
      await releaseReservations(app.services, { runId: 'abandoned' })
      expect((await readWindows()).platform).toBe(1_000)
      expect(await listReservations()).toEqual([{ run_id: 'running', micros: 1_000 }])
    })

    it('aren’t released twice if the call ends later, and its cost counts', async () => {
      await setBudget('platform', 50_000)
      const reservation = await reserve()
      await releaseReservations(app.services, { runId: 'run' })
      await app.services.db.batch(reservation.settle(createOutcome(10, 20)))
      expect((await readWindows()).platform).toBe(225)
    })

    it('count a call once even if it is settled twice', async () => {
      await setBudget('platform', 50_000)
      const reservation = await reserve()
      for (let attempt = 0; attempt < 2; attempt++)
        await app.services.db.batch(reservation.settle(createOutcome(10, 20)))
      expect(await readWindows()).toEqual({ platform: 225, 'each_person:ada': 225, 'mine:ada': 225 })
      expect(await listLedgerRows()).toHaveLength(1)
      expect(await listReservations()).toEqual([])
    })

    it('keep windows of recent months and sweep older ones', async () => {
      await setBudget('platform', 50_000)
      await reserve()
      await sweepSpendWindows(app.services)
      expect(await readWindows()).toEqual({ platform: 1_000 })
      app.passTime(100 * dayMs)
      await sweepSpendWindows(app.services)
      expect(await readWindows()).toEqual({})
    })
  })

  it('reserves in all budgets or in none', async () => {
    await setBudget('platform', 50_000)
    await setBudget('mine', 2_500, ada.id)
    await reserve()
    await reserve()
    expect((await getRefusal())?.message).toContain('your $0.0025 monthly budget')
    expect(await readWindows()).toEqual({ platform: 2_000, 'mine:ada': 2_000 })
  })

  it('a limit below one call refuses even the first', async () => {
    await setBudget('platform', 999)
    expect((await getRefusal())?.kind).toBe('over-budget')
    expect(await readWindows()).toEqual({})
  })

  it('releases the unused reservation and counts the cost everywhere', async () => {
    await setBudget('platform', 1_000)
    const reservation = await reserve()
    expect((await getRefusal())?.kind).toBe('over-budget')
    await app.services.db.batch(reservation.settle(createOutcome(10, 20)))
    expect(await readWindows()).toEqual({ platform: 225, 'each_person:ada': 225, 'mine:ada': 225 })
    expect(await listLedgerRows()).toMatchObject([
      {
        input_tokens: 10,
        output_tokens: 20,
        cost_micros: 225,
        estimated: false,
        key_source: 'platform',
        failure: null,
      },
    ])
    expect(reservation.calculateUsage(createOutcome(10, 20))).toEqual({
      input_tokens: 10,
      output_tokens: 20,
      cost_usd: 0.000225,
      estimated: false,
    })
  })

  it('releases the reservation of an unsent call without a ledger row', async () => {
    await setBudget('platform', 1_000)
    const reservation = await reserve()
    await app.services.db.batch(reservation.settle({ ...createOutcome(0, 0, true), failure: 'not-sent' }))
    expect(await readWindows()).toEqual({ platform: 0 })
    expect(await listLedgerRows()).toEqual([])
  })

  it('a new budget includes what was already spent this month', async () => {
    await app.services.db.batch((await reserve()).settle(createOutcome(0, 100)))
    await setBudget('mine', 1_500, ada.id)
    expect((await getRefusal())?.kind).toBe('over-budget')
  })

  it.each(['mock', 'none'] as const)(
    'a call with key source %s reserves nothing and is never refused',
    async (source) => {
      await setBudget('platform', 0)
      await setBudget('mine', 0, ada.id)
      const reservation = await reserve({ key: { source, key: null, baseUrl: null, payer: null } })
      await app.services.db.batch(reservation.settle(createOutcome(3, 4)))
      expect(await readWindows()).toEqual({})
      expect(await listLedgerRows()).toMatchObject([
        { key_source: source, cost_micros: 0, input_tokens: 3, output_tokens: 4 },
      ])
    },
  )

  it('writes nothing before a call without budgets', async () => {
    const { db } = app.services
    const originalBatch = db.engineDriver.batch
    let batchCount = 0
    db.engineDriver.batch = (statements) => {
      batchCount++
      return originalBatch.call(db.engineDriver, statements)
    }
    try {
      await reserve()
    } finally {
      db.engineDriver.batch = originalBatch
    }
    expect(batchCount).toBe(0)
  })

  it('keeps the reservation of a process that died before settling', async () => {
    await setBudget('platform', 1_000)
    await reserve()
    expect(await readWindows()).toEqual({ platform: 1_000 })
    expect((await getRefusal())?.kind).toBe('over-budget')
  })

  it('resets the next month and says when', async () => {
    await setBudget('platform', 1_000)
    await reserve()
    const refused = await getRefusal()
    const waitMs = (refused?.details.retryAfterSeconds ?? 0) * 1000
    const resetTime = new Date(app.services.now().getTime() + waitMs)
    expect(resetTime.getUTCDate()).toBe(1)
    expect(resetTime.getUTCHours()).toBe(0)
    expect(waitMs <= 31 * dayMs).toBe(true)
    expect(refused?.message).toContain('The budget resets on')
    app.passTime(waitMs + 1000)
    expect(await getRefusal()).toBeUndefined()
  })

  it('visitors on platform keys have a default budget of $1 a day', async () => {
    const expensiveCall = { ...visitors, maxOutputTokens: 100_000 }
    await reserve(expensiveCall)
    const refused = await getRefusal(expensiveCall)
    expect(refused?.message).toBe('This agent has answered all it can today. Come back tomorrow.')
    expect(refused?.details.retryAfterSeconds).toBeLessThanOrEqual(24 * 60 * 60)
    expect(await readWindows()).toEqual({ visitors: 1_000_000 })
    await setBudget('visitors', null)
    expect(await getRefusal(expensiveCall)).toBeUndefined()
  })

  it('an agent’s limit applies only to its own visitors', async () => {
    const agent = { id: 'shop', owner_id: ada.id, visitor_daily_micros: 1_500 }
    await reserve({ ...visitors, agent })
    expect((await getRefusal({ ...visitors, agent }))?.message).not.toMatch(/\$|\d/)
    expect(await getRefusal({ ...visitors, agent: { ...agent, id: 'other' } })).toBeUndefined()
    expect(await getRefusal({ agent })).toBeUndefined()
  })

  it('visitors on the owner’s key have a default budget of $0.50 a day', async () => {
    const key = { source: 'personal', key: 'k', baseUrl: null, payer: ada.id } as const
    await setBudget('mine', 900_000, ada.id)
    await reserve({ ...visitors, key, maxOutputTokens: 50_000 })
    expect(await readWindows()).toEqual({ 'agent:agent': 500_000, 'mine:ada': 500_000 })
    expect((await getRefusal({ ...visitors, key }))?.message).toContain('today')
    const generous = { id: 'wide', owner_id: ada.id, visitor_daily_micros: 5_000_000 }
    const refused = await getRefusal({ ...visitors, key, agent: generous, maxOutputTokens: 50_000 })
    expect(refused?.message).toBe('This agent has answered all it can this month. Come back next month.')
  })

  it('budgets use the provider’s highest price for an unpriced model', async () => {
    await setBudget('platform', 1_000_000)
    const reservation = await reserve({ model: 'gpt-unpriced' })
    expect(await readWindows()).toEqual({ platform: 6_000 })
    await app.services.db.batch(reservation.settle(createOutcome(0, 50)))
    expect((await readWindows()).platform).toBe(3_000)
    expect(await listLedgerRows()).toMatchObject([{ cost_micros: null }])
  })

  it('budgets count speech by characters, and the ledger has no cost', async () => {
    await setBudget('platform', 1_000_000)
    const voice = { provider: 'elevenlabs', model: 'eleven_multilingual_v2', maxOutputTokens: 0 } as const
    const reservation = await reserve({ ...voice, inputTokens: 250 })
    expect(await readWindows()).toEqual({ platform: 120_000 })
    await app.services.db.batch(reservation.settle(createOutcome(250, 0, true)))
    expect((await readWindows()).platform).toBe(120_000)
    expect(await listLedgerRows()).toMatchObject([{ cost_micros: null, input_tokens: 250 }])
  })

  it('reserves the cost of caching all input and records cached tokens', async () => {
    await setBudget('platform', 10_000)
    const reservation = await reserve({ model: 'gpt-6.2-sol', inputTokens: 1_000 })
    expect(await readWindows(), '1,000 at $2.50 and 100 at $10').toEqual({ platform: 3_500 })
    const outcome = createOutcome(1_000, 100)
    const usage = { ...outcome.usage, cached_tokens: 900, cache_write_tokens: 100 }
    await app.services.db.batch(reservation.settle({ ...outcome, usage }))
    expect(await readWindows()).toMatchObject({ platform: 1_340 })
    expect(await listLedgerRows()).toMatchObject([{ cached_tokens: 900, cache_write_tokens: 100, cost_micros: 1_340 }])
  })

  it('a zero budget refuses even free calls', async () => {
    const free = { model: 'unlisted-model' }
    await app.services.db
      .insertInto('model_prices')
      .values({ provider: 'openai', ...free, input_micros: 0, output_micros: 0, updated_at: 0, updated_by: null })
      .execute()
    await setBudget('visitors', 1)
    expect(await getRefusal({ ...visitors, ...free })).toBeUndefined()
    const agent = { id: 'closed', owner_id: ada.id, visitor_daily_micros: 0 }
    expect((await getRefusal({ ...visitors, ...free, agent }))?.kind).toBe('over-budget')
    expect(await getRefusal({ ...free, agent }), 'a signed-in person isn’t a visitor').toBeUndefined()
    await setBudget('mine', 0, ada.id)
    expect((await getRefusal(free))?.kind).toBe('over-budget')
    expect(await readWindows()).toEqual({})
    expect(await listLedgerRows()).toEqual([])
  })

  const zeroUsage = createOutcome(0, 0, true)
  const costs: [string, CallOutcome, { cost_micros: number; input_tokens?: number; estimated?: boolean }][] = [
    ['nothing if the provider refused it', { ...zeroUsage, failure: 'key-rejected' }, { cost_micros: 0 }],
    ['the reported usage', { ...createOutcome(40, 10), failure: 'content-filter' }, { cost_micros: 200 }],
    [
      'the usage so far if it was stopped',
      { ...createOutcome(0, 10, true), failure: 'stopped' },
      { cost_micros: 200, input_tokens: 40, estimated: true },
    ],
    [
      'nothing if it was stopped with no request in flight',
      { ...zeroUsage, failure: 'stopped', wasInFlight: false },
      { cost_micros: 0, input_tokens: 0 },
    ],
    [
      'its input if its answer had started',
      { ...zeroUsage, failure: 'provider-unreachable', hasAnswerStarted: true },
      { cost_micros: 100, input_tokens: 40 },
    ],
    [
      'its input again for each lost answer',
      { ...createOutcome(40, 10), lostResponseCount: 2 },
      { cost_micros: 400, input_tokens: 120, estimated: true },
    ],
    [
      'its input for a lost answer if it was stopped before the next attempt',
      { ...zeroUsage, failure: 'stopped', wasInFlight: false, lostResponseCount: 1 },
      { cost_micros: 100, input_tokens: 40 },
    ],
    ['the maximum and a lost answer', { ...createOutcome(40, 10, true), lostResponseCount: 1 }, { cost_micros: 1_200 }],
    ['the maximum without reported usage', createOutcome(40, 10, true), { cost_micros: 1_100, estimated: true }],
    ...[-1, 1e15, Number.NaN, 0.5].map((output): (typeof costs)[number] => [
      `the maximum if ${output} output tokens are reported`,
      createOutcome(40, output),
      { cost_micros: 1_100, estimated: true },
    ]),
  ]
  it.each(costs)('a call costs %s', async (_, outcome, row) => {
    await setBudget('platform', 10_000)
    const reservation = await reserve({ inputTokens: 40 })
    await app.services.db.batch(reservation.settle(outcome))
    expect(await listLedgerRows()).toMatchObject([{ ...row, failure: outcome.failure }])
    expect((await readWindows()).platform ?? 0, 'budget and ledger agree').toBe(row.cost_micros)
  })
})
