import { applyChange, type DocumentChange, diffDocuments, invertChange, isNoChange } from './board-changes.ts'
import type { BoardDocument } from './board-document.ts'

interface HistoryStep {
  /** For example `Move 3 frames`. */
  label: string
  change: DocumentChange
  /** Edits of one gesture (a drag, typing in one field) are merged. */
  gesture: string | undefined
}

export class BoardHistory {
  #done: HistoryStep[] = []
  #undone: HistoryStep[] = []

  get nextUndo(): string | undefined {
    return this.#done.at(-1)?.label
  }
  get nextRedo(): string | undefined {
    return this.#undone.at(-1)?.label
  }

  /** Returns whether anything changed. */
  record(label: string, previous: BoardDocument, next: BoardDocument, gesture?: string): boolean {
    const change = diffDocuments(previous, next)
    if (isNoChange(change)) return false
    const last = this.#done.at(-1)
    this.#undone = []
    if (last && gesture !== undefined && last.gesture === gesture) {
      const start = applyChange(previous, invertChange(last.change))
      const mergedChange = diffDocuments(start, next)
      this.#done.pop()
      if (!isNoChange(mergedChange)) this.#done.push({ label, change: mergedChange, gesture })
      return true
    }
    this.#done.push({ label, change, gesture })
    return true
  }

  undo(document: BoardDocument): BoardDocument {
    const step = this.#done.pop()
    if (!step) return document
    this.#undone.push(step)
    return applyChange(document, invertChange(step.change))
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
