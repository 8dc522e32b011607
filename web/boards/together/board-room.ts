import { boardLive, presenceBeatMs, presenceEndsMs, type SomebodyThere } from '#contract/boards/board-live.ts'
import { boards } from '#contract/boards/boards.ts'
import type { LiveEvent } from '#contract/live/live-events.ts'
import { ApiError, call, Unreachable } from '#web/api.ts'
import { newClientId } from '#web/offline/new-client-id.ts'
import { liveListeners } from '#web/shell/live-events.ts'
import { applyChange, type DocumentChange, isNoChange } from '../document/board-changes.ts'
import type { BoardEditor } from '../document/board-editor.ts'
import { joined, overwritten, receivedChange, sentChange } from './passed-changes.ts'

/** Between two words of where one points, and between two changes: quick enough to look like a movement. */
const cursorRestMs = 80
const changeRestMs = 120
/** So long it is worth saying that somebody wrote over what one had just changed. */
const justNowMs = 6000
/** No event is on its way for longer. */
const rememberedMs = 60_000

type Change = Extract<LiveEvent, { type: 'board-change' }>

/** Somebody else’s change stands where mine was. */
export interface Overwritten {
  name: string | null
  /** What it was of, by name. */
  frames: string[]
  /** Puts mine back, as an edit of its own. */
  putBack(): void
}

export interface RoomState {
  /** Everybody else there, tab by tab. */
  others: readonly SomebodyThere[]
  /** The board is not to be seen any more: gone, or taken back. */
  closed: boolean
}

/**
 * One open board among the people who have it open: says where this tab is, hears where the others are, and passes changes
 * to and fro. The server gives changes an order; of two that change the same the later one stands, in every tab.
 */
export class BoardRoom {
  readonly tab = newClientId()
  readonly #editor: BoardEditor
  readonly #personId: string
  readonly #onOverwritten: (what: Overwritten) => void
  readonly #listeners = new Set<() => void>()
  #state: RoomState = { others: [], closed: false }
  #heardAt = new Map<string, number>()
  #cursor: { x: number; y: number } | null = null
  #said = ''
  #sayTimer: ReturnType<typeof setTimeout> | undefined
  #beat: ReturnType<typeof setInterval> | undefined
  #entered: Promise<unknown> = Promise.resolve()
  /** Edits that wait to be sent, what is on its way, and what came in meanwhile. */
  #outbox: DocumentChange | null = null
  #flight: DocumentChange | null = null
  #held: Change[] = []
  #sendTimer: ReturnType<typeof setTimeout> | undefined
  /** What was sent lately, with its place in the order: an event may come after the answer to what came after it. */
  #recent: { change: DocumentChange; at: number; seq: number; told: boolean }[] = []
  #stop: (() => void) | undefined

  constructor(editor: BoardEditor, personId: string, onOverwritten: (what: Overwritten) => void) {
    this.#editor = editor
    this.#personId = personId
    this.#onOverwritten = onOverwritten
  }

  readonly listen = (changed: () => void): (() => void) => {
    this.#listeners.add(changed)
    return () => this.#listeners.delete(changed)
  }
  readonly seen = (): RoomState => this.#state

