import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { goldenQuestions } from '#contract/agents/golden-questions.ts'
import { sharing } from '#contract/agents/sharing.ts'
import { usageCalls } from '#contract/agents/usage.ts'
import { keeperTypes } from '#contract/keepers/keeper-types.ts'
import { type Keeper, keepers } from '#contract/keepers/keepers.ts'
import { memoryCards } from '#contract/keepers/memory-cards.ts'
import { type MemoryCheck, type MemoryConsentInput, memoryChecks } from '#contract/keepers/memory-checks.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { sole } from '#contract/keepers/sole.ts'
import { keys } from '#contract/keys/keys.ts'
import type { Person } from '#server/accounts/person.ts'
import { listAgentsWithQuestions, startMemoryRuns } from '#server/agents/golden/memory-runs.ts'
import { resetBreakers } from '#server/models/breaker.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import { canaryKeys, createProviderApp } from '#tests/provider-app.ts'
import type { Actor } from '#tests/test-app.ts'
import { useApp } from '#tests/use-test-app.ts'

const oslo = 'He moved to Oslo in spring.'
const harmless = 'The lamp stays on at night.'

describe.each(engines)('approving a memory, on %s', (engine) => {
  let keeper: Keeper
  let agentId: string
  let delayMs = 0

  const { app, ada, ben } = useApp(
    () =>
      createProviderApp(engine, {
        answer: (prompt, { body }) => {
          const text = JSON.stringify(body ?? {})
          if (prompt.startsWith('<question>')) return { text: prompt.includes('in Oslo') ? 'FAIL Not Bergen.' : 'PASS' }
          return {
            text: text.includes('moved to Oslo') ? 'He lives in Oslo.' : 'He lives in Bergen.',
            afterMs: delayMs,
          }
        },
      }),
    ['ada', 'ben'],
  )
  beforeAll(async () => {
    await saveKeys()
  })
  beforeEach(async () => {
    resetBreakers()
    delayMs = 0
    const { db } = app.services
    for (const table of ['agents', 'keepers', 'golden_runs'] as const) await db.deleteFrom(table).execute()
    keeper = await createTestKeeper(ada)
    agentId = await createAgentForKeeper(ada)
    await addQuestion(ada, agentId)
  })

  async function saveKeys() {
    for (const actor of [ada, ben])
      await actor.call(keys.savePersonal, { body: { provider: 'openai', apiKey: canaryKeys.openai } })
  }
  async function createAgentForKeeper(actor: Actor, fields: object = {}) {
    const body = { name: 'Harbour friend', purpose: 'You help.', context_scope: 'keeper', ...fields } as never
    const { data } = await actor.call(agents.create, { body })
    await actor.call(keeperTypes.assign, { params: { agentId: data.id, keeperTypeId: 'system-journal' } })
    return data.id
  }
  const addQuestion = (actor: Actor, agent: string, fields: object = {}) =>
    actor.call(goldenQuestions.create, {
      params: { agentId: agent },
      body: { question: 'Where does he live?', expectation: 'Bergen', ...fields },
    })
  async function write(content: string, aiVisible = true) {
    return (await ada.call(reflections.create, { params: { id: keeper.id }, body: { content, aiVisible } })).data
  }
  const promote = (id: string, goldenCheck?: MemoryConsentInput) =>
    ada.call(reflections.promote, { params: { id }, ...(goldenCheck && { body: { goldenCheck } }) })
  const listCards = async () => (await ada.call(memoryCards.list, { params: { id: keeper.id }, query: {} })).data
  const start = (body: { entity: 'card' | 'reflection' | 'sole'; entityId?: string }, actor = ada) =>
    actor.call(memoryChecks.start, { params: { id: keeper.id }, body })
  const show = (id: string | null, actor = ada) => actor.call(memoryChecks.show, { params: { id: id ?? '' } })
  const waitFor = async ({ id }: MemoryCheck) => {
    let check: MemoryCheck | undefined
    await eventually(async () => {
      check = (await show(id)).data
      expect(check.status).toBe('done')
    })
    return check as MemoryCheck
  }
  const getCheck = ({ body }: { body: object }) => (body as { goldenCheck?: MemoryCheck }).goldenCheck
  const countRequests = () => app.fakes.openai.requests.filter(({ method }) => method === 'POST').length
  const loadGoldenRuns = () => app.services.db.selectFrom('runs').select('id').where('origin', '=', 'golden').execute()
  /** An imported card that an AI wrote. */
  async function importDraft(content: string) {
    const { data } = await promote((await write(content)).id, { skip: true })
    await app.services.db.updateTable('memory_cards').set({ state: 'draft' }).where('id', '=', data.id).execute()
    return data
  }
  const approveCard = (id: string, goldenCheck?: MemoryConsentInput) =>
    ada.call(memoryCards.update, { params: { id }, body: { state: 'active', ...(goldenCheck && { goldenCheck }) } })

  it('responds 409 to a changed answer until it is confirmed', async () => {
    const { id, rev } = await write(oslo)
    const refused = await promote(id)
    expect({ status: refused.status, code: refused.body.code }).toEqual({ status: 409, code: 'answers-changed' })
    const check = refused.data as unknown as MemoryCheck
    expect(check).toMatchObject({ status: 'done', total: 1, answered: 1, unasked: 0, agentNames: ['Harbour friend'] })
    expect(check.changed).toEqual([
      expect.objectContaining({
        agentId,
        question: 'Where does he live?',
        before: 'He lives in Bergen.',
        after: 'He lives in Oslo.',
        reason: 'Not in the answer: “Bergen”.',
      }),
    ])
    expect(await listCards()).toEqual([])
    const unchanged = (await ada.call(reflections.show, { params: { id } })).data
    expect({ promotedToMemoryCard: unchanged.promotedToMemoryCard, rev: unchanged.rev }).toEqual({
      promotedToMemoryCard: false,
      rev,
    })
    const requestsBefore = countRequests()
    expect((await promote(id, { checkId: check.id ?? '' })).status, 'a seen check is not confirmed').toBe(409)
    expect((await promote(id, { checkId: check.id ?? '', approveAnyway: true })).status).toBe(200)
    expect(countRequests(), 'the model is not called again').toBe(requestsBefore)
    expect(await listCards()).toHaveLength(1)
  })

  it('succeeds directly for unchanged answers, at the cost of one run', async () => {
    const { id } = await write(harmless)
    const requestsBefore = countRequests()
    const response = await promote(id)
    expect(response.status).toBe(200)
    expect(getCheck(response)).toMatchObject({
      total: 1,
      unasked: 0,
      changed: [],
    })
    expect(countRequests() - requestsBefore).toBe(1)
    const [run] = await loadGoldenRuns()
    const call = app.services.db
      .selectFrom('model_calls')
      .select('person_id')
      .where('run_id', '=', run?.id ?? '')
    expect(await call.executeTakeFirst()).toEqual({ person_id: ada.id })
  })

  it('accepts a confirmation for the same text and person only', async () => {
    const { id } = await write(oslo)
    const check = (await promote(id)).data as unknown as MemoryCheck
    const checkId = check.id ?? ''
    await ada.call(reflections.update, { params: { id }, body: { content: `${oslo} For good.` } })
    expect((await promote(id, { checkId, approveAnyway: true })).status).toBe(409)
    expect((await promote(id, { approveAnyway: true })).status).toBe(409)
    expect((await promote(id, { checkId: 'made-up', approveAnyway: true })).status).toBe(409)
    expect((await show(checkId, ben)).status).toBe(404)
    expect((await show('0'.repeat(32), ben)).status).toBe(404)
    expect(await listCards()).toEqual([])
    expect((await promote(id, { skip: true })).status, 'approved without a check').toBe(200)
  })

  it('asks for confirmation of an imported card, too', async () => {
    const { id } = await importDraft(oslo)
    const refused = await approveCard(id)
    expect(refused.body.code).toBe('answers-changed')
    expect((await ada.call(memoryCards.show, { params: { id } })).data.state).toBe('draft')
    const { id: checkId } = refused.data as unknown as MemoryCheck
    expect((await approveCard(id, { checkId: checkId ?? '', approveAnyway: true })).data.state).toBe('active')
    const requestsBefore = countRequests()
    const edited = await ada.call(memoryCards.update, { params: { id }, body: { content: `${oslo} Again.` } })
    expect(
      { status: edited.status, requests: countRequests() - requestsBefore },
      'an approved card is changed without a check',
    ).toEqual({ status: 200, requests: 0 })
  })

  it('checks a SOLE draft once for all statements, whole or in part', async () => {
    await ada.call(sole.submitDraft, {
      params: { id: keeper.id },
      body: { statements: [{ text: oslo }, { text: harmless }] },
    })
    const { data } = await ada.call(sole.versions, { params: { id: keeper.id }, query: {} })
    const [osloStatement, lampStatement] = data[0]?.statements ?? []
    const approve = (body: object = {}) => ada.call(sole.approve, { params: { id: keeper.id }, body })
    const countGoldenRuns = async () => (await loadGoldenRuns()).length
    const requestsBefore = await countGoldenRuns()
    const refused = await approve()
    expect({ status: refused.status, code: refused.body.code }).toEqual({ status: 409, code: 'answers-changed' })
    expect((await countGoldenRuns()) - requestsBefore, 'one run with the memory, one without').toBe(2)
    expect((await ada.call(keepers.show, { params: { id: keeper.id } })).data.sole).toBeNull()
    const checkId = (refused.data as unknown as MemoryCheck).id
    const part = await approve({ statementIds: [osloStatement?.id], goldenCheck: { checkId, approveAnyway: true } })
    expect(part.status, 'a part counts as another memory').toBe(409)
    expect((await approve({ statementIds: [lampStatement?.id] })).status).toBe(200)
  })

  it('runs the check in the background, with progress and stop', async () => {
    await addQuestion(ada, agentId, { question: 'And where else?', expectation: 'Bergen' })
    const { id } = await write(oslo)
    const startedCheck = await start({ entity: 'reflection', entityId: id })
    expect(startedCheck.data).toMatchObject({ status: 'running', total: 2, answered: 0 })
    const check = await waitFor(startedCheck.data)
    expect(check).toMatchObject({ answered: 2, unasked: 0 })
    expect(check.changed).toHaveLength(2)
    expect((await promote(id, { checkId: check.id ?? '' })).status).toBe(409)
    delayMs = 60_000
    const slow = (await start({ entity: 'reflection', entityId: id })).data
    await eventually(() => expect(app.fakes.openai.getInFlightCount()).toBe(2))
    const stopped = await ada.call(memoryChecks.stop, { params: { id: slow.id ?? '' } })
    expect(stopped.data).toMatchObject({ status: 'done', answered: 0, unasked: 2 })
    await eventually(() => expect(app.services.runs.size).toBe(0))
    expect(await listCards(), 'a check approves nothing').toEqual([])
  })

  it('treats a late answer as unanswered', async () => {
    delayMs = 60_000
    const person = { id: ada.id, permissions: new Set() } as unknown as Person
    const [agent] = await listAgentsWithQuestions(app.services, person)
    const limits = { maxQuestions: 3, timeoutMs: 100 }
    const runs = { checkId: 'too-slow', memoryHash: '', pendingMemory: [], agents: agent ? [agent] : [], ...limits }
    await (await startMemoryRuns(app.services, person, runs)).finished
    expect((await show('too-slow')).data).toMatchObject({ status: 'done', total: 1, answered: 0, unasked: 1 })
    expect(app.services.runs.size, 'its run is removed').toBe(0)
  })

  it('uses the verdict of a judging model', async () => {
    await app.services.db.deleteFrom('golden_questions').execute()
    await addQuestion(ada, agentId, { expectation: 'names Bergen', judged_by: 'judged' })
    const refused = await promote((await write(oslo)).id)
    expect({ status: refused.status, reason: (refused.data as unknown as MemoryCheck).changed[0]?.reason }).toEqual({
      status: 409,
      reason: 'Not Bergen.',
    })
    expect((await promote((await write(harmless)).id)).status).toBe(200)
  })

  it('ignores answers that failed before', async () => {
    await app.services.db.deleteFrom('golden_questions').execute()
    await addQuestion(ada, agentId, { expectation: 'Stavanger' })
    expect((await promote((await write(oslo)).id)).status).toBe(200)
  })

  it.each(['status-500', 'status-401', 'unreachable'])(
    'is not blocked by a provider failure (%s), which is reported',
    async (fault) => {
      await app.services.db.deleteFrom('golden_questions').execute()
      await addQuestion(ada, agentId, { question: `Where does he live? [[fault:${fault}]]` })
      const { openai } = app.services.settings.providers
      const { baseUrl } = openai
      if (fault === 'unreachable') openai.baseUrl = 'http://127.0.0.1:1/v1'
      const response = await promote((await write(oslo)).id)
      openai.baseUrl = baseUrl
      expect(response.status).toBe(200)
      expect(getCheck(response)).toMatchObject({ unasked: 1, changed: [] })
    },
  )

  it('gets mock answers without a key, which prove nothing', async () => {
    const { openai } = app.services.settings.providers
    const { baseUrl } = openai
    await ada.call(keys.removePersonal, { params: { provider: 'openai' } })
    openai.baseUrl = null
    const response = await promote((await write(oslo)).id)
    openai.baseUrl = baseUrl
    await saveKeys()
    expect({ status: response.status, unasked: getCheck(response)?.unasked }).toEqual({ status: 200, unasked: 1 })
  })

  it('asks no model without a budget, and approves', async () => {
    await ada.call(usageCalls.setBudget, { body: { scope: 'mine', limit_usd: 0 } })
    const requestsBefore = countRequests()
    const response = await promote((await write(oslo)).id)
    await ada.call(usageCalls.setBudget, { body: { scope: 'mine', limit_usd: null } })
    expect({
      status: response.status,
      unasked: getCheck(response)?.unasked,
      requests: countRequests() - requestsBefore,
    }).toEqual({ status: 200, unasked: 1, requests: 0 })
  })

  it.each([
    [
      'no agent has golden questions',
      async () => void (await app.services.db.deleteFrom('golden_questions').execute()),
    ],
    ['the agent reads no keeper', async () => void (await updateAgent({ context_scope: 'user_input' }))],
    ['the agent is not ready', async () => void (await updateAgent({ status: 'error' }))],
    [
      'the agent is assigned to another type',
      async () => void (await app.services.db.deleteFrom('agent_keeper_types').execute()),
    ],
  ])('asks nobody when %s', async (_, change) => {
    await change()
    const requestsBefore = countRequests()
    const { id } = await write(oslo)
    expect((await start({ entity: 'reflection', entityId: id })).data).toMatchObject({ id: null, total: 0 })
    const response = await promote(id)
    expect(response.status).toBe(200)
    expect(response.body).not.toHaveProperty('goldenCheck')
    expect(countRequests()).toBe(requestsBefore)
  })
  const updateAgent = (fields: object) => ada.call(agents.update, { body: { id: agentId, ...fields } as never })

  it('asks no model about a memory that is not for AI', async () => {
    const requestsBefore = countRequests()
    const { id } = await write(oslo, false)
    expect((await promote(id)).status).toBe(200)
    expect(countRequests() - requestsBefore).toBe(0)
  })

  it('never asks other people’s agents', async () => {
    await app.services.db.deleteFrom('agents').execute()
    const publicId = await createAgentForKeeper(ben, { visibility: 'public' })
    const sharedId = await createAgentForKeeper(ben, { visibility: 'shared', name: 'Shared' })
    for (const id of [publicId, sharedId]) await addQuestion(ben, id)
    await ben.call(sharing.grant, { params: { agentId: sharedId, personId: ada.id }, body: { rights: ['run'] } })
    const requestsBefore = countRequests()
    expect((await promote((await write(oslo)).id)).status).toBe(200)
    expect(countRequests() - requestsBefore).toBe(0)
  })

  it('asks at most 12 questions of 3 agents', async () => {
    for (let number = 0; number < 4; number++) {
      const id = await createAgentForKeeper(ada, { name: `Friend ${number}` })
      for (let question = 0; question < 6; question++)
        await addQuestion(ada, id, { question: `Where is it ${question}?` })
    }
    const check = await waitFor((await start({ entity: 'reflection', entityId: (await write(harmless)).id })).data)
    expect(check.total).toBe(12)
    expect(check.agentNames).toHaveLength(3)
  })

  it('does not wait for an agent that is already being checked', async () => {
    delayMs = 60_000
    const run = await ada.call(goldenQuestions.run, { params: { agentId }, body: {} })
    await eventually(() => expect(app.fakes.openai.getInFlightCount()).toBe(1))
    const response = await promote((await write(oslo)).id)
    expect({ status: response.status, unasked: getCheck(response)?.unasked }).toEqual({ status: 200, unasked: 1 })
    await ada.call(goldenQuestions.stopRun, { params: { agentId, goldenRunId: run.data.id } })
    await eventually(() => expect(app.services.runs.size).toBe(0))
  })

  it('check answers are not stored as answers of the saved agent', async () => {
    await promote((await write(oslo)).id)
    expect((await ada.call(goldenQuestions.runs, { params: { agentId } })).data).toEqual([])
    const { data } = await ada.call(goldenQuestions.run, { params: { agentId }, body: {} })
    expect(data.results[0]?.before).toBeNull()
    await eventually(() => expect(app.services.runs.size).toBe(0))
  })

  it('records the read of a memory that was only checked', async () => {
    const { id } = await write(oslo)
    await promote(id)
    const reads = app.services.db.selectFrom('memory_reads').select(['entity', 'entity_id', 'agent_id'])
    expect(await reads.where('entity_id', '=', id).execute()).toEqual([
      { entity: 'reflection', entity_id: id, agent_id: agentId },
    ])
  })
})
