import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { apology, emptyAnswer } from '#contract/agents/answer-texts.ts'
import { keys } from '#contract/keys/keys.ts'
import { resetBreakers } from '#server/models/breaker.ts'
import { createTestAgent } from '#tests/create-test-agent.ts'
import { engines } from '#tests/engines.ts'
import { faults } from '#tests/fakes/model-providers/faults.ts'
import { startProviderFake } from '#tests/fakes/model-providers/start-provider-fake.ts'
import { type FaultOutcome, getFaultOutcomes } from '#tests/fault-outcomes.ts'
import { canaryKeys, createProviderApp } from '#tests/provider-app.ts'
import { useApp } from '#tests/use-test-app.ts'

const providers = ['openai', 'anthropic', 'together', 'elevenlabs'] as const
const expectedOutcomes = {
  openai: getFaultOutcomes('openai'),
  anthropic: getFaultOutcomes('anthropic'),
  together: getFaultOutcomes('together'),
  elevenlabs: getFaultOutcomes('elevenlabs'),
}
const silent = ['headers-never', 'body-never', 'slow-loris', 'pings-only']
const silentMidway = ['silent-mid', 'pings-mid']
const expectedNotes: Record<string, RegExp> = {
  'finish-length': /max_tokens/,
  // A message that only Anthropic sends.
  'finish-pause': /^$|pause_turn/,
  'finish-refusal': /content rules/,
  'finish-content-filter': /content rules/,
}
const canaryText = 'the walled garden behind the grey house'

