import { type Board, type BoardRight, boards } from '#contract/boards/boards.ts'
import { ApiError, call } from '#web/api.ts'
import { DraftKeeper } from '#web/offline/draft-keeper.ts'
import {
  applyChange,
  type Choice,
  changesBetween,
  type DocumentChange,
  decide,
  heardOf,
  isEverything,
  isNoChange,
  type MergedDocument,
  mergeDocuments,
  standing,
  undoing,
} from './board-changes.ts'
import { type BoardDocument, documentOf, type Edit } from './board-document.ts'
import { BoardHistory } from './board-history.ts'
import { bodyOf } from './sent-board.ts'
import { ToldChanges } from './told-changes.ts'

/** What lies in this browser until the server has it: a version, and the same with what was done here and by nobody else. */
interface BoardDraft {
  rev: number
  base: BoardDocument
  document: BoardDocument
}

export interface BoardState {
  /** As the server has it, for whose it is and what one may do. */
  board: Board
  document: BoardDocument
  selection: ReadonlySet<string>
  /** Something is not saved yet. */
  dirty: boolean
  saving: boolean
  /** Why the last save failed, in words; gone with the next one. */
  problem: string | null
  /** Somebody saved meanwhile, and both changed the same: to be decided before anything is saved. */
  conflict: (MergedDocument & { theirs: Board }) | null
  undoLabel: string | undefined
  redoLabel: string | undefined
  /** Unsaved changes of an earlier visit were found in this browser. */
  restored: boolean
}

/** Hears every edit of this person, to pass it on. */
export type EditListener = (change: DocumentChange, document: BoardDocument) => void

/** One open board: every edit, undo, save and merge goes through here. */
export class BoardEditor {
  readonly id: string
  readonly #listeners = new Set<() => void>()
  readonly #editListeners = new Set<EditListener>()
  readonly #history = new BoardHistory()
  readonly #told = new ToldChanges()
  readonly #draft: DraftKeeper<BoardDraft>
  /** What was done here lies in this browser. */
  #isDrafted = false
  #saved: BoardDocument
  /** What is saved, with what the others did since and nothing of one's own: what differs from it was done here. */
  #heard: BoardDocument
  /** What is saved, with all that was done here, somebody wrote over it or not: where they take that back, it is one's own again. */
  #mine: BoardDocument
  /** While something is to be decided: what was saved before it was torn. By it a later visit finds the same. */
  #tornFrom: BoardDocument | null = null
  #state: BoardState

