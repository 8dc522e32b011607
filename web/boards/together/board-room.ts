import { boardLive, presenceBeatMs, presenceEndsMs, type SomebodyThere } from '#contract/boards/board-live.ts'
import { boards } from '#contract/boards/boards.ts'
import type { LiveEvent } from '#contract/live/live-events.ts'
import { ApiError, call, Unreachable } from '#web/api.ts'
import { newClientId } from '#web/offline/new-client-id.ts'
import { liveListeners } from '#web/shell/live-events.ts'
import {
  applyChange,
  changesBetween,
  type DocumentChange,
  isEverything,
  isNoChange,
} from '../document/board-changes.ts'
import type { BoardEditor } from '../document/board-editor.ts'
import {
  type CatchingUp,
  everythingOf,
  firstOverwritten,
  isOfTheWay,
  isRefused,
  joined,
  type Overwritten,
  overwritten,
  overwrittenBy,
  receivedChange,
  type SentChange,
  sentChange,
} from './passed-changes.ts'

/** Between two words of where one points, and between two changes: quick enough to look like a movement. */
const cursorRestMs = 80
const changeRestMs = 120
/** No event is on its way for longer. */
const rememberedMs = 60_000

type Change = Extract<LiveEvent, { type: 'board-change' }>

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
  #tab = newClientId()
  /** Whoever comes again after a gap comes as another tab, so that the others tell everything anew. */
  readonly #ownTabs = new Set([this.#tab])
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
  /** One’s own words come back on the stream of events: the entering did, and something since the last beat. */
  #isIn = false
  #echoed = false
  /** Something failed, or nothing came back: what happens meanwhile is not heard. */
  #isCut = false
  #isComing = false
  #catchingUp: CatchingUp | null = null
  /** Edits that wait to be sent, what is on its way, and what came in meanwhile. */
  #outbox: DocumentChange | null = null
  #flight: DocumentChange | null = null
  #held: Change[] = []
  #isFetching = false
  /** What is told once more when the outbox is empty. */
  #resends: 'everything' | 'own' | null = null
  #sendTimer: ReturnType<typeof setTimeout> | undefined
  /** What was sent lately, with its place in the order: an event may come after the answer to what came after it. */
  #recent: SentChange[] = []
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
    const come = () => document.visibilityState === 'visible' && void this.again()
    const leave = () => this.#leave()
    document.addEventListener('visibilitychange', come)
    addEventListener('pagehide', leave)
    this.#beatFromNow()
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

  #beatFromNow(): void {
    clearInterval(this.#beat)
    this.#beat = setInterval(() => {
      if (document.visibilityState === 'visible') this.#tick()
      this.#forgetTheSilent()
    }, presenceBeatMs)
  }

  #tick(): void {
    if (!this.#isIn || !this.#echoed) this.#isCut = true
    // Whoever told nothing by now does not hear.
    else if (this.#catchingUp?.awaited) this.#caughtUp(this.#catchingUp)
    this.#echoed = false
    void this.#say(true)
  }

  /** After a time in which anything may have happened unheard: comes again, and is told everything. */
  async again(): Promise<void> {
    if (this.#isComing || !this.#stop) return
    this.#isComing = true
    this.#isCut = false
    const catching: CatchingUp = { told: [], from: new Set(), awaited: undefined }
    this.#catchingUp = catching
    this.#resends = null
    try {
      // What is told is told of what is saved by now.
      if (this.#state.closed || !this.#editor.seen().saving) await this.#fetch()
      if (!this.#stop) return
      if (this.#state.closed) this.#show({ closed: false })
      const before = this.#tab
      this.#tab = newClientId()
      this.#ownTabs.add(this.#tab)
      this.#isIn = this.#echoed = false
      await this.#callGone(before)
      if (!this.#stop) return
      this.#beatFromNow()
      if (!(await this.#say(true))) return
      catching.awaited = this.#state.others.filter(({ may }) => may !== 'view').map(({ tab }) => tab)
      this.#lookIfCaughtUp()
    } catch (reason) {
      this.#failed(reason)
    } finally {
      this.#isComing = false
    }
  }

  #lookIfCaughtUp(): void {
    const catching = this.#catchingUp
    const isThere = (tab: string) => this.#state.others.some((each) => each.tab === tab)
    if (catching?.awaited?.every((tab) => catching.from.has(tab) || !isThere(tab))) this.#caughtUp(catching)
  }

  #caughtUp({ from, told }: CatchingUp): void {
    this.#catchingUp = null
    if (this.#state.others.length === 0) this.#outbox = null
    else if (from.size === 0) this.#resends = 'own'
    else {
      const untold = this.#editor.untold(told)
      this.#outbox = isNoChange(untold) ? null : untold
    }
    void this.#send()
  }

  #saySoon(): void {
    // Nobody is there to see it: the beat is enough.
    if (this.#sayTimer !== undefined || this.#state.others.length === 0 || !this.#isIn) return
    this.#sayTimer = setTimeout(() => {
      this.#sayTimer = undefined
      void this.#say(false)
    }, cursorRestMs)
  }

  /** Answers whether it arrived. */
  async #say(always: boolean): Promise<boolean> {
    if (this.#state.closed) return false
    const where = { tab: this.#tab, cursor: this.#cursor, selection: [...this.#editor.seen().selection] }
    const said = JSON.stringify(where)
    if (!always && said === this.#said) return false
    this.#said = said
    const work = call(boardLive.presence, { params: { id: this.#editor.id }, body: where })
    this.#entered = work
    try {
      const there = await work
      if (!this.#stop || where.tab !== this.#tab) return false
      const others = there.filter(({ tab }) => !this.#ownTabs.has(tab))
      for (const { tab } of others) this.#heardAt.set(tab, Date.now())
      this.#showOthers(others)
      return true
    } catch (reason) {
      this.#failed(reason)
      return false
    }
  }

  #leave(): void {
    if (this.#state.closed) return
    this.#callGone(this.#tab).catch((reason) => this.#failed(reason))
  }

  async #callGone(tab: string): Promise<void> {
    const body = { tab, cursor: null, selection: [], gone: true }
    await call(boardLive.presence, { params: { id: this.#editor.id }, body })
  }

  /** Without a server there is nobody else to see; without the right to see it the board is closed here. */
  #failed(reason: unknown): void {
    if (reason instanceof ApiError && reason.status === 404) this.#show({ others: [], closed: true })
    else if (reason instanceof Unreachable || reason instanceof ApiError) {
      this.#isCut = true
      this.#showOthers([])
    } else if (!(reason instanceof DOMException && reason.name === 'AbortError')) throw reason
  }

  #hear(event: LiveEvent): void {
    const isHere = 'boardId' in event && event.boardId === this.#editor.id
    // Given back, or taken out of the bin.
    if (this.#state.closed && (isHere || event.type === 'domains-changed')) void this.again()
    if (!isHere) return
    if (event.type === 'board-presence') this.#meet(event.who, event.gone)
    if (event.type === 'board-saved') void this.#fetchNewer(event.rev)
    if (event.type === 'board-change' && !this.#ownTabs.has(event.tab)) {
      if (this.#flight || this.#isFetching) this.#held.push(event)
      else this.#take(event)
    }
  }

  #meet(who: SomebodyThere, gone: boolean): void {
    if (who.tab === this.#tab && !gone) this.#hearOneself()
    if (this.#ownTabs.has(who.tab)) return
    const isNew = !gone && !this.#state.others.some(({ tab }) => tab === who.tab)
    if (gone) this.#heardAt.delete(who.tab)
    else this.#heardAt.set(who.tab, Date.now())
    const others = this.#state.others.filter(({ tab }) => tab !== who.tab)
    this.#showOthers(gone ? others : [...others, who])
    // Who comes has what is saved: what is not saved yet is told once more.
    if (isNew && this.#editor.canEdit && !this.#catchingUp) {
      this.#resends = 'everything'
      this.#sendSoon()
    }
    if (isNew) void this.#say(true)
    if (gone) this.#lookIfCaughtUp()
  }

  #hearOneself(): void {
    this.#isIn = this.#echoed = true
    if (this.#isCut) void this.again()
  }

  #forgetTheSilent(): void {
    const since = Date.now() - presenceEndsMs
    this.#showOthers(this.#state.others.filter(({ tab }) => (this.#heardAt.get(tab) ?? 0) >= since))
  }

  async #fetchNewer(rev: number): Promise<void> {
    if (rev <= this.#editor.seen().board.rev || this.#editor.seen().saving) return
    await this.#fetch().catch((reason) => this.#failed(reason))
  }

  /** What is changed from now on stands on top of what is fetched. */
  async #fetch(): Promise<void> {
    this.#isFetching = true
    try {
      this.#editor.adopt(await call(boards.show, { params: { id: this.#editor.id } }))
    } finally {
      this.#isFetching = false
      this.#takeHeld()
    }
  }

  #queue(change: DocumentChange): void {
    if (isNoChange(change)) return
    // Nobody is there: whoever comes is told everything.
    const isAlone = this.#state.others.length === 0 && !this.#isCut && !this.#catchingUp
    this.#outbox = isAlone ? null : joined(this.#outbox, change)
    if (!isAlone) this.#sendSoon()
  }

  #sendSoon(): void {
    this.#sendTimer ??= setTimeout(() => {
      this.#sendTimer = undefined
      void this.#send()
    }, changeRestMs)
  }

  async #send(): Promise<void> {
    if (this.#flight || this.#catchingUp || this.#state.closed || this.#state.others.length === 0) return
    const [edits, resends] = [this.#outbox, this.#outbox ? null : this.#resends]
    const change = edits ?? (resends === 'everything' ? everythingOf(this.#editor) : resends && this.#editor.own)
    if (edits) this.#outbox = null
    else this.#resends = null
    if (!change || (resends === 'own' && isNoChange(change))) return
    this.#flight = change
    let tab = this.#tab
    try {
      await this.#entered.catch(() => undefined)
      tab = this.#tab
      this.#editor.noteTold(edits ?? this.#editor.own)
      const body = { tab, change: sentChange(change) }
      const { seq } = await call(boardLive.changes, { params: { id: this.#editor.id }, body })
      const since = Date.now() - rememberedMs
      const sent = { change, at: Date.now(), seq, told: resends !== null }
      this.#recent = [...this.#recent.filter(({ at }) => at >= since), sent]
    } catch (reason) {
      const mayArriveYet = isOfTheWay(reason)
      if (mayArriveYet && edits) this.#outbox = this.#outbox ? joined(edits, this.#outbox) : edits
      if (mayArriveYet ? tab === this.#tab : !isRefused(reason)) this.#failed(reason)
    } finally {
      this.#flight = null
      this.#takeHeld()
      void this.#send()
    }
  }

  #takeHeld(): void {
    if (this.#flight || this.#isFetching) return
    for (const event of this.#held.splice(0).toSorted((a, b) => a.seq - b.seq)) this.#take(event)
  }

  /** Takes over somebody’s change; what of mine has a later place in the order, or none yet, stands. */
  #take(event: Change): void {
    const change = receivedChange(event.change, new Date().toISOString())
    const catching = this.#catchingUp
    catching?.told.push(change)
    if (catching && isEverything(change)) this.#takeEverything(event, catching)
    else {
      const later = this.#recent.filter(({ seq }) => seq > event.seq).map((own) => own.change)
      this.#editor.applyRemote(change, this.#outbox ? [...later, this.#outbox] : later)
      if (event.personId !== this.#personId && !isEverything(change)) this.#sayIfOverwritten(event, change)
    }
  }

  /** All that somebody has and did not save. Of what they said before a gap nothing else counts. */
  #takeEverything(event: Change, { told, from }: CatchingUp): void {
    const { own } = this.#editor
    const before = this.#editor.seen().document
    const unsent = this.#outbox ? [this.#outbox] : []
    if (from.size === 0) this.#editor.catchUp(told, unsent)
    else for (const change of told.slice(-1)) this.#editor.applyRemote(change, unsent)
    from.add(event.tab)
    const lost = overwritten(own, changesBetween(before, this.#editor.seen().document))
    if (event.personId !== this.#personId && !isNoChange(lost))
      this.#onOverwritten(overwrittenBy(event, lost, () => this.#putBack(own)))
    this.#lookIfCaughtUp()
  }

  #putBack(mine: DocumentChange): void {
    this.#editor.edit('Put mine back', (document) => applyChange(document, mine))
  }

  #sayIfOverwritten(event: Change, change: DocumentChange): void {
    const found = firstOverwritten(this.#recent, event.seq, change)
    if (!found) return
    found.own.told = true
    this.#onOverwritten(overwrittenBy(event, found.lost, () => this.#putBack(found.own.change)))
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
