import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import type { Provider } from '#contract/agents/model-settings.ts'
import { type BudgetScope, usageCalls } from '#contract/agents/usage.ts'
import { keys } from '#contract/keys/keys.ts'
import { dayMs } from '#server/values/time-units.ts'
import { createTestAgent } from '#tests/create-test-agent.ts'
import { countRows } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import { canaryKeys, canaryPlatformKeys, createProviderApp, saveKeys } from '#tests/provider-app.ts'
import type { Actor } from '#tests/test-app.ts'
import { useApp, useTestApp } from '#tests/use-test-app.ts'
import { reserveBudget } from './reserve-budget.ts'

describe.each(engines)('budgets and prices on %s', (engine) => {
  const { app, ada, cleo } = useTestApp(engine, ['ada', 'cleo'], { roles: { cleo: ['super-admin'] } })

  const setBudget = (actor: Actor, scope: BudgetScope, limit_usd: number | null, fields: object = {}) =>
    actor.call(usageCalls.setBudget, { body: { scope, limit_usd, ...fields } })
  const listBudgets = async (actor: Actor) => (await actor.call(usageCalls.budgets)).data
  const setPrice = (actor: Actor, body: object) => actor.call(usageCalls.setPrice, { body })
  const call = (fields: { model?: string; personId?: string; inputTokens?: number } = {}) =>
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
      ...fields,
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
    expect((await setBudget(ada, 'mine', 5, { warn_at_percent: 50 })).data).toMatchObject({
      limit_usd: 5,
      warn_at_percent: 50,
    })
    expect((await setBudget(ada, 'mine', 7.25)).data).toMatchObject({ limit_usd: 7.25, warn_at_percent: 50 })
    expect(await listBudgets(await app.as('ben'))).toMatchObject([{ limit_usd: null }])
    expect((await setBudget(ada, 'mine', null)).data).toMatchObject({ limit_usd: null })
  })

  it('platform budgets can be changed only with manage_api_keys', async () => {
    for (const scope of ['platform', 'each_person', 'visitors'] as const) {
      const refused = await setBudget(ada, scope, 3)
      expect(refused.status).toBe(403)
      expect(refused.text.includes('manage_api_keys')).toBe(true)
      expect((await setBudget(await app.as('dot'), scope, 3)).status).toBe(403)
    }
    expect((await listBudgets(cleo)).find(({ scope }) => scope === 'platform')?.limit_usd).toBeNull()
    await setBudget(cleo, 'each_person', 2)
    expect((await listBudgets(ada)).map(({ scope, limit_usd }) => [scope, limit_usd])).toEqual([
      ['mine', null],
      ['each_person', 2],
    ])
    await setBudget(cleo, 'each_person', null)
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
    await setBudget(ada, 'mine', 0.005)
    await expect(call()).rejects.toMatchObject({ kind: 'over-budget', status: 429 })
    await setBudget(ada, 'mine', 0.02)
    await call()
    expect((await listBudgets(ada))[0]?.spent_usd, 'reserved amounts count as spent').toBe(0.02)
    await setBudget(ada, 'mine', null)
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
    expect(answer.status).toBe(400)
    expect(Object.keys(answer.body.fields ?? {})).toEqual([field])
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
    expect((await setPrice(cleo, body)).data).toMatchObject({ ...body, source: 'own' })
    expect(await findListedPrice()).toMatchObject({ output_usd: 20, source: 'own', updated_at: expect.any(String) })
    expect(getCost(initialCall)).toBe(0.01)
    expect(getCost(await call())).toBe(0.02)
    expect(getCost(await call({ model: 'gpt-4o-2024-08-06' })), 'a dated name has the price of the undated name').toBe(
      0.02,
    )
    await cleo.call(usageCalls.removePrice, { body })
    expect(await findListedPrice()).toMatchObject({ output_usd: 10, source: 'list' })
    expect(getCost(await call())).toBe(0.01)
  })

  it('a custom price can include cached input, which runs use', async () => {
    const getCost = (reservation: Awaited<ReturnType<typeof call>>) =>
      reservation.calculateUsage({
        usage: {
          input_tokens: 10_000,
          cached_tokens: 8_000,
          cache_write_tokens: 1_000,
          output_tokens: 100,
          estimated: false,
          cost_usd: null,
        },
        failure: null,
        durationMs: 1,
      })
    const listed = await call({ inputTokens: 10_000 })
    expect(getCost(listed)).toMatchObject({ cost_usd: 0.016, cached_tokens: 8_000, cache_write_tokens: 1_000 })
    const body = { provider: 'openai', model: 'gpt-4o', input_usd: 2, output_usd: 10 }
    await setPrice(cleo, body)
    expect(getCost(await call({ inputTokens: 10_000 })).cost_usd, 'the model has no cached price').toBe(0.021)
    const cached = { ...body, cached_input_usd: 0.5, cache_write_usd: 3 }
    expect((await setPrice(cleo, cached)).data).toMatchObject({ ...cached, source: 'own' })
    expect(getCost(await call({ inputTokens: 10_000 })).cost_usd).toBe(0.01)
    expect((await setPrice(cleo, { ...cached, cached_input_usd: -1 })).body.fields).toHaveProperty('cached_input_usd')
    await setPrice(cleo, body)
    expect(getCost(await call({ inputTokens: 10_000 })).cost_usd, 'the cached price was removed').toBe(0.021)
    await cleo.call(usageCalls.removePrice, { body })
    expect(getCost(await call({ inputTokens: 10_000 })).cost_usd).toBe(0.016)
  })

  it('a model without a price can get one and lose it', async () => {
    const body = { provider: 'together', model: 'new/model', input_usd: 0.1, output_usd: 0.2 }
    await setPrice(cleo, body)
    const isListed = async () => (await ada.call(usageCalls.prices)).data.some(({ model }) => model === 'new/model')
    expect(await isListed()).toBe(true)
    await cleo.call(usageCalls.removePrice, { body })
    expect(await isListed()).toBe(false)
    expect((await cleo.call(usageCalls.removePrice, { body })).status).toBe(200)
  })

  it('everyone signed in can read prices, key managers can set them', async () => {
    const body = { provider: 'openai', model: 'gpt-4o', input_usd: 0, output_usd: 0 }
    expect((await setPrice(ada, body)).status).toBe(403)
    expect((await ada.call(usageCalls.removePrice, { body })).status).toBe(403)
    expect((await app.visitor().call(usageCalls.prices)).status).toBe(401)
    expect((await setPrice(cleo, { ...body, input_usd: -1 })).body.fields).toHaveProperty('input_usd')
    expect((await setPrice(cleo, { ...body, model: ' ' })).body.fields).toHaveProperty('model')
  })
})

