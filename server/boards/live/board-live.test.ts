import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import {
  type BoardParticipant,
  boardLive,
  maxVisibleSelection,
  presenceTimeoutMs,
} from '#contract/boards/board-live.ts'
import { boardSharing } from '#contract/boards/board-sharing.ts'
import { type Board, boards } from '#contract/boards/boards.ts'
import type { LiveEvent } from '#contract/live/live-events.ts'
import type { Services } from '#server/services.ts'
import { computeDatabaseHash } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { createFrameInput } from '#tests/frame-input.ts'
import { insertDomain } from '#tests/insert-domain.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { BoardSessions } from './board-sessions.ts'
import { listAllParticipants, recordDeparture, recordParticipant } from './session-sync.ts'

const tabs = { ada: 'a'.repeat(32), ben: 'b'.repeat(32), dot: 'd'.repeat(32) }

describe.each(engines)('two people on one board, on %s', (engine) => {
  const { app, ada, ben, dot } = useTestApp(engine, ['ada', 'ben', 'dot'])
  let board: Board
  let domainId: string
  const received = new Map<string, LiveEvent[]>()
  const unsubscribers: (() => void)[] = []
  beforeAll(() => {
    for (const { id } of [ada, ben, dot])
      unsubscribers.push(
        app.services.live.subscribe(id, (event) => received.set(id, [...(received.get(id) ?? []), event])),
      )
  })
  afterAll(() => {
    for (const unsubscribe of unsubscribers) unsubscribe()
  })
  beforeEach(async () => {
    domainId = await insertDomain(app, ada, [[ben, 'friend']])
    board = (await ada.call(boards.create, { body: { name: 'Harbour' } })).data
    await share('edit')
    received.clear()
  })

  const share = (friend: 'none' | 'view' | 'edit') =>
    ada.call(boardSharing.share, {
      params: { id: board.id, domainId },
      body: { rights: { admin: 'view', user: 'none', friend, connection: 'none' } },
    })
  const announce = (actor: Actor, tab: string, overrides: object = {}) =>
    actor.call(boardLive.presence, {
      params: { id: board.id },
      body: { tab, cursor: { x: 12, y: 40 }, selection: [], ...overrides },
    })
  const nextFrame = { ...createFrameInput('process_frame'), id: 'f'.repeat(32) }
  const change = { frames: [{ id: nextFrame.id, before: null, after: nextFrame }], config: null, order: null }
  const sendChange = (actor: Actor, tab: string) =>
    actor.call(boardLive.changes, { params: { id: board.id }, body: { tab, change } })
  const listEvents = (actor: Actor, type: LiveEvent['type']) =>
    (received.get(actor.id) ?? []).filter((event) => event.type === type)
  const listTabs = (participants: BoardParticipant[]) => participants.map(({ tab }) => tab).sort()

  it("see each other's presence, cursor and rights, and no one else does", async () => {
    expect(listTabs((await announce(ada, tabs.ada)).data)).toEqual([tabs.ada])
    expect(listTabs((await announce(ben, tabs.ben)).data)).toEqual([tabs.ada, tabs.ben])
    expect(listEvents(ada, 'board-presence').at(-1)).toMatchObject({
      boardId: board.id,
      gone: false,
      who: { tab: tabs.ben, personId: ben.id, may: 'edit', cursor: { x: 12, y: 40 } },
    })
    expect((await announce(dot, tabs.dot)).status).toBe(404)
    expect(received.get(dot.id)).toBeUndefined()
    await announce(ben, tabs.ben, { gone: true })
    expect(listEvents(ada, 'board-presence').at(-1)).toMatchObject({ gone: true, who: { tab: tabs.ben } })
    expect(listTabs((await announce(ada, tabs.ada)).data)).toEqual([tabs.ada])
  })

  it('get changes in order, which are not stored', async () => {
    await announce(ada, tabs.ada)
    await announce(ben, tabs.ben)
    const previous = await computeDatabaseHash(app.services.db)
    const [first, second] = [await sendChange(ada, tabs.ada), await sendChange(ben, tabs.ben)]
    expect(second.data.seq).toBeGreaterThan(first.data.seq)
    const changeEvents = listEvents(ben, 'board-change')
    expect(changeEvents).toMatchObject([
      { tab: tabs.ada, seq: first.data.seq, change: { frames: [{ after: { data: { name: nextFrame.data.name } } }] } },
      { tab: tabs.ben, seq: second.data.seq },
    ])
    expect(await computeDatabaseHash(app.services.db)).toBe(previous)
    expect(app.logLines.join('\n')).not.toContain(nextFrame.data.name)
  })

  it("a viewer only receives changes, and an absent tab can't send any", async () => {
    await announce(ada, tabs.ada)
    expect((await sendChange(ben, tabs.ben)).status).toBe(400)
    await share('view')
    await announce(ben, tabs.ben)
    expect((await sendChange(ben, tabs.ben)).status).toBe(403)
    expect((await sendChange(dot, tabs.dot)).status).toBe(404)
    expect(listEvents(ada, 'board-change')).toEqual([])
    await sendChange(ada, tabs.ada)
    expect(listEvents(ben, 'board-change')).toHaveLength(1)
  })

  it('a person who lost access receives nothing more, even in an open tab', async () => {
    await announce(ada, tabs.ada)
    await announce(ben, tabs.ben)
    await ada.call(boardSharing.unshare, { params: { id: board.id, domainId } })
    received.clear()
    await sendChange(ada, tabs.ada)
    await announce(ada, tabs.ada, { cursor: { x: 1, y: 1 } })
    expect(received.get(ben.id)).toBeUndefined()
    expect(listTabs((await announce(ada, tabs.ada)).data)).toEqual([tabs.ada])
    expect((await announce(ben, tabs.ben)).status).toBe(404)
  })

  it('a save is published with its revision, but without content', async () => {
    await announce(ada, tabs.ada)
    await announce(ben, tabs.ben)
    const saved = await ben.call(boards.save, {
      params: { id: board.id },
      body: { description: 'secret text' },
      ifMatch: board.rev,
    })
    expect(listEvents(ada, 'board-saved')).toMatchObject([{ boardId: board.id, rev: saved.data.rev, personId: ben.id }])
    expect(JSON.stringify(received.get(ada.id))).not.toContain('secret text')
  })

  it("one person's last ten tabs count, without displacing others'", async () => {
    await announce(ben, tabs.ben)
    const manyTabs = Array.from({ length: 13 }, (_, index) => index.toString(16).padStart(32, '0'))
    for (const tab of manyTabs) {
      app.passTime(10)
      await announce(ada, tab)
    }
    expect(listTabs((await announce(ben, tabs.ben)).data)).toEqual([...manyTabs.slice(3), tabs.ben].sort())
    app.passTime(10)
    expect(listTabs((await announce(ada, manyTabs[0] ?? '')).data), 'a tab that left can return').toContain(manyTabs[0])
    for (const tab of manyTabs) await announce(ada, tab, { gone: true })
  })

  it('a selection is limited to ids, and to a few hundred for others', async () => {
    await announce(ben, tabs.ben)
    const selection = Array.from({ length: 1000 }, (_, index) => `frame-${index}`)
    expect((await announce(ada, tabs.ada, { selection })).status).toBe(200)
    const [lastEvent] = listEvents(ben, 'board-presence').slice(-1) as { who?: BoardParticipant }[]
    expect(lastEvent?.who?.selection).toEqual(selection.slice(0, maxVisibleSelection))
    for (const invalidSelection of [['x'.repeat(65)], ['<b>'], [''], [7], [...selection, 'one-more'], 'frame-1'])
      expect((await announce(ada, tabs.ada, { selection: invalidSelection })).status).toBe(400)
    expect(listEvents(ben, 'board-presence'), 'a refused change is not published').toHaveLength(2)
  })

  it("no one can use another person's tab", async () => {
    await announce(ada, tabs.ada)
    await announce(ben, tabs.ada, { cursor: { x: 99, y: 99 } })
    expect((await announce(ada, tabs.ada)).data).toMatchObject([{ tab: tabs.ada, personId: ada.id }])
    await announce(ben, tabs.ada, { gone: true })
    expect(listTabs((await announce(ada, tabs.ada)).data)).toEqual([tabs.ada])
    expect((await sendChange(ben, tabs.ada)).status).toBe(400)
  })
})

