import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { BoardChange, SomebodyThere } from '#contract/boards/board-live.ts'
import type { LiveEvent } from '#contract/live/live-events.ts'
import { boardOfTests, documentOfTests } from '#tests/a-board.ts'
import { liveListeners } from '#web/shell/live-events.ts'
import { changesBetween, isNoChange } from '../document/board-changes.ts'
import { changeContent, changeData, type Edit, placeFrames, removeFrames } from '../document/board-document.ts'
import { BoardEditor } from '../document/board-editor.ts'
import { BoardRoom, type Overwritten } from './board-room.ts'

/** Stands for the server: keeps who is there, numbers changes, and tells each tab in that order, each after a time of its own. */
class ServerOfRoom {
  guests = new Map<string, SomebodyThere>()
  seq = 0
  /** Milliseconds until an event, or an answer, arrives. */
  delay = () => 1
  #line = new Map<(event: LiveEvent) => void, Promise<unknown>>()

  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const body = JSON.parse(String(init?.body)) as { tab: string; change?: BoardChange; gone?: boolean }
    await pause(this.delay())
    if (!String(input).endsWith('/changes')) return this.#present(body)
    this.seq += 1
    const { personId = '', name = null } = this.guests.get(body.tab) ?? {}
    const change = body.change as BoardChange
    this.#tell({ type: 'board-change', boardId: 'board', tab: body.tab, personId, name, seq: this.seq, change })
    const seq = this.seq
    await pause(this.delay())
    return answer({ seq })
  }

  #present({ tab, gone = false, ...where }: { tab: string; gone?: boolean }): Response {
    const who = {
      tab,
      personId: `person ${tab}`,
      name: 'Ben Okafor',
      may: 'edit',
      cursor: null,
      selection: [],
      ...where,
    }
    if (gone) this.guests.delete(tab)
    else this.guests.set(tab, who as SomebodyThere)
    this.#tell({ type: 'board-presence', boardId: 'board', who: who as SomebodyThere, gone })
    return answer([...this.guests.values()])
  }

  /** Events arrive in their order, as on one stream. */
  #tell(event: LiveEvent): void {
    for (const listener of liveListeners) {
      const before = this.#line.get(listener) ?? Promise.resolve()
      this.#line.set(
        listener,
        before.then(() => pause(this.delay())).then(() => liveListeners.has(listener) && listener(event)),
      )
    }
  }
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const answer = (data: unknown) =>
  new Response(JSON.stringify({ success: true, data }), { headers: { 'content-type': 'application/json' } })

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
  beforeEach(() => {
    vi.useFakeTimers()
    server = new ServerOfRoom()
    vi.stubGlobal('fetch', server.fetch)
    vi.stubGlobal('document', { visibilityState: 'visible', addEventListener: () => {}, removeEventListener: () => {} })
    vi.stubGlobal('addEventListener', () => {})
    vi.stubGlobal('removeEventListener', () => {})
    vi.stubGlobal('localStorage', { getItem: () => null })
    ada = new BoardEditor(boardOfTests(base))
    ben = new BoardEditor(boardOfTests(base))
    lost = []
  })
  afterEach(async () => {
    for (const each of leave) each()
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

  it('each sees the other, and what the other does before it is saved', async () => {
    const [adas] = await meet()
    expect(adas?.seen().others).toHaveLength(1)
    ada.edit('Rename', changeData('a', { name: 'Cover' }))
    await vi.advanceTimersByTimeAsync(500)
    expect(frameOf(ben, 'a')?.data.name).toBe('Cover')
    ben.undo()
    expect(frameOf(ben, 'a')?.data.name).toBe('Cover')
  })

  it('who comes later is told what is not saved yet', async () => {
    ada.edit('Rename', changeData('a', { name: 'Cover' }))
    await meet()
    expect(frameOf(ben, 'a')?.data.name).toBe('Cover')
  })

  it('whoever was written over is told, and can put theirs back', async () => {
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

  it('whatever both do at once, at whatever pace it travels, both end with the same board', async () => {
    await meet()
    for (let round = 0; round < 60; round++) {
      const random = seeded(round)
      server.delay = () => Math.floor(random() * 300)
      for (let step = 0; step < 8; step++) {
        const who = random() < 0.5 ? ada : ben
        if (random() < 0.15) who.undo()
        else who.edit('Edit', edits[Math.floor(random() * edits.length)] as Edit)
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
