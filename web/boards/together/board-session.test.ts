import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { BoardChange, BoardParticipant } from '#contract/boards/board-live.ts'
import type { BoardConfig } from '#contract/boards/boards.ts'
import type { LiveEvent } from '#contract/live/live-events.ts'
import { changeFrameData, createBoardDocument, createTestBoard } from '#tests/board-fixtures.ts'
import { createAnswer } from '#tests/keeper-answer.ts'
import { liveListeners } from '#web/page/use-live-events.ts'
import { diffDocuments, isNoChange } from '../document/board-changes.ts'
import {
  addFrames,
  type BoardEdit,
  buildFrame,
  changeConfig,
  changeContent,
  removeFrames,
  setFrameBoxes,
} from '../document/board-document.ts'
import { BoardEditor } from '../document/board-editor.ts'
import { BoardSession } from './board-session.ts'
import type { OverwrittenChange } from './relayed-changes.ts'

/** Fake server: tracks participants, numbers changes, and delivers events in order with a random delay per tab. */
class FakeBoardServer {
  participants = new Map<string, BoardParticipant>()
  seq = 0
  board = createTestBoard(base)
  /** Listeners whose event stream is down. */
  disconnected = new Set<(event: LiveEvent) => void>()
  unreachableTabs = new Set<string>()
  isDeleted = false
  /** Latency of events and responses. */
  getDelayMs = () => 1
  #queues = new Map<(event: LiveEvent) => void, Promise<unknown>>()

  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    await sleep(this.getDelayMs())
    if (this.isDeleted) return createAnswer('{"success":false,"error":"Board not found"}', { status: 404 })
    if (init?.method === 'GET' || !init?.body) return createAnswer(JSON.stringify(this.board))
    const body = JSON.parse(String(init.body)) as { tab: string; change?: BoardChange; gone?: boolean }
    if (this.unreachableTabs.has(body.tab)) throw new TypeError('Failed to fetch')
    if (!String(input).endsWith('/changes')) return this.#updatePresence(body)
    if (!this.participants.has(body.tab)) return respondWithError({ tab: 'This tab isn’t on the board.' })
    this.seq += 1
    const { personId = '', name = null } = this.participants.get(body.tab) ?? {}
    const change = body.change as BoardChange
    this.broadcast({ type: 'board-change', boardId: 'board', tab: body.tab, personId, name, seq: this.seq, change })
    const seq = this.seq
    await sleep(this.getDelayMs())
    return respond({ seq })
  }

  #updatePresence({ tab, gone = false, ...fields }: { tab: string; gone?: boolean }): Response {
    const participant = {
      tab,
      personId: `person ${tab}`,
      name: 'Ben Okafor',
      may: 'edit',
      cursor: null,
      selection: [],
      ...fields,
    }
    if (gone) this.participants.delete(tab)
    else this.participants.set(tab, participant as BoardParticipant)
    this.broadcast({ type: 'board-presence', boardId: 'board', who: participant as BoardParticipant, gone })
    return respond([...this.participants.values()])
  }

  save(savingEditor: BoardEditor): void {
    const { config, frames } = savingEditor.getSnapshot().document
    this.board = { ...this.board, rev: this.board.rev + 1, config, frames: [...frames] }
    this.broadcast({ type: 'board-saved', boardId: 'board', rev: this.board.rev, personId: 'ben', tab: null })
  }

  broadcast(event: LiveEvent): void {
    for (const listener of liveListeners) {
      const previous = this.#queues.get(listener) ?? Promise.resolve()
      if (this.disconnected.has(listener)) continue
      this.#queues.set(
        listener,
        previous.then(() => sleep(this.getDelayMs())).then(() => liveListeners.has(listener) && listener(event)),
      )
    }
  }
}

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const respond = (data: unknown) =>
  createAnswer(JSON.stringify({ success: true, data }), { headers: { 'content-type': 'application/json' } })

const respondWithError = (fields: Record<string, string>) =>
  createAnswer(JSON.stringify({ success: false, error: 'No.', code: 'bad-input', fields }), { status: 400 })

const base = createBoardDocument('media_card', 'process_frame', 'code_snippet')
const edits: BoardEdit[] = [
  setFrameBoxes(new Map([['a', { x: 100, y: 100 }]])),
  setFrameBoxes(new Map([['a', { x: 300, y: 0 }]])),
  changeFrameData('a', { name: 'Cover' }),
  changeFrameData('a', { name: 'Spring' }),
  changeContent('c', { code: 'one' }),
  changeContent('c', { code: 'two' }),
  removeFrames(new Set(['b'])),
  setFrameBoxes(new Map([['b', { x: 900, y: 900 }]])),
]

