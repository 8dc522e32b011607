import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { BoardChange, SomebodyThere } from '#contract/boards/board-live.ts'
import type { BoardConfig } from '#contract/boards/boards.ts'
import type { LiveEvent } from '#contract/live/live-events.ts'
import { boardOfTests, changeData, documentOfTests } from '#tests/a-board.ts'
import { liveListeners } from '#web/shell/live-events.ts'
import { changesBetween, isNoChange } from '../document/board-changes.ts'
import {
  addFrames,
  changeConfig,
  changeContent,
  type Edit,
  makeFrame,
  placeFrames,
  removeFrames,
} from '../document/board-document.ts'
import { BoardEditor } from '../document/board-editor.ts'
import { BoardRoom } from './board-room.ts'
import type { Overwritten } from './passed-changes.ts'

/** Fake server: tracks participants, numbers changes, and delivers events in order with a random delay per tab. */
class ServerOfRoom {
  guests = new Map<string, SomebodyThere>()
  seq = 0
  board = boardOfTests(base)
  /** Listeners whose event stream is down. */
  deaf = new Set<(event: LiveEvent) => void>()
  unreachable = new Set<string>()
  isGone = false
  /** Latency of events and responses (ms). */
  delay = () => 1
  #queues = new Map<(event: LiveEvent) => void, Promise<unknown>>()

  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    await pause(this.delay())
    if (this.isGone) return new Response('{"success":false,"error":"Board not found"}', { status: 404 })
    if (init?.method === 'GET' || !init?.body) return new Response(JSON.stringify(this.board))
    const body = JSON.parse(String(init.body)) as { tab: string; change?: BoardChange; gone?: boolean }
    if (this.unreachable.has(body.tab)) throw new TypeError('Failed to fetch')
    if (!String(input).endsWith('/changes')) return this.#updatePresence(body)
    if (!this.guests.has(body.tab)) return refusal({ tab: 'This tab isn’t on the board.' })
    this.seq += 1
    const { personId = '', name = null } = this.guests.get(body.tab) ?? {}
    const change = body.change as BoardChange
    this.tell({ type: 'board-change', boardId: 'board', tab: body.tab, personId, name, seq: this.seq, change })
    const seq = this.seq
    await pause(this.delay())
    return answer({ seq })
  }

  #updatePresence({ tab, gone = false, ...where }: { tab: string; gone?: boolean }): Response {
    const participant = {
      tab,
      personId: `person ${tab}`,
      name: 'Ben Okafor',
      may: 'edit',
      cursor: null,
      selection: [],
      ...where,
    }
    if (gone) this.guests.delete(tab)
    else this.guests.set(tab, participant as SomebodyThere)
    this.tell({ type: 'board-presence', boardId: 'board', who: participant as SomebodyThere, gone })
    return answer([...this.guests.values()])
  }

  save(by: BoardEditor): void {
    const { config, frames } = by.seen().document
    this.board = { ...this.board, rev: this.board.rev + 1, config, frames: [...frames] }
    this.tell({ type: 'board-saved', boardId: 'board', rev: this.board.rev, personId: 'ben', tab: null })
  }

  tell(event: LiveEvent): void {
    for (const listener of liveListeners) {
      const before = this.#queues.get(listener) ?? Promise.resolve()
      if (this.deaf.has(listener)) continue
      this.#queues.set(
        listener,
        before.then(() => pause(this.delay())).then(() => liveListeners.has(listener) && listener(event)),
      )
    }
  }
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const answer = (data: unknown) =>
  new Response(JSON.stringify({ success: true, data }), { headers: { 'content-type': 'application/json' } })

const refusal = (fields: Record<string, string>) =>
  new Response(JSON.stringify({ success: false, error: 'No.', code: 'bad-input', fields }), { status: 400 })

const base = documentOfTests('media_card', 'process_frame', 'code_snippet')
const edits: Edit[] = [
  placeFrames(new Map([['a', { x: 100, y: 100 }]])),
  placeFrames(new Map([['a', { x: 300, y: 0 }]])),
  changeData('a', { name: 'Cover' }),
  changeData('a', { name: 'Spring' }),
  changeContent('c', { code: 'one' }),
  changeContent('c', { code: 'two' }),
  removeFrames(new Set(['b'])),
  placeFrames(new Map([['b', { x: 900, y: 900 }]])),
]

