import { beforeEach, describe, expect, it, vi } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { runs } from '#contract/agents/runs.ts'
import { openSession } from '#server/accounts/sessions.ts'
import { resetBreakers } from '#server/models/breaker.ts'
import { engines } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import { removeRequestId } from '#tests/remove-request-id.ts'
import { createSlowAgent, fullAnswer, type SlowAgent } from '#tests/slow-agent.ts'
import { type Actor, createTestApp, parseEvents } from '#tests/test-app.ts'
import { useApp } from '#tests/use-test-app.ts'

describe.each(engines)('following runs on %s', (engine) => {
  let scene: SlowAgent
  let agentId: string
  const createApp = async () => {
    scene = await createSlowAgent(engine)
    agentId = scene.agentId
    return scene.app
  }
  const { app, ada, ben } = useApp(createApp, ['ada', 'ben'])
  beforeEach(resetBreakers)

  const withoutSteps = (events: { event: string }[]) =>
    events.map(({ event }) => event).filter((event) => event !== 'span')
  const resume = (id: string, actor: Actor = ada) => actor.stream(runs.stream, { params: { runId: id } })

  it('stopping keeps the text in the row, the message and all streams', async () => {
    const { id } = await scene.startStuckRun()
    const following = resume(id)
    await new Promise((resolve) => setTimeout(resolve, 20))
    const answer = await scene.stop(id)
    expect({ status: answer.status, answer: answer.data }).toEqual({ status: 200, answer: { status: 'stopped' } })
    const row = await scene.readRun(id)
    expect(row).toMatchObject({ status: 'stopped', error_code: 'stopped', response: 'one two three', output: null })
    const { events } = await following
    expect(withoutSteps(events)).toEqual(['snapshot', 'usage', 'error'])
    expect(events.at(-1)?.data).toMatchObject({ code: 'stopped', response: 'one two three' })
    const messages = await ada.call(agents.messages, { query: { sessionId: row.session_id ?? '' } })
    expect(messages.data.map(({ sender, content, status }) => [sender, content, status])).toEqual([
      ['user', 'count', 'success'],
      ['agent', 'one two three', 'stopped'],
    ])
  })

  it('resuming a run streams its steps without long memory texts', async () => {
    const { id } = await scene.startStuckRun()
    const run = app.services.runs.find(id)
    const [span] = run?.spans ?? []
    const memory = [{ entity: 'card', id: 'c', title: 'A long one', text: 'é'.repeat(400_000) }]
    for (const name of ['a', 'b', 'c']) if (span) run?.spans.push({ ...span, id: name, name, memory, ended_ms: 1 })
    const following = resume(id)
    await new Promise((resolve) => setTimeout(resolve, 20))
    await scene.stop(id)
    const { events } = await following
    expect(events[0]?.event).toBe('snapshot')
    expect(events.at(-1)?.event).toBe('error')
    const spanEvents = events.filter(({ event, data }) => event === 'span' && data.name === 'b')
    expect(spanEvents[0]?.data.memory).toEqual([{ entity: 'card', id: 'c', title: 'A long one', text: '' }])
    expect(
      (await ada.call(runs.show, { params: { runId: id } })).data.spans.find(({ id }) => id === 'b')?.memory,
    ).toEqual(memory)
  })

  it('stopping a finished run changes nothing', async () => {
    const { data } = await ada.call(agents.run, { body: { agentId, input: 'count' } })
    const previousRow = await scene.readRun(data.run_id)
    expect((await scene.stop(data.run_id)).data).toEqual({ status: 'success' })
    expect(await scene.readRun(data.run_id)).toEqual(previousRow)
  })

  it('a stopped plain run answers 409 with its text so far', async () => {
    app.fakes.openai.script(['body-never'])
    const running = ada.call(agents.run, { body: { agentId, input: 'count' } })
    await eventually(() => expect(app.services.runs.size).toBe(1))
    const [run] = app.services.runs.list()
    await scene.stop(run?.id ?? '')
    const answer = await running
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 409, code: 'stopped' })
    expect(answer.body).toMatchObject({ data: { run_id: run?.id }, processing_time_ms: expect.any(Number) })
  })

  it('finished runs can be resumed, successful or not', async () => {
    const { data } = await ada.call(agents.run, { body: { agentId, input: 'count' } })
    const succeededRun = await resume(data.run_id)
    expect(succeededRun.events.map(({ event }) => event)).toEqual(['snapshot', 'usage', 'done'])
    expect(succeededRun.events.at(-1)?.data).toMatchObject({
      response: fullAnswer,
      usage: data.usage,
      model: data.model,
    })
    app.fakes.openai.script(['status-401'])
    const failed = await ada.call(agents.run, { body: { agentId, input: 'count' } })
    const failedRun = await resume(failed.data.run_id)
    expect(failedRun.events.map(({ event }) => event)).toEqual(['snapshot', 'usage', 'error'])
    expect(failedRun.events.at(-1)?.data).toMatchObject({ code: 'key-rejected', message: failed.body.error })
  })

  it('other people’s requests for a run respond like for an unknown id', async () => {
    const { id } = await scene.startStuckRun()
    const visitor = app.visitor()
    await visitor.call(agents.sessions)
    for (const [actor, endpoints] of [
      [ben, [runs.stream, runs.stop, runs.show]],
      [visitor, [runs.stream, runs.stop]],
    ] as const)
      for (const endpoint of endpoints) {
        const foreign = await actor.call(endpoint, { params: { runId: id } })
        const random = await actor.call(endpoint, { params: { runId: 'f'.repeat(32) } })
        expect(foreign.status).toBe(404)
        expect(removeRequestId(foreign.text)).toBe(removeRequestId(random.text))
      }
    expect(app.services.runs.find(id)?.abortController.signal.aborted).toBe(false)
    await scene.stop(id)
  })

  it('visitors can follow and stop only their own runs', async () => {
    const [visitor, otherVisitor] = [app.visitor(), app.visitor()]
    await Promise.all([visitor.call(agents.sessions), otherVisitor.call(agents.sessions)])
    app.services.settings.providers.openai.key = 'sk-environment0key0of0the0server'
    const { id } = await scene.startStuckRun(visitor)
    app.services.settings.providers.openai.key = null
    expect((await otherVisitor.call(runs.stream, { params: { runId: id } })).status).toBe(404)
    expect((await scene.stop(id, otherVisitor)).status).toBe(404)
    expect((await scene.stop(id, ada)).status).toBe(404)
    expect((await scene.stop(id, visitor)).data).toEqual({ status: 'stopped' })
    const { events } = await resume(id, visitor)
    expect(events.at(-1)?.data.message).toMatch(/^I apologize/)
  })

  it('a disconnecting reader ends neither the run nor other streams', async () => {
    const { id, reader } = await scene.startRun()
    const other = resume(id)
    await reader.cancel()
    const { events } = await other
    expect(events.at(-1)).toMatchObject({ event: 'done', data: { response: fullAnswer } })
    expect(await scene.readRun(id)).toMatchObject({ status: 'success', response: fullAnswer })
  })

  it('signing out ends only the session’s own streams', async () => {
    const { token } = await openSession(app.services, { id: ada.id, email: '', name: null, nickname: null })
    const { id, reader } = await scene.startStuckRun()
    const follow = (bearer: string | null) =>
      app.fetch(`/api/kip/runs/${id}/stream`, { headers: { authorization: `Bearer ${bearer}` } })
    const [ownStream, other] = [await follow(token), await follow(ada.token)]
    await app.fetch('/api/kam/auth/logout', { method: 'POST', headers: { authorization: `Bearer ${token}` } })
    const ownEvents = parseEvents(await ownStream.text()).map(({ event }) => event)
    expect(ownEvents).toContain('snapshot')
    expect(ownEvents).not.toContain('error')
    expect(app.services.runs.find(id)).toBeDefined()
    await scene.stop(id)
    expect(parseEvents(await other.text()).at(-1)?.event).toBe('error')
    await reader.cancel()
  })

  it('deleting the agent ends its run cleanly', async () => {
    const created = await ada.call(agents.create, {
      body: { name: 'Short-lived', purpose: 'p', model_provider: 'openai' },
    })
    const running = ada.stream(agents.run, { body: { agentId: created.data.id, input: 'count' } })
    await eventually(() => expect(app.services.runs.size).toBe(1))
    await ada.call(agents.remove, { body: { id: created.data.id } })
    const { events } = await running
    expect(events.filter(({ event }) => event === 'done' || event === 'error')).toHaveLength(1)
    expect(app.services.runs.size).toBe(0)
  })

  it('deleting the agent aborts the provider request', async () => {
    const body = { name: 'Deleted', purpose: 'p', visibility: 'public', agent_class: 'Lead' } as const
    const created = await ada.call(agents.create, { body })
    await eventually(() => expect(app.fakes.openai.getInFlightCount()).toBe(0))
    app.fakes.openai.script(['silent-mid'])
    const running = ada.stream(agents.run, { body: { agentId: created.data.id, input: 'count' } })
    await eventually(() => expect(app.services.runs.list().map((run) => run.response)).toEqual(['one two three']))
    await ada.call(agents.remove, { body: { id: created.data.id } })
    expect((await running).events.at(-1)?.event).toBe('error')
    await eventually(() => expect(app.fakes.openai.getInFlightCount()).toBe(0))
    expect(app.services.runs.size).toBe(0)
  })

  it('pages are notified only of the person’s own runs', async () => {
    const adaEvents: unknown[] = []
    const benEvents: unknown[] = []
    const unsubscribers = [
      app.services.live.subscribe(ada.id, (event) => adaEvents.push(event)),
      app.services.live.subscribe(ben.id, (event) => benEvents.push(event)),
    ]
    const { data } = await ada.call(agents.run, { body: { agentId, input: 'a secret wish' } })
    const details = { runId: data.run_id, agentId, sessionId: data.session_id }
    expect(adaEvents).toEqual([
      { type: 'run-started', ...details },
      { type: 'run-finished', ...details },
    ])
    expect(benEvents).toEqual([])
    for (const unsubscribe of unsubscribers) unsubscribe()
  })
})