const participant: BoardParticipant = {
  tab: 't',
  personId: 'ada',
  name: 'Ada',
  may: 'edit',
  cursor: null,
  selection: [],
}

test('silent participants are dropped, and so is an empty session', () => {
  const sessions = new BoardSessions()
  sessions.enter('board', participant, 0)
  expect(sessions.listParticipants('board', presenceTimeoutMs)).toEqual([participant])
  expect(sessions.listParticipants('board', presenceTimeoutMs + 1)).toEqual([])
  expect(sessions.leave('board', 't', 'ada')).toBeUndefined()
})

test('a board with silent tabs is dropped when another one is opened', () => {
  const sessions = new BoardSessions()
  for (let index = 0; index < 100; index++) sessions.enter(`board-${index}`, participant, 0)
  expect(sessions.size).toBe(100)
  sessions.enter('another', participant, presenceTimeoutMs + 1)
  expect(sessions.size).toBe(1)
})

test('sequence numbers keep rising across restarts, whatever the clock', () => {
  const previous = new BoardSessions()
  previous.enter('board', participant, 1000)
  const numbers = [1000, 1000, 990].map((now) => previous.incrementSeq('board', now))
  const started = new BoardSessions()
  started.enter('board', participant, 2000)
  numbers.push(started.incrementSeq('board', 2000), started.incrementSeq('board', 2001))
  expect(numbers).toEqual([1000, 1001, 1002, 2000, 2001])
})

