import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { runs } from '#contract/agents/runs.ts'
import { keys } from '#contract/keys/keys.ts'
import { openSession } from '#server/accounts/sessions.ts'
import { resetBreakers } from '#server/models/breaker.ts'
import { newUnguessableId } from '#server/new-id.ts'
import { engines } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import { canaryKeys, type ProviderApp, providerApp } from '#tests/provider-app.ts'
import { type Actor, eventsIn, testApp } from '#tests/test-app.ts'
import { closeAbandonedRuns } from './run-sweep.ts'

describe.each(engines)('following runs, on %s', (engine) => {
  let app: ProviderApp
  let ada: Actor
  let ben: Actor
  let agentId: string
  beforeAll(async () => {
    app = await providerApp(engine, {
      wordDelayMs: 8,
      answer: () => 'one two three four five six seven eight nine ten',
    })
    ada = await app.as('ada')
    ben = await app.as('ben')
    await ada.call(keys.savePersonal, { body: { provider: 'openai', apiKey: canaryKeys.openai } })
    const body = {
      name: 'Slow',
      purpose: 'p',
      visibility: 'public',
      agent_class: 'Lead',
      memory_enabled: true,
    } as const
    agentId = (await ada.call(agents.create, { body })).data.id
  })
  afterAll(() => app.close())
  beforeEach(resetBreakers)

  const whole = 'one two three four five six seven eight nine ten'

  /** A run that stands in the middle of its answer for good. */
  async function stuckRun(who: Actor = ada) {
    app.fakes.openai.script(['silent-mid'])
    const { id, reader } = await begin(who)
    await eventually(() => expect(app.services.runs.find(id)?.response).toBe('one two three'))
    return { id, reader }
  }
  async function begin(who: Actor = ada) {
    const response = await who.fetch('/api/kip/agents', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ action: 'run', agentId, input: 'count' }),
    })
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    const [start] = eventsIn(new TextDecoder().decode((await reader.read()).value))
    return { id: String(start?.data.run_id), reader }
  }
  const withoutSteps = (events: { event: string }[]) =>
    events.map(({ event }) => event).filter((event) => event !== 'span')
  const rowOf = (id: string) =>
    app.services.db.selectFrom('runs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const stop = (id: string, who: Actor = ada) => who.call(runs.stop, { params: { runId: id } })
  const resume = (id: string, who: Actor = ada) => who.stream(runs.stream, { params: { runId: id } })

  it('stopping keeps the text so far, in the row, the message and every open stream', async () => {
    const { id } = await stuckRun()
    const following = resume(id)
    await new Promise((resolve) => setTimeout(resolve, 20))
    const answer = await stop(id)
    expect([answer.status, answer.data]).toEqual([200, { status: 'stopped' }])
    const row = await rowOf(id)
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

  it('stopping what has ended changes nothing', async () => {
    const { data } = await ada.call(agents.run, { body: { agentId, input: 'count' } })
    const before = await rowOf(data.run_id)
    expect((await stop(data.run_id)).data).toEqual({ status: 'success' })
    expect(await rowOf(data.run_id)).toEqual(before)
  })

  it('a plain run that is stopped answers 409 with what there was', async () => {
    app.fakes.openai.script(['body-never'])
    const running = ada.call(agents.run, { body: { agentId, input: 'count' } })
    await eventually(() => expect(app.services.runs.size).toBe(1))
    const [run] = app.services.runs.all()
    await stop(run?.id ?? '')
    const answer = await running
    expect([answer.status, answer.body.code]).toEqual([409, 'stopped'])
    expect(answer.body).toMatchObject({ data: { run_id: run?.id }, processing_time_ms: expect.any(Number) })
  })

  it('after the end too, whether it went well or not', async () => {
    const { data } = await ada.call(agents.run, { body: { agentId, input: 'count' } })
    const well = await resume(data.run_id)
    expect(well.events.map(({ event }) => event)).toEqual(['snapshot', 'usage', 'done'])
    expect(well.events.at(-1)?.data).toMatchObject({ response: whole, usage: data.usage, model: data.model })
    app.fakes.openai.script(['status-401'])
    const failed = await ada.call(agents.run, { body: { agentId, input: 'count' } })
    const badly = await resume(failed.data.run_id)
    expect(badly.events.map(({ event }) => event)).toEqual(['snapshot', 'usage', 'error'])
    expect(badly.events.at(-1)?.data).toMatchObject({ code: 'key-rejected', message: failed.body.error })
  })

  it('nobody else may follow, stop or read a run, and cannot tell it from one that never was', async () => {
    const { id } = await stuckRun()
    const visitor = app.visitor()
    await visitor.call(agents.sessions)
    const sameBytes = (text: string) => text.replace(/"requestId":"\w+"/, '')
    for (const [who, attempts] of [
      [ben, [runs.stream, runs.stop, runs.show]],
      [visitor, [runs.stream, runs.stop]],
    ] as const)
      for (const attempt of attempts) {
        const foreign = await who.call(attempt, { params: { runId: id } })
        const random = await who.call(attempt, { params: { runId: 'f'.repeat(32) } })
        expect(foreign.status).toBe(404)
        expect(sameBytes(foreign.text)).toBe(sameBytes(random.text))
      }
    expect(app.services.runs.find(id)?.abort.signal.aborted).toBe(false)
    await stop(id)
  })

  it('a visitor follows and stops their own run, and no other visitor does', async () => {
    const [one, other] = [app.visitor(), app.visitor()]
    await Promise.all([one.call(agents.sessions), other.call(agents.sessions)])
    app.services.settings.providers.openai.key = 'sk-environment0key0of0the0server'
    const { id } = await stuckRun(one)
    app.services.settings.providers.openai.key = null
    expect((await other.call(runs.stream, { params: { runId: id } })).status).toBe(404)
    expect((await stop(id, other)).status).toBe(404)
    expect((await stop(id, ada)).status).toBe(404)
    expect((await stop(id, one)).data).toEqual({ status: 'stopped' })
    const { events } = await resume(id, one)
    expect(events.at(-1)?.data.message).toMatch(/^I apologize/)
  })

  it('a reader who goes away ends neither the run nor the others’ streams', async () => {
    const { id, reader } = await begin()
    const other = resume(id)
    await reader.cancel()
    const { events } = await other
    expect(events.at(-1)).toMatchObject({ event: 'done', data: { response: whole } })
    expect(await rowOf(id)).toMatchObject({ status: 'success', response: whole })
  })

  it('signing out ends the streams that session opened; the run goes on for the person’s other ones', async () => {
    const { token } = await openSession(app.services, { id: ada.id, email: '', name: null, nickname: null })
    const { id, reader } = await stuckRun()
    const follow = (bearer: string | null) =>
      app.fetch(`/api/kip/runs/${id}/stream`, { headers: { authorization: `Bearer ${bearer}` } })
    const [mine, other] = [await follow(token), await follow(ada.token)]
    await app.fetch('/api/kam/auth/logout', { method: 'POST', headers: { authorization: `Bearer ${token}` } })
    const left = eventsIn(await mine.text()).map(({ event }) => event)
    expect(left).toContain('snapshot')
    expect(left).not.toContain('error')
    expect(app.services.runs.find(id)).toBeDefined()
    await stop(id)
    expect(eventsIn(await other.text()).at(-1)?.event).toBe('error')
    await reader.cancel()
  })

  it('one person follows sixteen streams at once, a seventeenth when one was closed, and others their own', async () => {
    const { id, reader } = await stuckRun()
    const bens = await stuckRun(ben)
    const follow = (run: string, who: Actor) => who.fetch(`/api/kip/runs/${run}/stream`)
    const open = await Promise.all(Array.from({ length: 17 }, () => follow(id, ada)))
    expect(open.map(({ status }) => status).sort()).toEqual([...Array(16).fill(200), 429])
    const refused = open.find(({ status }) => status === 429)
    expect([await refused?.json(), refused?.headers.get('retry-after')]).toMatchObject([{ code: 'too-many' }, '5'])
    const other = await follow(bens.id, ben)
    expect(other.status).toBe(200)
    const [first, ...rest] = open.filter(({ status }) => status === 200)
    await first?.body?.cancel()
    rest.push(await follow(id, ada))
    expect(rest.at(-1)?.status).toBe(200)
    await Promise.all([stop(id), stop(bens.id, ben)])
    await Promise.all([...rest, other].map((stream) => stream.text()))
    expect((await resume(id)).events.at(-1)?.event).toBe('error')
    await Promise.all([reader.cancel(), bens.reader.cancel()])
  })

  /** The row of a run in another process, and what changes it. */
  async function runElsewhere(more: object = {}) {
    const stuck = await stuckRun()
    const row = await rowOf(stuck.id)
    const id = newUnguessableId()
    const model_settings = JSON.stringify(row.model_settings)
    const values = { ...row, id, response: 'one two three', notes: '[]', model_settings, output: null, ...more }
    await app.services.db
      .insertInto('runs')
      .values(values as never)
      .execute()
    await stop(stuck.id)
    return {
      id,
      change: (set: object) => app.services.db.updateTable('runs').set(set).where('id', '=', id).execute(),
    }
  }
  /** What a reader of its stream hears. */
  async function listenTo(id: string) {
    const response = await ada.fetch(`/api/kip/runs/${id}/stream`)
    const leaving = new AbortController()
    let heard = ''
    const write = (bytes: Uint8Array) => {
      heard += new TextDecoder().decode(bytes)
    }
    const ended = (response.body as ReadableStream<Uint8Array>)
      .pipeTo(new WritableStream({ write }), { signal: leaving.signal })
      .catch(() => undefined)
    return { events: () => eventsIn(heard), ended, leave: () => leaving.abort() }
  }
  /** What is read of this run waits until it is let go. */
  function slowReads(id: string) {
    const executor = app.services.db.getExecutor()
    const execute = executor.executeQuery.bind(executor)
    const waiting: PromiseWithResolvers<void>[] = []
    const slow = vi.spyOn(executor, 'executeQuery').mockImplementation(async (query) => {
      const found = await execute(query)
      if (query.query.kind !== 'SelectQueryNode' || !query.parameters.includes(id)) return found as never
      const held = Promise.withResolvers<void>()
      waiting.push(held)
      await held.promise
      return found as never
    })
    return { waiting, end: () => slow.mockRestore() }
  }
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

  it('a run carried out elsewhere is followed by its row, to its end', async () => {
    const { id, change } = await runElsewhere()
    const reader = await listenTo(id)
    await change({ response: 'one two three four' })
    await eventually(() => expect(reader.events().at(-1)?.data).toEqual({ delta: ' four' }))
    await change({ response: 'one two three four five', status: 'success' })
    await reader.ended
    const events = reader.events()
    expect(events.map(({ event }) => event)).toEqual(['snapshot', 'text', 'text', 'usage', 'done'])
    expect(events.at(-1)?.data.response).toBe('one two three four five')
  })

  it('whoever follows a run elsewhere over a slow database asks one question at a time, and is told no older state after a newer', async () => {
    const tool = { id: 'call', name: 'now', title: 'Now', agent_slug: 'slow', arguments: {}, result: null }
    const { id, change } = await runElsewhere({ tools: JSON.stringify([{ ...tool, state: 'running' }]) })
    const reader = await listenTo(id)
    await eventually(() => expect(reader.events()).toHaveLength(1))
    await change({ tools: JSON.stringify([{ ...tool, title: 'Still', state: 'running' }]) })
    const slow = slowReads(id)
    await eventually(() => expect(slow.waiting).toHaveLength(1))
    await change({ tools: JSON.stringify([{ ...tool, state: 'done', result: 'noon' }]) })
    await pause(1000)
    const asked = slow.waiting.length
    // Were there more, the newest would be answered first.
    slow.end()
    for (const { resolve } of slow.waiting.reverse()) {
      resolve()
      await pause(20)
    }
    await change({ status: 'success' })
    await reader.ended
    expect(asked).toBe(1)
    const told = reader.events().filter(({ event }) => event === 'tool')
    expect(told.map(({ data }) => data.state)).toEqual(['running', 'done'])
  })

  it('a reader of a run elsewhere who leaves while it is asked for ends the questions, and nobody hears of what fails after', async () => {
    const { id, change } = await runElsewhere()
    const reader = await listenTo(id)
    const slow = slowReads(id)
    await eventually(() => expect(slow.waiting).toHaveLength(1))
    reader.leave()
    await reader.ended
    const logged = app.logLines.length
    slow.waiting[0]?.reject(new Error('the database is closed'))
    await pause(700)
    expect(slow.waiting).toHaveLength(1)
    expect(app.logLines.slice(logged)).toEqual([])
    slow.end()
    await change({ status: 'success' })
  })

  it('a run whose process is gone is closed when its lease has run out: once, with its text, and no sooner', async () => {
    const { id } = await stuckRun()
    const row = await rowOf(id)
    const gone = 'a'.repeat(32)
    const now = app.services.now().getTime()
    const values = {
      ...row,
      id: gone,
      response: 'half a',
      lease_until: now + 1000,
      notes: '[]',
      model_settings: JSON.stringify(row.model_settings),
    }
    await app.services.db
      .insertInto('runs')
      .values(values as never)
      .execute()
    expect(await closeAbandonedRuns(app.services)).toBe(0)
    app.passTime(31_000)
    const closed = await Promise.all([1, 2, 3].map(() => closeAbandonedRuns(app.services)))
    expect(closed.reduce((sum, count) => sum + count)).toBe(1)
    expect(await rowOf(gone)).toMatchObject({ status: 'interrupted', error_code: 'interrupted', response: 'half a' })
    expect((await rowOf(id)).status, 'one that is carried out here is never taken for abandoned').toBe('running')
    await stop(id)
  })

  it('a process that has the database to itself closes at its start what an earlier one left, not what it runs', async () => {
    const { id } = await stuckRun()
    const row = await rowOf(id)
    const left = 'b'.repeat(32)
    const notYet = app.services.now().getTime() + 20_000
    const values = {
      ...row,
      id: left,
      lease_until: notYet,
      notes: '[]',
      model_settings: JSON.stringify(row.model_settings),
    }
    await app.services.db
      .insertInto('runs')
      .values(values as never)
      .execute()
    expect(await closeAbandonedRuns(app.services, Number.POSITIVE_INFINITY)).toBe(1)
    expect(await rowOf(left)).toMatchObject({ status: 'interrupted' })
    expect(await rowOf(id)).toMatchObject({ status: 'running' })
    await stop(id)
  })

  it('a run that another process took for abandoned stays closed as that', async () => {
    const { id } = await begin()
    await app.services.db
      .updateTable('runs')
      .set({ status: 'interrupted', error_code: 'interrupted' })
      .where('id', '=', id)
      .execute()
    await app.services.runs.find(id)?.finished
    expect(await rowOf(id)).toMatchObject({ status: 'interrupted' })
    expect(await app.services.db.selectFrom('run_spans').select('id').where('run_id', '=', id).execute()).toEqual([])
    expect(app.logLines.splice(0).some((line) => line.includes('could not be written'))).toBe(true)
  })

  it('deleting the agent under a run ends it cleanly', async () => {
    const made = await ada.call(agents.create, {
      body: { name: 'Short-lived', purpose: 'p', model_provider: 'openai' },
    })
    const running = ada.stream(agents.run, { body: { agentId: made.data.id, input: 'count' } })
    await eventually(() => expect(app.services.runs.size).toBe(1))
    await ada.call(agents.remove, { body: { id: made.data.id } })
    const { events } = await running
    expect(events.filter(({ event }) => event === 'done' || event === 'error')).toHaveLength(1)
    expect(app.services.runs.size).toBe(0)
  })

  it('a run whose agent was deleted is not paid for any longer', async () => {
    const body = { name: 'Deleted', purpose: 'p', visibility: 'public', agent_class: 'Lead' } as const
    const made = await ada.call(agents.create, { body })
    await eventually(() => expect(app.fakes.openai.answering()).toBe(0))
    app.fakes.openai.script(['silent-mid'])
    const running = ada.stream(agents.run, { body: { agentId: made.data.id, input: 'count' } })
    await eventually(() => expect(app.services.runs.all().map((run) => run.response)).toEqual(['one two three']))
    await ada.call(agents.remove, { body: { id: made.data.id } })
    expect((await running).events.at(-1)?.event).toBe('error')
    await eventually(() => expect(app.fakes.openai.answering()).toBe(0))
    expect(app.services.runs.size).toBe(0)
  })

  it('a page that watches is told when a run begins and ends, and of nobody else’s', async () => {
    const seen: unknown[] = []
    const seenByBen: unknown[] = []
    const unsubscribe = [
      app.services.live.subscribe(ada.id, (event) => seen.push(event)),
      app.services.live.subscribe(ben.id, (event) => seenByBen.push(event)),
    ]
    const { data } = await ada.call(agents.run, { body: { agentId, input: 'a secret wish' } })
    const facts = { runId: data.run_id, agentId, sessionId: data.session_id }
    expect(seen).toEqual([
      { type: 'run-started', ...facts },
      { type: 'run-finished', ...facts },
    ])
    expect(seenByBen).toEqual([])
    for (const end of unsubscribe) end()
  })
})

describe.each(engines)('coming back to a run, on %s', (engine) => {
  it('gives everything so far at once, then the rest as it comes, once', async () => {
    const words: (() => void)[] = []
    const next = async (count: number) => {
      for (let index = 0; index < count; index++) {
        await eventually(() => expect(words).toHaveLength(1))
        words.shift()?.()
      }
    }
    const app = await testApp(engine, {
      modelRuntime: { sleep: () => new Promise((resolve) => void words.push(resolve)) },
    })
    const ada = await app.as('ada')
    const begun = ada.stream(agents.run, { body: { agentId: 'kip', input: 'hello' } })
    await next(3)
    await eventually(() => expect(app.services.runs.all()[0]?.response).toBe('This is a'))
    const [run] = app.services.runs.all()
    const messages = await ada.call(agents.messages, { query: { sessionId: run?.sessionId ?? '' } })
    expect(messages.data.at(-1), 'the message shows what there is of it').toMatchObject({
      content: 'This is a',
      status: 'running',
    })
    const resumed = ada.stream(runs.stream, { params: { runId: run?.id ?? '' } })
    const followed = vi.spyOn(run ?? ({} as never), 'follow')
    await eventually(() => expect(followed).toHaveBeenCalled())
    const rest = (async () => {
      while (app.services.runs.size > 0) {
        words.shift()?.()
        await new Promise((resolve) => setImmediate(resolve))
      }
    })()
    const [first, second] = [await begun, await resumed]
    await rest
    const said = ({ events }: typeof first) =>
      events.filter(({ event }) => event === 'text').map(({ data }) => data.delta)
    const whole = said(first).join('')
    expect(second.events[0]).toMatchObject({
      event: 'snapshot',
      data: { run_id: run?.id, response: 'This is a', tools: [] },
    })
    expect(`This is a${said(second).join('')}`).toBe(whole)
    expect(said(second)).toHaveLength(said(first).length - 3)
    for (const { events } of [first, second]) {
      expect(events.filter(({ event }) => event === 'done' || event === 'error')).toHaveLength(1)
      expect(events.at(-1)).toMatchObject({ event: 'done', data: { response: whole, run_id: run?.id } })
    }
    await app.close()
  })
})