describe('two tabs of two people on one board', () => {
  let server: FakeBoardServer
  let ada: BoardEditor
  let ben: BoardEditor
  let overwrittenChanges: OverwrittenChange[]
  let leave: (() => void)[]
  /** Visibility listeners of the sessions, in order of joining. */
  let visibilityListeners: (() => void)[]
  beforeEach(() => {
    vi.useFakeTimers()
    server = new FakeBoardServer()
    vi.stubGlobal('fetch', server.fetch)
    visibilityListeners = []
    vi.stubGlobal('document', {
      visibilityState: 'visible',
      addEventListener: (_type: string, listener: () => void) => visibilityListeners.push(listener),
      removeEventListener: () => {},
    })
    vi.stubGlobal('addEventListener', () => {})
    vi.stubGlobal('removeEventListener', () => {})
    vi.stubGlobal('localStorage', { getItem: () => null })
    ada = new BoardEditor(createTestBoard(base))
    ben = new BoardEditor(createTestBoard(base))
    overwrittenChanges = []
  })
  afterEach(async () => {
    for (const leaveSession of leave) leaveSession()
    await vi.advanceTimersByTimeAsync(1000)
    vi.unstubAllGlobals()
    vi.useRealTimers()
  })
  async function joinBoth() {
    const sessions = [
      new BoardSession(ada, 'ada', () => {}),
      new BoardSession(ben, 'ben', (change) => overwrittenChanges.push(change)),
    ]
    leave = sessions.map((session) => session.join())
    await vi.advanceTimersByTimeAsync(500)
    return sessions
  }
  const areInSync = () => isNoChange(diffDocuments(ada.getSnapshot().document, ben.getSnapshot().document))
  const getFrame = (editor: BoardEditor, id: string) =>
    editor.getSnapshot().document.frames.find((frame) => frame.id === id)

  const expectName = (name: string) =>
    expect([ada, ben].map((editor) => getFrame(editor, 'a')?.data.name)).toEqual([name, name])
  /** The changes of both people arrived on both sides. */
  function expectCoverAndCode() {
    expectName('Cover')
    expect(getFrame(ada, 'c')?.data.content.code).toBe('one')
    expect(areInSync()).toBe(true)
  }

  it('show each other, and unsaved changes of the other', async () => {
    const [adaSession] = await joinBoth()
    expect(adaSession?.getSnapshot().participants).toHaveLength(1)
    ada.edit('Rename', changeFrameData('a', { name: 'Cover' }))
    await vi.advanceTimersByTimeAsync(500)
    expect(getFrame(ben, 'a')?.data.name).toBe('Cover')
    ben.undo()
    expect(getFrame(ben, 'a')?.data.name).toBe('Cover')
  })

  it('send unsaved changes to someone who joins later', async () => {
    ada.edit('Rename', changeFrameData('a', { name: 'Cover' }))
    await joinBoth()
    expect(getFrame(ben, 'a')?.data.name).toBe('Cover')
  })

  it('notify a person whose change was overwritten, who can restore it', async () => {
    await joinBoth()
    ben.edit('Rename', changeFrameData('a', { name: 'Spring' }))
    await vi.advanceTimersByTimeAsync(400)
    ada.edit('Rename', changeFrameData('a', { name: 'Cover' }))
    await vi.advanceTimersByTimeAsync(400)
    expectName('Cover')
    expect(overwrittenChanges.map(({ personName, frameNames }) => [personName, frameNames])).toEqual([
      ['Ben Okafor', ['Spring']],
    ])
    overwrittenChanges[0]?.restore()
    await vi.advanceTimersByTimeAsync(400)
    expectName('Spring')
    expect(areInSync()).toBe(true)
  })

  it('notify a person about an overwritten setting only if it changed', async () => {
    await joinBoth()
    const changeAndSync = async (editor: BoardEditor, changes: Partial<BoardConfig>) => {
      editor.edit('Board', changeConfig(changes))
      await vi.advanceTimersByTimeAsync(400)
    }
    await changeAndSync(ben, { layout: 'grid' })
    await changeAndSync(ada, { name: 'Harbour' })
    expect(ben.getSnapshot().document.config.layout).toBe('grid')
    expect(overwrittenChanges).toEqual([])
    await changeAndSync(ben, { description: 'Spring to first ice' })
    await changeAndSync(ada, { description: 'All year' })
    expect(overwrittenChanges.map(({ frameNames }) => frameNames)).toEqual([[]])
    overwrittenChanges[0]?.restore()
    await vi.advanceTimersByTimeAsync(400)
    expect(ada.getSnapshot().document.config).toMatchObject({ description: 'Spring to first ice', name: 'Harbour' })
  })

  it('discarding one person’s changes keeps the other person’s', async () => {
    await joinBoth()
    ada.edit('Write', changeContent('c', { code: 'one' }))
    ben.edit('Rename', changeFrameData('a', { name: 'Spring' }))
    await vi.advanceTimersByTimeAsync(20_000)
    ben.discard()
    await vi.advanceTimersByTimeAsync(500)
    expect(getFrame(ada, 'c')?.data.content.code).toBe('one')
    expectName('Frame a')
    expect(ada.getSnapshot().isDirty).toBe(true)
    expect(areInSync()).toBe(true)
  })

  /** Ben's tab is hidden: its stream is closed, and he remains a participant. */
  async function whileBenIsHidden(milliseconds: number, work: () => void) {
    const [, benListener] = [...liveListeners]
    if (!benListener) throw new Error('Ben hasn’t joined.')
    server.disconnected.add(benListener)
    work()
    await vi.advanceTimersByTimeAsync(milliseconds)
    server.disconnected.delete(benListener)
    visibilityListeners[1]?.()
    await vi.advanceTimersByTimeAsync(1000)
  }
  async function whileAdaIsOffline(milliseconds: number, work: () => void) {
    const [adaListener] = [...liveListeners]
    const [tab] = [...server.participants.keys()]
    if (!adaListener || !tab) throw new Error('Ada hasn’t joined.')
    server.disconnected.add(adaListener)
    server.unreachableTabs.add(tab)
    work()
    await vi.advanceTimersByTimeAsync(milliseconds)
    server.disconnected.delete(adaListener)
    server.unreachableTabs.delete(tab)
  }
  async function renameAndSync(name: string) {
    ada.edit('Rename', changeFrameData('a', { name }))
    await vi.advanceTimersByTimeAsync(500)
    expectName(name)
  }

  it('a hidden tab catches up without undoing newer changes', async () => {
    await joinBoth()
    await renameAndSync('Co')
    await whileBenIsHidden(4000, () => ada.edit('Rename', changeFrameData('a', { name: 'Cover' })))
    expectName('Cover')
    ben.edit('Move', setFrameBoxes(new Map([['b', { x: 900, y: 900 }]])))
    await vi.advanceTimersByTimeAsync(500)
    expect(areInSync()).toBe(true)
  })

  it('local changes stay local after others send them back', async () => {
    await joinBoth()
    ben.edit('Rename', changeFrameData('a', { name: 'Spring' }))
    ada.edit('Write', changeContent('c', { code: 'one' }))
    await vi.advanceTimersByTimeAsync(500)
    await whileBenIsHidden(4000, () => ada.edit('Move', setFrameBoxes(new Map([['b', { x: 900, y: 900 }]]))))
    leave.push(new BoardSession(new BoardEditor(createTestBoard(base)), 'cara', () => {}).join())
    await vi.advanceTimersByTimeAsync(1000)
    const localIds = [ada, ben].map(({ localChange }) => localChange.frames.map(({ id }) => id).sort())
    expect({ localIds, areInSync: areInSync() }).toEqual({ localIds: [['b', 'c'], ['a']], areInSync: true })
  })

  it('an undo during a gap arrives, although nothing is unsaved then', async () => {
    await joinBoth()
    await renameAndSync('Co')
    await whileBenIsHidden(4000, () => ada.undo())
    expectName('Frame a')
    expect([ada, ben].map((editor) => editor.getSnapshot().isDirty)).toEqual([false, false])
  })

  it('a save during a gap causes no conflict with received changes', async () => {
    await joinBoth()
    await renameAndSync('Co')
    await whileBenIsHidden(4000, () => {
      ada.edit('Rename', changeFrameData('a', { name: 'Cover' }))
      server.board = { ...server.board, rev: 2, frames: [...ada.getSnapshot().document.frames] }
      ada.adopt(server.board)
    })
    expect(ben.getSnapshot()).toMatchObject({ conflict: null, isDirty: false, board: { rev: 2 } })
    expectName('Cover')
  })

  it('a change made during a gap survives the catch-up', async () => {
    await joinBoth()
    await whileBenIsHidden(4000, () => {
      ada.edit('Rename', changeFrameData('a', { name: 'Cover' }))
      ben.edit('Write', changeContent('c', { code: 'one' }))
    })
    await vi.advanceTimersByTimeAsync(500)
    expectCoverAndCode()
  })

  it('the remote change wins after a gap, and the returning person is notified', async () => {
    await joinBoth()
    ben.edit('Rename', changeFrameData('a', { name: 'Spring' }))
    await vi.advanceTimersByTimeAsync(500)
    await whileBenIsHidden(4000, () => ada.edit('Rename', changeFrameData('a', { name: 'Cover' })))
    expectName('Cover')
    expect(overwrittenChanges.map(({ frameNames }) => frameNames)).toEqual([['Spring']])
    overwrittenChanges[0]?.restore()
    await vi.advanceTimersByTimeAsync(500)
    expectName('Spring')
  })

  it('changes made offline arrive on both sides after reconnecting', async () => {
    await joinBoth()
    await renameAndSync('Co')
    await whileAdaIsOffline(3000, () => {
      ada.edit('Rename', changeFrameData('a', { name: 'Cover' }))
      ben.edit('Write', changeContent('c', { code: 'one' }))
    })
    await vi.advanceTimersByTimeAsync(12_000)
    expectCoverAndCode()
  })

  it('an undo made offline reaches everyone after reconnecting', async () => {
    await joinBoth()
    await renameAndSync('Co')
    await whileAdaIsOffline(3000, () => ada.undo())
    await vi.advanceTimersByTimeAsync(12_000)
    expectName('Frame a')
  })

  it('both receive each other’s changes after both were offline', async () => {
    const sessions = await joinBoth()
    await renameAndSync('Co')
    for (const listener of liveListeners) server.disconnected.add(listener)
    for (const tab of server.participants.keys()) server.unreachableTabs.add(tab)
    ada.edit('Rename', changeFrameData('a', { name: 'Cover' }))
    ben.edit('Write', changeContent('c', { code: 'one' }))
    await vi.advanceTimersByTimeAsync(3000)
    server.disconnected.clear()
    server.unreachableTabs.clear()
    server.participants.clear()
    for (const session of sessions) void session.rejoin()
    await vi.advanceTimersByTimeAsync(12_000)
    expectCoverAndCode()
  })

  it('someone who joins during a send receives all changes', async () => {
    ada.edit('Move', setFrameBoxes(new Map([['a', { x: 300, y: 0 }]])))
    leave = [new BoardSession(ada, 'ada', () => {}).join()]
    server.participants.set('c'.repeat(32), { tab: 'c'.repeat(32), personId: 'cara', may: 'edit' } as BoardParticipant)
    await vi.advanceTimersByTimeAsync(200)
    ada.edit('Rename', changeFrameData('a', { name: 'Cover' }))
    leave.push(new BoardSession(ben, 'ben', () => {}).join())
    await vi.advanceTimersByTimeAsync(1000)
    expect(areInSync()).toBe(true)
  })

  it('a save by one person doesn’t interrupt the typing of another', async () => {
    await joinBoth()
    const added = { ...buildFrame('code_snippet', { position: { x: 0, y: 400 } }), id: 'n' }
    ada.edit('Add', addFrames([added]))
    for (const [index, code] of ['O', 'On', 'One', 'One ', 'One t', 'One tw', 'One two'].entries()) {
      for (const id of ['n', 'c']) ada.edit('Write', changeContent(id, { code }), id)
      await vi.advanceTimersByTimeAsync(90)
      if (index === 4) server.save(ben)
    }
    await vi.advanceTimersByTimeAsync(1000)
    expect(ada.getSnapshot()).toMatchObject({ conflict: null, isDirty: true, board: { rev: 2 } })
    expect(['n', 'c'].map((id) => getFrame(ada, id)?.data.content.code)).toEqual(['One two', 'One two'])
    expect(areInSync()).toBe(true)
    expect(overwrittenChanges).toEqual([])
  })

  it('a board that is shared again reopens with its unsaved changes', async () => {
    const sessions = await joinBoth()
    server.isDeleted = true
    ben.edit('Rename', changeFrameData('a', { name: 'Cover' }))
    await vi.advanceTimersByTimeAsync(6000)
    expect(sessions.map((session) => session.getSnapshot().isClosed)).toEqual([true, true])
    server.isDeleted = false
    server.broadcast({ type: 'boards-changed', boardId: 'board' })
    await vi.advanceTimersByTimeAsync(12_000)
    for (const session of sessions)
      expect(session.getSnapshot()).toMatchObject({ isClosed: false, participants: { length: 1 } })
    expectName('Cover')
    expect(areInSync()).toBe(true)
  })

  it('concurrent edits converge to the same board at any latency', async () => {
    const sessions = await joinBoth()
    for (let round = 0; round < 60; round++) {
      const random = createSeededRandom(round)
      server.getDelayMs = () => Math.floor(random() * 300)
      for (let step = 0; step < 8; step++) {
        const editor = random() < 0.5 ? ada : ben
        if (random() < 0.15) editor.undo()
        else editor.edit('Edit', edits[Math.floor(random() * edits.length)] as BoardEdit)
        if (random() < 0.1) void sessions[editor === ada ? 0 : 1]?.rejoin()
        await vi.advanceTimersByTimeAsync(Math.floor(random() * 200))
      }
      server.getDelayMs = () => 1
      await vi.advanceTimersByTimeAsync(8000)
      expect(areInSync(), `round ${round}`).toBe(true)
    }
  })
})

function createSeededRandom(seed: number): () => number {
  let state = seed * 2654435761 + 1
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) >>> 0
    return state / 2 ** 32
  }
}
