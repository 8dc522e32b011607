import type { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Agent, agents } from '#contract/agents/agents.ts'
import { goldenQuestions } from '#contract/agents/golden-questions.ts'
import { keys } from '#contract/keys/keys.ts'
import { json } from '#server/db/database.ts'
import { DatabaseBusy } from '#server/db/database-errors.ts'
import { engines } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import { canaryKeys, createProviderApp, type ProviderApp } from '#tests/provider-app.ts'
import type { Actor } from '#tests/test-app.ts'
import { interruptGoldenRuns } from './execute-golden-run.ts'

describe.each(engines)('golden run writes and requests on %s', (engine) => {
  let app: ProviderApp
  let ada: Actor
  let number = 0
  let afterMs = 60_000
  beforeAll(async () => {
    app = await createProviderApp(engine, { answer: () => ({ text: 'At the quay', afterMs }) })
    ada = await app.as('ada')
    for (const provider of ['openai', 'elevenlabs'] as const)
      await ada.call(keys.savePersonal, { body: { provider, apiKey: canaryKeys[provider] } })
  })
  afterAll(async () => {
    await interruptGoldenRuns(app.services)
    await app.close()
  })

  let agent: Agent
  beforeEach(async () => {
    agent = (await ada.call(agents.create, { body: { name: `Agent ${++number}`, purpose: 'Helps.' } })).data
    const body = { question: 'Where is it?', expectation: 'at the quay' }
    await ada.call(goldenQuestions.create, { params: { agentId: agent.id }, body })
  })
  const startGoldenRun = (changes?: object) =>
    ada.call(goldenQuestions.run, {
      params: { agentId: agent.id },
      body: changes ? { changes: { id: agent.id, ...changes } } : {},
    })

  it('only renews its lease while waiting for an answer', async () => {
    const { data } = await startGoldenRun()
    const row = () =>
      app.services.db
        .selectFrom('golden_runs')
        .select(['lease_until', 'results'])
        .where('id', '=', data.id)
        .executeTakeFirstOrThrow()
    await eventually(() => expect(app.fakes.openai.requests).toHaveLength(1))
    await app.services.db
      .updateTable('golden_runs')
      .set({ results: json([]) })
      .where('id', '=', data.id)
      .execute()
    const { lease_until } = await row()
    await eventually(async () => expect((await row()).lease_until).toBeGreaterThan(lease_until))
    expect((await row()).results).toEqual([])
    await ada.call(goldenQuestions.stopRun, { params: { agentId: agent.id, goldenRunId: data.id } })
  })

  it('refuses speaking agents, saved or changed, and sends nothing', async () => {
    const sent = app.requestCount()
    const refusal = [
      422,
      `Golden questions are for agents that answer in text. Choose a provider other than ElevenLabs for ${agent.name} and save it first.`,
    ]
    const speaks = { model_provider: 'elevenlabs', config: { voice_id: '21m00Tcm4TlvDq8ikWAM' } }
    const tried = await startGoldenRun(speaks)
    expect([tried.status, tried.body.error]).toEqual(refusal)
    await ada.call(agents.update, { body: { id: agent.id, ...speaks } as never })
    for (const changes of [undefined, { model_provider: 'openai' }]) {
      const { status, body } = await startGoldenRun(changes)
      expect([status, body.error]).toEqual(refusal)
    }
    const { data } = await ada.call(goldenQuestions.runs, { params: { agentId: agent.id } })
    expect({ data, requestCount: app.requestCount() }).toEqual({ data: [], requestCount: sent })
  })

  it('survives short database failures', async () => {
    afterMs = 0
    const sent = app.requestCount()
    const driver = app.services.db.engineDriver
    const { acquireConnection } = driver
    const failingStatements = [/^update "golden_runs" set "results"/, /"deactivated_at"/].flatMap((pattern) => [
      pattern,
      pattern,
    ])
    driver.acquireConnection = async () => {
      const connection = await acquireConnection.call(driver)
      const execute = connection.executeQuery.bind(connection)
      connection.executeQuery = (query: CompiledQuery) => {
        const at = failingStatements.findIndex((pattern) => pattern.test(query.sql))
        if (at === -1) return execute(query)
        failingStatements.splice(at, 1)
        return Promise.reject(new DatabaseBusy('away'))
      }
      return connection
    }
    const { data } = await startGoldenRun()
    await eventually(() => expect(failingStatements).toEqual([]))
    driver.acquireConnection = acquireConnection
    const params = { agentId: agent.id, goldenRunId: data.id }
    await eventually(async () => {
      const { data: run } = await ada.call(goldenQuestions.showRun, { params })
      expect(run).toMatchObject({ status: 'done', passed: 1, total: 1 })
    })
    expect(app.requestCount() - sent, 'nothing was asked twice').toBe(1)
  })
})
