import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { runs } from '#contract/agents/runs.ts'
import { live } from '#contract/live/live-events.ts'
import { engines } from './engines.ts'
import { eventually } from './eventually.ts'
import {
  type Caller,
  callAt,
  type KeeperProcess,
  type Stream,
  startProcess,
  streamFrom,
} from './several-processes-world.ts'
import { twoProcesses, typesOf, within } from './two-processes.ts'

describe.runIf(engines.includes('runs of two server processes on one PostgreSQL'))('runs of two server processes on one PostgreSQL', () => {
  let agentId: string
  let world: Awaited<ReturnType<typeof twoProcesses>>
  beforeAll(async () => {
    world = await twoProcesses()
    const { one, two, ada } = world
    const told = await streamFrom(two, ada, live.events)
    const made = await callAt(one, ada, agents.create, { body: { name: 'Slow', purpose: 'p', memory_enabled: true } })
    agentId = made.data.id
    await eventually(() => expect(typesOf(told)).toContain('agents-changed'))
    await told.close()
  }, 60_000)
  afterAll(async () => {
    expect(await world?.close()).toBe('')
  }, 40_000)

  const ask = (at: KeeperProcess, who: Caller, more = {}) =>
    streamFrom(at, who, agents.run, { body: { agentId, input: 'Count.', ...more } })
  const runIdOf = async (stream: Stream) => {
    await within(() => stream.events().length, 5000).toBeGreaterThan(2)
    return String(stream.events()[0]?.data.run_id)
  }
  const endingsOf = (stream: Stream) => stream.events().filter(({ event }) => event === 'done' || event === 'error')
  const textOf = (stream: Stream) =>
    stream.events().reduce((text, { event, data }) => {
      if (event === 'snapshot') return String(data.response)
      return event === 'text' ? text + String(data.delta) : text
    }, '')

  it('a run streams to its owner from the other process, with a single end', async () => {
    const { provider, answerWords, one, two, ada, ben } = world
    const first = await ask(one, ada)
    const runId = await runIdOf(first)
    await new Promise((resolve) => setTimeout(resolve, 300))
    const resumed = await streamFrom(two, ada, runs.stream, { params: { runId } })
    const again = await streamFrom(two, ada, runs.stream, { params: { runId } })
    expect((await streamFrom(two, ben, runs.stream, { params: { runId } })).status).toBe(404)
    await within(() => resumed.events()[0]?.event).toBe('snapshot')
    await within(() => textOf(resumed).length, 1500).toBeGreaterThan(0)
    expect(endingsOf(resumed), 'streamed, not sent at the end').toEqual([])
    await Promise.all([first.ended, resumed.ended, again.ended])
    for (const stream of [first, resumed, again]) {
      expect(endingsOf(stream).map(({ event, data }) => [event, data.response])).toEqual([['done', answerWords.join(' ')]])
      expect(textOf(stream)).toBe(answerWords.join(' '))
    }
    expect(resumed.events().filter(({ event }) => event === 'text').length).toBeGreaterThan(2)
    expect(provider.requests.filter(({ path }) => path.endsWith('/chat/completions'))).toHaveLength(1)
  })

  it('the other process stops a run right away, keeping its text; only the owner can', async () => {
    const { provider, answerWords, one, two, ada, ben } = world
    const stream = await ask(one, ada)
    const runId = await runIdOf(stream)
    expect((await callAt(two, ben, runs.stop, { params: { runId } })).status).toBe(404)
    expect(endingsOf(stream)).toEqual([])
    const { data } = await callAt(two, ada, runs.stop, { params: { runId } })
    expect(data).toEqual({ status: 'stopped' })
    await stream.ended
    expect(endingsOf(stream)).toMatchObject([{ event: 'error', data: { code: 'stopped' } }])
    expect(answerWords.join(' ').startsWith(textOf(stream))).toBe(true)
    expect(textOf(stream)).not.toBe(answerWords.join(' '))
    await within(() => provider.answering()).toBe(0)
  })

  it('concurrent runs are limited across both processes', async () => {
    const { one, two, ada } = world
    const running = [await ask(one, ada), await ask(two, ada)]
    expect(running.map(({ status }) => status)).toEqual([200, 200])
    const refused = [await ask(one, ada), await ask(two, ada)]
    expect(refused.map(({ status }) => status)).toEqual([429, 429])
    for (const stream of running) await callAt(one, ada, runs.stop, { params: { runId: await runIdOf(stream) } })
    const after = await ask(two, ada)
    expect(after.status).toBe(200)
    await callAt(two, ada, runs.stop, { params: { runId: await runIdOf(after) } })
  })

  it("the other process closes a killed process's run and continues the chat", async () => {
    const { database, environment, answerWords, two, ada } = world
    const third = await startProcess(database, environment)
    const { data: session } = await callAt(third, ada, agents.createSession, { body: { agentId } })
    const stream = await ask(third, ada, { sessionId: session.id })
    const runId = await runIdOf(stream)
    // The process may keep unobserved progress to itself for this long.
    await new Promise((resolve) => setTimeout(resolve, 1200))
    const resumed = await streamFrom(two, ada, runs.stream, { params: { runId } })
    await within(() => textOf(resumed).length).toBeGreaterThan(0)
    const happenings = await streamFrom(two, ada, live.events)
    await third.end('SIGKILL')
    await stream.ended
    const messages = async () => (await callAt(two, ada, agents.messages, { query: { sessionId: session.id } })).data
    expect(endingsOf(resumed), 'it may still run within its lease').toEqual([])
    expect((await messages()).map(({ status }) => status).at(-1)).toBe('running')

    two.setAhead(31_000)
    await within(() => resumed.isOver(), 15_000).toBe(true)
    expect(endingsOf(resumed)).toMatchObject([{ event: 'error', data: { code: 'interrupted', run_id: runId } }])
    const kept = textOf(resumed)
    expect(kept.length).toBeGreaterThan(0)
    expect(answerWords.join(' ').startsWith(kept)).toBe(true)
    expect(typesOf(happenings)).toContain('run-finished')
    await happenings.close()
    expect((await messages()).map(({ sender, status, content }) => [sender, status, content])).toMatchObject([
      ['user', expect.anything(), 'Count.'],
      ['agent', 'interrupted', kept],
    ])

    const answer = (await messages()).at(-1)
    const retried = await ask(two, ada, { sessionId: session.id, regenerateOf: answer?.id })
    await retried.ended
    expect(endingsOf(retried)).toMatchObject([{ event: 'done', data: { response: answerWords.join(' ') } }])
    const rows = await database.db.selectFrom('runs').select('status').where('session_id', '=', session.id).execute()
    expect(rows.map(({ status }) => status).sort()).toEqual(['interrupted', 'success'])
  }, 40_000)
})
