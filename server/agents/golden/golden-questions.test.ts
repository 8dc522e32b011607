import type { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Agent, agents } from '#contract/agents/agents.ts'
import {
  type GoldenQuestion,
  type GoldenRun,
  goldenQuestions,
  maxGoldenQuestions,
} from '#contract/agents/golden-questions.ts'
import { models } from '#contract/agents/models.ts'
import { versions } from '#contract/agents/versions.ts'
import { json } from '#server/db/database.ts'
import { DatabaseBusy } from '#server/db/database-errors.ts'
import { resetBreakers } from '#server/models/breaker.ts'
import { createTestAgent } from '#tests/create-test-agent.ts'
import { engines } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import { createProviderApp, saveKeys } from '#tests/provider-app.ts'
import { removeRequestId } from '#tests/remove-request-id.ts'
import type { Actor } from '#tests/test-app.ts'
import { useApp, useTestApp } from '#tests/use-test-app.ts'
import { interruptGoldenRuns } from './execute-golden-run.ts'

describe.each(engines)('golden questions on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'])
  let agent: Agent
  beforeEach(async () => {
    agent = await createTestAgent(ada)
  })

  const pair = { question: 'Where is the harbour?', expectation: 'At the quay' }
  const addQuestion = (body: object = pair, actor = ada, agentId = agent.id) =>
    actor.call(goldenQuestions.create, { params: { agentId }, body })
  const updateQuestion = (questionId: string, body: object, ifMatch?: number) =>
    ada.call(goldenQuestions.update, {
      params: { agentId: agent.id, questionId },
      body,
      ...(ifMatch !== undefined && { ifMatch }),
    })
  const listQuestions = async (actor = ada) =>
    (await actor.call(goldenQuestions.list, { params: { agentId: agent.id } })).data

  it('the owner can add, list, update and delete golden questions, oldest first', async () => {
    const first = (await addQuestion()).data
    expect(first).toEqual({
      id: expect.any(String),
      ...pair,
      judged_by: 'contains',
      source_run_id: null,
      created_at: expect.any(String),
      rev: 1,
    })
    app.passTime(5)
    const second = (await addQuestion({ question: ' Why? ', expectation: 'Because', judged_by: 'judged' })).data
    expect(await listQuestions()).toEqual([first, { ...second, question: 'Why?', judged_by: 'judged' }])
    const changed = await updateQuestion(first.id, { expectation: 'By the quay' })
    expect(changed.data).toEqual({ ...first, expectation: 'By the quay', rev: 2 })
    const params = { agentId: agent.id, questionId: first.id }
    expect((await ada.call(goldenQuestions.remove, { params })).status).toBe(200)
    expect((await ada.call(goldenQuestions.remove, { params })).status).toBe(404)
    expect((await listQuestions()).map(({ id }) => id)).toEqual([second.id])
  })

  it('requires a question and an expectation, each with its own message', async () => {
    const answer = await addQuestion({ question: ' ', expectation: '' })
    expect(answer.status).toBe(400)
    expect(answer.body.fields).toEqual({
      question: 'Write the question.',
      expectation: 'Write what the answer must say.',
    })
  })

  it('a stale change is refused with both versions', async () => {
    const { id } = (await addQuestion()).data
    await updateQuestion(id, { question: 'Theirs?' }, 1)
    const staleUpdate = await updateQuestion(id, { question: 'Mine?' }, 1)
    expect({ status: staleUpdate.status, code: staleUpdate.body.code }).toEqual({ status: 409, code: 'stale' })
    const { yours, current } = staleUpdate.body.data as unknown as Record<'yours' | 'current', GoldenQuestion>
    expect(yours.question).toBe('Mine?')
    expect(current.question).toBe('Theirs?')
    expect((await listQuestions())[0]?.question).toBe('Theirs?')
  })

  it('limits an agent to fifty, even when added concurrently', async () => {
    const now = app.services.now().getTime()
    const rows = Array.from({ length: maxGoldenQuestions - 2 }, (_, index) => ({
      id: `${agent.id}-${index}`,
      agent_id: agent.id,
      question: 'q',
      expectation: 'e',
      judged_by: 'contains' as const,
      source_run_id: null,
      created_by: ada.id,
      created_at: now,
      updated_at: now,
    }))
    await app.services.db.insertInto('golden_questions').values(rows).execute()
    const answers = await Promise.all(Array.from({ length: 8 }, () => addQuestion()))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409, 409, 409, 409, 409])
    expect(answers.find(({ status }) => status === 409)?.body.error).toBe(
      'An agent can have at most 50 golden questions. Delete one first.',
    )
    expect((await listQuestions()).length).toBe(maxGoldenQuestions)
  })

  it('adding to an agent deleted concurrently answers not found', async () => {
    const { db } = app.services
    const batch = db.batch.bind(db)
    db.batch = async (writes) => {
      db.batch = batch
      await db.deleteFrom('agents').where('id', '=', agent.id).execute()
      return batch(writes)
    }
    expect((await addQuestion()).status).toBe(404)
  })

  it('accepts only own runs of this agent as a source', async () => {
    const run = (await ada.call(agents.run, { body: { agentId: agent.id, input: 'hello' } })).data
    const created = await addQuestion({ ...pair, source_run_id: run.run_id })
    expect(created.data.source_run_id).toBe(run.run_id)
    await app.services.db.updateTable('agents').set({ visibility: 'public' }).where('id', '=', agent.id).execute()
    const createRun = async (actor: Actor, agentId: string) =>
      (await actor.call(agents.run, { body: { agentId, input: 'hello' } })).data.run_id
    const refused = await Promise.all([
      addQuestion({ ...pair, source_run_id: await createRun(ada, 'kip') }),
      addQuestion({ ...pair, source_run_id: await createRun(ben, agent.id) }),
      addQuestion({ ...pair, source_run_id: '0'.repeat(32) }),
    ])
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400])
    expect(new Set(refused.map(({ text }) => removeRequestId(text))).size).toBe(1)
    expect((await listQuestions()).length).toBe(1)
  })

  it('strangers get not found, and viewers of the agent get forbidden', async () => {
    const { id } = (await addQuestion()).data
    const callAll = (agentId: string) =>
      Promise.all([
        ben.call(goldenQuestions.list, { params: { agentId } }),
        addQuestion(pair, ben, agentId),
        ben.call(goldenQuestions.update, { params: { agentId, questionId: id }, body: { question: 'Mine?' } }),
        ben.call(goldenQuestions.remove, { params: { agentId, questionId: id } }),
        ben.call(goldenQuestions.run, { params: { agentId }, body: {} }),
        ben.call(goldenQuestions.runs, { params: { agentId } }),
      ])
    const listTexts = async (agentId: string) => (await callAll(agentId)).map(({ text }) => removeRequestId(text))
    expect(await listTexts(agent.id)).toEqual(await listTexts('0'.repeat(32)))
    await ada.call(agents.update, { body: { id: agent.id, visibility: 'public' } })
    expect((await callAll(agent.id)).map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403])
    expect((await listQuestions()).map(({ question }) => question)).toEqual([pair.question])
  })

  it('a mock run looks for the expected words and says so', async () => {
    await addQuestion({ ...pair, expectation: 'Where is the harbour?', judged_by: 'judged' })
    await addQuestion({ ...pair, judged_by: 'judged' })
    const { id } = (await ada.call(goldenQuestions.run, { params: { agentId: agent.id }, body: {} })).data
    const params = { agentId: agent.id, goldenRunId: id }
    await expect.poll(async () => (await ada.call(goldenQuestions.showRun, { params })).data.status).toBe('done')
    const { results } = (await ada.call(goldenQuestions.showRun, { params })).data
    const mock = 'A mock can’t judge answers, so Keeper looked for the expected words.'
    expect(results.map(({ after }) => [after?.mock_mode, after?.passed, after?.reason, after?.judge_run_id])).toEqual([
      [true, true, mock, null],
      [true, false, `${mock} Not in the answer: “At the quay”.`, null],
    ])
  })

  it('finds a question only under its own agent', async () => {
    const { id } = (await addQuestion()).data
    const other = await createTestAgent(ada)
    const params = { agentId: other.id, questionId: id }
    const answers = await Promise.all([
      ada.call(goldenQuestions.update, { params, body: { question: 'Elsewhere?' } }),
      ada.call(goldenQuestions.remove, { params }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([404, 404])
    expect((await listQuestions())[0]?.question).toBe(pair.question)
  })
})

describe.each(engines)('golden run writes and requests on %s', (engine) => {
  let afterMs = 60_000
  const { app, ada } = useApp(
    () => createProviderApp(engine, { answer: () => ({ text: 'At the quay', afterMs }) }),
    ['ada'],
  )
  beforeAll(() => saveKeys(ada, 'openai', 'elevenlabs'))
  afterAll(() => interruptGoldenRuns(app.services))

  let agent: Agent
  beforeEach(async () => {
    agent = await createTestAgent(ada)
    const body = { question: 'Where is it?', expectation: 'at the quay' }
    await ada.call(goldenQuestions.create, { params: { agentId: agent.id }, body })
  })
  const startGoldenRun = (changes?: object) =>
    ada.call(goldenQuestions.run, {
      params: { agentId: agent.id },
      body: changes ? { changes: { id: agent.id, ...changes } } : {},
    })

  it('a golden run only renews its lease while waiting for an answer', async () => {
    const { data } = await startGoldenRun()
    const fetchRow = () =>
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
    const { lease_until } = await fetchRow()
    await eventually(async () => expect((await fetchRow()).lease_until).toBeGreaterThan(lease_until))
    expect((await fetchRow()).results).toEqual([])
    await ada.call(goldenQuestions.stopRun, { params: { agentId: agent.id, goldenRunId: data.id } })
  })

  it('an agent with a voice provider, saved or unsaved, is refused and sends nothing', async () => {
    const previousCount = app.providerRequestCount()
    const refusal = {
      status: 422,
      error: `Golden questions are for agents that answer in text. Choose a provider other than ElevenLabs for ${agent.name} and save it first.`,
    }
    const speaks = { model_provider: 'elevenlabs', config: { voice_id: '21m00Tcm4TlvDq8ikWAM' } }
    const unsavedRun = await startGoldenRun(speaks)
    expect({ status: unsavedRun.status, error: unsavedRun.body.error }).toEqual(refusal)
    await ada.call(agents.update, { body: { id: agent.id, ...speaks } as never })
    for (const changes of [undefined, { model_provider: 'openai' }]) {
      const { status, body } = await startGoldenRun(changes)
      expect({ status, error: body.error }).toEqual(refusal)
    }
    const { data } = await ada.call(goldenQuestions.runs, { params: { agentId: agent.id } })
    expect({ data, requestCount: app.providerRequestCount() }).toEqual({ data: [], requestCount: previousCount })
  })

  it('a golden run survives short database failures', async () => {
    afterMs = 0
    const previousCount = app.providerRequestCount()
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
        const index = failingStatements.findIndex((pattern) => pattern.test(query.sql))
        if (index === -1) return execute(query)
        failingStatements.splice(index, 1)
        return Promise.reject(new DatabaseBusy('busy'))
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
    expect(app.providerRequestCount() - previousCount, 'one request per question').toBe(1)
  })
})

const candidates = ['gpt-4o-mini', 'gpt-5-mini']

describe.each(engines)('comparing models on %s', (engine) => {
  let agent: Agent
  let afterMs = 0
  const { app, ada, ben } = useApp(
    () =>
      createProviderApp(engine, {
        answer: (_, { body }) => {
          const { model } = (body ?? {}) as { model?: string }
          return { text: model === 'gpt-5-mini' ? 'On the hill' : `At the quay, says ${model}`, afterMs }
        },
      }),
    ['ada', 'ben'],
  )
  beforeAll(() => saveKeys(ada, 'openai'))
  beforeEach(async () => {
    resetBreakers()
    afterMs = 0
    agent = await createTestAgent(ada, { model: 'gpt-4o' })
    await addQuestion('at the quay')
  })

  const addQuestion = (expectation: string) =>
    ada.call(goldenQuestions.create, {
      params: { agentId: agent.id },
      body: { question: 'Where is it?', expectation },
    })
  const compare = (compare_models: string[], { as = ada, changes }: { as?: Actor; changes?: object } = {}) =>
    as.call(goldenQuestions.run, {
      params: { agentId: agent.id },
      body: { compare_models, ...(changes && { changes: { id: agent.id, ...changes } }) },
    })
  const waitForGoldenRun = async ({ id }: GoldenRun): Promise<GoldenRun> => {
    let run: GoldenRun | undefined
    await eventually(async () => {
      run = (await ada.call(goldenQuestions.showRun, { params: { agentId: agent.id, goldenRunId: id } })).data
      expect(run.status).not.toBe('running')
    })
    return run as GoldenRun
  }
  const runPublished = async () =>
    waitForGoldenRun((await ada.call(goldenQuestions.run, { params: { agentId: agent.id }, body: {} })).data)
  const runComparison = async (compare_models = candidates) => waitForGoldenRun((await compare(compare_models)).data)
  const listRequestedModels = () =>
    app.fakes.openai.requests.flatMap(({ body }) => (body as { model?: string } | null)?.model ?? [])
  const fetchAgent = async () => (await ada.call(agents.byId, { query: { id: agent.id } })).data

  it('compares the current model with one other', async () => {
    const run = await runComparison(['gpt-5-mini'])
    expect(run.models).toEqual({ before: 'gpt-4o', after: 'gpt-5-mini' })
    expect(run.results.map(({ before, after, second }) => [before?.passed, after?.passed, second])).toEqual([
      [true, false, null],
    ])
  })

  it('asks the old model and both candidates, and saves nothing', async () => {
    await addQuestion('at the quay\nbehind the grey house')
    const previousCount = listRequestedModels().length
    const run = await runComparison()
    expect(run).toMatchObject({
      status: 'done',
      unsaved: true,
      models: { before: 'gpt-4o', after: 'gpt-4o-mini', second: 'gpt-5-mini' },
      passed: 1,
      total: 2,
    })
    const verdicts = run.results.map((result) =>
      [result.before, result.after, result.second].map((answer) => [answer?.answer, answer?.passed]),
    )
    expect(verdicts).toEqual([
      [
        ['At the quay, says gpt-4o', true],
        ['At the quay, says gpt-4o-mini', true],
        ['On the hill', false],
      ],
      [
        ['At the quay, says gpt-4o', false],
        ['At the quay, says gpt-4o-mini', false],
        ['On the hill', false],
      ],
    ])
    for (const answer of run.results.flatMap(({ before, after, second }) => [before, after, second]))
      expect(answer).toMatchObject({ cost_usd: expect.any(Number), ms: expect.any(Number), mock_mode: false })
    expect(listRequestedModels().slice(previousCount).sort()).toEqual(
      ['gpt-4o', 'gpt-4o', 'gpt-4o-mini', 'gpt-4o-mini', 'gpt-5-mini', 'gpt-5-mini'].sort(),
    )
    expect({ model: (await fetchAgent()).model, rev: (await fetchAgent()).rev }).toEqual({ model: 'gpt-4o', rev: 1 })
    const [summary] = (await ada.call(goldenQuestions.runs, { params: { agentId: agent.id } })).data
    expect(summary?.models).toEqual(run.models)
  })

  it('reuses earlier answers of the old model', async () => {
    const published = await runPublished()
    const previousCount = listRequestedModels().length
    const run = await runComparison()
    expect(run.results[0]?.before).toEqual(published.results[0]?.after)
    expect(listRequestedModels().slice(previousCount)).toEqual(candidates)
  })

  it('uses an earlier answer if the old model is unavailable', async () => {
    const published = await runPublished()
    await ada.call(agents.update, { body: { id: agent.id, name: 'Renamed' } })
    app.fakes.openai.script(['status-400'])
    expect((await runComparison()).results[0]?.before).toEqual(published.results[0]?.after)
    // Another model's answer can't be used for comparison.
    await ada.call(agents.update, { body: { id: agent.id, model: 'gpt-4-turbo' } })
    app.fakes.openai.script(['status-400'])
    expect((await runComparison()).results[0]?.before).toMatchObject({ answer: '', passed: false })
  })

  it('a compared model is never replaced by the fallback model', async () => {
    const fallback_model = { provider: 'openai', model: 'gpt-4-turbo' }
    await ada.call(agents.update, { body: { id: agent.id, config: { fallback_model } } })
    app.fakes.openai.script(['ok', 'status-400', 'ok'])
    const previousCount = listRequestedModels().length
    const [result] = (await runComparison()).results
    expect(listRequestedModels().slice(previousCount)).toEqual(['gpt-4o', ...candidates])
    expect(result?.after).toMatchObject({ answer: '', passed: false })
    expect(result?.after?.reason).not.toBe('')
  })

  it('a version created by a switch shows its own model’s results', async () => {
    const run = await runComparison(['gpt-5-mini', 'gpt-4o-mini'])
    expect({ passed: run.passed, total: run.total }).toEqual({ passed: 0, total: 1 })
    const body = { id: agent.id, model: 'gpt-4o-mini', golden_run_id: run.id }
    const { data: switched } = await ada.call(agents.update, { body, ifMatch: 1 })
    expect({ model: switched.model, rev: switched.rev }).toEqual({ model: 'gpt-4o-mini', rev: 2 })
    const { items } = (await ada.call(versions.list, { params: { agentId: agent.id }, query: {} })).data
    expect(items[0]?.golden).toEqual({ passed: 1, total: 1 })
    const previousCount = listRequestedModels().length
    const next = await runComparison(['gpt-4o', 'gpt-5-mini'])
    expect(next.results[0]?.before, 'the results of the chosen model become the published results').toEqual(
      run.results[0]?.second,
    )
    expect(listRequestedModels().slice(previousCount)).toEqual(['gpt-4o', 'gpt-5-mini'])
  })

  it('a comparison can be stopped and refuses a second one until it ends', async () => {
    afterMs = 60_000
    const { data } = await compare(candidates)
    await eventually(() => expect(app.fakes.openai.getInFlightCount()).toBe(1))
    expect((await compare(candidates)).status).toBe(409)
    const params = { agentId: agent.id, goldenRunId: data.id }
    expect((await ada.call(goldenQuestions.stopRun, { params })).data.status).toBe('stopped')
    await eventually(() => expect(app.services.runs.size).toBe(0))
  })

  it('compares only different models of an editable agent', async () => {
    const previousCount = listRequestedModels().length
    const answers = await Promise.all([
      compare([]),
      compare(['gpt-4o-mini', 'gpt-4o-mini']),
      compare(['gpt-4o-mini', 'gpt-4o']),
      compare([...candidates, 'gpt-4-turbo']),
      compare(candidates, { changes: { purpose: 'Other.' } }),
      compare(candidates, { as: ben }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 404])
    expect(listRequestedModels().length).toBe(previousCount)
  })

  it('the model list recommends replacements, none of them retiring', async () => {
    const { data } = await ada.call(models.list, { query: { provider: 'openai' } })
    expect(data.recommended).toHaveLength(3)
    expect(data.recommended[0]).toBe(data.default_model)
    expect(data.models).toEqual(expect.arrayContaining(data.recommended))
    expect(data.recommended).not.toContain('text-embedding-3-small')
  })

  it('an agent with a retiring model says whether models can be compared', async () => {
    const initial = await createTestAgent(ada, { model: 'gpt-3.5-turbo' })
    const withoutQuestions = await createTestAgent(ada, { model: 'gpt-3.5-turbo' })
    agent = initial
    await addQuestion('at the quay')
    const retiringAgents = (await ada.call(models.retiring)).data
    const canCompare = (id: string) => retiringAgents.find(({ agent_id }) => agent_id === id)?.can_compare
    expect(canCompare(initial.id)).toBe(true)
    expect(canCompare(withoutQuestions.id)).toBe(false)
  })
})
