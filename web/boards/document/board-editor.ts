import { type Board, type BoardRight, boards } from '#contract/boards/boards.ts'
import { ApiError, call } from '#web/api/api.ts'
import { DraftStore } from '#web/offline/use-draft.ts'
import { getErrorMessage } from '#web/ui/text/error-message.ts'
import {
  applyChange,
  type ConflictChoice,
  type DocumentChange,
  diffDocuments,
  getAppliedPart,
  invertChange,
  isFullState,
  isNoChange,
  type MergedDocument,
  mergeDocuments,
  mergeReceived,
  resolveConflicts,
} from './board-changes.ts'
import { type BoardDocument, type BoardEdit, changeContent, toBoardBody, toDocument } from './board-document.ts'
import { BoardHistory, PublishedChanges } from './board-history.ts'

/** Local draft: the document of revision `rev`, and the same document with local changes only. */
interface BoardDraft {
  rev: number
  base: BoardDocument
  document: BoardDocument
}

export interface BoardState {
  /** The last version from the server. */
  board: Board
  document: BoardDocument
  selection: ReadonlySet<string>
  isDirty: boolean
  isSaving: boolean
  /** Why the last save failed; cleared by the next one. */
  problem: string | null
  /** Set when a remote save changed the same fields; blocks saving until it is resolved. */
  conflict: (MergedDocument & { remote: Board }) | null
  undoLabel: string | undefined
  redoLabel: string | undefined
  /** Whether unsaved changes of an earlier visit were restored. */
  hasRestoredChanges: boolean
}

type BoardEditListener = (change: DocumentChange, document: BoardDocument) => void

export class BoardEditor {
  readonly id: string
  readonly #listeners = new Set<() => void>()
  readonly #editListeners = new Set<BoardEditListener>()
  readonly #history = new BoardHistory()
  readonly #published = new PublishedChanges()
  readonly #draft: DraftStore<BoardDraft>
  #hasDraft = false
  #saved: BoardDocument
  /** The saved document with remote unsaved changes only; differences from it are local. */
  #received: BoardDocument
  /** The saved document with local changes only, including overwritten ones, which return if the other side undoes. */
  #local: BoardDocument
  /** The saved document before the open conflict, so that a later visit finds the same conflict. */
  #conflictBase: BoardDocument | null = null
  #state: BoardState

  constructor(board: Board) {
    this.id = board.id
    this.#saved = toDocument(board)
    this.#received = this.#saved
    this.#local = this.#saved
    this.#draft = new DraftStore(`board/${board.id}`, { followsOtherTabs: false })
    this.#state = {
      board,
      document: this.#saved,
      selection: new Set(),
      isDirty: false,
      isSaving: false,
      problem: null,
      conflict: null,
      undoLabel: undefined,
      redoLabel: undefined,
      hasRestoredChanges: false,
    }
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  readonly getSnapshot = (): BoardState => this.#state
  get may(): BoardRight {
    return this.#state.board.may
  }
  get canEdit(): boolean {
    return this.may !== 'view'
  }

  onEdit(listener: BoardEditListener): () => void {
    this.#editListeners.add(listener)
    return () => this.#editListeners.delete(listener)
  }

  /** Restores unsaved changes of an earlier visit. */
  async open(): Promise<void> {
    await this.#draft.open()
    this.#resumeDraft()
  }

