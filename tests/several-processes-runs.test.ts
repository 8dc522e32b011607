import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { runs } from '#contract/agents/runs.ts'
import { live } from '#contract/live/live-events.ts'
import { engines } from './engines.ts'
import { eventually } from './eventually.ts'
import {
  callProcess,
  type KeeperProcess,
  type ProcessCaller,
  type ProcessStream,
  startServerProcess,
  streamFromProcess,
} from './several-processes-world.ts'
import { expectSoon, getEventTypes, startTwoProcesses } from './two-processes.ts'

describe.runIf(engines.includes('postgres'))('runs of two server processes on one PostgreSQL', () => {
  let agentId: string
  let world: Awaited<ReturnType<typeof startTwoProcesses>>
  beforeAll(async () => {
    world = await startTwoProcesses()
    const { one, two, ada } = world
    const eventStream = await streamFromProcess(two, ada, live.events)
    const created = await callProcess(one, ada, agents.create, {
      body: { name: 'Slow', purpose: 'p', memory_enabled: true },
    })
    agentId = created.data.id
    await eventually(() => expect(getEventTypes(eventStream)).toContain('agents-changed'))
    await eventStream.close()
  }, 60_000)
  afterAll(async () => {
    expect(await world?.close()).toBe('')
  }, 40_000)

  const startRun = (process: KeeperProcess, caller: ProcessCaller, overrides = {}) =>
    streamFromProcess(process, caller, agents.run, { body: { agentId, input: 'Count.', ...overrides } })
  const waitForRunId = async (stream: ProcessStream) => {
    await expectSoon(() => stream.events().length, 5000).toBeGreaterThan(2)
    return String(stream.events()[0]?.data.run_id)
  }
  const getOutcomes = (stream: ProcessStream) =>
    stream.events().filter(({ event }) => event === 'done' || event === 'error')
  const getText = (stream: ProcessStream) =>
    stream.events().reduce((text, { event, data }) => {
      if (event === 'snapshot') return String(data.response)
      return event === 'text' ? text + String(data.delta) : text
    }, '')

  it('a run streams to its owner from the other process, with a single end', async () => {
    const { provider, answerWords, one, two, ada, ben } = world
    const first = await startRun(one, ada)
    const runId = await waitForRunId(first)
    await new Promise((resolve) => setTimeout(resolve, 300))
    const resumed = await streamFromProcess(two, ada, runs.stream, { params: { runId } })
    const secondResumed = await streamFromProcess(two, ada, runs.stream, { params: { runId } })
    expect((await streamFromProcess(two, ben, runs.stream, { params: { runId } })).status).toBe(404)
    await expectSoon(() => resumed.events()[0]?.event).toBe('snapshot')
    await expectSoon(() => getText(resumed).length, 1500).toBeGreaterThan(0)
    expect(getOutcomes(resumed), 'streamed, not sent at the end').toEqual([])
    await Promise.all([first.finished, resumed.finished, secondResumed.finished])
    for (const stream of [first, resumed, secondResumed]) {
      expect(getOutcomes(stream).map(({ event, data }) => [event, data.response])).toEqual([
        ['done', answerWords.join(' ')],
      ])
      expect(getText(stream)).toBe(answerWords.join(' '))
    }
    expect(resumed.events().filter(({ event }) => event === 'text').length).toBeGreaterThan(2)
    expect(provider.requests.filter(({ path }) => path.endsWith('/chat/completions'))).toHaveLength(1)
  })

  it('the other process stops a run right away, keeping its text; only the owner can', async () => {
    const { provider, answerWords, one, two, ada, ben } = world
    const stream = await startRun(one, ada)
    const runId = await waitForRunId(stream)
    expect((await callProcess(two, ben, runs.stop, { params: { runId } })).status).toBe(404)
    expect(getOutcomes(stream)).toEqual([])
    const { data } = await callProcess(two, ada, runs.stop, { params: { runId } })
    expect(data).toEqual({ status: 'stopped' })
    await stream.finished
    expect(getOutcomes(stream)).toMatchObject([{ event: 'error', data: { code: 'stopped' } }])
    expect(answerWords.join(' ').startsWith(getText(stream))).toBe(true)
    expect(getText(stream)).not.toBe(answerWords.join(' '))
    await expectSoon(() => provider.getInFlightCount()).toBe(0)
  })

  it('concurrent runs are limited across both processes', async () => {
    const { one, two, ada } = world
    const running = [await startRun(one, ada), await startRun(two, ada)]
    expect(running.map(({ status }) => status)).toEqual([200, 200])
    const refused = [await startRun(one, ada), await startRun(two, ada)]
    expect(refused.map(({ status }) => status)).toEqual([429, 429])
    for (const stream of running)
      await callProcess(one, ada, runs.stop, { params: { runId: await waitForRunId(stream) } })
    const nextRun = await startRun(two, ada)
    expect(nextRun.status).toBe(200)
    await callProcess(two, ada, runs.stop, { params: { runId: await waitForRunId(nextRun) } })
  })

  it("the other process closes a killed process's run and continues the chat", async () => {
    const { database, environment, answerWords, two, ada } = world
    const thirdProcess = await startServerProcess(database, environment)
    const { data: session } = await callProcess(thirdProcess, ada, agents.createSession, { body: { agentId } })
    const stream = await startRun(thirdProcess, ada, { sessionId: session.id })
    const runId = await waitForRunId(stream)
    // For this long, a process may not publish progress that no one watches.
    await new Promise((resolve) => setTimeout(resolve, 1200))
    const resumed = await streamFromProcess(two, ada, runs.stream, { params: { runId } })
    await expectSoon(() => getText(resumed).length).toBeGreaterThan(0)
    const liveEvents = await streamFromProcess(two, ada, live.events)
    await thirdProcess.end('SIGKILL')
    await stream.finished
    const messages = async () =>
      (await callProcess(two, ada, agents.messages, { query: { sessionId: session.id } })).data
    expect(getOutcomes(resumed), 'it may still run within its lease').toEqual([])
    expect((await messages()).map(({ status }) => status).at(-1)).toBe('running')

    two.setClockOffset(31_000)
    await expectSoon(() => resumed.isOver(), 15_000).toBe(true)
    expect(getOutcomes(resumed)).toMatchObject([{ event: 'error', data: { code: 'interrupted', run_id: runId } }])
    const savedText = getText(resumed)
    expect(savedText.length).toBeGreaterThan(0)
    expect(answerWords.join(' ').startsWith(savedText)).toBe(true)
    expect(getEventTypes(liveEvents)).toContain('run-finished')
    await liveEvents.close()
    expect((await messages()).map(({ sender, status, content }) => [sender, status, content])).toMatchObject([
      ['user', expect.anything(), 'Count.'],
      ['agent', 'interrupted', savedText],
    ])

    const answer = (await messages()).at(-1)
    const retried = await startRun(two, ada, { sessionId: session.id, regenerateOf: answer?.id })
    await retried.finished
    expect(getOutcomes(retried)).toMatchObject([{ event: 'done', data: { response: answerWords.join(' ') } }])
    const rows = await database.db.selectFrom('runs').select('status').where('session_id', '=', session.id).execute()
    expect(rows.map(({ status }) => status).sort()).toEqual(['interrupted', 'success'])
  }, 40_000)
})