describe.each(engines)('resuming a run on %s', (engine) => {
  it('sends everything so far in one event, then each update once', async () => {
    const pendingChunks: (() => void)[] = []
    const releaseChunks = async (count: number) => {
      for (let index = 0; index < count; index++) {
        await eventually(() => expect(pendingChunks).toHaveLength(1))
        pendingChunks.shift()?.()
      }
    }
    const app = await createTestApp(engine, {
      modelRuntime: { sleep: () => new Promise((resolve) => void pendingChunks.push(resolve)) },
    })
    const ada = await app.as('ada')
    const started = ada.stream(agents.run, { body: { agentId: 'kip', input: 'hello' } })
    await releaseChunks(3)
    await eventually(() => expect(app.services.runs.list()[0]?.response).toBe('This is a'))
    const [run] = app.services.runs.list()
    const messages = await ada.call(agents.messages, { query: { sessionId: run?.sessionId ?? '' } })
    expect(messages.data.at(-1), 'the message shows the text so far').toMatchObject({
      content: 'This is a',
      status: 'running',
    })
    const resumed = ada.stream(runs.stream, { params: { runId: run?.id ?? '' } })
    const followed = vi.spyOn(run ?? ({} as never), 'follow')
    await eventually(() => expect(followed).toHaveBeenCalled())
    const remaining = (async () => {
      while (app.services.runs.size > 0) {
        pendingChunks.shift()?.()
        await new Promise((resolve) => setImmediate(resolve))
      }
    })()
    const [first, second] = [await started, await resumed]
    await remaining
    const getText = ({ events }: typeof first) =>
      events.filter(({ event }) => event === 'text').map(({ data }) => data.delta)
    const fullText = getText(first).join('')
    expect(second.events[0]).toMatchObject({
      event: 'snapshot',
      data: { run_id: run?.id, response: 'This is a', tools: [] },
    })
    expect(`This is a${getText(second).join('')}`).toBe(fullText)
    expect(getText(second)).toHaveLength(getText(first).length - 3)
    for (const { events } of [first, second]) {
      expect(events.filter(({ event }) => event === 'done' || event === 'error')).toHaveLength(1)
      expect(events.at(-1)).toMatchObject({ event: 'done', data: { response: fullText, run_id: run?.id } })
    }
    await app.close()
  })

  it('succeeds even if the clock was corrected by months during the run', async () => {
    const scene = await createSlowAgent(engine)
    const { id, reader } = await scene.startRun()
    scene.app.passTime(90 * 24 * 60 * 60 * 1000)
    await scene.app.services.runs.find(id)?.finished
    await reader.cancel()
    expect(await scene.readRun(id)).toMatchObject({ status: 'success', execution_time_ms: 2 ** 31 - 1 })
    await scene.app.close()
  })
})
