import { beforeEach, describe, expect, it } from 'vitest'
import { type Agent, agents } from '#contract/agents/agents.ts'
import { type GoldenQuestion, goldenQuestions, maxGoldenQuestions } from '#contract/agents/golden-questions.ts'
import { engines } from '#tests/engines.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'

const withoutRequestId = (text: string) => text.replace(/"requestId":"\w+"/, '')

describe.each(engines)('golden questions on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'])
  let agent: Agent
  let number = 0
  beforeEach(async () => {
    agent = (await ada.call(agents.create, { body: { name: `Agent ${++number}`, purpose: 'Helps.' } })).data
  })

  const pair = { question: 'Where is the harbour?', expectation: 'At the quay' }
  const add = (body: object = pair, actor = ada, agentId = agent.id) =>
    actor.call(goldenQuestions.create, { params: { agentId }, body })
  const change = (questionId: string, body: object, ifMatch?: number) =>
    ada.call(goldenQuestions.update, {
      params: { agentId: agent.id, questionId },
      body,
      ...(ifMatch !== undefined && { ifMatch }),
    })
  const listed = async (actor = ada) => (await actor.call(goldenQuestions.list, { params: { agentId: agent.id } })).data

  it('the owner can add, list, update and delete them, oldest first', async () => {
    const first = (await add()).data
    expect(first).toEqual({
      id: expect.any(String),
      ...pair,
      judged_by: 'contains',
      source_run_id: null,
      created_at: expect.any(String),
      rev: 1,
    })
    app.passTime(5)
    const second = (await add({ question: ' Why? ', expectation: 'Because', judged_by: 'judged' })).data
    expect(await listed()).toEqual([first, { ...second, question: 'Why?', judged_by: 'judged' }])
    const changed = await change(first.id, { expectation: 'By the quay' })
    expect(changed.data).toEqual({ ...first, expectation: 'By the quay', rev: 2 })
    const params = { agentId: agent.id, questionId: first.id }
    expect((await ada.call(goldenQuestions.remove, { params })).status).toBe(200)
    expect((await ada.call(goldenQuestions.remove, { params })).status).toBe(404)
    expect((await listed()).map(({ id }) => id)).toEqual([second.id])
  })

  it('requires a question and an expectation, each with its own message', async () => {
    const answer = await add({ question: ' ', expectation: '' })
    expect(answer.status).toBe(400)
    expect(answer.body.fields).toEqual({
      question: 'Write the question.',
      expectation: 'Write what the answer must say.',
    })
  })

  it('a stale change is refused with both versions', async () => {
    const { id } = (await add()).data
    await change(id, { question: 'Theirs?' }, 1)
    const late = await change(id, { question: 'Mine?' }, 1)
    expect({ status: late.status, code: late.body.code }).toEqual({ status: 409, code: 'stale' })
    const { yours, current } = late.body.data as unknown as Record<'yours' | 'current', GoldenQuestion>
    expect({ yoursQuestion: yours.question, currentQuestion: current.question }).toEqual({
      yoursQuestion: 'Mine?',
      currentQuestion: 'Theirs?',
    })
    expect((await listed())[0]?.question).toBe('Theirs?')
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
    const answers = await Promise.all(Array.from({ length: 8 }, () => add()))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409, 409, 409, 409, 409])
    expect(answers.find(({ status }) => status === 409)?.body.error).toBe(
      'An agent can have at most 50 golden questions. Delete one first.',
    )
    expect((await listed()).length).toBe(maxGoldenQuestions)
  })

  it('adding to an agent deleted concurrently answers not found', async () => {
    const { db } = app.services
    const batch = db.batch.bind(db)
    db.batch = async (writes) => {
      db.batch = batch
      await db.deleteFrom('agents').where('id', '=', agent.id).execute()
      return batch(writes)
    }
    expect((await add()).status).toBe(404)
  })

  it('accepts only own runs of this agent as a source', async () => {
    const run = (await ada.call(agents.run, { body: { agentId: agent.id, input: 'hello' } })).data
    const created = await add({ ...pair, source_run_id: run.run_id })
    expect(created.data.source_run_id).toBe(run.run_id)
    await app.services.db.updateTable('agents').set({ visibility: 'public' }).where('id', '=', agent.id).execute()
    const createRun = async (actor: Actor, agentId: string) =>
      (await actor.call(agents.run, { body: { agentId, input: 'hello' } })).data.run_id
    const refused = await Promise.all([
      add({ ...pair, source_run_id: await createRun(ada, 'kip') }),
      add({ ...pair, source_run_id: await createRun(ben, agent.id) }),
      add({ ...pair, source_run_id: '0'.repeat(32) }),
    ])
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400])
    expect(new Set(refused.map(({ text }) => withoutRequestId(text))).size).toBe(1)
    expect((await listed()).length).toBe(1)
  })

  it('strangers find nothing, and viewers can’t access them', async () => {
    const { id } = (await add()).data
    const calls = (agentId: string) =>
      Promise.all([
        ben.call(goldenQuestions.list, { params: { agentId } }),
        add(pair, ben, agentId),
        ben.call(goldenQuestions.update, { params: { agentId, questionId: id }, body: { question: 'Mine?' } }),
        ben.call(goldenQuestions.remove, { params: { agentId, questionId: id } }),
        ben.call(goldenQuestions.run, { params: { agentId }, body: {} }),
        ben.call(goldenQuestions.runs, { params: { agentId } }),
      ])
    const texts = async (agentId: string) => (await calls(agentId)).map(({ text }) => withoutRequestId(text))
    expect(await texts(agent.id)).toEqual(await texts('0'.repeat(32)))
    await ada.call(agents.update, { body: { id: agent.id, visibility: 'public' } })
    expect((await calls(agent.id)).map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403])
    expect((await listed()).map(({ question }) => question)).toEqual([pair.question])
  })

  it('a mock run looks for the expected words and says so', async () => {
    await add({ ...pair, expectation: 'Where is the harbour?', judged_by: 'judged' })
    await add({ ...pair, judged_by: 'judged' })
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
    const { id } = (await add()).data
    const other = (await ada.call(agents.create, { body: { name: `Other ${number}`, purpose: 'Helps.' } })).data
    const params = { agentId: other.id, questionId: id }
    const answers = await Promise.all([
      ada.call(goldenQuestions.update, { params, body: { question: 'Elsewhere?' } }),
      ada.call(goldenQuestions.remove, { params }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([404, 404])
    expect((await listed())[0]?.question).toBe(pair.question)
  })
})
