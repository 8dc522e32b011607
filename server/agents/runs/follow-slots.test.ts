import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { resetBreakers } from '#server/models/breaker.ts'
import { countRows } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import { createSlowAgent, type SlowAgent } from '#tests/slow-agent.ts'
import type { Actor } from '#tests/test-app.ts'

const maxPerPerson = 32

describe.each(engines)('limits of concurrent answer streams on %s', (engine) => {
  let scene: SlowAgent
  beforeAll(async () => {
    scene = await createSlowAgent(engine)
  })
  afterAll(() => scene.app.close())
  beforeEach(resetBreakers)

  const postForStream = (actor: Actor, path: string, body: object) =>
    actor.fetch(path, {
      method: 'POST',
      headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const startStream = (actor: Actor, fields: object = {}) =>
    postForStream(actor, '/api/kip/agents', { action: 'run', agentId: scene.agentId, input: 'count', ...fields })
  const follow = (actor: Actor, run: string) => actor.fetch(`/api/kip/runs/${run}/stream`)
  const getStatuses = (answers: Response[]) => answers.map(({ status }) => status)
  const countAllRows = () =>
    Promise.all(
      (['runs', 'messages', 'chat_sessions', 'model_calls', 'spend_windows'] as const).map((table) =>
        countRows(scene.app.services.db, table),
      ),
    )

  async function fillSlots(actor: Actor) {
    scene.app.fakes.openai.script(Array.from({ length: maxPerPerson }, () => 'silent-mid'))
    const openStreams = await Promise.all(Array.from({ length: maxPerPerson }, () => startStream(actor)))
    expect(new Set(getStatuses(openStreams))).toEqual(new Set([200]))
    await eventually(() =>
      expect(scene.app.services.runs.list().filter(({ response }) => response === 'one two three')).toHaveLength(
        maxPerPerson,
      ),
    )
    return openStreams
  }
  async function endAllRuns(openStreams: Response[]) {
    for (const run of scene.app.services.runs.list()) run.abortController.abort('stopped')
    await Promise.all(openStreams.map((stream) => stream.text()))
    await eventually(() => expect(scene.app.services.runs.size).toBe(0))
  }

  it('a person’s 33rd stream is refused before anything is written', async () => {
    const { ada, ben, app, agentId } = scene
    const openStreams = await fillSlots(ada)
    const previousRowCounts = await countAllRows()
    const previousRequestCount = app.providerRequestCount()
    for (const refused of [
      await startStream(ada),
      await postForStream(ada, '/api/kip/intent', { input: 'an agent that counts' }),
      await follow(ada, app.services.runs.list()[0]?.id ?? ''),
    ]) {
      expect(refused.status).toBe(429)
      expect(refused.headers.get('retry-after')).toBe('5')
      expect(await refused.json()).toMatchObject({
        code: 'too-many',
        error: expect.stringMatching(/Wait for one to finish, stop one, or close a page/),
      })
    }
    expect(await countAllRows()).toEqual(previousRowCounts)
    expect(app.providerRequestCount()).toEqual(previousRequestCount)
    const plain = await ada.call(agents.run, { body: { agentId, input: 'count' } })
    expect(plain.status, 'a run that no one follows needs no slot').toBe(200)
    const bens = await startStream(ben)
    expect(bens.status).toBe(200)
    await endAllRuns([...openStreams, bens])
  })

  it('closed and finished streams free their slots', async () => {
    const { ada, app } = scene
    const [closed, ...openStreams] = await fillSlots(ada)
    await closed?.body?.cancel()
    app.fakes.openai.script(['silent-mid'])
    const next = await startStream(ada)
    const refused = await startStream(ada)
    expect(getStatuses([next, refused])).toEqual([200, 429])
    await endAllRuns([...openStreams, next])
    const again = await fillSlots(ada)
    expect((await startStream(ada)).status).toBe(429)
    await endAllRuns(again)
  })

  it('started and resumed streams share one limit', async () => {
    const { ada, ben } = scene
    const { id, reader } = await scene.startStuckRun(ada)
    const bens = await scene.startStuckRun(ben)
    const openStreams = await Promise.all(Array.from({ length: maxPerPerson }, () => follow(ada, id)))
    expect(getStatuses(openStreams).sort()).toEqual([...Array.from({ length: maxPerPerson - 1 }, () => 200), 429])
    expect((await startStream(ada)).status).toBe(429)
    const bensOther = await follow(ben, bens.id)
    expect(bensOther.status).toBe(200)
    await reader.cancel()
    const other = await follow(ada, id)
    expect(other.status).toBe(200)
    await endAllRuns([...openStreams, other, bensOther])
    await bens.reader.cancel()
  })

  it('a run that doesn’t start releases its slot', async () => {
    const { ada } = scene
    const previous = await countAllRows()
    for (let attempt = 0; attempt <= maxPerPerson; attempt++)
      expect((await startStream(ada, { sessionId: 'f'.repeat(32) })).status).toBe(404)
    expect(await countAllRows()).toEqual(previous)
    const { id, reader } = await scene.startStuckRun(ada)
    await scene.stop(id)
    await reader.cancel()
  })

  it('visitors can follow each of their two answers twice', async () => {
    const { app } = scene
    const visitor = app.visitor()
    await visitor.call(agents.sessions)
    app.services.settings.providers.openai.key = 'sk-environment0key0of0the0server'
    const runs = [await scene.startStuckRun(visitor), await scene.startStuckRun(visitor)]
    const openStreams = await Promise.all(runs.map(({ id }) => follow(visitor, id)))
    expect(getStatuses(openStreams)).toEqual([200, 200])
    expect((await follow(visitor, runs[0]?.id ?? '')).status).toBe(429)
    const previous = await countAllRows()
    expect((await startStream(visitor)).status).toBe(429)
    expect(await countAllRows()).toEqual(previous)
    app.services.settings.providers.openai.key = null
    await endAllRuns(openStreams)
    await Promise.all(runs.map(({ reader }) => reader.cancel()))
  })
})