  /** Comes in, and stays until the returned function is called. */
  enter(): () => void {
    const hear = (event: LiveEvent) => this.#hear(event)
    liveListeners.add(hear)
    const stopEdits = this.#editor.onEdit((change) => this.#queue(change))
    const stopSelection = this.#editor.listen(() => this.#saySoon())
    const come = () => document.visibilityState === 'visible' && void this.#say(true)
    const leave = () => this.#leave()
    document.addEventListener('visibilitychange', come)
    addEventListener('pagehide', leave)
    this.#beat = setInterval(() => {
      if (document.visibilityState === 'visible') void this.#say(true)
      this.#forgetTheSilent()
    }, presenceBeatMs)
    void this.#say(true)
    this.#stop = () => {
      liveListeners.delete(hear)
      stopEdits()
      stopSelection()
      document.removeEventListener('visibilitychange', come)
      removeEventListener('pagehide', leave)
      clearInterval(this.#beat)
      clearTimeout(this.#sayTimer)
      clearTimeout(this.#sendTimer)
      this.#leave()
    }
    return () => {
      this.#stop?.()
      this.#stop = undefined
    }
  }

  /** Where the pointer is on the canvas; `null`: not over it. */
  point(cursor: { x: number; y: number } | null): void {
    this.#cursor = cursor && { x: Math.round(cursor.x), y: Math.round(cursor.y) }
    this.#saySoon()
  }

  #saySoon(): void {
    // Nobody is there to see it: the beat is enough.
    if (this.#sayTimer !== undefined || this.#state.others.length === 0) return
    this.#sayTimer = setTimeout(() => {
      this.#sayTimer = undefined
      void this.#say(false)
    }, cursorRestMs)
  }

  async #say(always: boolean): Promise<void> {
    if (this.#state.closed) return
    const where = { tab: this.tab, cursor: this.#cursor, selection: [...this.#editor.seen().selection] }
    const said = JSON.stringify(where)
    if (!always && said === this.#said) return
    this.#said = said
    const work = call(boardLive.presence, { params: { id: this.#editor.id }, body: where })
    this.#entered = work
    try {
      const there = await work
      if (!this.#stop) return
      const others = there.filter(({ tab }) => tab !== this.tab)
      for (const { tab } of others) this.#heardAt.set(tab, Date.now())
      this.#showOthers(others)
    } catch (reason) {
      this.#failed(reason)
    }
  }

  #leave(): void {
    if (this.#state.closed) return
    const body = { tab: this.tab, cursor: null, selection: [], gone: true }
    void call(boardLive.presence, { params: { id: this.#editor.id }, body }).catch((reason) => this.#failed(reason))
  }

  /** Without a server there is nobody else to see; without the right to see it the board is closed here. */
  #failed(reason: unknown): void {
    if (reason instanceof ApiError && reason.status === 404) this.#show({ others: [], closed: true })
    else if (reason instanceof Unreachable || reason instanceof ApiError) this.#showOthers([])
    else if (!(reason instanceof DOMException && reason.name === 'AbortError')) throw reason
  }

  #hear(event: LiveEvent): void {
    if (!('boardId' in event) || event.boardId !== this.#editor.id) return
    if (event.type === 'board-presence') this.#meet(event.who, event.gone)
    if (event.type === 'board-saved') void this.#fetchNewer(event.rev)
    if (event.type === 'board-change' && event.tab !== this.tab) {
      if (this.#flight) this.#held.push(event)
      else this.#take(event)
    }
  }

  #meet(who: SomebodyThere, gone: boolean): void {
    if (who.tab === this.tab) return
    const isNew = !gone && !this.#state.others.some(({ tab }) => tab === who.tab)
    if (gone) this.#heardAt.delete(who.tab)
    else this.#heardAt.set(who.tab, Date.now())
    const others = this.#state.others.filter(({ tab }) => tab !== who.tab)
    this.#showOthers(gone ? others : [...others, who])
    // Who comes has what is saved: what is not saved yet is told once more.
    if (isNew && this.#editor.canEdit) this.#queue(this.#editor.unsaved)
    if (isNew) void this.#say(true)
  }

  #forgetTheSilent(): void {
    const since = Date.now() - presenceEndsMs
    this.#showOthers(this.#state.others.filter(({ tab }) => (this.#heardAt.get(tab) ?? 0) >= since))
  }

  async #fetchNewer(rev: number): Promise<void> {
    if (rev <= this.#editor.seen().board.rev || this.#editor.seen().saving) return
    try {
      this.#editor.adopt(await call(boards.show, { params: { id: this.#editor.id } }))
    } catch (reason) {
      this.#failed(reason)
    }
  }

  #queue(change: DocumentChange): void {
    if (isNoChange(change)) return
    this.#outbox = joined(this.#outbox, change)
    if (this.#state.others.length === 0) {
      this.#outbox = null
      return
    }
    this.#sendTimer ??= setTimeout(() => {
      this.#sendTimer = undefined
      void this.#send()
    }, changeRestMs)
  }

  async #send(): Promise<void> {
    if (this.#flight || !this.#outbox || this.#state.closed) return
    const change = this.#outbox
    this.#outbox = null
    this.#flight = change
    try {
      await this.#entered.catch(() => undefined)
      const body = { tab: this.tab, change: sentChange(change) }
      const { seq } = await call(boardLive.changes, { params: { id: this.#editor.id }, body })
      const since = Date.now() - rememberedMs
      this.#recent = [...this.#recent.filter(({ at }) => at >= since), { change, at: Date.now(), seq, told: false }]
    } catch (reason) {
      this.#failed(reason)
    } finally {
      this.#flight = null
      for (const event of this.#held.splice(0).toSorted((a, b) => a.seq - b.seq)) this.#take(event)
      if (this.#outbox) void this.#send()
    }
  }

  /** Takes over somebody’s change; what of mine has a later place in the order, or none yet, stands. */
  #take(event: Change): void {
    const change = receivedChange(event.change, new Date().toISOString())
    this.#editor.applyRemote(change)
    for (const own of this.#recent) if (own.seq > event.seq) this.#editor.applyRemote(own.change)
    if (this.#outbox) this.#editor.applyRemote(this.#outbox)
    if (event.personId !== this.#personId) this.#sayIfOverwritten(event, change)
  }

  #sayIfOverwritten(event: Change, change: DocumentChange): void {
    const since = Date.now() - justNowMs
    for (const own of this.#recent) {
      if (own.told || own.at < since || own.seq > event.seq) continue
      const lost = overwritten(own.change, change)
      if (isNoChange(lost)) continue
      own.told = true
      this.#onOverwritten({
        name: event.name,
        frames: lost.frames.map(({ before, after }) => (after ?? before)?.data.name ?? ''),
        putBack: () => this.#editor.edit('Put mine back', (document) => applyChange(document, own.change)),
      })
      return
    }
  }

  #showOthers(others: readonly SomebodyThere[]): void {
    const before = this.#state.others
    if (before.length === others.length && JSON.stringify(before) === JSON.stringify(others)) return
    this.#show({ others })
  }

  #show(changes: Partial<RoomState>): void {
    this.#state = { ...this.#state, ...changes }
    for (const listener of [...this.#listeners]) listener()
  }
}
