import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { dayMs, minuteMs } from '#server/values/time-units.ts'
import { createTestAgent } from '#tests/create-test-agent.ts'
import { countRows } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import { createProviderApp } from '#tests/provider-app.ts'
import type { Actor } from '#tests/test-app.ts'
import { useApp } from '#tests/use-test-app.ts'

describe.each(engines)('visitor limits on %s', (engine) => {
  let leadId: string
  const { app } = useApp(() =>
    createProviderApp(engine, { keyless: true }, { KEEPER_TRUSTED_PROXIES: '1', KEEPER_VISITOR_RUNS_PER_DAY: '12' }),
  )
  beforeAll(async () => {
    const ada = await app.as('ada')
    const settings = { max_tokens: 32_000, retry: { max_retries: 10, retry_delay_ms: 100 } }
    const { id } = await createTestAgent(ada, {
      name: 'Open',
      agent_class: 'Lead',
      visibility: 'public',
      model_settings: settings,
    })
    leadId = id
  })
  // Starts a new day, so that no test spans two.
  beforeEach(() => app.passTime(dayMs - (app.services.now().getTime() % dayMs)))

  let address = 0
  const runAgent = (actor: Actor, input = 'hello', from = `203.0.113.${address}`) =>
    actor.call(agents.run, { body: { agentId: leadId, input }, headers: { 'x-forwarded-for': from } })
  const createVisitor = () => {
    address++
    return app.visitor()
  }

  /** Calls a provider that never answers; the accepted runs stop once all others were refused. */
  const runConcurrently = async (actor: Actor, { count, slotCount }: { count: number; slotCount: number }) => {
    app.fakes.openai.script(Array.from({ length: slotCount }, () => 'headers-never'))
    const statuses: number[] = []
    const previousCount = app.fakes.openai.requests.length
    const pending = Array.from({ length: count }, () => runAgent(actor).then(({ status }) => statuses.push(status)))
    await eventually(() =>
      expect({
        refusedCount: statuses.length,
        requestCount: app.fakes.openai.requests.length - previousCount,
      }).toEqual({ refusedCount: count - slotCount, requestCount: slotCount }),
    )
    for (const run of app.services.runs.list()) run.abortController.abort('stopped')
    await Promise.all(pending)
    return statuses
  }

  it('allows ten runs a minute, up to the daily limit', async () => {
    const visitor = createVisitor()
    const collectStatuses = async (count: number) => {
      const answers = []
      for (let index = 0; index < count; index++) answers.push(await runAgent(visitor))
      return answers
    }
    const first = await collectStatuses(11)
    expect(first.map((answer) => answer.status)).toEqual([...Array.from({ length: 10 }, () => 200), 429])
    expect(Number(first[10]?.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    app.passTime(minuteMs)
    const previousRequestCount = app.providerRequestCount()
    const second = await collectStatuses(4)
    expect(second.map((answer) => answer.status)).toEqual([200, 200, 429, 429])
    expect(app.providerRequestCount() - previousRequestCount, 'a refused run never reaches a provider').toBe(2)
    app.passTime(dayMs)
    expect((await runAgent(visitor)).status).toBe(200)
  })

  describe('the daily limit per agent', () => {
    const limitTo = (runCount: number) => {
      app.services.settings.limits.visitorRunsPerAgentPerDay = runCount
    }
    afterEach(() => limitTo(500))

    it('refuses the next visitor with a wait time, without calling a provider', async () => {
      limitTo(3)
      for (let index = 0; index < 3; index++) expect((await runAgent(createVisitor())).status).toBe(200)
      app.passTime(dayMs / 2)
      const previousRequestCount = app.providerRequestCount()
      const refused = await runAgent(createVisitor())
      expect(refused.status).toBe(429)
      expect(refused.body.error).toBe('Open has reached its daily limit for visitors. Try again tomorrow.')
      const waitSeconds = Number(refused.headers.get('retry-after'))
      expect(waitSeconds).toBeGreaterThan(dayMs / 2000 - 60)
      expect(waitSeconds).toBeLessThanOrEqual(dayMs / 2000)
      expect(app.providerRequestCount()).toBe(previousRequestCount)
      app.passTime(dayMs / 2)
      expect((await runAgent(createVisitor())).status).toBe(200)
    })

    it('doesn’t affect other agents or signed-in people', async () => {
      limitTo(1)
      const ada = await app.as('ada')
      const other = (await createTestAgent(ada, { name: 'Other', agent_class: 'Lead', visibility: 'public' })).id
      expect((await runAgent(createVisitor())).status).toBe(200)
      expect((await runAgent(createVisitor())).status).toBe(429)
      expect((await runAgent(ada)).status).toBe(200)
      const visitor = app.visitor()
      const input = { body: { agentId: other, input: 'hello' }, headers: { 'x-forwarded-for': '203.0.113.250' } }
      expect((await visitor.call(agents.run, input)).status).toBe(200)
    })

    it('doesn’t count runs that the visitor’s own limits refuse', async () => {
      limitTo(13)
      const visitor = createVisitor()
      for (let index = 0; index < 15; index++) await runAgent(visitor)
      for (let index = 0; index < 3; index++) expect((await runAgent(createVisitor())).status).toBe(200)
      expect((await runAgent(createVisitor())).status).toBe(429)
    })
  })

  it('allows two concurrent runs per visitor', async () => {
    const visitor = createVisitor()
    await visitor.call(agents.sessions)
    const previousRunCount = await countRows(app.services.db, 'runs')
    expect(await runConcurrently(visitor, { count: 8, slotCount: 2 })).toEqual([429, 429, 429, 429, 429, 429, 409, 409])
    expect(await countRows(app.services.db, 'runs')).toBe(previousRunCount + 2)
    expect((await runAgent(visitor)).status, 'the slots are free again').toBe(200)
  })

  it('limits an agent to twenty concurrent visitors, but not signed-in people', async () => {
    const visitors = Array.from({ length: 24 }, (_, index) => ({
      visitor: createVisitor(),
      from: `198.51.100.${index}`,
    }))
    app.fakes.openai.script(Array.from({ length: 20 }, () => 'headers-never'))
    const previousCount = app.fakes.openai.requests.length
    const refused: string[] = []
    const pending = visitors.map(async ({ visitor, from }) => {
      const answer = await runAgent(visitor, 'hello', from)
      if (answer.status === 429) refused.push(answer.text)
    })
    await eventually(() =>
      expect({
        refusedCount: refused.length,
        requestCount: app.fakes.openai.requests.length - previousCount,
      }).toEqual({ refusedCount: 4, requestCount: 20 }),
    )
    expect(refused[0]).toContain('Many people are asking Open')
    expect((await runAgent(await app.as('ada'))).status).toBe(200)
    for (const run of app.services.runs.list()) run.abortController.abort('stopped')
    await Promise.all(pending)
    expect((await runAgent(createVisitor())).status).toBe(200)
  })

  it('limits visitors without a cookie to twenty runs a minute per address', async () => {
    address++
    const statuses = []
    for (let index = 0; index < 22; index++) statuses.push((await runAgent(app.visitor())).status)
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429, 429])
    expect((await runAgent(app.visitor(), 'hello', '198.51.100.77')).status).toBe(200)
  })

  it('counts an IPv6 network as one address and ignores client claims', async () => {
    const statuses = []
    for (let index = 0; index < 21; index++)
      statuses.push((await runAgent(app.visitor(), 'hello', `1.2.3.${index}, 2001:db8:1:2:${index}::${index}`)).status)
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429])
    expect((await runAgent(app.visitor(), 'hello', '2001:db8:1:3::1')).status).toBe(200)
  })

  it('counts created sessions separately from runs', async () => {
    const visitor = createVisitor()
    const startSession = (actor = visitor) =>
      actor.call(agents.createSession, {
        body: { agentId: leadId },
        headers: { 'x-forwarded-for': `203.0.113.${address}` },
      })
    const statuses = []
    for (let index = 0; index < 11; index++) statuses.push((await startSession()).status)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429])
    expect((await runAgent(visitor)).status).toBe(200)
    for (let index = 0; index < 10; index++) await startSession(app.visitor())
    const previousSessionCount = await countRows(app.services.db, 'chat_sessions')
    expect((await startSession(app.visitor())).status).toBe(429)
    expect(await countRows(app.services.db, 'chat_sessions')).toBe(previousSessionCount)
  })

  it.each([
    [3999, 200],
    [4000, 200],
    [4001, 400],
  ])('a message of %i characters answers %i', async (length, status) => {
    const previousRequestCount = app.providerRequestCount()
    const answer = await runAgent(createVisitor(), 'x'.repeat(length))
    expect(answer.status).toBe(status)
    if (status === 400) {
      expect(answer.body.fields).toHaveProperty('input')
      expect(app.providerRequestCount()).toBe(previousRequestCount)
    }
  })

  it('caps visitors at 1,000 tokens and one retry', async () => {
    app.fakes.openai.requests.length = 0
    app.fakes.openai.script(['status-500', 'status-500', 'status-500'])
    expect((await runAgent(createVisitor())).status).toBe(502)
    expect(
      app.fakes.openai.requests.map(({ body }) => (body as { max_completion_tokens: number }).max_completion_tokens),
    ).toEqual([1000, 1000])
    const ada = await app.as('ada')
    await runAgent(ada)
    expect(app.fakes.openai.requests.at(-1)?.body).toMatchObject({ max_completion_tokens: 32_000 })
  })

  it('applies none of these limits to signed-in people', async () => {
    const ben = await app.as('ben')
    const answers = await Promise.all(Array.from({ length: 30 }, () => runAgent(ben)))
    expect(answers.every((answer) => answer.status === 200)).toBe(true)
    app.services.settings.limits.runsPerPerson = 3
    expect(await runConcurrently(ben, { count: 6, slotCount: 3 })).toEqual([429, 429, 429, 409, 409, 409])
    app.services.settings.limits.runsPerPerson = 256
  })
})
