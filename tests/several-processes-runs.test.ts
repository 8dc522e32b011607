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

describe.runIf(engines.includes('postgres'))('runs of two server processes on one PostgreSQL', () => {
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

  it('a run at one is followed from the other, all so far and the rest, with one end; for nobody else', async () => {
    const { provider, words, one, two, ada, ben } = world
    const first = await ask(one, ada)
    const runId = await runIdOf(first)
    await new Promise((resolve) => setTimeout(resolve, 300))
    const resumed = await streamFrom(two, ada, runs.stream, { params: { runId } })
    const again = await streamFrom(two, ada, runs.stream, { params: { runId } })
    expect((await streamFrom(two, ben, runs.stream, { params: { runId } })).status).toBe(404)
    await within(() => resumed.events()[0]?.event).toBe('snapshot')
    await within(() => textOf(resumed).length, 1500).toBeGreaterThan(0)
    expect(endingsOf(resumed), 'told as it comes, not at its end').toEqual([])
    await Promise.all([first.ended, resumed.ended, again.ended])
    for (const stream of [first, resumed, again]) {
      expect(endingsOf(stream).map(({ event, data }) => [event, data.response])).toEqual([['done', words.join(' ')]])
      expect(textOf(stream)).toBe(words.join(' '))
    }
    expect(resumed.events().filter(({ event }) => event === 'text').length).toBeGreaterThan(2)
    expect(provider.requests.filter(({ path }) => path.endsWith('/chat/completions'))).toHaveLength(1)
  })

  it('a run at one is stopped from the other, at once and with its text so far; nobody else stops it', async () => {
    const { provider, words, one, two, ada, ben } = world
    const stream = await ask(one, ada)
    const runId = await runIdOf(stream)
    expect((await callAt(two, ben, runs.stop, { params: { runId } })).status).toBe(404)
    expect(endingsOf(stream)).toEqual([])
    const { data } = await callAt(two, ada, runs.stop, { params: { runId } })
    expect(data).toEqual({ status: 'stopped' })
    await stream.ended
    expect(endingsOf(stream)).toMatchObject([{ event: 'error', data: { code: 'stopped' } }])
    expect(words.join(' ').startsWith(textOf(stream))).toBe(true)
    expect(textOf(stream)).not.toBe(words.join(' '))
    await within(() => provider.answering()).toBe(0)
  })

  it('answers that are written at once are counted over both', async () => {
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

  it('a process killed in mid-chat loses nothing that was written: the other closes the run, and goes on with the chat', async () => {
    const { database, environment, words, two, ada } = world
    const third = await startProcess(database, environment)
    const { data: session } = await callAt(third, ada, agents.createSession, { body: { agentId } })
    const stream = await ask(third, ada, { sessionId: session.id })
    const runId = await runIdOf(stream)
    // So long the progress of a run nobody else looks at may stay in its process.
    await new Promise((resolve) => setTimeout(resolve, 1200))
    const resumed = await streamFrom(two, ada, runs.stream, { params: { runId } })
    await within(() => textOf(resumed).length).toBeGreaterThan(0)
    const happenings = await streamFrom(two, ada, live.events)
    await third.end('SIGKILL')
    await stream.ended
    const messages = async () => (await callAt(two, ada, agents.messages, { query: { sessionId: session.id } })).data
    expect(endingsOf(resumed), 'within its lease it may still be under way').toEqual([])
    expect((await messages()).map(({ status }) => status).at(-1)).toBe('running')

    two.setAhead(31_000)
    await within(() => resumed.isOver(), 15_000).toBe(true)
    expect(endingsOf(resumed)).toMatchObject([{ event: 'error', data: { code: 'interrupted', run_id: runId } }])
    const kept = textOf(resumed)
    expect(kept.length).toBeGreaterThan(0)
    expect(words.join(' ').startsWith(kept)).toBe(true)
    expect(typesOf(happenings)).toContain('run-finished')
    await happenings.close()
    expect((await messages()).map(({ sender, status, content }) => [sender, status, content])).toMatchObject([
      ['user', expect.anything(), 'Count.'],
      ['agent', 'interrupted', kept],
    ])

    const answer = (await messages()).at(-1)
    const retried = await ask(two, ada, { sessionId: session.id, regenerateOf: answer?.id })
    await retried.ended
    expect(endingsOf(retried)).toMatchObject([{ event: 'done', data: { response: words.join(' ') } }])
    const rows = await database.db.selectFrom('runs').select('status').where('session_id', '=', session.id).execute()
    expect(rows.map(({ status }) => status).sort()).toEqual(['interrupted', 'success'])
  }, 40_000)
})
