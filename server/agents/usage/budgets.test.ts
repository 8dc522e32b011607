import { describe, expect, it } from 'vitest'
import type { Provider } from '#contract/agents/model-settings.ts'
import { type BudgetScope, usageCalls } from '#contract/agents/usage.ts'
import { engines } from '#tests/engines.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { reserveBudget } from './reserve-budget.ts'

describe.each(engines)('budgets and prices on %s', (engine) => {
  const { app, ada, cleo } = useTestApp(engine, ['ada', 'cleo'], { roles: { cleo: ['super-admin'] } })

  const set = (actor: Actor, scope: BudgetScope, limit_usd: number | null, more: object = {}) =>
    actor.call(usageCalls.setBudget, { body: { scope, limit_usd, ...more } })
  const listBudgets = async (actor: Actor) => (await actor.call(usageCalls.budgets)).data
  const price = (actor: Actor, body: object) => actor.call(usageCalls.setPrice, { body })
  const call = (more: { model?: string; personId?: string; inputTokens?: number } = {}) =>
    reserveBudget(app.services, {
      runId: 'run',
      agent: { id: 'agent', owner_id: null, visitor_daily_micros: null },
      personId: ada.id,
      visitorId: null,
      provider: 'openai' as Provider,
      model: 'gpt-4o',
      key: { source: 'platform', key: 'k', baseUrl: null, payer: 'platform' },
      inputTokens: 0,
      maxOutputTokens: 1000,
      ...more,
    })

  it('people see their own budget, key managers also the platform’s', async () => {
    expect(await listBudgets(ada)).toMatchObject([{ scope: 'mine', limit_usd: null, spent_usd: 0, may_change: true }])
    expect(await listBudgets(cleo)).toMatchObject([
      { scope: 'mine' },
      { scope: 'platform', period: 'month', limit_usd: null, may_change: true },
      { scope: 'each_person' },
      { scope: 'visitors', period: 'day', limit_usd: 1 },
    ])
    const analyst = await app.as('dot', ['admin'])
    expect((await listBudgets(analyst)).map((row) => [row.scope, row.may_change])).toEqual([
      ['mine', true],
      ['platform', false],
      ['each_person', false],
      ['visitors', false],
    ])
  })

  it('an own budget can be set and lifted; omitted fields stay', async () => {
    expect((await set(ada, 'mine', 5, { warn_at_percent: 50 })).data).toMatchObject({
      limit_usd: 5,
      warn_at_percent: 50,
    })
    expect((await set(ada, 'mine', 7.25)).data).toMatchObject({ limit_usd: 7.25, warn_at_percent: 50 })
    expect(await listBudgets(await app.as('ben'))).toMatchObject([{ limit_usd: null }])
    expect((await set(ada, 'mine', null)).data).toMatchObject({ limit_usd: null })
  })

  it('platform budgets can be changed only with manage_api_keys', async () => {
    for (const scope of ['platform', 'each_person', 'visitors'] as const) {
      const refused = await set(ada, scope, 3)
      expect({ status: refused.status, refused: refused.text.includes('manage_api_keys') }).toEqual({
        status: 403,
        refused: true,
      })
      expect((await set(await app.as('dot'), scope, 3)).status).toBe(403)
    }
    expect((await listBudgets(cleo)).find(({ scope }) => scope === 'platform')?.limit_usd).toBeNull()
    await set(cleo, 'each_person', 2)
    expect((await listBudgets(ada)).map(({ scope, limit_usd }) => [scope, limit_usd])).toEqual([
      ['mine', null],
      ['each_person', 2],
    ])
    await set(cleo, 'each_person', null)
  })

  it('a limit below the amount spent refuses calls until it is lifted', async () => {
    const reservation = await call()
    expect((await listBudgets(cleo)).find(({ scope }) => scope === 'platform')?.spent_usd).toBe(0)
    await app.services.db.batch(
      reservation.settle({
        usage: { input_tokens: 0, output_tokens: 1000, estimated: false, cost_usd: null },
        failure: null,
        durationMs: 1,
      }),
    )
    expect((await listBudgets(ada))[0]?.spent_usd).toBe(0.01)
    await set(ada, 'mine', 0.005)
    await expect(call()).rejects.toMatchObject({ kind: 'over-budget', status: 429 })
    await set(ada, 'mine', 0.02)
    await call()
    expect((await listBudgets(ada))[0]?.spent_usd, 'what is reserved counts as spent').toBe(0.02)
    await set(ada, 'mine', null)
    await call()
  })

  it.each([
    [{ scope: 'mine', limit_usd: -1 }, 'limit_usd'],
    [{ scope: 'mine', limit_usd: 2_000_000 }, 'limit_usd'],
    [{ scope: 'mine', limit_usd: '5' }, 'limit_usd'],
    [{ scope: 'all', limit_usd: 5 }, 'scope'],
    [{ scope: 'mine', limit_usd: 5, warn_at_percent: 101 }, 'warn_at_percent'],
  ])('%o answers 400 and names %s', async (body, field) => {
    const answer = await ada.call(usageCalls.setBudget, { body })
    expect({ status: answer.status, fields: Object.keys(answer.body.fields ?? {}) }).toEqual({
      status: 400,
      fields: [field],
    })
  })

  it('a custom price applies from the next call and can be removed', async () => {
    const findListedPrice = async () =>
      (await ada.call(usageCalls.prices)).data.find((row) => row.provider === 'openai' && row.model === 'gpt-4o')
    const getCost = (reservation: Awaited<ReturnType<typeof call>>) =>
      reservation.calculateUsage({
        usage: { input_tokens: 0, output_tokens: 1000, estimated: false, cost_usd: null },
        failure: null,
        durationMs: 1,
      }).cost_usd
    expect(await findListedPrice()).toMatchObject({ input_usd: 2.5, output_usd: 10, source: 'list', updated_at: null })
    const initialCall = await call()
    const body = { provider: 'openai', model: 'gpt-4o', input_usd: 1, output_usd: 20 }
    expect((await price(cleo, body)).data).toMatchObject({ ...body, source: 'own' })
    expect(await findListedPrice()).toMatchObject({ output_usd: 20, source: 'own', updated_at: expect.any(String) })
    expect({ costInitialCall: getCost(initialCall), costCall: getCost(await call()) }).toEqual({
      costInitialCall: 0.01,
      costCall: 0.02,
    })
    expect(getCost(await call({ model: 'gpt-4o-2024-08-06' })), 'a dated name costs what the undated does').toBe(0.02)
    await cleo.call(usageCalls.removePrice, { body })
    expect(await findListedPrice()).toMatchObject({ output_usd: 10, source: 'list' })
    expect(getCost(await call())).toBe(0.01)
  })

  it('a custom price can include cached input, which runs use', async () => {
    const cost = (reservation: Awaited<ReturnType<typeof call>>) =>
      reservation.calculateUsage({
        usage: {
          ...{ input_tokens: 10_000, cached_tokens: 8_000, cache_write_tokens: 1_000, output_tokens: 100 },
          ...{ estimated: false, cost_usd: null },
        },
        failure: null,
        durationMs: 1,
      })
    const listed = await call({ inputTokens: 10_000 })
    expect(cost(listed)).toMatchObject({ cost_usd: 0.016, cached_tokens: 8_000, cache_write_tokens: 1_000 })
    const body = { provider: 'openai', model: 'gpt-4o', input_usd: 2, output_usd: 10 }
    await price(cleo, body)
    expect(cost(await call({ inputTokens: 10_000 })).cost_usd, 'no cached price is known').toBe(0.021)
    const cached = { ...body, cached_input_usd: 0.5, cache_write_usd: 3 }
    expect((await price(cleo, cached)).data).toMatchObject({ ...cached, source: 'own' })
    expect(cost(await call({ inputTokens: 10_000 })).cost_usd).toBe(0.01)
    expect((await price(cleo, { ...cached, cached_input_usd: -1 })).body.fields).toHaveProperty('cached_input_usd')
    await price(cleo, body)
    expect(cost(await call({ inputTokens: 10_000 })).cost_usd, 'the cached price was taken back').toBe(0.021)
    await cleo.call(usageCalls.removePrice, { body })
    expect(cost(await call({ inputTokens: 10_000 })).cost_usd).toBe(0.016)
  })

  it('a model without a price can get one and lose it', async () => {
    const body = { provider: 'together', model: 'new/model', input_usd: 0.1, output_usd: 0.2 }
    await price(cleo, body)
    const listed = async () => (await ada.call(usageCalls.prices)).data.some(({ model }) => model === 'new/model')
    expect(await listed()).toBe(true)
    await cleo.call(usageCalls.removePrice, { body })
    expect(await listed()).toBe(false)
    expect((await cleo.call(usageCalls.removePrice, { body })).status).toBe(200)
  })

  it('everyone signed in can read prices, key managers can set them', async () => {
    const body = { provider: 'openai', model: 'gpt-4o', input_usd: 0, output_usd: 0 }
    expect((await price(ada, body)).status).toBe(403)
    expect((await ada.call(usageCalls.removePrice, { body })).status).toBe(403)
    expect((await app.visitor().call(usageCalls.prices)).status).toBe(401)
    expect((await price(cleo, { ...body, input_usd: -1 })).body.fields).toHaveProperty('input_usd')
    expect((await price(cleo, { ...body, model: ' ' })).body.fields).toHaveProperty('model')
  })
})