  constructor(board: Board) {
    this.id = board.id
    this.#saved = documentOf(board)
    this.#heard = this.#saved
    this.#mine = this.#saved
    this.#draft = new DraftKeeper(`board/${board.id}`, { follows: false })
    this.#state = {
      board,
      document: this.#saved,
      selection: new Set(),
      dirty: false,
      saving: false,
      problem: null,
      conflict: null,
      undoLabel: undefined,
      redoLabel: undefined,
      restored: false,
    }
  }

  readonly listen = (changed: () => void): (() => void) => {
    this.#listeners.add(changed)
    return () => this.#listeners.delete(changed)
  }
  readonly seen = (): BoardState => this.#state
  get may(): BoardRight {
    return this.#state.board.may
  }
  get canEdit(): boolean {
    return this.may !== 'view'
  }

  onEdit(listener: EditListener): () => void {
    this.#editListeners.add(listener)
    return () => this.#editListeners.delete(listener)
  }

  /** Looks for what was not saved on an earlier visit, and goes on from it. */
  async open(): Promise<void> {
    await this.#draft.open()
    this.#goOn()
  }

  #goOn(): void {
    const { held, value } = this.#draft.seen()
    if (!held || !value || !this.canEdit || !isNoChange(this.own)) return
    const theirs = this.#heard
    const merge = mergeDocuments(value.base, value.document, theirs)
    // It was saved, and the page left before this browser let go of it.
    if (merge.conflicts.length === 0 && isNoChange(changesBetween(theirs, merge.merged))) {
      this.#isDrafted = false
      void this.#draft.clear()
      return
    }
    this.#isDrafted = true
    this.#show({ document: merge.merged, dirty: true, restored: true })
    this.#mine = this.#withOwn(this.#saved)
    if (merge.conflicts.length > 0) this.#mustDecide(merge, this.#state.board, value.base)
  }

  close(): Promise<void> {
    return this.#draft.close()
  }

  /** For a page that goes away, and may have no time to flush. */
  readonly leave = (): void => this.#draft.leave()

  /** Writes what is in the making into this browser at once. */
  flush(): Promise<void> {
    return this.#draft.flush()
  }

  /**
   * One edit, undone by one undo. Edits with the same `gesture` (one drag, one box being typed in) count as one until
   * `endGesture`. Does nothing on a board that is not one's to edit.
   */
  edit(label: string, edit: Edit, gesture?: string): void {
    if (!this.canEdit) return
    const before = this.#state.document
    const after = edit(before)
    if (after === before || !this.#history.note(label, before, after, gesture)) return
    this.#take(before, after)
  }

  endGesture(): void {
    this.#history.endGesture()
  }

  undo(): void {
    this.#take(this.#state.document, this.#history.undo(this.#state.document))
  }
  redo(): void {
    this.#take(this.#state.document, this.#history.redo(this.#state.document))
  }

  select(ids: Iterable<string>): void {
    const selection = new Set(ids)
    const before = this.#state.selection
    if (selection.size === before.size && [...selection].every((id) => before.has(id))) return
    this.#show({ selection })
  }

  /**
   * Takes over what somebody else changed and did not save, under what of one's own comes after it. It is no step of
   * one's own undo.
   */
  applyRemote(change: DocumentChange, own: readonly DocumentChange[] = []): void {
    const document = [change, ...own].reduce(applyChange, this.#state.document)
    if (isEverything(change) && !isNoChange(this.own)) return void this.#hearUnderOwn(change)
    this.#hear(change)
    this.#showTogether(document)
  }

  #hear(change: DocumentChange): void {
    const heard = heardOf(applyChange(this.#heard, change), this.#state.document, this.#heard)
    this.#heard = applyChange(heard, undoing(standing(changesBetween(this.#saved, this.#mine), heard)))
  }

  /** All that somebody has was told before: it comes under what was done here, and what was found here is asked about. */
  #hearUnderOwn(change: DocumentChange): void {
    const { board, conflict, document, restored } = this.#state
    const merge = mergeDocuments(this.#heard, document, applyChange(this.#heard, change))
    const conflicts = this.#told.without(merge.conflicts)
    const isTorn = restored && conflicts.length > 0
    this.#hear(change)
    if (isTorn && !conflict) this.#mustDecide({ ...merge, conflicts }, board, this.#saved)
    this.#showTogether(merge.merged)
    if (!isTorn && merge.conflicts.length > 0) this.#tell(this.own)
  }

  /**
   * After a time without hearing them: what the others said before counts no more, `told` is all that they have now and
   * did not save. What was done here stays, but where `told` says otherwise; `unsent` stands above it.
   */
  catchUp(told: readonly DocumentChange[], unsent: readonly DocumentChange[]): void {
    this.#heard = heardOf(told.reduce(applyChange, this.#saved), this.#mine, this.#saved)
    this.#showTogether([...told, ...unsent].reduce(applyChange, this.#mine))
  }

  #showTogether(document: BoardDocument): void {
    const there = new Set(document.frames.map(({ id }) => id))
    const selection = new Set([...this.#state.selection].filter((id) => there.has(id)))
    this.#show({ document, selection })
    this.#compare()
  }

  /** What differs from what the server has. */
  get unsaved(): DocumentChange {
    return changesBetween(this.#saved, this.#state.document)
  }
  /** What of it was done here. */
  get own(): DocumentChange {
    return changesBetween(this.#heard, this.#state.document)
  }
  /** What of the document the others did not tell, of all they told after a gap. */
  untold(told: readonly DocumentChange[]): DocumentChange {
    return changesBetween(told.reduce(applyChange, this.#saved), this.#state.document)
  }
  #withOwn(document: BoardDocument): BoardDocument {
    return applyChange(document, this.own)
  }

  /** The board as the server has it now; unsaved changes are put on top of it, where one may still save them. */
  adopt(board: Board): void {
    const { conflict, board: known } = this.#state
    if (board.rev < known.rev) return
    if (board.may === 'view') this.#look(board)
    else if (!conflict) this.#putUnder(board)
  }

  #putUnder(board: Board): void {
    const mayAgain = !this.canEdit
    const merge = this.#mergeWith(board)
    const base = this.#saved
    this.#heard = merge.heard
    this.#saved = documentOf(board)
    this.#show({ board, document: merge.merged })
    this.#mine = this.#withOwn(this.#saved)
    if (merge.conflicts.length > 0) this.#mustDecide(merge, board, base)
    if (mayAgain) this.#goOn()
    this.#compare()
  }

  #mustDecide(merge: MergedDocument, theirs: Board, base: BoardDocument): void {
    this.#tornFrom = base
    this.#show({ conflict: { ...merge, theirs } })
  }

  /** Who may only look has nothing to decide. What they wrote before stays in this browser. */
  #look(board: Board): void {
    if (board.rev > this.#state.board.rev) this.#heard = documentOf(board)
    this.#saved = documentOf(board)
    this.#mine = this.#saved
    this.#tornFrom = null
    this.#show({ board, document: this.#heard, conflict: null, dirty: false, restored: false })
  }

  /** What the others said and is saved otherwise by now is not torn: only what was done here can be. */
  #mergeWith(board: Board): MergedDocument & { heard: BoardDocument } {
    const theirs = documentOf(board)
    const heard = mergeDocuments(this.#saved, theirs, this.#heard).merged
    const merge = mergeDocuments(this.#heard, this.#state.document, heard)
    const conflicts = this.#told.without(merge.conflicts)
    return { ...merge, conflicts, heard, theirChanges: changesBetween(this.#saved, theirs) }
  }

  /** Saves the whole board; `true` when the server has it. What is edited while it is saved stays unsaved. */
  async save(): Promise<boolean> {
    const { document, board, saving, conflict } = this.#state
    if (saving || conflict || !this.canEdit) return false
    const heard = this.#heard
    const told = this.noteTold(this.own)
    this.#show({ saving: true, problem: null })
    try {
      const saved = await call(boards.save, {
        params: { id: this.id },
        body: bodyOf(document, this.#saved),
        ifMatch: board.rev,
      })
      this.#told.forget(told)
      // A newer one came in first, and what was saved with it.
      if (saved.rev < this.#state.board.rev) this.#show({ saving: false, restored: false })
      else this.#takeSaved(saved, document, heard)
      this.#compare()
      // Who fetches what was saved takes it for later than what was written on meanwhile.
      this.#tell(this.own)
      return true
    } catch (reason) {
      this.#show({ saving: false })
      const stale = staleOf(reason)
      if (!stale) {
        this.#show({ problem: reason instanceof Error ? reason.message : String(reason) })
        throw reason
      }
      const { conflict: torn, board: now } = this.#state
      // What came in by itself meanwhile is decided first, against what it tore; where it tore nothing, it is seen already.
      if (!torn && now.rev > board.rev && now.rev >= stale.rev) return this.save()
      if (!torn) this.#mustDecide(this.#mergeWith(stale), stale, this.#saved)
      return false
    }
  }

  /** `document` and `heard`: as they were when they were sent. */
  #takeSaved(board: Board, document: BoardDocument, heard: BoardDocument): void {
    const rest = changesBetween(document, this.#state.document)
    this.#saved = documentOf(board)
    this.#heard = applyChange(this.#saved, changesBetween(heard, this.#heard))
    this.#show({ saving: false, board, document: applyChange(this.#saved, rest), restored: false })
    this.#mine = this.#withOwn(this.#saved)
  }

  /** Ends a conflict: the document, with what was decided, is based on theirs now. It is not saved by this. */
  resolve(choices: ReadonlyMap<string, Choice>): void {
    const { conflict, document } = this.#state
    if (!conflict) return
    // Whoever put the decision off went on meanwhile.
    const { merged, heard, conflicts: now } = this.#mergeWith(conflict.theirs)
    const mineNow = (id: string) => merged.frames.find((frame) => frame.id === id) ?? null
    const tornNow = (id: string) => now.flatMap((each) => (each.kind === 'frame' && each.id === id ? each.fields : []))
    const conflicts = conflict.conflicts.map((each) =>
      each.kind === 'frame'
        ? { ...each, mine: each.mine && mineNow(each.id), fields: [...each.fields, ...tornNow(each.id)] }
        : each,
    )
    const decided = decide({ ...conflict, merged, conflicts }, choices)
    this.#history.note('Put both together', document, decided)
    this.#heard = heard
    this.#saved = documentOf(conflict.theirs)
    this.#tornFrom = null
    this.#show({ conflict: null, board: conflict.theirs, document: decided })
    this.#mine = this.#withOwn(this.#saved)
    this.#compare()
    this.#tell(changesBetween(document, decided))
  }

  /** Throws away what was done here and is not saved; undo brings it back. What others are writing is theirs. */
  discard(): void {
    this.#history.note('Go back to what is saved', this.#state.document, this.#heard)
    this.#take(this.#state.document, this.#heard)
  }

  #take(before: BoardDocument, after: BoardDocument): void {
    if (before === after) return
    const there = new Set(after.frames.map(({ id }) => id))
    const selection = [...this.#state.selection]
    const kept = selection.every((id) => there.has(id))
      ? this.#state.selection
      : new Set(selection.filter((id) => there.has(id)))
    const change = changesBetween(before, after)
    this.#mine = applyChange(this.#mine, change)
    this.#show({ document: after, selection: kept })
    this.#compare()
    this.#tell(change)
  }

  /** What goes out from here may be saved by anybody, while it is written on: it is no word of theirs. */
  readonly noteTold = (change: DocumentChange): number => this.#told.note(change)

  #tell(change: DocumentChange): void {
    const { document } = this.#state
    if (!isNoChange(change)) for (const listener of this.#editListeners) listener(change, document)
  }

  /** Says whether something is unsaved, and keeps what of it was done here. What who may only look kept before stays. */
  #compare(): void {
    if (!this.canEdit) {
      this.#show({ dirty: false, restored: false })
      return
    }
    const hasOwn = !isNoChange(this.own)
    if (hasOwn) {
      const base = this.#tornFrom ?? this.#saved
      this.#draft.set({ rev: this.#state.board.rev, base, document: this.#withOwn(base) })
    } else if (this.#isDrafted) void this.#draft.clear()
    this.#isDrafted = hasOwn
    this.#show({ dirty: !isNoChange(this.unsaved), restored: hasOwn && this.#state.restored })
  }

  #show(changes: Partial<BoardState>): void {
    const { nextUndo: undoLabel, nextRedo: redoLabel } = this.#history
    this.#state = { ...this.#state, ...changes, undoLabel, redoLabel }
    for (const listener of [...this.#listeners]) listener()
  }
}

function staleOf(reason: unknown): Board | undefined {
  if (!(reason instanceof ApiError) || reason.code !== 'stale') return undefined
  return (reason.data as { current?: Board } | null)?.current
}
