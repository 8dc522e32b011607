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

/** Short enough that pointers and frames seem to move continuously. */
const cursorRestMs = 80
const changeRestMs = 120
/** Longer than any event takes to arrive. */
const rememberedMs = 60_000

type Change = Extract<LiveEvent, { type: 'board-change' }>

export interface RoomState {
  /** One entry per tab, without this one. */
  others: readonly SomebodyThere[]
  /** The board was deleted or unshared. */
  closed: boolean
}

/**
 * Exchanges presence and unsaved changes with the other tabs on a board. The server numbers changes;
 * if two touch the same field, the later one wins in every tab.
 */
export class BoardRoom {
  #tab = newClientId()
  /** Rejoining after a gap uses a new tab id, so that the others resend all their changes. */
  readonly #localTabs = new Set([this.#tab])
  readonly #editor: BoardEditor
  readonly #personId: string
  readonly #onOverwritten: (what: Overwritten) => void
  readonly #listeners = new Set<() => void>()
  #state: RoomState = { others: [], closed: false }
  #lastSeenAt = new Map<string, number>()
  #cursor: { x: number; y: number } | null = null
  #lastPresence = ''
  #presenceTimer: ReturnType<typeof setTimeout> | undefined
  #heartbeat: ReturnType<typeof setInterval> | undefined
  #presenceRequest: Promise<unknown> = Promise.resolve()
  /** Whether this tab's presence came back on the event stream: after joining, and since the last heartbeat. */
  #hasJoined = false
  #hasEcho = false
  /** Events may be missing until the next rejoin. */
  #isDisconnected = false
  #isRejoining = false
  #catchingUp: CatchingUp | null = null
  /** Edits to send, the change being sent, and events received during the send. */
  #outbox: DocumentChange | null = null
  #inFlight: DocumentChange | null = null
  #pendingEvents: Change[] = []
  #isFetching = false
  #resend: 'everything' | 'own' | null = null
  #sendTimer: ReturnType<typeof setTimeout> | undefined
  /** An event can arrive after the response to a later change, so recent ones are needed to order it. */
  #recentlySent: SentChange[] = []
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

  /** Returns a function that leaves the session. */
  enter(): () => void {
    const hear = (event: LiveEvent) => this.#onEvent(event)
    liveListeners.add(hear)
    const stopEdits = this.#editor.onEdit((change) => this.#queueChange(change))
    const stopSelection = this.#editor.listen(() => this.#schedulePresence())
    const come = () => document.visibilityState === 'visible' && void this.again()
    const leave = () => this.#leave()
    document.addEventListener('visibilitychange', come)
    addEventListener('pagehide', leave)
    this.#restartHeartbeat()
    void this.#sendPresence(true)
    this.#stop = () => {
      liveListeners.delete(hear)
      stopEdits()
      stopSelection()
      document.removeEventListener('visibilitychange', come)
      removeEventListener('pagehide', leave)
      clearInterval(this.#heartbeat)
      clearTimeout(this.#presenceTimer)
      clearTimeout(this.#sendTimer)
      this.#leave()
    }
    return () => {
      this.#stop?.()
      this.#stop = undefined
    }
  }

  /** In canvas pixels; `null` if the pointer isn't over the canvas. */
  point(cursor: { x: number; y: number } | null): void {
    this.#cursor = cursor && { x: Math.round(cursor.x), y: Math.round(cursor.y) }
    this.#schedulePresence()
  }

  #restartHeartbeat(): void {
    clearInterval(this.#heartbeat)
    this.#heartbeat = setInterval(() => {
      if (document.visibilityState === 'visible') this.#onHeartbeat()
      this.#dropStaleParticipants()
    }, presenceBeatMs)
  }

