import {
  type BoardParticipant,
  boardLive,
  presenceHeartbeatMs,
  presenceTimeoutMs,
} from '#contract/boards/board-live.ts'
import { boards } from '#contract/boards/boards.ts'
import type { LiveEvent } from '#contract/live/live-events.ts'
import { ApiError, call, isNotFound, NetworkError } from '#web/api/api.ts'
import { createClientId } from '#web/offline/create-client-id.ts'
import { liveListeners } from '#web/page/use-live-events.ts'
import { applyChange, type DocumentChange, diffDocuments, isFullState, isNoChange } from '../document/board-changes.ts'
import type { BoardEditor } from '../document/board-editor.ts'
import {
  type BoardCatchUp,
  concatChanges,
  findOverwritten,
  getOverwritten,
  getResentChange,
  isRejected,
  isRetryableSend,
  type OverwrittenChange,
  type ResendScope,
  type SentChange,
  toBoardChange,
  toDocumentChange,
  toOverwrittenChange,
} from './relayed-changes.ts'

/** Short enough that pointers and frames seem to move continuously. */
const cursorThrottleMs = 80
const changeThrottleMs = 120
/** Longer than any event takes to arrive. */
const maxEventDelayMs = 60_000

type BoardChangeEvent = Extract<LiveEvent, { type: 'board-change' }>

export interface BoardSessionState {
  /** One entry per tab, without this one. */
  participants: readonly BoardParticipant[]
  /** Whether the board was deleted or unshared. */
  isClosed: boolean
}

/** The server numbers changes; if two tabs change the same field, the later one wins in every tab. */
export class BoardSession {
  #tab = createClientId()
  /** Rejoining after a gap uses a new tab id, so that the others resend all their changes. */
  readonly #localTabs = new Set([this.#tab])
  readonly #editor: BoardEditor
  readonly #personId: string
  readonly #onOverwritten: (overwrittenChange: OverwrittenChange) => void
  readonly #listeners = new Set<() => void>()
  #state: BoardSessionState = { participants: [], isClosed: false }
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
  #catchingUp: BoardCatchUp | null = null
  /** Edits to send, the change being sent, and events received during the send. */
  #outbox: DocumentChange | null = null
  #inFlight: DocumentChange | null = null
  #pendingEvents: BoardChangeEvent[] = []
  #isFetching = false
  #resend: ResendScope | null = null
  #sendTimer: ReturnType<typeof setTimeout> | undefined
  /** An event can arrive after the response to a later change, so recent ones are needed to order it. */
  #recentlySent: SentChange[] = []
  #stop: (() => void) | undefined

  constructor(editor: BoardEditor, personId: string, onOverwritten: (overwrittenChange: OverwrittenChange) => void) {
    this.#editor = editor
    this.#personId = personId
    this.#onOverwritten = onOverwritten
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  readonly getSnapshot = (): BoardSessionState => this.#state

  /** Returns a function that leaves the session. */
  join(): () => void {
    const onEvent = (event: LiveEvent) => this.#onEvent(event)
    liveListeners.add(onEvent)
    const stopEdits = this.#editor.onEdit((change) => this.#queueChange(change))
    const stopSelection = this.#editor.subscribe(() => this.#schedulePresence())
    const rejoinIfVisible = () => {
      if (document.visibilityState === 'visible') void this.rejoin()
    }
    const leave = () => this.#leave()
    document.addEventListener('visibilitychange', rejoinIfVisible)
    addEventListener('pagehide', leave)
    this.#restartHeartbeat()
    void this.#sendPresence({ isForced: true })
    this.#stop = () => {
      liveListeners.delete(onEvent)
      stopEdits()
      stopSelection()
      document.removeEventListener('visibilitychange', rejoinIfVisible)
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
  setCursor(cursor: { x: number; y: number } | null): void {
    this.#cursor = cursor && { x: Math.round(cursor.x), y: Math.round(cursor.y) }
    this.#schedulePresence()
  }

  #restartHeartbeat(): void {
    clearInterval(this.#heartbeat)
    this.#heartbeat = setInterval(() => {
      if (document.visibilityState === 'visible') this.#onHeartbeat()
      this.#dropStaleParticipants()
    }, presenceHeartbeatMs)
  }

