import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Agent, agents } from '#contract/agents/agents.ts'
import { type GoldenRun, goldenQuestions } from '#contract/agents/golden-questions.ts'
import { models } from '#contract/agents/models.ts'
import { versions } from '#contract/agents/versions.ts'
import { keys } from '#contract/keys/keys.ts'
import { resetBreakers } from '#server/models/breaker.ts'
import { engines } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import { canaryKeys, createProviderApp, type ProviderApp } from '#tests/provider-app.ts'
import type { Actor } from '#tests/test-app.ts'

const candidates = ['gpt-4o-mini', 'gpt-5-mini']

describe.each(engines)('comparing models on %s', (engine) => {
  let app: ProviderApp
  let ada: Actor
  let ben: Actor
  let agent: Agent
  let number = 0
  let afterMs = 0

  beforeAll(async () => {
    app = await createProviderApp(engine, {
      answer: (_, { body }) => {
        const { model } = (body ?? {}) as { model?: string }
        return { text: model === 'gpt-5-mini' ? 'On the hill' : `At the quay, says ${model}`, afterMs }
      },
    })
    ada = await app.as('ada')
    ben = await app.as('ben')
    await ada.call(keys.savePersonal, { body: { provider: 'openai', apiKey: canaryKeys.openai } })
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    resetBreakers()
    afterMs = 0
    agent = await create({ model: 'gpt-4o' })
    await add('at the quay')
  })

  const create = async (fields: object) =>
    (await ada.call(agents.create, { body: { name: `Agent ${++number}`, purpose: 'Helps.', ...fields } })).data
  const add = (expectation: string) =>
    ada.call(goldenQuestions.create, {
      params: { agentId: agent.id },
      body: { question: 'Where is it?', expectation },
    })
  const compare = (compare_models: string[], { as = ada, changes }: { as?: Actor; changes?: object } = {}) =>
    as.call(goldenQuestions.run, {
      params: { agentId: agent.id },
      body: { compare_models, ...(changes && { changes: { id: agent.id, ...changes } }) },
    })
  const waitFor = async ({ id }: GoldenRun): Promise<GoldenRun> => {
    let run: GoldenRun | undefined
    await eventually(async () => {
      run = (await ada.call(goldenQuestions.showRun, { params: { agentId: agent.id, goldenRunId: id } })).data
      expect(run.status).not.toBe('running')
    })
    return run as GoldenRun
  }
  const runComparison = async (compare_models = candidates) => waitFor((await compare(compare_models)).data)
  const listRequestedModels = () =>
    app.fakes.openai.requests.flatMap(({ body }) => (body as { model?: string } | null)?.model ?? [])
  const load = async () => (await ada.call(agents.byId, { query: { id: agent.id } })).data

  it('compares the current model with one other', async () => {
    const run = await runComparison(['gpt-5-mini'])
    expect(run.models).toEqual({ before: 'gpt-4o', after: 'gpt-5-mini' })
    expect(run.results.map(({ before, after, second }) => [before?.passed, after?.passed, second])).toEqual([
      [true, false, null],
    ])
  })

  it('asks the old model and both candidates, and saves nothing', async () => {
    await add('at the quay\nbehind the grey house')
    const before = listRequestedModels().length
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
    expect(listRequestedModels().slice(before).sort()).toEqual(
      ['gpt-4o', 'gpt-4o', 'gpt-4o-mini', 'gpt-4o-mini', 'gpt-5-mini', 'gpt-5-mini'].sort(),
    )
    expect({ model: (await load()).model, rev: (await load()).rev }).toEqual({ model: 'gpt-4o', rev: 1 })
    const [summary] = (await ada.call(goldenQuestions.runs, { params: { agentId: agent.id } })).data
    expect(summary?.models).toEqual(run.models)
  })

  it('reuses earlier answers of the old model', async () => {
    const initial = await ada.call(goldenQuestions.run, { params: { agentId: agent.id }, body: {} })
    const published = await waitFor(initial.data)
    const before = listRequestedModels().length
    const run = await runComparison()
    expect(run.results[0]?.before).toEqual(published.results[0]?.after)
    expect(listRequestedModels().slice(before)).toEqual(candidates)
  })

  it('uses an earlier answer if the old model is unavailable', async () => {
    const initial = await ada.call(goldenQuestions.run, { params: { agentId: agent.id }, body: {} })
    const published = await waitFor(initial.data)
    await ada.call(agents.update, { body: { id: agent.id, name: `Renamed ${number}` } })
    app.fakes.openai.script(['status-400'])
    expect((await runComparison()).results[0]?.before).toEqual(published.results[0]?.after)
    // Another model's answer can't be used for comparison.
    await ada.call(agents.update, { body: { id: agent.id, model: 'gpt-4-turbo' } })
    app.fakes.openai.script(['status-400'])
    expect((await runComparison()).results[0]?.before).toMatchObject({ answer: '', passed: false })
  })

  it('never uses a fallback model for a compared one', async () => {
    const fallback_model = { provider: 'openai', model: 'gpt-4-turbo' }
    await ada.call(agents.update, { body: { id: agent.id, config: { fallback_model } } })
    app.fakes.openai.script(['ok', 'status-400', 'ok'])
    const before = listRequestedModels().length
    const [result] = (await runComparison()).results
    expect(listRequestedModels().slice(before)).toEqual(['gpt-4o', ...candidates])
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
    const before = listRequestedModels().length
    const next = await runComparison(['gpt-4o', 'gpt-5-mini'])
    expect(next.results[0]?.before, 'what was compared is now what is published').toEqual(run.results[0]?.second)
    expect(listRequestedModels().slice(before)).toEqual(['gpt-4o', 'gpt-5-mini'])
  })

  it('a comparison can be stopped and refuses a second one meanwhile', async () => {
    afterMs = 60_000
    const { data } = await compare(candidates)
    await eventually(() => expect(app.fakes.openai.answering()).toBe(1))
    expect((await compare(candidates)).status).toBe(409)
    const params = { agentId: agent.id, goldenRunId: data.id }
    expect((await ada.call(goldenQuestions.stopRun, { params })).data.status).toBe('stopped')
    await eventually(() => expect(app.services.runs.size).toBe(0))
  })

  it('compares only different models of an editable agent', async () => {
    const before = listRequestedModels().length
    const answers = await Promise.all([
      compare([]),
      compare(['gpt-4o-mini', 'gpt-4o-mini']),
      compare(['gpt-4o-mini', 'gpt-4o']),
      compare([...candidates, 'gpt-4-turbo']),
      compare(candidates, { changes: { purpose: 'Other.' } }),
      compare(candidates, { as: ben }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 404])
    expect(listRequestedModels().length).toBe(before)
  })

  it('the model list recommends replacements, none of them retiring', async () => {
    const { data } = await ada.call(models.list, { query: { provider: 'openai' } })
    expect(data.recommended).toHaveLength(3)
    expect(data.recommended[0]).toBe(data.default_model)
    expect(data.models).toEqual(expect.arrayContaining(data.recommended))
    expect(data.recommended).not.toContain('text-embedding-3-small')
  })

  it('an agent with a retiring model says whether models can be compared', async () => {
    const initial = await create({ model: 'gpt-3.5-turbo' })
    const withoutQuestions = await create({ model: 'gpt-3.5-turbo' })
    agent = initial
    await add('at the quay')
    const retiringAgents = (await ada.call(models.retiring)).data
    const canCompare = (id: string) => retiringAgents.find(({ agent_id }) => agent_id === id)?.can_compare
    expect({
      canCompareInitialId: canCompare(initial.id),
      canCompareWithoutQuestionsId: canCompare(withoutQuestions.id),
    }).toEqual({ canCompareInitialId: true, canCompareWithoutQuestionsId: false })
  })
})