describe.each(engines)('budgets before provider requests on %s', (engine) => {
  let leadId: string
  const { app, ada, cleo } = useApp(
    () =>
      createProviderApp(
        engine,
        {},
        {
          OPENAI_API_KEY: canaryPlatformKeys.openai,
          KEEPER_TRUSTED_PROXIES: '1',
          KEEPER_VISITOR_RUNS_PER_DAY: '1000',
          KEEPER_VISITOR_RUNS_PER_AGENT_PER_DAY: '2000',
        },
      ),
    ['ada', 'cleo'],
    { roles: { cleo: ['super-admin'] } },
  )
  beforeAll(async () => {
    leadId = await createAgent('Open')
  })
  beforeEach(async () => {
    const { db } = app.services
    for (const table of ['spend_windows', 'budgets', 'model_calls', 'model_prices', 'runs'] as const)
      await db.deleteFrom(table).execute()
    app.fakes.openai.requests.length = 0
    app.passTime(dayMs - (app.services.now().getTime() % dayMs))
  })

  const createAgent = async (name: string, fields: object = {}) => {
    const model_settings = { model: 'gpt-4o', max_tokens: 200, retry: { max_retries: 0, retry_delay_ms: 100 } }
    return (await createTestAgent(ada, { name, agent_class: 'Lead', visibility: 'public', model_settings, ...fields }))
      .id
  }
  const runAgent = (actor: Actor, from = '203.0.113.1', agentId = leadId) =>
    actor.call(agents.run, { body: { agentId, input: 'hello' }, headers: { 'x-forwarded-for': from } })
  const setBudget = (scope: BudgetScope, limit_usd: number | null, actor = cleo) =>
    actor.call(usageCalls.setBudget, { body: { scope, limit_usd } })
  const listSpendWindows = () => app.services.db.selectFrom('spend_windows').selectAll().orderBy('bucket').execute()
  const fetchSpentMicros = async (bucket: string) =>
    (await listSpendWindows()).find((entry) => entry.bucket === bucket)?.micros ?? 0
  const stopAllRuns = () => {
    for (const run of app.services.runs.list()) run.abortController.abort('stopped')
  }
  const measureMaxMicros = async () => {
    await setBudget('platform', 1_000)
    app.fakes.openai.script(['headers-never'])
    const pendingRun = runAgent(ada)
    await eventually(() => expect(app.fakes.openai.requests).toHaveLength(1))
    const maxMicros = await fetchSpentMicros('platform')
    stopAllRuns()
    await pendingRun
    await app.services.db.deleteFrom('spend_windows').execute()
    app.fakes.openai.requests.length = 0
    return maxMicros
  }

  it('a budget for ten runs lets exactly ten of 200 concurrent ones through', async () => {
    const maxMicros = await measureMaxMicros()
    await setBudget('platform', (maxMicros * 10.5) / 1_000_000)
    const previousRunCount = await countRows(app.services.db, 'runs')
    app.fakes.openai.script(Array.from({ length: 10 }, () => 'headers-never'))
    const refused: { code: unknown; retryAfter: string | null }[] = []
    const pendingRuns = Array.from({ length: 200 }, async () => {
      const answer = await runAgent(ada)
      if (answer.status === 429) refused.push({ code: answer.body.code, retryAfter: answer.headers.get('retry-after') })
    })
    await eventually(() =>
      expect({ refusedCount: refused.length, requestCount: app.fakes.openai.requests.length }).toEqual({
        refusedCount: 190,
        requestCount: 10,
      }),
    )
    expect(await fetchSpentMicros('platform')).toBe(maxMicros * 10)
    expect(await countRows(app.services.db, 'runs'), 'refused requests leave no run').toBe(previousRunCount + 10)
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['over-budget']))
    expect(refused.every(({ retryAfter }) => Number(retryAfter) > 0 && Number(retryAfter) <= 31 * 24 * 60 * 60)).toBe(
      true,
    )
    stopAllRuns()
    await Promise.all(pendingRuns)
    expect(app.fakes.openai.requests).toHaveLength(10)
  })

  it.each(['plain', 'streamed'])('a budget for one attempt never pays for two (%s)', async (delivery) => {
    const maxMicros = await measureMaxMicros()
    const model_settings = { model: 'gpt-4o', max_tokens: 200, retry: { max_retries: 2, retry_delay_ms: 100 } }
    const agentId = await createAgent('Patient', { model_settings })
    const run = async () => {
      app.fakes.openai.requests.length = 0
      app.fakes.openai.script(['body-cut'])
      const body = { agentId, input: 'hello' }
      if (delivery === 'plain') await ada.call(agents.run, { body })
      else await ada.stream(agents.run, { body })
      const [row] = await app.services.db
        .selectFrom('runs')
        .selectAll()
        .orderBy('created_at', 'desc')
        .limit(1)
        .execute()
      return { ...row, requests: app.fakes.openai.requests.length }
    }
    const notRetriedNote = 'The call wasn’t retried because another attempt would exceed a budget.'

    await setBudget('platform', (maxMicros * 1.9) / 1_000_000)
    expect(await run()).toMatchObject({
      requests: 1,
      attempts: 1,
      status: 'error',
      error_code: 'provider-unreachable',
      notes: expect.arrayContaining([notRetriedNote]),
    })
    const lostMicros = await fetchSpentMicros('platform')
    expect(lostMicros).toBeGreaterThan(0)
    expect(lostMicros).toBeLessThanOrEqual(maxMicros)

    for (const table of ['spend_windows', 'model_calls'] as const) await app.services.db.deleteFrom(table).execute()
    await setBudget('platform', (maxMicros * 2.1) / 1_000_000)
    const second = await run()
    expect(second).toMatchObject({ requests: 2, attempts: 2, status: 'success' })
    expect(second.notes).not.toContain(notRetriedNote)
    expect(await app.services.db.selectFrom('budget_holds').selectAll().execute()).toEqual([])
    const [call] = await app.services.db.selectFrom('model_calls').select('cost_micros').execute()
    expect(await fetchSpentMicros('platform')).toBe(call?.cost_micros)
  })

  it('a run stopped before a retry reports the lost answer’s cost', async () => {
    const model_settings = { model: 'gpt-4o', max_tokens: 200, retry: { max_retries: 2, retry_delay_ms: 100 } }
    const agentId = await createAgent('Stopped', { model_settings })
    const { modelRuntime } = app.services
    const { sleep } = modelRuntime
    modelRuntime.sleep = async () => stopAllRuns()
    app.fakes.openai.script(['body-cut'])
    await ada.stream(agents.run, { body: { agentId, input: 'hello' } })
    modelRuntime.sleep = sleep
    const used = ['input_tokens', 'output_tokens', 'cost_micros'] as const
    const [call] = await app.services.db.selectFrom('model_calls').select(used).execute()
    expect(call?.cost_micros).toBeGreaterThan(0)
    const run = app.services.db
      .selectFrom('runs')
      .select(['status', ...used])
      .where('agent_id', '=', agentId)
    expect(await run.execute()).toEqual([{ status: 'stopped', ...call }])
  })

  it('a flood of 150 visitors spends no more than their budget', { timeout: 60_000 }, async () => {
    await setBudget('visitors', 0.02)
    const visitors = Array.from({ length: 150 }, (_, index) => ({
      visitor: app.visitor(),
      from: `198.51.100.${index}`,
    }))
    const statuses = new Map<number, number>()
    const texts = new Set<string>()
    for (let start = 0; start < 450; start += 15) {
      const part = Array.from({ length: 15 }, (_, index) => visitors[(start + index) % 150])
      for (const answer of await Promise.all(
        part.map((request) => request && runAgent(request.visitor, request.from)),
      )) {
        if (!answer) continue
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
        if (answer.status === 429) texts.add(String(answer.body.error))
      }
    }
    expect(await fetchSpentMicros('visitors')).toBeLessThanOrEqual(20_000)
    const { cost, calls } = await app.services.db
      .selectFrom('model_calls')
      .select((select) => [select.fn.sum('cost_micros').as('cost'), select.fn.countAll().as('calls')])
      .executeTakeFirstOrThrow()
    expect(Number(cost)).toBe(await fetchSpentMicros('visitors'))
    expect(Number(calls)).toBe(app.fakes.openai.requests.length)
    expect(statuses.get(200)).toBe(app.fakes.openai.requests.length)
    expect((statuses.get(200) ?? 0) + (statuses.get(429) ?? 0)).toBe(450)
    expect([...texts]).toEqual(['This agent has answered all it can today. Come back tomorrow.'])
    app.passTime(dayMs)
    expect((await runAgent(app.visitor(), '192.0.2.9')).status).toBe(200)
  })

  it('a refusal creates no run, session, message or window', async () => {
    const rememberingAgent = await createAgent('Keeps', { memory_enabled: true })
    await setBudget('mine', 0, ada)
    const previousWindows = await listSpendWindows()
    const countAllRows = () =>
      Promise.all(
        (['runs', 'chat_sessions', 'messages', 'model_calls'] as const).map((name) => countRows(app.services.db, name)),
      )
    const [previousCounts, previousRequestCount] = [await countAllRows(), app.providerRequestCount()]
    const answer = await runAgent(ada, undefined, rememberingAgent)
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 429, code: 'over-budget' })
    expect(answer.body.error).toMatch(/^This would exceed your \$0\.00 monthly budget, so nothing was sent\./)
    const streamed = await ada.stream(agents.run, { body: { agentId: rememberingAgent, input: 'hello' } })
    expect(streamed.status).toBe(429)
    expect(await countAllRows()).toEqual(previousCounts)
    expect(await listSpendWindows()).toEqual(previousWindows)
    expect(app.providerRequestCount()).toEqual(previousRequestCount)
    await setBudget('mine', null, ada)
    expect((await runAgent(ada, undefined, rememberingAgent)).status).toBe(200)
  })

  it('a run’s row and ledger agree, whatever its outcome', async () => {
    const { db } = app.services
    const agentId = await createAgent('Patient', {
      model_settings: { model: 'gpt-4o', retry: { max_retries: 2, retry_delay_ms: 100 } },
    })
    await setBudget('platform', 5)
    const scripts = [[], ['status-500', 'ok'], ['status-400'], ['usage-absent'], ['usage-absurd'], ['body-cut']]
    for (const script of scripts) {
      app.fakes.openai.script(script)
      await runAgent(ada, undefined, agentId)
    }
    const rows = await db.selectFrom('runs').select(['id', 'input_tokens', 'output_tokens', 'cost_micros']).execute()
    expect(rows).toHaveLength(scripts.length)
    let spent = 0
    for (const { id, ...row } of rows) {
      const calls = await db.selectFrom('model_calls').selectAll().where('run_id', '=', id).execute()
      const sumField = (name: 'input_tokens' | 'output_tokens' | 'cost_micros') =>
        calls.reduce((all, entry) => all + (entry[name] ?? 0), 0)
      expect(calls.length).toBeGreaterThan(0)
      expect(row).toEqual({
        input_tokens: sumField('input_tokens'),
        output_tokens: sumField('output_tokens'),
        cost_micros: sumField('cost_micros'),
      })
      spent += sumField('cost_micros')
    }
    expect(await fetchSpentMicros('platform')).toBe(spent)
    const { data } = await ada.call(usageCalls.show, { query: { groupBy: 'agent' } })
    expect(Math.round(data.total.cost_usd * 1_000_000)).toBe(spent)
  })

  it('a stop between attempts costs nothing, one during an attempt its input', async () => {
    const agentId = await createAgent('Interrupted', {
      model_settings: { model: 'gpt-4o', retry: { max_retries: 2, retry_delay_ms: 100 } },
    })
    await setBudget('platform', 5)
    const { modelRuntime, db } = app.services
    const { sleep } = modelRuntime
    modelRuntime.sleep = async () => stopAllRuns()
    app.fakes.openai.script(['status-503'])
    const waited = await runAgent(ada, undefined, agentId)
    modelRuntime.sleep = sleep
    expect(waited.status).toBe(409)
    expect(waited.body.code).toBe('stopped')
    expect(app.fakes.openai.requests.length).toBe(1)
    expect(await fetchSpentMicros('platform')).toBe(0)

    app.fakes.openai.script(['headers-never'])
    const pendingRun = runAgent(ada, undefined, agentId)
    await eventually(() => expect(app.fakes.openai.requests).toHaveLength(2))
    stopAllRuns()
    await pendingRun
    expect(await fetchSpentMicros('platform')).toBeGreaterThan(0)
    const calls = await db.selectFrom('model_calls').select(['failure', 'cost_micros']).orderBy('created_at').execute()
    expect(calls).toEqual([
      { failure: 'stopped', cost_micros: 0 },
      { failure: 'stopped', cost_micros: await fetchSpentMicros('platform') },
    ])
  })

  it('interrupted attempts cost money besides the successful one', async () => {
    const agentId = await createAgent('Retried', {
      model_settings: { model: 'gpt-4o', retry: { max_retries: 2, retry_delay_ms: 100 } },
    })
    const runWithScript = async (...script: string[]) => {
      app.fakes.openai.script(script)
      return (await runAgent(ada, undefined, agentId)).data.usage
    }
    const once = await runWithScript()
    const refused = await runWithScript('status-500', 'status-503')
    const broken = await runWithScript('body-cut', 'body-cut')
    expect(refused).toEqual(once)
    expect(once.estimated).toBe(false)
    expect(broken.estimated).toBe(true)
    const lostInputTokens = (broken.input_tokens - once.input_tokens) / 2
    expect(lostInputTokens).toBeGreaterThan(0)
    const costs = await app.services.db.selectFrom('model_calls').select('cost_micros').orderBy('cost_micros').execute()
    const [usual, maxCost] = [costs[0]?.cost_micros ?? 0, costs.at(-1)?.cost_micros]
    expect(maxCost).toBe(Math.round(usual + 2 * lostInputTokens * 2.5))
  })

  it('a changed price applies from the next run', async () => {
    const first = (await runAgent(ada)).data
    await cleo.call(usageCalls.setPrice, {
      body: { provider: 'openai', model: 'gpt-4o', input_usd: 100, output_usd: 1000 },
    })
    expect(first.usage.cost_usd).toBe(0.000273)
    expect((await runAgent(ada)).data.usage.cost_usd).toBe(0.0247)
    const storedRuns = await app.services.db
      .selectFrom('runs')
      .select('cost_micros')
      .where('id', '=', first.run_id)
      .execute()
    expect(storedRuns).toEqual([{ cost_micros: 273 }])
  })

  it('visitors use the owner’s key only if allowed and within the limit', async () => {
    await saveKeys(ada, 'openai')
    const getLastKey = () => String(app.fakes.openai.requests.at(-1)?.headers.authorization)
    await runAgent(app.visitor(), '192.0.2.1')
    expect(getLastKey()).toContain(canaryPlatformKeys.openai)
    const agentId = await createAgent('Generous', { visitors_spend_owner_key: true, visitor_daily_usd: 0.003 })
    expect((await runAgent(app.visitor(), '192.0.2.2', agentId)).status).toBe(200)
    expect(getLastKey()).toContain(canaryKeys.openai)
    let answer = await runAgent(app.visitor(), '192.0.2.3', agentId)
    for (let visitorNumber = 4; visitorNumber < 12 && answer.status === 200; visitorNumber++)
      answer = await runAgent(app.visitor(), `192.0.2.${visitorNumber}`, agentId)
    expect(answer).toMatchObject({
      status: 429,
      body: { error: 'This agent has answered all it can today. Come back tomorrow.' },
    })
    expect(await fetchSpentMicros(`agent:${agentId}`)).toBeLessThanOrEqual(3_000)
    expect(await fetchSpentMicros(`mine:${ada.id}`), 'the run counts for the owner').toBe(
      await fetchSpentMicros(`agent:${agentId}`),
    )
    expect((await runAgent(await app.as('ben'), undefined, agentId)).status, 'the budget limits only visitors').toBe(
      200,
    )
    await ada.call(keys.removePersonal, { params: { provider: 'openai' } })
  })
})