  #resumeDraft(): void {
    const { isDrafted: hasDraft, value } = this.#draft.getSnapshot()
    if (!hasDraft || !value || !this.canEdit || !isNoChange(this.localChange)) return
    const remote = this.#received
    const merge = mergeDocuments(value.base, value.document, remote)
    // The draft was saved, but the page closed before it was cleared.
    if (merge.conflicts.length === 0 && isNoChange(diffDocuments(remote, merge.merged))) {
      this.#hasDraft = false
      void this.#draft.clear()
      return
    }
    this.#hasDraft = true
    this.#setState({ document: merge.merged, isDirty: true, hasRestoredChanges: true })
    this.#local = this.#withLocalChanges(this.#saved)
    if (merge.conflicts.length > 0) this.#setConflict(merge, this.#state.board, value.base)
  }

  close(): Promise<void> {
    return this.#draft.close()
  }

  /** For `pagehide`, which leaves no time to flush. */
  readonly saveOnUnload = (): void => this.#draft.saveOnUnload()

  flush(): Promise<void> {
    return this.#draft.flush()
  }

  /** Edits sharing a `gesture` are one undo step until `endGesture`. Does nothing without edit rights. */
  edit(label: string, edit: BoardEdit, gesture?: string): void {
    if (!this.canEdit) return
    const previous = this.#state.document
    const next = edit(previous)
    if (next === previous || !this.#history.record(label, previous, next, gesture)) return
    this.#commit(previous, next)
  }

  endGesture(): void {
    this.#history.endGesture()
  }

  readonly changeContent = (frameId: string, changes: Record<string, unknown>, gesture?: string): void => {
    const name = this.#state.document.frames.find(({ id }) => id === frameId)?.data.name ?? 'frame'
    this.edit(`Change ${name}`, changeContent(frameId, changes), gesture)
  }

  undo(): void {
    this.#commit(this.#state.document, this.#history.undo(this.#state.document))
  }
  redo(): void {
    this.#commit(this.#state.document, this.#history.redo(this.#state.document))
  }

  select(ids: Iterable<string>): void {
    const selection = new Set(ids)
    const previous = this.#state.selection
    if (selection.size === previous.size && [...selection].every((id) => previous.has(id))) return
    this.#setState({ selection })
  }

  /** Applies a remote unsaved change below later local ones; it isn't part of the undo history. */
  applyRemote(change: DocumentChange, localChanges: readonly DocumentChange[] = []): void {
    const document = [change, ...localChanges].reduce(applyChange, this.#state.document)
    if (isFullState(change) && !isNoChange(this.localChange)) return void this.#receiveUnderLocal(change)
    this.#receive(change)
    this.#showMerged(document)
  }

  #receive(change: DocumentChange): void {
    const received = mergeReceived(applyChange(this.#received, change), this.#state.document, this.#received)
    this.#received = applyChange(
      received,
      invertChange(getAppliedPart(diffDocuments(this.#saved, this.#local), received)),
    )
  }

  /** Merges a remote full state below local changes; a restored draft can conflict with it. */
  #receiveUnderLocal(change: DocumentChange): void {
    const { board, conflict, document, hasRestoredChanges } = this.#state
    const merge = mergeDocuments(this.#received, document, applyChange(this.#received, change))
    const conflicts = this.#published.excludePublished(merge.conflicts)
    const hasConflict = hasRestoredChanges && conflicts.length > 0
    this.#receive(change)
    if (hasConflict && !conflict) this.#setConflict({ ...merge, conflicts }, board, this.#saved)
    this.#showMerged(merge.merged)
    if (!hasConflict && merge.conflicts.length > 0) this.#notifyEdit(this.localChange)
  }

  /** After a reconnect: replaces all earlier remote changes with `receivedChanges` and applies `unsent` local ones on top. */
  catchUp(receivedChanges: readonly DocumentChange[], unsent: readonly DocumentChange[]): void {
    this.#received = mergeReceived(receivedChanges.reduce(applyChange, this.#saved), this.#local, this.#saved)
    this.#showMerged([...receivedChanges, ...unsent].reduce(applyChange, this.#local))
  }

  #showMerged(document: BoardDocument): void {
    this.#setState({ document, selection: this.#selectRemaining(document) })
    this.#updateDirty()
  }

  #selectRemaining({ frames }: BoardDocument): ReadonlySet<string> {
    const { selection } = this.#state
    const frameIds = new Set(frames.map(({ id }) => id))
    const remaining = [...selection].filter((id) => frameIds.has(id))
    return remaining.length === selection.size ? selection : new Set(remaining)
  }

  /** All differences from the saved document. */
  get unsavedChange(): DocumentChange {
    return diffDocuments(this.#saved, this.#state.document)
  }
  get localChange(): DocumentChange {
    return diffDocuments(this.#received, this.#state.document)
  }
  /** Differences that other people haven't received after a reconnect. */
  getUnpublished(receivedChanges: readonly DocumentChange[]): DocumentChange {
    return diffDocuments(receivedChanges.reduce(applyChange, this.#saved), this.#state.document)
  }
  #withLocalChanges(document: BoardDocument): BoardDocument {
    return applyChange(document, this.localChange)
  }

  /** Switches to a newer version from the server and reapplies unsaved changes, if editing is still allowed. */
  adopt(board: Board): void {
    const { conflict, board: currentBoard } = this.#state
    if (board.rev < currentBoard.rev) return
    if (board.may === 'view') this.#switchToViewOnly(board)
    else if (!conflict) this.#rebaseOnto(board)
  }

  #rebaseOnto(board: Board): void {
    const canEditAgain = !this.canEdit
    const merge = this.#mergeWith(board)
    const base = this.#saved
    this.#received = merge.received
    this.#saved = toDocument(board)
    this.#setState({ board, document: merge.merged })
    this.#local = this.#withLocalChanges(this.#saved)
    if (merge.conflicts.length > 0) this.#setConflict(merge, board, base)
    if (canEditAgain) this.#resumeDraft()
    this.#updateDirty()
  }

  #setConflict(merge: MergedDocument, remote: Board, base: BoardDocument): void {
    this.#conflictBase = base
    this.#setState({ conflict: { ...merge, remote } })
  }

  /** Viewers have no conflicts; their earlier draft stays stored. */
  #switchToViewOnly(board: Board): void {
    if (board.rev > this.#state.board.rev) this.#received = toDocument(board)
    this.#saved = toDocument(board)
    this.#local = this.#saved
    this.#conflictBase = null
    this.#setState({ board, document: this.#received, conflict: null, isDirty: false, hasRestoredChanges: false })
  }

  /** Only local changes can conflict with a saved version. */
  #mergeWith(board: Board): MergedDocument & { received: BoardDocument } {
    const remote = toDocument(board)
    const received = mergeDocuments(this.#saved, remote, this.#received).merged
    const merge = mergeDocuments(this.#received, this.#state.document, received)
    const conflicts = this.#published.excludePublished(merge.conflicts)
    return { ...merge, conflicts, received, remoteChanges: diffDocuments(this.#saved, remote) }
  }

  /** Returns true once saved. Edits made during the save stay unsaved. */
  async save(): Promise<boolean> {
    const { document, board, isSaving, conflict } = this.#state
    if (isSaving || conflict || !this.canEdit) return false
    const received = this.#received
    const published = this.recordPublished(this.localChange)
    this.#setState({ isSaving: true, problem: null })
    try {
      const saved = await call(boards.save, {
        params: { id: this.id },
        body: toBoardBody(document, this.#saved),
        ifMatch: board.rev,
      })
      this.#published.forget(published)
      // A newer version, which includes this save, arrived first.
      if (saved.rev < this.#state.board.rev) this.#setState({ isSaving: false, hasRestoredChanges: false })
      else this.#adoptSaved(saved, document, received)
      this.#updateDirty()
      // Others who fetch the saved version would treat it as newer than changes made during the save.
      this.#notifyEdit(this.localChange)
      return true
    } catch (reason) {
      this.#setState({ isSaving: false })
      const newerBoard = getNewerBoard(reason)
      if (!newerBoard) {
        this.#setState({ problem: getErrorMessage(reason) })
        throw reason
      }
      const { conflict: pendingConflict, board: latestBoard } = this.#state
      // A newer version that arrived during the save is already merged, so retry unless it has a conflict.
      if (!pendingConflict && latestBoard.rev > board.rev && latestBoard.rev >= newerBoard.rev) return this.save()
      if (!pendingConflict) this.#setConflict(this.#mergeWith(newerBoard), newerBoard, this.#saved)
      return false
    }
  }

  /** `document` and `received` are the states at the time of sending. */
  #adoptSaved(board: Board, document: BoardDocument, received: BoardDocument): void {
    const remaining = diffDocuments(document, this.#state.document)
    this.#saved = toDocument(board)
    this.#received = applyChange(this.#saved, diffDocuments(received, this.#received))
    this.#setState({ isSaving: false, board, document: applyChange(this.#saved, remaining), hasRestoredChanges: false })
    this.#local = this.#withLocalChanges(this.#saved)
  }

  /** Resolves the conflict on top of the remote version, without saving. */
  resolve(choices: ReadonlyMap<string, ConflictChoice>): void {
    const { conflict, document } = this.#state
    if (!conflict) return
    // Editing may have continued while the conflict was open.
    const { merged, received, conflicts: currentConflicts } = this.#mergeWith(conflict.remote)
    const getLocalFrame = (id: string) => merged.frames.find((frame) => frame.id === id) ?? null
    const getConflictingFields = (id: string) =>
      currentConflicts.flatMap((current) => (current.kind === 'frame' && current.id === id ? current.fields : []))
    const conflicts = conflict.conflicts.map((previous) => {
      if (previous.kind === 'config') return previous
      const { id, local, fields } = previous
      return { ...previous, local: local && getLocalFrame(id), fields: [...fields, ...getConflictingFields(id)] }
    })
    const resolvedDocument = resolveConflicts({ ...conflict, merged, conflicts }, choices)
    this.#history.record('Merge both versions', document, resolvedDocument)
    this.#received = received
    this.#saved = toDocument(conflict.remote)
    this.#conflictBase = null
    this.#setState({ conflict: null, board: conflict.remote, document: resolvedDocument })
    this.#local = this.#withLocalChanges(this.#saved)
    this.#updateDirty()
    this.#notifyEdit(diffDocuments(document, resolvedDocument))
  }

  /** Discards unsaved local changes, keeping remote ones; can be undone. */
  discard(): void {
    this.#history.record('Go back to the saved version', this.#state.document, this.#received)
    this.#commit(this.#state.document, this.#received)
  }

  #commit(previous: BoardDocument, next: BoardDocument): void {
    if (previous === next) return
    const change = diffDocuments(previous, next)
    this.#local = applyChange(this.#local, change)
    this.#setState({ document: next, selection: this.#selectRemaining(next) })
    this.#updateDirty()
    this.#notifyEdit(change)
  }

  /** Remembers published changes, because others may save them while editing continues here. */
  readonly recordPublished = (change: DocumentChange): number => this.#published.record(change)

  #notifyEdit(change: DocumentChange): void {
    const { document } = this.#state
    if (!isNoChange(change)) for (const listener of this.#editListeners) listener(change, document)
  }

  /** Updates `isDirty` and the draft, which stays untouched for viewers. */
  #updateDirty(): void {
    if (!this.canEdit) {
      this.#setState({ isDirty: false, hasRestoredChanges: false })
      return
    }
    const hasLocalChanges = !isNoChange(this.localChange)
    if (hasLocalChanges) {
      const base = this.#conflictBase ?? this.#saved
      this.#draft.set({ rev: this.#state.board.rev, base, document: this.#withLocalChanges(base) })
    } else if (this.#hasDraft) void this.#draft.clear()
    this.#hasDraft = hasLocalChanges
    this.#setState({
      isDirty: !isNoChange(this.unsavedChange),
      hasRestoredChanges: hasLocalChanges && this.#state.hasRestoredChanges,
    })
  }

  #setState(changes: Partial<BoardState>): void {
    const { nextUndo: undoLabel, nextRedo: redoLabel } = this.#history
    this.#state = { ...this.#state, ...changes, undoLabel, redoLabel }
    for (const listener of [...this.#listeners]) listener()
  }
}

/** The server's version, if it rejected a save as stale. */
function getNewerBoard(reason: unknown): Board | undefined {
  if (!(reason instanceof ApiError) || reason.code !== 'stale') return undefined
  return (reason.data as { current?: Board } | null)?.current
}
