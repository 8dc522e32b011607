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

  /** Events a tab receives until `close` is called. */
  async function openTab(token: string | null) {
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
      close: () => reader.cancel(),
    }
  }

  it('a tab receives only events of the signed-in person, and never content', async () => {
    const [adasTab, bensTab] = [await openTab(ada.token), await openTab(ben.token)]
    const created = await ada.call(agents.create, { body: { name: 'Listener', purpose: 'canary' } })
    await ada.call(agents.run, { body: { agentId: created.data.id, input: 'canary' } })
    await ada.call(keys.savePersonal, { body: { provider: 'openai', apiKey: canaryKeys.openai } })
    await ada.call(keys.removePersonal, { params: { provider: 'openai' } })
    await ada.call(agents.remove, { body: { id: created.data.id } })
    await eventually(() => expect(adasTab.getEvents()).toHaveLength(7))
    expect(adasTab.getEvents().map(({ event, data }) => data.type ?? event)).toEqual([
      'open',
      'agents-changed',
      'run-started',
      'run-finished',
      'keys-changed',
      'keys-changed',
      'agents-changed',
    ])
    expect(bensTab.getEvents().map(({ event }) => event)).toEqual(['open'])
    expect(adasTab.getText()).not.toContain('canary')
    await Promise.all([adasTab.close(), bensTab.close()])
  })

  it('every open tab of a person receives events, closed ones receive none', async () => {
    const [one, two] = [await openTab(ada.token), await openTab(ada.token)]
    await one.close()
    app.services.live.publish(ada.id, { type: 'keys-changed' })
    await eventually(() => expect(two.getEvents()).toHaveLength(2))
    expect(one.getEvents().length).toBeLessThan(2)
    await two.close()
  })

  it('a person has at most sixteen tabs; closing one frees a slot', async () => {
    const tabs = await Promise.all(Array.from({ length: 16 }, () => openTab(ada.token)))
    const refused = await ada.fetch('/api/events')
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('5')
    expect(await refused.json()).toMatchObject({
      code: 'too-many',
      error: 'Keeper is open in too many tabs. Close one.',
    })
    tabs.push(await openTab(ben.token))
    await tabs[0]?.close()
    tabs.push(await openTab(ada.token))
    expect((await ada.fetch('/api/events')).status).toBe(429)
    await Promise.all(tabs.map((tab) => tab.close()))
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
    const previousCount = await countRows(app.services.db, 'runs')
    for (const answer of [await ada.fetch('/api/events'), await streamRun(data.id)]) {
      expect(answer.status).toBe(503)
      expect(answer.headers.get('retry-after')).toBe('5')
      expect(await answer.json()).toMatchObject({ code: 'streams-full' })
    }
    expect(await countRows(app.services.db, 'runs')).toBe(previousCount)
    expect(finishedIds).toEqual([])
    release()
    await (await openTab(ada.token)).close()
  })

  it('another address gets a stream of each kind when one address holds all', async () => {
    const { finishedIds, release } = fillSlots({ tabs: 16, answers: 32 }, '203.0.113.7')
    const { data } = await ada.call(agents.create, { body: { name: 'Honest', purpose: 'p' } })
    const tab = await openTab(ada.token)
    await eventually(() => expect(tab.getEvents()[0]?.event).toBe('open'))
    const answer = await streamRun(data.id)
    expect({ status: answer.status, event: parseEvents(await answer.text()).at(-1)?.event }).toEqual({
      status: 200,
      event: 'done',
    })
    expect(finishedIds).toEqual(['tabs', 'answers'])
    await tab.close()
    release()
  })

  it('a person whose tab was evicted waits while all slots are taken', async () => {
    const tabs = [await openTab(ada.token), await openTab(ada.token), await openTab(ada.token)]
    const otherSlots = Array.from({ length: maxStreams - tabs.length }, (_, index) =>
      app.services.streams.acquire('tabs', { address: '127.0.0.1', person: { id: `other ${index}` }, visitor: null }),
    )
    const bensTab = await openTab(ben.token)
    await tabs[0]?.finished
    expect(
      tabs[0]?.getEvents().map(({ event }) => event),
      'the stream ended without an error event',
    ).toEqual(['open'])
    expect((await ada.fetch('/api/events')).status).toBe(503)
    app.services.live.publish(ada.id, { type: 'keys-changed' })
    await eventually(() => expect(tabs[2]?.getEvents()).toHaveLength(2))
    for (const slot of otherSlots) slot.release()
    const again = await openTab(ada.token)
    await eventually(() => expect(again.getEvents()).toHaveLength(1))
    await Promise.all([...tabs.slice(1), bensTab, again].map((tab) => tab.close()))
  })

  it('signing out immediately ends the streams of that session only', async () => {
    const { token } = await openSession(app.services, { id: ben.id, email: '', name: null, nickname: null })
    const [ownTab, otherTab] = [await openTab(token), await openTab(ben.token)]
    await app.fetch('/api/kam/auth/logout', { method: 'POST', headers: { authorization: `Bearer ${token}` } })
    await ownTab.finished
    expect(ownTab.getEvents().at(-1)?.data).toEqual({ type: 'session-ended' })
    await eventually(() =>
      expect(otherTab.getEvents().map(({ data }) => data)).toEqual([{}, { type: 'account-changed' }]),
    )
    expect((await ben.call(accounts.session)).status).toBe(200)
    await otherTab.close()
  })
})

it("a listener that unsubscribes during an event doesn't affect others", () => {
  const live = new LiveEvents()
  const received: string[] = []
  const unsubscribe = live.subscribe('ada', () => {
    received.push('one')
    unsubscribe()
  })
  live.subscribe('ada', () => received.push('two'))
  live.publish('ada', { type: 'keys-changed' })
  live.publish('ada', { type: 'keys-changed' })
  live.publish('ben', { type: 'keys-changed' })
  expect(received).toEqual(['one', 'two', 'two'])
})