describe('two tabs of two people on one board', () => {
  let server: ServerOfRoom
  let ada: BoardEditor
  let ben: BoardEditor
  let lost: Overwritten[]
  let leave: (() => void)[]
  /** Visibility listeners of the sessions, in order of joining. */
  let looks: (() => void)[]
  beforeEach(() => {
    vi.useFakeTimers()
    server = new ServerOfRoom()
    vi.stubGlobal('fetch', server.fetch)
    looks = []
    vi.stubGlobal('document', {
      visibilityState: 'visible',
      addEventListener: (_type: string, look: () => void) => looks.push(look),
      removeEventListener: () => {},
    })
    vi.stubGlobal('addEventListener', () => {})
    vi.stubGlobal('removeEventListener', () => {})
    vi.stubGlobal('localStorage', { getItem: () => null })
    ada = new BoardEditor(boardOfTests(base))
    ben = new BoardEditor(boardOfTests(base))
    lost = []
  })
  afterEach(async () => {
    for (const leaveSession of leave) leaveSession()
    await vi.advanceTimersByTimeAsync(1000)
    vi.unstubAllGlobals()
    vi.useRealTimers()
  })
  async function meet() {
    const rooms = [new BoardRoom(ada, 'ada', () => {}), new BoardRoom(ben, 'ben', (what) => lost.push(what))]
    leave = rooms.map((room) => room.enter())
    await vi.advanceTimersByTimeAsync(500)
    return rooms
  }
  const alike = () => isNoChange(changesBetween(ada.seen().document, ben.seen().document))
  const frameOf = (editor: BoardEditor, id: string) => editor.seen().document.frames.find((frame) => frame.id === id)

  it('show each other, and unsaved changes of the other', async () => {
    const [adas] = await meet()
    expect(adas?.seen().others).toHaveLength(1)
    ada.edit('Rename', changeData('a', { name: 'Cover' }))
    await vi.advanceTimersByTimeAsync(500)
    expect(frameOf(ben, 'a')?.data.name).toBe('Cover')
    ben.undo()
    expect(frameOf(ben, 'a')?.data.name).toBe('Cover')
  })

  it('send unsaved changes to someone who joins later', async () => {
    ada.edit('Rename', changeData('a', { name: 'Cover' }))
    await meet()
    expect(frameOf(ben, 'a')?.data.name).toBe('Cover')
  })

  it('notify a person whose change was overwritten, who can restore it', async () => {
    await meet()
    ben.edit('Rename', changeData('a', { name: 'Spring' }))
    await vi.advanceTimersByTimeAsync(400)
    ada.edit('Rename', changeData('a', { name: 'Cover' }))
    await vi.advanceTimersByTimeAsync(400)
    expect([frameOf(ada, 'a')?.data.name, frameOf(ben, 'a')?.data.name]).toEqual(['Cover', 'Cover'])
    expect(lost.map(({ name, frames }) => [name, frames])).toEqual([['Ben Okafor', ['Spring']]])
    lost[0]?.putBack()
    await vi.advanceTimersByTimeAsync(400)
    expect([frameOf(ada, 'a')?.data.name, alike()]).toEqual(['Spring', true])
  })

  it('notify a person about an overwritten setting only if it changed', async () => {
    await meet()
    const sets = async (who: BoardEditor, changes: Partial<BoardConfig>) => {
      who.edit('Board', changeConfig(changes))
      await vi.advanceTimersByTimeAsync(400)
    }
    await sets(ben, { layout: 'grid' })
    await sets(ada, { name: 'Harbour' })
    expect([ben.seen().document.config.layout, lost]).toEqual(['grid', []])
    await sets(ben, { description: 'Spring to first ice' })
    await sets(ada, { description: 'All year' })
    expect(lost.map(({ frames }) => frames)).toEqual([[]])
    lost[0]?.putBack()
    await vi.advanceTimersByTimeAsync(400)
    expect(ada.seen().document.config).toMatchObject({ description: 'Spring to first ice', name: 'Harbour' })
  })

  it('discarding changes of one person keeps those of the other', async () => {
    await meet()
    ada.edit('Write', changeContent('c', { code: 'one' }))
    ben.edit('Rename', changeData('a', { name: 'Spring' }))
    await vi.advanceTimersByTimeAsync(20_000)
    ben.discard()
    await vi.advanceTimersByTimeAsync(500)
    expect(frameOf(ada, 'c')?.data.content.code).toBe('one')
    expect([frameOf(ada, 'a')?.data.name, ada.seen().dirty, alike()]).toEqual(['Frame a', true, true])
  })

  /** Ben's tab is hidden: its stream is closed, and he remains a participant. */
  async function whileBenIsAway(milliseconds: number, work: () => void) {
    const [, bens] = [...liveListeners]
    if (!bens) throw new Error('Ben is not there.')
    server.deaf.add(bens)
    work()
    await vi.advanceTimersByTimeAsync(milliseconds)
    server.deaf.delete(bens)
    looks[1]?.()
    await vi.advanceTimersByTimeAsync(1000)
  }
  async function whileAdaIsCutOff(milliseconds: number, work: () => void) {
    const [adas] = [...liveListeners]
    const [tab] = [...server.guests.keys()]
    if (!adas || !tab) throw new Error('Ada is not there.')
    server.deaf.add(adas)
    server.unreachable.add(tab)
    work()
    await vi.advanceTimersByTimeAsync(milliseconds)
    server.deaf.delete(adas)
    server.unreachable.delete(tab)
  }
  const nameAt = (editor: BoardEditor) => frameOf(editor, 'a')?.data.name
  async function bothSee(name: string) {
    ada.edit('Rename', changeData('a', { name }))
    await vi.advanceTimersByTimeAsync(500)
    expect([nameAt(ada), nameAt(ben)]).toEqual([name, name])
  }

  it('a hidden tab catches up without undoing newer changes', async () => {
    await meet()
    await bothSee('Co')
    await whileBenIsAway(4000, () => ada.edit('Rename', changeData('a', { name: 'Cover' })))
    expect([nameAt(ada), nameAt(ben)]).toEqual(['Cover', 'Cover'])
    ben.edit('Move', placeFrames(new Map([['b', { x: 900, y: 900 }]])))
    await vi.advanceTimersByTimeAsync(500)
    expect(alike()).toBe(true)
  })

  it('local changes stay local after others send them back', async () => {
    await meet()
    ben.edit('Rename', changeData('a', { name: 'Spring' }))
    ada.edit('Write', changeContent('c', { code: 'one' }))
    await vi.advanceTimersByTimeAsync(500)
    await whileBenIsAway(4000, () => ada.edit('Move', placeFrames(new Map([['b', { x: 900, y: 900 }]]))))
    leave.push(new BoardRoom(new BoardEditor(boardOfTests(base)), 'cara', () => {}).enter())
    await vi.advanceTimersByTimeAsync(1000)
    const owned = [ada, ben].map(({ localChange }) => localChange.frames.map(({ id }) => id).sort())
    expect([owned, alike()]).toEqual([[['b', 'c'], ['a']], true])
  })

  it('an undo during a gap arrives, although nothing is unsaved then', async () => {
    await meet()
    await bothSee('Co')
    await whileBenIsAway(4000, () => ada.undo())
    expect([nameAt(ada), nameAt(ben)]).toEqual(['Frame a', 'Frame a'])
    expect([ada, ben].map((each) => each.seen().dirty)).toEqual([false, false])
  })

  it('a save during a gap causes no conflict with received changes', async () => {
    await meet()
    await bothSee('Co')
    await whileBenIsAway(4000, () => {
      ada.edit('Rename', changeData('a', { name: 'Cover' }))
      server.board = { ...server.board, rev: 2, frames: [...ada.seen().document.frames] }
      ada.adopt(server.board)
    })
    expect(ben.seen()).toMatchObject({ conflict: null, dirty: false, board: { rev: 2 } })
    expect(nameAt(ben)).toBe('Cover')
  })

  it('a change made during a gap survives the catch-up', async () => {
    await meet()
    await whileBenIsAway(4000, () => {
      ada.edit('Rename', changeData('a', { name: 'Cover' }))
      ben.edit('Write', changeContent('c', { code: 'one' }))
    })
    await vi.advanceTimersByTimeAsync(500)
    expect([nameAt(ben), frameOf(ada, 'c')?.data.content.code, alike()]).toEqual(['Cover', 'one', true])
  })

  it('the remote change wins after a gap, and the returning person is notified', async () => {
    await meet()
    ben.edit('Rename', changeData('a', { name: 'Spring' }))
    await vi.advanceTimersByTimeAsync(500)
    await whileBenIsAway(4000, () => ada.edit('Rename', changeData('a', { name: 'Cover' })))
    expect([nameAt(ada), nameAt(ben)]).toEqual(['Cover', 'Cover'])
    expect(lost.map(({ frames }) => frames)).toEqual([['Spring']])
    lost[0]?.putBack()
    await vi.advanceTimersByTimeAsync(500)
    expect([nameAt(ada), nameAt(ben)]).toEqual(['Spring', 'Spring'])
  })

  it('changes made offline arrive on both sides after reconnecting', async () => {
    await meet()
    await bothSee('Co')
    await whileAdaIsCutOff(3000, () => {
      ada.edit('Rename', changeData('a', { name: 'Cover' }))
      ben.edit('Write', changeContent('c', { code: 'one' }))
    })
    await vi.advanceTimersByTimeAsync(12_000)
    expect([nameAt(ben), frameOf(ada, 'c')?.data.content.code, alike()]).toEqual(['Cover', 'one', true])
  })

  it('an undo made offline reaches everyone after reconnecting', async () => {
    await meet()
    await bothSee('Co')
    await whileAdaIsCutOff(3000, () => ada.undo())
    await vi.advanceTimersByTimeAsync(12_000)
    expect([nameAt(ada), nameAt(ben)]).toEqual(['Frame a', 'Frame a'])
  })

  it('both receive each other’s changes after both were offline', async () => {
    const [adas, bens] = await meet()
    await bothSee('Co')
    for (const listener of liveListeners) server.deaf.add(listener)
    for (const tab of server.guests.keys()) server.unreachable.add(tab)
    ada.edit('Rename', changeData('a', { name: 'Cover' }))
    ben.edit('Write', changeContent('c', { code: 'one' }))
    await vi.advanceTimersByTimeAsync(3000)
    server.deaf.clear()
    server.unreachable.clear()
    server.guests.clear()
    for (const room of [adas, bens]) void room?.again()
    await vi.advanceTimersByTimeAsync(12_000)
    expect([nameAt(ben), frameOf(ada, 'c')?.data.content.code, alike()]).toEqual(['Cover', 'one', true])
  })

  it('someone who joins during a send receives all changes', async () => {
    const [first] = [new BoardRoom(ada, 'ada', () => {})]
    ada.edit('Move', placeFrames(new Map([['a', { x: 300, y: 0 }]])))
    leave = [first.enter()]
    server.guests.set('c'.repeat(32), { tab: 'c'.repeat(32), personId: 'cara', may: 'edit' } as SomebodyThere)
    await vi.advanceTimersByTimeAsync(200)
    ada.edit('Rename', changeData('a', { name: 'Cover' }))
    leave.push(new BoardRoom(ben, 'ben', () => {}).enter())
    await vi.advanceTimersByTimeAsync(1000)
    expect(alike()).toBe(true)
  })

  it('a save by one person doesn’t interrupt the typing of another', async () => {
    await meet()
    const added = { ...makeFrame('code_snippet', { position: { x: 0, y: 400 } }), id: 'n' }
    ada.edit('Add', addFrames([added]))
    for (const [at, code] of ['O', 'On', 'One', 'One ', 'One t', 'One tw', 'One two'].entries()) {
      for (const id of ['n', 'c']) ada.edit('Write', changeContent(id, { code }), id)
      await vi.advanceTimersByTimeAsync(90)
      if (at === 4) server.save(ben)
    }
    await vi.advanceTimersByTimeAsync(1000)
    expect(ada.seen()).toMatchObject({ conflict: null, dirty: true, board: { rev: 2 } })
    expect(['n', 'c'].map((id) => frameOf(ada, id)?.data.content.code)).toEqual(['One two', 'One two'])
    expect([alike(), lost]).toEqual([true, []])
  })

  it('a board that is shared again reopens with its unsaved changes', async () => {
    const [adas, bens] = await meet()
    server.isGone = true
    ben.edit('Rename', changeData('a', { name: 'Cover' }))
    await vi.advanceTimersByTimeAsync(6000)
    expect([adas, bens].map((room) => room?.seen().closed)).toEqual([true, true])
    server.isGone = false
    server.tell({ type: 'boards-changed', boardId: 'board' })
    await vi.advanceTimersByTimeAsync(12_000)
    expect([adas, bens].map((room) => [room?.seen().closed, room?.seen().others.length])).toEqual([
      [false, 1],
      [false, 1],
    ])
    expect([frameOf(ada, 'a')?.data.name, alike()]).toEqual(['Cover', true])
  })

  it('concurrent edits converge to the same board at any latency', async () => {
    const rooms = await meet()
    for (let round = 0; round < 60; round++) {
      const random = seeded(round)
      server.delay = () => Math.floor(random() * 300)
      for (let step = 0; step < 8; step++) {
        const who = random() < 0.5 ? ada : ben
        if (random() < 0.15) who.undo()
        else who.edit('Edit', edits[Math.floor(random() * edits.length)] as Edit)
        if (random() < 0.1) void rooms[who === ada ? 0 : 1]?.again()
        await vi.advanceTimersByTimeAsync(Math.floor(random() * 200))
      }
      server.delay = () => 1
      await vi.advanceTimersByTimeAsync(8000)
      expect(alike(), `round ${round}`).toBe(true)
    }
  })
})

function seeded(seed: number): () => number {
  let state = seed * 2654435761 + 1
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) >>> 0
    return state / 2 ** 32
  }
}
