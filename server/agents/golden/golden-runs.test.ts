import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { administration } from '#contract/administration/administration.ts'
import { type Agent, agents } from '#contract/agents/agents.ts'
import { type GoldenRun, goldenQuestions } from '#contract/agents/golden-questions.ts'
import { sharing } from '#contract/agents/sharing.ts'
import { keys } from '#contract/keys/keys.ts'
import { json } from '#server/db/database.ts'
import { createTestAgent } from '#tests/create-test-agent.ts'
import { engines } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import { createProviderApp, saveKeys } from '#tests/provider-app.ts'
import type { Actor } from '#tests/test-app.ts'
import { useApp } from '#tests/use-test-app.ts'
import { closeAbandonedGoldenRuns, interruptGoldenRuns } from './execute-golden-run.ts'

describe.each(engines)('golden runs on %s', (engine) => {
  let agent: Agent
  let afterMs = 0
  let maxConcurrent = 0
  let judgeReply = 'PASS It says so.'

  const { app, ada, ben } = useApp(
    () =>
      createProviderApp(engine, {
        answer: (prompt, { body }) => {
          maxConcurrent = Math.max(maxConcurrent, app.fakes.openai.getInFlightCount())
          const system = JSON.stringify(body)
          if (prompt.startsWith('<question>')) return { text: judgeReply }
          return { text: system.includes('Speaks loudly.') ? 'AT THE TOP  OF the hill' : 'At the quay', afterMs }
        },
      }),
    ['ada', 'ben'],
  )
  beforeAll(() => saveKeys(ada, 'openai'))
  beforeEach(async () => {
    afterMs = 0
    maxConcurrent = 0
    agent = await createTestAgent(ada, { model: 'gpt-4o', memory_enabled: true })
  })

  const addQuestion = (expectation: string, fields: object = {}) =>
    ada.call(goldenQuestions.create, {
      params: { agentId: agent.id },
      body: { question: 'Where is it?', expectation, ...fields },
    })
  const startGoldenRun = (changes?: object, actor = ada) =>
    actor.call(goldenQuestions.run, {
      params: { agentId: agent.id },
      body: changes ? { changes: { id: agent.id, ...changes } } : {},
    })
  const showGoldenRun = (goldenRunId: string, actor = ada) =>
    actor.call(goldenQuestions.showRun, { params: { agentId: agent.id, goldenRunId } })
  const waitForEnd = async (goldenRunId: string): Promise<GoldenRun> => {
    let run: GoldenRun | undefined
    await eventually(() => {
      void showGoldenRun(goldenRunId).then(({ data }) => {
        run = data
      })
      expect(run?.status).not.toBe('running')
      expect(run).toBeDefined()
    })
    return run as GoldenRun
  }
  /** Reads the row directly, because the requester may have lost access. */
  const waitForInterruption = (goldenRunId: string) =>
    eventually(async () => {
      const row = app.services.db.selectFrom('golden_runs').select('status').where('id', '=', goldenRunId)
      expect(await row.executeTakeFirst()).toEqual({ status: 'interrupted' })
    })
  const runToEnd = async (changes?: object) => waitForEnd((await startGoldenRun(changes)).data.id)
  const countRequests = () => app.fakes.openai.requests.length

  it('asks each question as an ordinary run outside any session', async () => {
    await addQuestion('at the  QUAY')
    await addQuestion('at the quay\nbehind the grey house')
    const run = await runToEnd()
    expect(run).toMatchObject({ status: 'done', base_version: 1, unsaved: false, passed: 1, total: 2 })
    const [first, second] = run.results
    expect(first).toMatchObject({
      question: 'Where is it?',
      judged_by: 'contains',
      before: null,
      after: { answer: 'At the quay', passed: true, reason: '', mock_mode: false, input_tokens: 17, output_tokens: 23 },
    })
    expect(second?.after).toMatchObject({ passed: false, reason: 'Not in the answer: “behind the grey house”.' })
    const row = await app.services.db
      .selectFrom('runs')
      .selectAll()
      .where('id', '=', first?.after?.run_id ?? '')
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ origin: 'golden', session_id: null, person_id: ada.id, overrides: null, agent_rev: 1 })
    expect(first?.after?.ms).toBe(row.execution_time_ms)
    const sessions = await app.services.db.selectFrom('chat_sessions').select('id').execute()
    expect(sessions).toEqual([])
    const summaries = (await ada.call(goldenQuestions.runs, { params: { agentId: agent.id } })).data
    const { results: _results, ...summary } = run
    expect(summaries).toEqual([summary])
  })

  it('compares unsaved changes with published answers and saves nothing', async () => {
    await addQuestion('at the quay')
    await addQuestion('at the top of the hill')
    const run = await runToEnd({ purpose: 'Speaks loudly.' })
    expect(run).toMatchObject({ status: 'done', unsaved: true, passed: 1, total: 2 })
    expect(run.results.map(({ before, after }) => [before?.passed, after?.passed])).toEqual([
      [true, false],
      [false, true],
    ])
    const logged = await app.services.db
      .selectFrom('runs')
      .select('overrides')
      .where('id', '=', run.results[0]?.after?.run_id ?? '')
      .executeTakeFirstOrThrow()
    expect(logged.overrides).toEqual({ purpose: 'Speaks loudly.' })
    const saved = (await ada.call(agents.byId, { query: { id: agent.id } })).data
    expect({ purpose: saved.purpose, rev: saved.rev }).toEqual({ purpose: 'Helps.', rev: 1 })
  })

  it('asks the published version only once', async () => {
    await addQuestion('at the quay')
    const published = await runToEnd()
    // Runs of other agents don't push its answers out.
    const other = await createTestAgent(ada)
    const { db } = app.services
    const row = await db.selectFrom('golden_runs').selectAll().where('id', '=', published.id).executeTakeFirstOrThrow()
    const [candidate, models, results] = [null, null, json([])]
    const laterRuns = Array.from({ length: 21 }, (_, index) => ({
      id: `${other.id}-${index}`,
      created_at: row.created_at + 1 + index,
    }))
    const rows = laterRuns.map((copy) => ({ ...row, ...copy, agent_id: other.id, candidate, models, results }))
    await db.insertInto('golden_runs').values(rows).execute()
    const previousCount = countRequests()
    const tried = await runToEnd({ purpose: 'Speaks loudly.' })
    expect(countRequests() - previousCount).toBe(1)
    expect(tried.results[0]?.before).toEqual(published.results[0]?.after)
    await ada.call(agents.update, {
      body: { id: agent.id, purpose: 'Speaks loudly.', golden_run_id: tried.id },
    })
    const next = await runToEnd({ purpose: 'Helps again.' })
    expect(next.base_version).toBe(2)
    expect(next.results[0]?.before, 'the tried version is now published').toEqual(tried.results[0]?.after)
    expect(countRequests() - previousCount).toBe(2)
  })

  it.each([
    { outcome: 'failed', script: ['status-400'], judged_by: 'contains' },
    { outcome: 'was a mock', script: [], judged_by: 'contains' },
    { outcome: 'could not be judged', script: ['ok', 'status-400'], judged_by: 'judged' },
    { outcome: 'was judged neither way', script: [], judged_by: 'judged' },
  ])('asks the published version again if its answer $outcome', async ({ outcome, script, judged_by }) => {
    await addQuestion('at the quay', { judged_by })
    app.fakes.openai.script(script)
    if (outcome === 'was judged neither way') judgeReply = 'Perhaps.'
    const { openai } = app.services.settings.providers
    const { baseUrl } = openai
    if (outcome === 'was a mock') {
      await ada.call(keys.removePersonal, { params: { provider: 'openai' } })
      openai.baseUrl = null
    }
    const published = await runToEnd()
    openai.baseUrl = baseUrl
    await saveKeys(ada, 'openai')
    judgeReply = 'PASS It says so.'
    expect(published.results[0]?.after).toMatchObject({ passed: false })
    const compared = await runToEnd({ purpose: 'Speaks loudly.' })
    expect(compared.results[0]?.before).toMatchObject({ answer: 'At the quay', passed: true, mock_mode: false })
    const previousCount = countRequests()
    const again = await runToEnd({ purpose: 'Speaks loudly.' })
    expect(again.results[0]?.before).toEqual(compared.results[0]?.before)
    expect(countRequests() - previousCount).toBe(judged_by === 'judged' ? 2 : 1)
  })

  it('asks an edited question again', async () => {
    const { id } = (await addQuestion('at the quay')).data
    await runToEnd()
    await ada.call(goldenQuestions.update, {
      params: { agentId: agent.id, questionId: id },
      body: { expectation: 'quay' },
    })
    expect((await runToEnd()).results[0]?.before).toBeNull()
  })

  it('refuses changes that could not be saved', async () => {
    await addQuestion('at the quay')
    const previousCount = countRequests()
    const answers = await Promise.all([
      startGoldenRun({ agent_class: 'Persona' }),
      startGoldenRun({ tools: ['no_such_tool'] }),
      startGoldenRun({ slug: 'No Slug' }),
      startGoldenRun({ agent_class: 'Coordinator', config: {} }),
    ])
    expect(answers.map(({ status, body }) => [status, Object.keys(body.fields ?? {})])).toEqual([
      [400, ['agent_class']],
      [400, ['tools']],
      [400, ['slug']],
      [400, ['config.bundle']],
    ])
    expect((await startGoldenRun({ status: 'error' })).status).toBe(409)
    expect(countRequests()).toBe(previousCount)
  })

  it('refuses to run without questions', async () => {
    const answer = await startGoldenRun()
    expect(answer).toMatchObject({
      status: 422,
      body: { error: 'There are no golden questions to ask. Add one first.' },
    })
  })

  it('asks two questions at a time and allows one run per person and agent', async () => {
    for (let index = 0; index < 5; index++) await addQuestion('at the quay')
    afterMs = 30
    const responses = await Promise.all([startGoldenRun(), startGoldenRun()])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409])
    const run = await waitForEnd(responses.find(({ status }) => status === 200)?.data.id ?? '')
    expect({ passed: run.passed, maxConcurrent }).toEqual({ passed: 5, maxConcurrent: 2 })
    expect((await runToEnd()).status, 'another run can start afterwards').toBe('done')
  })

  it('judges with the model at temperature 0, without the agent’s texts', async () => {
    await addQuestion('names a place', { judged_by: 'judged' })
    judgeReply = '**PASS.** It names the quay.'
    const passed = (await runToEnd()).results[0]?.after
    expect(passed).toMatchObject({ passed: true, reason: 'It names the quay.', answer: 'At the quay' })
    const judgeRequest = JSON.stringify(app.fakes.openai.requests.at(-1)?.body)
    expect(judgeRequest).toMatch(/"temperature":0[,}]/)
    expect(judgeRequest).not.toContain('Helps.')
    expect(passed?.judge_run_id).not.toBe(passed?.run_id)
    judgeReply = 'FAIL: no place is named'
    expect((await runToEnd()).results[0]?.after).toMatchObject({ passed: false, reason: 'no place is named' })
    judgeReply = 'Perhaps.'
    expect((await runToEnd()).results[0]?.after).toMatchObject({
      passed: false,
      reason: 'The judge said neither PASS nor FAIL.',
    })
  })

  it('a failed run fails only its own question and says why', async () => {
    await addQuestion('at the quay', { question: 'Where? [[fault:401-invalid-key]]' })
    await addQuestion('at the quay')
    const run = await runToEnd()
    expect(run).toMatchObject({ status: 'done', passed: 1, total: 2 })
    const failed = run.results.find(({ after }) => !after?.passed)?.after
    expect(failed?.reason).not.toBe('')
    expect(failed?.run_id).toEqual(expect.any(String))
  })

  it('stopping keeps the answers so far and aborts running ones', async () => {
    for (let index = 0; index < 4; index++) await addQuestion('at the quay')
    afterMs = 60_000
    const { id } = (await startGoldenRun()).data
    await eventually(() => expect(app.fakes.openai.getInFlightCount()).toBe(2))
    const previousCount = countRequests()
    const stopped = await ada.call(goldenQuestions.stopRun, { params: { agentId: agent.id, goldenRunId: id } })
    expect(stopped.data).toMatchObject({ status: 'stopped', finished_at: expect.any(String) })
    await eventually(() => expect(app.services.runs.size).toBe(0))
    expect(countRequests(), 'no further question is asked').toBe(previousCount)
    expect((await showGoldenRun(id)).data).toEqual(stopped.data)
    const again = await ada.call(goldenQuestions.stopRun, { params: { agentId: agent.id, goldenRunId: id } })
    expect(again.data.status).toBe('stopped')
  })

  it('is interrupted by a shutdown, and closed when its lease expires', async () => {
    await addQuestion('at the quay')
    afterMs = 60_000
    const { id } = (await startGoldenRun()).data
    await eventually(() => expect(app.services.runs.size).toBe(1))
    await interruptGoldenRuns(app.services)
    expect((await showGoldenRun(id)).data.status).toBe('interrupted')
    await app.services.db
      .updateTable('golden_runs')
      .set({ status: 'running', finished_at: null, lease_until: app.services.now().getTime() + 1000 })
      .where('id', '=', id)
      .execute()
    await closeAbandonedGoldenRuns(app.services)
    expect((await showGoldenRun(id)).data.status, 'its process may still be alive').toBe('running')
    app.passTime(2000)
    expect((await showGoldenRun(id)).data.status).toBe('interrupted')
    await closeAbandonedGoldenRuns(app.services)
    expect((await showGoldenRun(id)).data).toMatchObject({ status: 'interrupted', finished_at: expect.any(String) })
  })

  it('is hidden from other editors, because answers can contain keeper content', async () => {
    await ada.call(agents.update, { body: { id: agent.id, visibility: 'shared' } })
    const granted = { may_run: true, may_edit: true, may_share: false, may_delete: false }
    await app.services.db
      .insertInto('agent_grants')
      .values({ agent_id: agent.id, person_id: ben.id, ...granted, granted_by: ada.id, granted_at: 1 })
      .execute()
    await addQuestion('at the quay')
    const { id } = await runToEnd()
    const existing = await showGoldenRun(id, ben)
    const random = await showGoldenRun('0'.repeat(32), ben)
    expect(existing.status).toBe(404)
    expect(random.status).toBe(404)
    expect((await ben.call(goldenQuestions.runs, { params: { agentId: agent.id } })).data).toEqual([])
    afterMs = 200
    const adas = await startGoldenRun()
    const bens = (await startGoldenRun(undefined, ben)).data
    expect(adas.status).toBe(200)
    expect(bens.results[0]?.before).toBeNull()
    await waitForEnd(adas.data.id)
    await eventually(() => expect(app.services.runs.size).toBe(0))
  })

  it('is refused to editors who can’t run the agent', async () => {
    await ada.call(agents.update, { body: { id: agent.id, visibility: 'shared' } })
    const granted = { may_run: false, may_edit: true, may_share: false, may_delete: false }
    await app.services.db
      .insertInto('agent_grants')
      .values({ agent_id: agent.id, person_id: ben.id, ...granted, granted_by: ada.id, granted_at: 1 })
      .execute()
    await addQuestion('at the quay')
    const previousCount = countRequests()
    expect((await startGoldenRun(undefined, ben)).status).toBe(403)
    expect(countRequests()).toBe(previousCount)
  })

  it.each(['run', 'edit'] as const)(
    'stops asking when the requester keeps only the right to %s',
    async (remainingRight) => {
      await ada.call(agents.update, { body: { id: agent.id, visibility: 'shared' } })
      const grant = { params: { agentId: agent.id, personId: ben.id } }
      await ada.call(sharing.grant, { ...grant, body: { rights: ['run', 'edit'] } })
      for (let index = 0; index < 8; index++) await addQuestion('at the quay')
      await saveKeys(ben, 'openai')
      afterMs = 100
      const previousCount = countRequests()
      const { data } = await startGoldenRun(undefined, ben)
      await eventually(() => expect(countRequests()).toBe(previousCount + 2))
      await ada.call(sharing.grant, { ...grant, body: { rights: [remainingRight] } })
      await waitForInterruption(data.id)
      expect(countRequests() - previousCount).toBeLessThanOrEqual(4)
    },
  )

  const startDotsRun = async (dot: Actor, agentId: string) => {
    await saveKeys(dot, 'openai')
    const params = { agentId }
    for (let index = 0; index < 8; index++) {
      const body = { question: 'Where is it?', expectation: 'at the quay' }
      expect((await dot.call(goldenQuestions.create, { params, body })).status).toBe(200)
    }
    afterMs = 100
    const previousCount = countRequests()
    const { data } = await dot.call(goldenQuestions.run, { params, body: {} })
    await eventually(() => expect(countRequests()).toBe(previousCount + 2))
    return { id: data.id, countAsked: () => countRequests() - previousCount }
  }

  it('stops asking when the requester loses the role to edit built-in agents', async () => {
    const cleo = await app.as('cleo', ['super-admin'])
    const dot = await app.as('dot', ['super-admin'])
    await app.services.db.updateTable('agents').set({ owner_id: null }).where('id', '=', agent.id).execute()
    const run = await startDotsRun(dot, agent.id)
    const body = { userId: dot.id, roleName: 'super-admin' } as const
    expect((await cleo.call(administration.removeRole, { body })).status).toBe(200)
    await waitForInterruption(run.id)
    expect(run.countAsked()).toBeLessThanOrEqual(4)
  })

  it('stops asking when the requester is deactivated', async () => {
    const cleo = await app.as('cleo', ['super-admin'])
    const dot = await app.as('dot')
    const ownAgent = await createTestAgent(dot)
    const run = await startDotsRun(dot, ownAgent.id)
    expect((await cleo.call(administration.deactivate, { params: { id: dot.id } })).status).toBe(200)
    await waitForInterruption(run.id)
    expect(run.countAsked()).toBeLessThanOrEqual(4)
  })

  it('refuses changes that belong to another agent', async () => {
    await addQuestion('at the quay')
    const answer = await startGoldenRun({ id: 'another', purpose: 'Speaks loudly.' })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ fields: { 'changes.id': 'These changes belong to another agent.' } })
  })

  it('ends silently when the agent is deleted', async () => {
    await addQuestion('at the quay')
    afterMs = 60_000
    await startGoldenRun()
    await eventually(() => expect(app.services.runs.size).toBe(1))
    await ada.call(agents.remove, { body: { id: agent.id } })
    await eventually(() => expect(app.services.runs.size).toBe(0))
    expect(app.logLines.filter((line) => line.includes('golden run failed'))).toEqual([])
  })
})