  #onHeartbeat(): void {
    if (!this.#hasJoined || !this.#hasEcho) this.#isDisconnected = true
    // Participants that sent nothing by now aren't listening.
    else if (this.#catchingUp?.awaited) this.#finishCatchUp(this.#catchingUp)
    this.#hasEcho = false
    void this.#sendPresence(true)
  }

  /** Rejoins after a gap in the event stream and collects everyone's changes. */
  async again(): Promise<void> {
    if (this.#isRejoining || !this.#stop) return
    this.#isRejoining = true
    this.#isDisconnected = false
    const catching: CatchingUp = { told: [], from: new Set(), awaited: undefined }
    this.#catchingUp = catching
    this.#resend = null
    try {
      // The others send changes relative to the saved board, so fetch it first.
      if (this.#state.closed || !this.#editor.seen().saving) await this.#fetch()
      if (!this.#stop) return
      if (this.#state.closed) this.#updateState({ closed: false })
      const before = this.#tab
      this.#tab = newClientId()
      this.#localTabs.add(this.#tab)
      this.#hasJoined = this.#hasEcho = false
      await this.#announceLeave(before)
      if (!this.#stop) return
      this.#restartHeartbeat()
      if (!(await this.#sendPresence(true))) return
      catching.awaited = this.#state.others.filter(({ may }) => may !== 'view').map(({ tab }) => tab)
      this.#finishIfCaughtUp()
    } catch (reason) {
      this.#onError(reason)
    } finally {
      this.#isRejoining = false
    }
  }

  #finishIfCaughtUp(): void {
    const catching = this.#catchingUp
    const isThere = (tab: string) => this.#state.others.some((each) => each.tab === tab)
    if (catching?.awaited?.every((tab) => catching.from.has(tab) || !isThere(tab))) this.#finishCatchUp(catching)
  }

  #finishCatchUp({ from, told }: CatchingUp): void {
    this.#catchingUp = null
    if (this.#state.others.length === 0) this.#outbox = null
    else if (from.size === 0) this.#resend = 'own'
    else {
      const untold = this.#editor.untold(told)
      this.#outbox = isNoChange(untold) ? null : untold
    }
    void this.#send()
  }

  #schedulePresence(): void {
    // Without participants the heartbeat is enough.
    if (this.#presenceTimer !== undefined || this.#state.others.length === 0 || !this.#hasJoined) return
    this.#presenceTimer = setTimeout(() => {
      this.#presenceTimer = undefined
      void this.#sendPresence(false)
    }, cursorRestMs)
  }

  async #sendPresence(always: boolean): Promise<boolean> {
    if (this.#state.closed) return false
    const where = { tab: this.#tab, cursor: this.#cursor, selection: [...this.#editor.seen().selection] }
    const said = JSON.stringify(where)
    if (!always && said === this.#lastPresence) return false
    this.#lastPresence = said
    const work = call(boardLive.presence, { params: { id: this.#editor.id }, body: where })
    this.#presenceRequest = work
    try {
      const there = await work
      if (!this.#stop || where.tab !== this.#tab) return false
      const others = there.filter(({ tab }) => !this.#localTabs.has(tab))
      for (const { tab } of others) this.#lastSeenAt.set(tab, Date.now())
      this.#setParticipants(others)
      return true
    } catch (reason) {
      this.#onError(reason)
      return false
    }
  }

  #leave(): void {
    if (this.#state.closed) return
    this.#announceLeave(this.#tab).catch((reason) => this.#onError(reason))
  }

  async #announceLeave(tab: string): Promise<void> {
    const body = { tab, cursor: null, selection: [], gone: true }
    await call(boardLive.presence, { params: { id: this.#editor.id }, body })
  }

  /** A network error clears the participants; a 404 closes the board. */
  #onError(reason: unknown): void {
    if (reason instanceof ApiError && reason.status === 404) this.#updateState({ others: [], closed: true })
    else if (reason instanceof Unreachable || reason instanceof ApiError) {
      this.#isDisconnected = true
      this.#setParticipants([])
    } else if (!(reason instanceof DOMException && reason.name === 'AbortError')) throw reason
  }

  #onEvent(event: LiveEvent): void {
    const isHere = 'boardId' in event && event.boardId === this.#editor.id
    // Shared again or restored.
    if (this.#state.closed && (isHere || event.type === 'domains-changed')) void this.again()
    if (!isHere) return
    if (event.type === 'board-presence') this.#onPresence(event.who, event.gone)
    if (event.type === 'board-saved') void this.#fetchNewer(event.rev)
    if (event.type === 'board-change' && !this.#localTabs.has(event.tab)) {
      if (this.#inFlight || this.#isFetching) this.#pendingEvents.push(event)
      else this.#applyEvent(event)
    }
  }

  #onPresence(who: SomebodyThere, gone: boolean): void {
    if (who.tab === this.#tab && !gone) this.#onOwnPresence()
    if (this.#localTabs.has(who.tab)) return
    const isNew = !gone && !this.#state.others.some(({ tab }) => tab === who.tab)
    if (gone) this.#lastSeenAt.delete(who.tab)
    else this.#lastSeenAt.set(who.tab, Date.now())
    const others = this.#state.others.filter(({ tab }) => tab !== who.tab)
    this.#setParticipants(gone ? others : [...others, who])
    // A new participant has only the saved board, so send unsaved changes again.
    if (isNew && this.#editor.canEdit && !this.#catchingUp) {
      this.#resend = 'everything'
      this.#scheduleSend()
    }
    if (isNew) void this.#sendPresence(true)
    if (gone) this.#finishIfCaughtUp()
  }

  #onOwnPresence(): void {
    this.#hasJoined = this.#hasEcho = true
    if (this.#isDisconnected) void this.again()
  }

  #dropStaleParticipants(): void {
    const since = Date.now() - presenceEndsMs
    this.#setParticipants(this.#state.others.filter(({ tab }) => (this.#lastSeenAt.get(tab) ?? 0) >= since))
  }

  async #fetchNewer(rev: number): Promise<void> {
    if (rev <= this.#editor.seen().board.rev || this.#editor.seen().saving) return
    await this.#fetch().catch((reason) => this.#onError(reason))
  }

  /** Events received during the fetch are applied on top of its result. */
  async #fetch(): Promise<void> {
    this.#isFetching = true
    try {
      this.#editor.adopt(await call(boards.show, { params: { id: this.#editor.id } }))
    } finally {
      this.#isFetching = false
      this.#applyPending()
    }
  }

  #queueChange(change: DocumentChange): void {
    if (isNoChange(change)) return
    // Without participants nothing is queued: a new participant gets all changes.
    const isAlone = this.#state.others.length === 0 && !this.#isDisconnected && !this.#catchingUp
    this.#outbox = isAlone ? null : joined(this.#outbox, change)
    if (!isAlone) this.#scheduleSend()
  }

  #scheduleSend(): void {
    this.#sendTimer ??= setTimeout(() => {
      this.#sendTimer = undefined
      void this.#send()
    }, changeRestMs)
  }

  async #send(): Promise<void> {
    if (this.#inFlight || this.#catchingUp || this.#state.closed || this.#state.others.length === 0) return
    const [edits, resends] = [this.#outbox, this.#outbox ? null : this.#resend]
    const change =
      edits ?? (resends === 'everything' ? everythingOf(this.#editor) : resends && this.#editor.localChange)
    if (edits) this.#outbox = null
    else this.#resend = null
    if (!change || (resends === 'own' && isNoChange(change))) return
    this.#inFlight = change
    let tab = this.#tab
    try {
      await this.#presenceRequest.catch(() => undefined)
      tab = this.#tab
      this.#editor.noteTold(edits ?? this.#editor.localChange)
      const body = { tab, change: sentChange(change) }
      const { seq } = await call(boardLive.changes, { params: { id: this.#editor.id }, body })
      const since = Date.now() - rememberedMs
      const sent: SentChange = { change, at: Date.now(), seq, told: resends !== null }
      this.#recentlySent = [...this.#recentlySent.filter(({ at }) => at >= since), sent]
    } catch (reason) {
      const mayArriveYet = isOfTheWay(reason)
      if (mayArriveYet && edits) this.#outbox = this.#outbox ? joined(edits, this.#outbox) : edits
      if (mayArriveYet ? tab === this.#tab : !isRefused(reason)) this.#onError(reason)
    } finally {
      this.#inFlight = null
      this.#applyPending()
      void this.#send()
    }
  }

  #applyPending(): void {
    if (this.#inFlight || this.#isFetching) return
    for (const event of this.#pendingEvents.splice(0).toSorted((a, b) => a.seq - b.seq)) this.#applyEvent(event)
  }

  /** Local changes with a later number, or none yet, win over the remote change. */
  #applyEvent(event: Change): void {
    const change = receivedChange(event.change, new Date().toISOString())
    const catching = this.#catchingUp
    catching?.told.push(change)
    if (catching && isEverything(change)) this.#applyFullState(event, catching)
    else {
      const later = this.#recentlySent.filter(({ seq }) => seq > event.seq).map((sent) => sent.change)
      this.#editor.applyRemote(change, this.#outbox ? [...later, this.#outbox] : later)
      if (event.personId !== this.#personId && !isEverything(change)) this.#notifyIfOverwritten(event, change)
    }
  }

  /** All unsaved changes of a participant; they replace everything received from them before the gap. */
  #applyFullState(event: Change, { told, from }: CatchingUp): void {
    const { localChange } = this.#editor
    const before = this.#editor.seen().document
    const unsent = this.#outbox ? [this.#outbox] : []
    if (from.size === 0) this.#editor.catchUp(told, unsent)
    else for (const change of told.slice(-1)) this.#editor.applyRemote(change, unsent)
    from.add(event.tab)
    const lost = overwritten(localChange, changesBetween(before, this.#editor.seen().document))
    if (event.personId !== this.#personId && !isNoChange(lost))
      this.#onOverwritten(overwrittenBy(event, lost, () => this.#restoreChange(localChange)))
    this.#finishIfCaughtUp()
  }

  #restoreChange(mine: DocumentChange): void {
    this.#editor.edit('Restore my change', (document) => applyChange(document, mine))
  }

  #notifyIfOverwritten(event: Change, change: DocumentChange): void {
    const found = firstOverwritten(this.#recentlySent, event.seq, change)
    if (!found) return
    found.own.told = true
    this.#onOverwritten(overwrittenBy(event, found.lost, () => this.#restoreChange(found.own.change)))
  }

  #setParticipants(others: readonly SomebodyThere[]): void {
    const before = this.#state.others
    if (before.length === others.length && JSON.stringify(before) === JSON.stringify(others)) return
    this.#updateState({ others })
  }

  #updateState(changes: Partial<RoomState>): void {
    this.#state = { ...this.#state, ...changes }
    for (const listener of [...this.#listeners]) listener()
  }
}