  #onHeartbeat(): void {
    if (!this.#hasJoined || !this.#hasEcho) this.#isDisconnected = true
    // Participants that sent nothing by now aren't listening.
    else if (this.#catchingUp?.awaitedTabs) this.#finishCatchUp(this.#catchingUp)
    this.#hasEcho = false
    void this.#sendPresence({ isForced: true })
  }

  /** Rejoins after a gap in the event stream and collects everyone's changes. */
  async rejoin(): Promise<void> {
    if (this.#isRejoining || !this.#stop) return
    this.#isRejoining = true
    this.#isDisconnected = false
    const catchUp: BoardCatchUp = { receivedChanges: [], reportedTabs: new Set(), awaitedTabs: undefined }
    this.#catchingUp = catchUp
    this.#resend = null
    try {
      // The others send changes relative to the saved board, so fetch it first.
      if (this.#state.isClosed || !this.#editor.getSnapshot().isSaving) await this.#fetch()
      if (!this.#stop) return
      if (this.#state.isClosed) this.#updateState({ isClosed: false })
      const previousTab = this.#tab
      this.#tab = createClientId()
      this.#localTabs.add(this.#tab)
      this.#hasJoined = this.#hasEcho = false
      await this.#announceLeave(previousTab)
      if (!this.#stop) return
      this.#restartHeartbeat()
      if (!(await this.#sendPresence({ isForced: true }))) return
      catchUp.awaitedTabs = this.#state.participants.filter(({ may }) => may !== 'view').map(({ tab }) => tab)
      this.#finishIfCaughtUp()
    } catch (reason) {
      this.#onError(reason)
    } finally {
      this.#isRejoining = false
    }
  }

  #finishIfCaughtUp(): void {
    const catchUp = this.#catchingUp
    const isPresent = (tab: string) => this.#state.participants.some((participant) => participant.tab === tab)
    if (catchUp?.awaitedTabs?.every((tab) => catchUp.reportedTabs.has(tab) || !isPresent(tab)))
      this.#finishCatchUp(catchUp)
  }

  #finishCatchUp({ reportedTabs, receivedChanges }: BoardCatchUp): void {
    this.#catchingUp = null
    if (this.#state.participants.length === 0) this.#outbox = null
    else if (reportedTabs.size === 0) this.#resend = 'local'
    else {
      const unpublished = this.#editor.getUnpublished(receivedChanges)
      this.#outbox = isNoChange(unpublished) ? null : unpublished
    }
    void this.#send()
  }

  #schedulePresence(): void {
    // Without participants the heartbeat is enough.
    if (this.#presenceTimer !== undefined || this.#state.participants.length === 0 || !this.#hasJoined) return
    this.#presenceTimer = setTimeout(() => {
      this.#presenceTimer = undefined
      void this.#sendPresence({ isForced: false })
    }, cursorThrottleMs)
  }

  async #sendPresence({ isForced }: { isForced: boolean }): Promise<boolean> {
    if (this.#state.isClosed) return false
    const presence = { tab: this.#tab, cursor: this.#cursor, selection: [...this.#editor.getSnapshot().selection] }
    const serialized = JSON.stringify(presence)
    if (!isForced && serialized === this.#lastPresence) return false
    this.#lastPresence = serialized
    const request = call(boardLive.presence, { params: { id: this.#editor.id }, body: presence })
    this.#presenceRequest = request
    try {
      const responseParticipants = await request
      if (!this.#stop || presence.tab !== this.#tab) return false
      const participants = responseParticipants.filter(({ tab }) => !this.#localTabs.has(tab))
      for (const { tab } of participants) this.#lastSeenAt.set(tab, Date.now())
      this.#setParticipants(participants)
      return true
    } catch (reason) {
      this.#onError(reason)
      return false
    }
  }

  #leave(): void {
    if (this.#state.isClosed) return
    this.#announceLeave(this.#tab).catch((reason) => this.#onError(reason))
  }

  async #announceLeave(tab: string): Promise<void> {
    const body = { tab, cursor: null, selection: [], gone: true }
    await call(boardLive.presence, { params: { id: this.#editor.id }, body })
  }

  /** A network error clears the participants; a 404 closes the board. */
  #onError(reason: unknown): void {
    if (isNotFound(reason)) this.#updateState({ participants: [], isClosed: true })
    else if (reason instanceof NetworkError || reason instanceof ApiError) {
      this.#isDisconnected = true
      this.#setParticipants([])
    } else if (!(reason instanceof DOMException && reason.name === 'AbortError')) throw reason
  }

  #onEvent(event: LiveEvent): void {
    const isThisBoard = 'boardId' in event && event.boardId === this.#editor.id
    // The board may have been shared again or restored.
    if (this.#state.isClosed && (isThisBoard || event.type === 'domains-changed')) void this.rejoin()
    if (!isThisBoard) return
    if (event.type === 'board-presence') this.#onPresence(event.who, event.gone)
    if (event.type === 'board-saved') void this.#fetchNewer(event.rev)
    if (event.type === 'board-change' && !this.#localTabs.has(event.tab)) {
      if (this.#inFlight || this.#isFetching) this.#pendingEvents.push(event)
      else this.#applyEvent(event)
    }
  }

  #onPresence(participant: BoardParticipant, gone: boolean): void {
    if (participant.tab === this.#tab && !gone) this.#onPresenceEcho()
    if (this.#localTabs.has(participant.tab)) return
    const isNew = !gone && !this.#state.participants.some(({ tab }) => tab === participant.tab)
    if (gone) this.#lastSeenAt.delete(participant.tab)
    else this.#lastSeenAt.set(participant.tab, Date.now())
    const participants = this.#state.participants.filter(({ tab }) => tab !== participant.tab)
    this.#setParticipants(gone ? participants : [...participants, participant])
    // A new participant has only the saved board, so send unsaved changes again.
    if (isNew && this.#editor.canEdit && !this.#catchingUp) {
      this.#resend = 'all'
      this.#scheduleSend()
    }
    if (isNew) void this.#sendPresence({ isForced: true })
    if (gone) this.#finishIfCaughtUp()
  }

  #onPresenceEcho(): void {
    this.#hasJoined = this.#hasEcho = true
    if (this.#isDisconnected) void this.rejoin()
  }

  #dropStaleParticipants(): void {
    const since = Date.now() - presenceTimeoutMs
    this.#setParticipants(this.#state.participants.filter(({ tab }) => (this.#lastSeenAt.get(tab) ?? 0) >= since))
  }

  async #fetchNewer(rev: number): Promise<void> {
    if (rev <= this.#editor.getSnapshot().board.rev || this.#editor.getSnapshot().isSaving) return
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
    const isAlone = this.#state.participants.length === 0 && !this.#isDisconnected && !this.#catchingUp
    this.#outbox = isAlone ? null : concatChanges(this.#outbox, change)
    if (!isAlone) this.#scheduleSend()
  }

  #scheduleSend(): void {
    this.#sendTimer ??= setTimeout(() => {
      this.#sendTimer = undefined
      void this.#send()
    }, changeThrottleMs)
  }

  async #send(): Promise<void> {
    if (this.#inFlight || this.#catchingUp || this.#state.isClosed || this.#state.participants.length === 0) return
    const edits = this.#outbox
    const resend = edits ? null : this.#resend
    const change = edits ?? getResentChange(this.#editor, resend)
    if (edits) this.#outbox = null
    else this.#resend = null
    if (!change) return
    this.#inFlight = change
    let tab = this.#tab
    try {
      await this.#presenceRequest.catch(() => undefined)
      tab = this.#tab
      this.#editor.recordPublished(edits ?? this.#editor.localChange)
      const body = { tab, change: toBoardChange(change) }
      const { seq } = await call(boardLive.changes, { params: { id: this.#editor.id }, body })
      const since = Date.now() - maxEventDelayMs
      const sent: SentChange = { change, sentAt: Date.now(), seq, isNotified: resend !== null }
      this.#recentlySent = [...this.#recentlySent.filter(({ sentAt }) => sentAt >= since), sent]
    } catch (reason) {
      const canRetry = isRetryableSend(reason)
      if (canRetry && edits) this.#outbox = this.#outbox ? concatChanges(edits, this.#outbox) : edits
      const isConnectionLost = canRetry ? tab === this.#tab : !isRejected(reason)
      if (isConnectionLost) this.#onError(reason)
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
  #applyEvent(event: BoardChangeEvent): void {
    const change = toDocumentChange(event.change, new Date().toISOString())
    const catchUp = this.#catchingUp
    catchUp?.receivedChanges.push(change)
    if (catchUp && isFullState(change)) this.#applyFullState(event, catchUp)
    else {
      const later = this.#recentlySent.filter(({ seq }) => seq > event.seq).map((sent) => sent.change)
      this.#editor.applyRemote(change, this.#outbox ? [...later, this.#outbox] : later)
      if (event.personId !== this.#personId && !isFullState(change)) this.#notifyIfOverwritten(event, change)
    }
  }

  /** All unsaved changes of a participant; they replace everything received from them before the gap. */
  #applyFullState(event: BoardChangeEvent, { receivedChanges, reportedTabs }: BoardCatchUp): void {
    const { localChange } = this.#editor
    const previousDocument = this.#editor.getSnapshot().document
    const latest = receivedChanges.at(-1)
    const unsent = this.#outbox ? [this.#outbox] : []
    if (reportedTabs.size === 0) this.#editor.catchUp(receivedChanges, unsent)
    else if (latest) this.#editor.applyRemote(latest, unsent)
    reportedTabs.add(event.tab)
    const lostChange = getOverwritten(localChange, diffDocuments(previousDocument, this.#editor.getSnapshot().document))
    if (event.personId !== this.#personId && !isNoChange(lostChange))
      this.#onOverwritten(toOverwrittenChange(event, lostChange, () => this.#restoreChange(localChange)))
    this.#finishIfCaughtUp()
  }

  #restoreChange(change: DocumentChange): void {
    this.#editor.edit('Restore my change', (document) => applyChange(document, change))
  }

  #notifyIfOverwritten(event: BoardChangeEvent, change: DocumentChange): void {
    const match = findOverwritten(this.#recentlySent, event.seq, change)
    if (!match) return
    const { sentChange, lostChange } = match
    sentChange.isNotified = true
    this.#onOverwritten(toOverwrittenChange(event, lostChange, () => this.#restoreChange(sentChange.change)))
  }

  #setParticipants(participants: readonly BoardParticipant[]): void {
    const previous = this.#state.participants
    if (previous.length === participants.length && JSON.stringify(previous) === JSON.stringify(participants)) return
    this.#updateState({ participants })
  }

  #updateState(changes: Partial<BoardSessionState>): void {
    this.#state = { ...this.#state, ...changes }
    for (const listener of [...this.#listeners]) listener()
  }
}