test('a tab belongs to the person who opened it', () => {
  const sessions = new BoardSessions()
  sessions.enter('board', participant, 0)
  sessions.enter('board', { ...participant, personId: 'ben', name: 'Ben' }, 0)
  expect(sessions.leave('board', 't', 'ben')).toBeUndefined()
  expect(sessions.listParticipants('board', 0)).toEqual([participant])
  expect(sessions.leave('board', 't', 'ada')).toEqual(participant)
})

describe.each(engines)('presence across processes, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'])
  /** Only the rows matter here; no one listens. */
  let services: Services
  beforeAll(() => {
    services = Object.create(app.services, { bus: { value: { sendInBatch: () => sql`select 1` } } })
  })

  it('a tab belongs to the person who opened it until it falls silent', async () => {
    const { id } = (await ada.call(boards.create, { body: { name: 'Harbour' } })).data
    const listPresent = async () => (await listAllParticipants(services, id)).map(({ personId }) => personId)
    await recordParticipant(services, id, { ...participant, personId: ada.id })
    await recordParticipant(services, id, { ...participant, personId: ben.id })
    expect(await listPresent()).toEqual([ada.id])
    await recordDeparture(services, id, { ...participant, personId: ben.id })
    expect(await listPresent()).toEqual([ada.id])
    app.passTime(presenceTimeoutMs + 1)
    await recordParticipant(services, id, { ...participant, personId: ben.id })
    expect(await listPresent()).toEqual([ben.id])
    await recordDeparture(services, id, { ...participant, personId: ben.id })
    expect(await listPresent()).toEqual([])
  })

  it("one person's last ten tabs count, without displacing others'", async () => {
    const { id } = (await ada.call(boards.create, { body: { name: 'Quay' } })).data
    const recordTab = (personId: string, tab: string) =>
      recordParticipant(services, id, { ...participant, tab, personId })
    await recordTab(ben.id, 'ben')
    const manyTabs = Array.from({ length: 13 }, (_, index) => `ada-${String(index).padStart(2, '0')}`)
    for (const tab of manyTabs) {
      app.passTime(10)
      await recordTab(ada.id, tab)
    }
    const listPresent = async () => (await listAllParticipants(services, id)).map(({ tab }) => tab).sort()
    expect(await listPresent()).toEqual([...manyTabs.slice(3), 'ben'])
    await recordTab(ben.id, 'ben-too')
    expect(await listPresent(), 'a person who joins later with more tabs takes no one’s slot').toEqual([
      ...manyTabs.slice(3),
      'ben',
      'ben-too',
    ])
  })
})
