import { describe, expect, it } from 'vitest'
import { accounts } from '#contract/accounts/accounts.ts'
import { agents } from '#contract/agents/agents.ts'
import { keys } from '#contract/keys/keys.ts'
import { openSession } from '#server/accounts/sessions.ts'
import { maxStreams } from '#server/http/stream-slots.ts'
import { countRows } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import { canaryKeys } from '#tests/provider-app.ts'
import { parseEvents } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { LiveEvents } from './live-events.ts'

describe.each(engines)('live events, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'], { modelRuntime: { sleep: async () => {} } })

  /** Events a tab receives until `end` is called. */
  async function listen(token: string | null) {
    const response = await app.fetch('/api/events', { headers: { authorization: `Bearer ${token}` } })
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    let received = ''
    const decoder = new TextDecoder()
    const finished = (async () => {
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return
        received += decoder.decode(value)
      }
    })()
    return {
      getEvents: () => parseEvents(received),
      getText: () => received,
      finished,
      end: () => reader.cancel(),
    }
  }

  it('a tab receives only events of the signed-in person, and never content', async () => {
    const [adas, bens] = [await listen(ada.token), await listen(ben.token)]
    const created = await ada.call(agents.create, { body: { name: 'Listener', purpose: 'canary' } })
    await ada.call(agents.run, { body: { agentId: created.data.id, input: 'canary' } })
    await ada.call(keys.savePersonal, { body: { provider: 'openai', apiKey: canaryKeys.openai } })
    await ada.call(keys.removePersonal, { params: { provider: 'openai' } })
    await ada.call(agents.remove, { body: { id: created.data.id } })
    await eventually(() => expect(adas.getEvents()).toHaveLength(7))
    expect(adas.getEvents().map(({ event, data }) => data.type ?? event)).toEqual([
      'open',
      'agents-changed',
      'run-started',
      'run-finished',
      'keys-changed',
      'keys-changed',
      'agents-changed',
    ])
    expect(bens.getEvents().map(({ event }) => event)).toEqual(['open'])
    expect(adas.getText()).not.toContain('canary')
    await Promise.all([adas.end(), bens.end()])
  })

  it('every tab of a person receives events, closed ones no longer', async () => {
    const [one, two] = [await listen(ada.token), await listen(ada.token)]
    await one.end()
    app.services.live.publish(ada.id, { type: 'keys-changed' })
    await eventually(() => expect(two.getEvents()).toHaveLength(2))
    expect(one.getEvents().length).toBeLessThan(2)
    await two.end()
  })

  it('a person has at most sixteen tabs; closing one frees a slot', async () => {
    const tabs = await Promise.all(Array.from({ length: 16 }, () => listen(ada.token)))
    const refused = await ada.fetch('/api/events')
    expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toMatchObject([
      429,
      '5',
      { code: 'too-many', error: 'Keeper is open in too many tabs. Close one.' },
    ])
    tabs.push(await listen(ben.token))
    await tabs[0]?.end()
    tabs.push(await listen(ada.token))
    expect((await ada.fetch('/api/events')).status).toBe(429)
    await Promise.all(tabs.map((tab) => tab.end()))
  })

  const streamRun = (agentId: string) =>
    ada.fetch('/api/kip/agents', {
      method: 'POST',
      headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
      body: JSON.stringify({ action: 'run', agentId, input: 'hello' }),
    })

  /** Fills all slots with streams of other people; returns how many were ended since. */
  function fillSlots(streamsPerPerson: { tabs: number; answers: number }, address: string) {
    const slots = (['tabs', 'answers'] as const).flatMap((kind) =>
      Array.from({ length: maxStreams }, (_, index) => {
        const person = { id: `other ${Math.floor(index / streamsPerPerson[kind])}` }
        const slot = app.services.streams.acquire(kind, { address, person, visitor: null })
        slot.onEvicted(() => finishedIds.push(kind))
        return slot
      }),
    )
    const finishedIds: string[] = []
    const release = () => {
      for (const slot of slots) slot.release()
    }
    return { finishedIds, release }
  }

  it('the stream after 500 single streams must wait, and no model is called', async () => {
    const { finishedIds, release } = fillSlots({ tabs: 1, answers: 1 }, '127.0.0.1')
    const { data } = await ada.call(agents.create, { body: { name: 'Waiting', purpose: 'p' } })
    const runs = await countRows(app.services.db, 'runs')
    for (const answer of [await ada.fetch('/api/events'), await streamRun(data.id)])
      expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toMatchObject([
        503,
        '5',
        { code: 'streams-full' },
      ])
    expect(await countRows(app.services.db, 'runs')).toBe(runs)
    expect(finishedIds).toEqual([])
    release()
    await (await listen(ada.token)).end()
  })

  it('another address gets a stream of each kind when one address holds all', async () => {
    const { finishedIds, release } = fillSlots({ tabs: 16, answers: 32 }, '203.0.113.7')
    const { data } = await ada.call(agents.create, { body: { name: 'Honest', purpose: 'p' } })
    const tab = await listen(ada.token)
    await eventually(() => expect(tab.getEvents()[0]?.event).toBe('open'))
    const answer = await streamRun(data.id)
    expect({ status: answer.status, event: parseEvents(await answer.text()).at(-1)?.event }).toEqual({
      status: 200,
      event: 'done',
    })
    expect(finishedIds).toEqual(['tabs', 'answers'])
    await tab.end()
    release()
  })

  it('a person whose tab was evicted waits while all slots are taken', async () => {
    const tabs = [await listen(ada.token), await listen(ada.token), await listen(ada.token)]
    const otherSlots = Array.from({ length: maxStreams - tabs.length }, (_, index) =>
      app.services.streams.acquire('tabs', { address: '127.0.0.1', person: { id: `other ${index}` }, visitor: null }),
    )
    const bens = await listen(ben.token)
    await tabs[0]?.finished
    expect(
      tabs[0]?.getEvents().map(({ event }) => event),
      'the stream ended without an alarm',
    ).toEqual(['open'])
    expect((await ada.fetch('/api/events')).status).toBe(503)
    app.services.live.publish(ada.id, { type: 'keys-changed' })
    await eventually(() => expect(tabs[2]?.getEvents()).toHaveLength(2))
    for (const slot of otherSlots) slot.release()
    const again = await listen(ada.token)
    await eventually(() => expect(again.getEvents()).toHaveLength(1))
    await Promise.all([...tabs.slice(1), bens, again].map((tab) => tab.end()))
  })

  it('signing out immediately ends the streams of that session only', async () => {
    const { token } = await openSession(app.services, { id: ben.id, email: '', name: null, nickname: null })
    const [ownStream, other] = [await listen(token), await listen(ben.token)]
    await app.fetch('/api/kam/auth/logout', { method: 'POST', headers: { authorization: `Bearer ${token}` } })
    await ownStream.finished
    expect(ownStream.getEvents().at(-1)?.data).toEqual({ type: 'session-ended' })
    await eventually(() => expect(other.getEvents().map(({ data }) => data)).toEqual([{}, { type: 'account-changed' }]))
    expect((await ben.call(accounts.session)).status).toBe(200)
    await other.end()
  })
})

it("a listener that unsubscribes during an event doesn't affect others", () => {
  const live = new LiveEvents()
  const received: string[] = []
  const end = live.subscribe('ada', () => {
    received.push('one')
    end()
  })
  live.subscribe('ada', () => received.push('two'))
  live.publish('ada', { type: 'keys-changed' })
  live.publish('ada', { type: 'keys-changed' })
  live.publish('ben', { type: 'keys-changed' })
  expect(received).toEqual(['one', 'two', 'two'])
})