// The faults are of providers, so one engine suffices.
describe.each(engines.slice(0, 1))('a run whose provider misbehaves on %s', (engine) => {
  const agentIds = { openai: '', anthropic: '', together: '', elevenlabs: '' }
  const { app, ada } = useApp(() => createProviderApp(engine, { slowMs: 5 }), ['ada'])
  beforeAll(async () => {
    for (const model_provider of providers) {
      await ada.call(keys.savePersonal, { body: { provider: model_provider, apiKey: canaryKeys[model_provider] } })
      const retry = { max_retries: 1, retry_delay_ms: 100 }
      const { id } = await createTestAgent(ada, {
        name: `Of ${model_provider}`,
        model_provider,
        model_settings: { retry },
        config: { voice_id: '21m00Tcm4TlvDq8ikWAM' },
      })
      agentIds[model_provider] = id
    }
  })
  beforeEach(resetBreakers)

  const countRuns = (agentId: string) =>
    app.services.db
      .selectFrom('runs')
      .select((select) => select.fn.countAll<number>().as('count'))
      .where('agent_id', '=', agentId)
      .executeTakeFirstOrThrow()
      .then(({ count }) => Number(count))

  async function runWith(provider: keyof typeof agentIds, input: string, { stream }: { stream: boolean }) {
    const agentId = agentIds[provider]
    const previousRunCount = await countRuns(agentId)
    const previousRequestCount = app.fakes[provider].requests.length
    const body = { agentId, input }
    const answer = stream ? await ada.stream(agents.run, { body }) : await ada.call(agents.run, { body })
    expect((await countRuns(agentId)) - previousRunCount, 'rows of one run').toBe(1)
    const runId = 'events' in answer ? answer.events[0]?.data.run_id : answer.data.run_id
    const row = await app.services.db
      .selectFrom('runs')
      .selectAll()
      .where('id', '=', String(runId))
      .executeTakeFirstOrThrow()
    return { answer, row, requestCount: app.fakes[provider].requests.length - previousRequestCount }
  }

  async function expectOutcome(
    provider: keyof typeof agentIds,
    input: string,
    { stream, expected }: { stream: boolean; expected: FaultOutcome },
  ) {
    const { answer, row, requestCount } = await runWith(provider, input, { stream })
    const { status, errorCode, attempts, http, hasText } = expected
    expect(row.status).toEqual(status)
    expect(row.error_code).toEqual(errorCode)
    expect(row.attempts).toEqual(attempts)
    expect(requestCount, 'requests that the provider received').toBe(attempts)
    if (status === 'success' && !hasText) expect(row.response).toBe(emptyAnswer)
    else expect(row.response !== '').toBe(hasText)
    expect(row.execution_time_ms).toBeGreaterThanOrEqual(0)
    expect(row).toMatchObject({ key_source: 'personal', mock_mode: false })
    expect(row.notes.join(' ')).toMatch(expectedNotes[/finish-[\w-]+/.exec(input)?.[0] ?? ''] ?? /^$/)

    const spans = await app.services.db
      .selectFrom('run_spans')
      .selectAll()
      .where('run_id', '=', row.id)
      .orderBy('position')
      .execute()
    const called = /finish-tool-calls(-many)?/.exec(input)
    const between = called ? Array.from({ length: called[1] ? 100 : 1 }, () => 'tool') : ['wait']
    expect(spans.map((span) => span.kind)).toEqual([
      'agent',
      ...Array.from({ length: attempts * 2 - 1 }, (_, index) => (index % 2 ? between : 'model')).flat(),
    ])
    expect(row.tools?.map(({ state }) => state) ?? []).toEqual(called ? between.map(() => 'failed') : [])
    expect(spans.every((span) => span.ended_ms !== null && span.ended_ms >= span.started_ms)).toBe(true)

    let visibleText: string
    if ('events' in answer) {
      expect(answer.status).toBe(200)
      const kinds = answer.events.map(({ event }) => event)
      const last = answer.events.at(-1)
      expect(kinds[0]).toBe('start')
      expect(kinds.filter((kind) => kind === 'done' || kind === 'error')).toEqual([
        status === 'success' ? 'done' : 'error',
      ])
      expect(last?.event).toBe(status === 'success' ? 'done' : 'error')
      const deltas = answer.events.filter(({ event }) => event === 'text').map(({ data }) => data.delta)
      expect(deltas.join('')).toBe(status === 'success' && !hasText ? '' : row.response)
      expect(last?.data).toMatchObject({
        run_id: row.id,
        response: row.response,
        processing_time_ms: expect.any(Number),
      })
      if (status !== 'success') expect(last?.data).toMatchObject({ code: errorCode, message: row.error })
      visibleText = JSON.stringify(answer.events)
    } else {
      expect(answer.status).toBe(http)
      expect(answer.body).toMatchObject({
        success: http === 200,
        data: { run_id: row.id, response: row.response },
        processing_time_ms: row.execution_time_ms,
      })
      if (http !== 200) expect(answer.body).toMatchObject({ code: errorCode, error: row.error })
      visibleText = answer.text
    }
    const stored = JSON.stringify([row, spans])
    for (const output of [visibleText, stored, app.logLines.join('')])
      for (const canary of [canaryKeys[provider], canaryKeys[provider].slice(7), 'org-FaKe'])
        expect(output).not.toContain(canary)
    for (const output of [row.error ?? '', app.logLines.join('')]) expect(output).not.toContain(canaryText)
  }

  it.each([...expectedOutcomes.openai.keys()])('%s', async (fault) => {
    // Short only where the timeout itself is tested, because this machine can be busy.
    app.services.modelRuntime.timeouts = {
      connectMs: 5000,
      firstByteMs: 10_000,
      idleMs: silentMidway.includes(fault) ? 1500 : 10_000,
      noProgressMs: silent.includes(fault) || fault === 'pings-mid' ? 400 : 60_000,
      maxMs: fault === 'slow-loris' ? 400 : 60_000,
    }
    const input = `Tell me about ${canaryText}. [[fault:${fault}]]`
    await Promise.all(
      // Providers differ before the database, so one is enough on the second engine.
      (engine === 'postgres' ? providers.slice(0, 1) : providers).map(async (provider) => {
        const expected = expectedOutcomes[provider].get(fault)
        for (const [delivery, outcome] of Object.entries(expected ?? {}))
          await expectOutcome(provider, input, { stream: delivery === 'stream', expected: outcome })
      }),
    )
  })

  it('covers every fake behavior with each provider, streamed and plain', () => {
    expect(Object.keys(faults).filter((fault) => !expectedOutcomes.openai.has(fault))).toEqual([])
    const cases = Object.values(expectedOutcomes).flatMap((providerOutcomes) =>
      [...providerOutcomes.values()].flatMap((outcomes) => Object.keys(outcomes)),
    )
    expect(cases.length).toBeGreaterThanOrEqual(300)
  })

  it.each([
    [
      'refuses the connection',
      async () => {
        const closedServer = await startProviderFake({ provider: 'openai' })
        await closedServer.close()
        return { baseUrl: closedServer.baseUrl, attempts: 2 }
      },
    ],
    ['has an unknown host name', async () => ({ baseUrl: 'http://no-such-host.invalid/v1', attempts: 2 })],
    [
      'shows an untrusted certificate',
      async () => {
        const fake = await startProviderFake({ provider: 'openai', untrustedTls: true })
        return { baseUrl: fake.baseUrl, attempts: 1, close: () => fake.close() }
      },
    ],
  ])('a provider that %s is never replaced by a mock', async (_, prepare) => {
    const { baseUrl, attempts, close } = (await prepare()) as {
      baseUrl: string
      attempts: number
      close?: () => Promise<void>
    }
    app.services.modelRuntime.timeouts = { connectMs: 5000, firstByteMs: 5000 }
    app.services.settings.providers.openai.baseUrl = baseUrl
    const { answer, row } = await runWith('openai', 'hello', { stream: false })
    app.services.settings.providers.openai.baseUrl = app.fakes.openai.baseUrl
    expect(answer.status).toBe(502)
    expect(row.status).toBe('error')
    expect(row.error_code).toBe('provider-unreachable')
    expect(row.attempts).toEqual(attempts)
    expect({ mock_mode: row.mock_mode, response: row.response }).toEqual({ mock_mode: false, response: '' })
    await close?.()
  })

  it('visitors see only the apology, streamed and plain', async () => {
    const visitor = app.visitor()
    for (const fault of ['status-401', 'status-429-quota', 'status-500']) {
      resetBreakers()
      const body = { agentId: 'kip', input: `hello [[fault:${fault}]]` }
      const plain = await visitor.call(agents.run, { body })
      expect(plain.status).toBe(502)
      expect(plain.body).toMatchObject({ error: apology, code: 'provider-failed' })
      expect(plain.text).not.toMatch(/OpenAI|sk-|credit|quota exceeded/)
      const { events } = await visitor.stream(agents.run, { body })
      expect(events.at(-1)).toMatchObject({ event: 'error', data: { message: apology, code: 'provider-failed' } })
    }
  })
})
