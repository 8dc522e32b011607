import { applyChange, changesBetween, type DocumentChange, isNoChange, undoing } from './board-changes.ts'
import type { BoardDocument } from './board-document.ts'

interface Step {
  /** For example `Move 3 frames`. */
  label: string
  change: DocumentChange
  /** Edits of one gesture (a drag, typing in one field) are merged. */
  gesture: string | undefined
}

/** Unlimited undo and redo of local edits in one session. */
export class BoardHistory {
  #done: Step[] = []
  #undone: Step[] = []

  get nextUndo(): string | undefined {
    return this.#done.at(-1)?.label
  }
  get nextRedo(): string | undefined {
    return this.#undone.at(-1)?.label
  }

  /** Returns whether anything changed. */
  note(label: string, before: BoardDocument, after: BoardDocument, gesture?: string): boolean {
    const change = changesBetween(before, after)
    if (isNoChange(change)) return false
    const last = this.#done.at(-1)
    this.#undone = []
    if (last && gesture !== undefined && last.gesture === gesture) {
      const start = applyChange(before, undoing(last.change))
      const whole = changesBetween(start, after)
      this.#done.pop()
      if (!isNoChange(whole)) this.#done.push({ label, change: whole, gesture })
      return true
    }
    this.#done.push({ label, change, gesture })
    return true
  }

  undo(document: BoardDocument): BoardDocument {
    const step = this.#done.pop()
    if (!step) return document
    this.#undone.push(step)
    return applyChange(document, undoing(step.change))
  }

  redo(document: BoardDocument): BoardDocument {
    const step = this.#undone.pop()
    if (!step) return document
    this.#done.push({ ...step, gesture: undefined })
    return applyChange(document, step.change)
  }

  endGesture(): void {
    const last = this.#done.at(-1)
    if (last) last.gesture = undefined
  }
}
