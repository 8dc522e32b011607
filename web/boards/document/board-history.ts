import {
  applyChange,
  type BoardConflict,
  type DocumentChange,
  diffDocuments,
  getFrameFields,
  invertChange,
  isEqualJson,
  isNoChange,
} from './board-changes.ts'
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

/** About half a minute of typing. */
const maxPublishedChanges = 200

/** Recently published changes, which others may have saved before editing continued here. */
export class PublishedChanges {
  readonly #changes: DocumentChange[] = []
  /** Number of dropped older changes. */
  #droppedCount = 0

  /** Returns the total number published so far. */
  record(change: DocumentChange): number {
    this.#changes.push(change)
    const count = this.#droppedCount + this.#changes.length
    this.forget(count - maxPublishedChanges)
    return count
  }

  /** Drops the first `count` changes. */
  forget(count: number): void {
    const dropped = this.#changes.splice(0, Math.max(0, count - this.#droppedCount))
    this.#droppedCount += dropped.length
  }

  /** Removes conflicts with values that this page published itself. */
  excludePublished(conflicts: readonly BoardConflict[]): BoardConflict[] {
    return conflicts.flatMap((conflict): BoardConflict[] => {
      if (conflict.kind === 'config') return this.#wasPublishedSetting(conflict.id, conflict.remote) ? [] : [conflict]
      const { id, local, remote } = conflict
      if (!local || !remote) return [conflict]
      const remoteFields = getFrameFields(remote)
      const fields = conflict.fields.filter((field) => !this.#wasPublished(id, field, remoteFields[field]))
      return fields.length > 0 ? [{ ...conflict, fields }] : []
    })
  }

  #wasPublished(id: string, field: string, value: unknown): boolean {
    return this.#changes.some(({ frames }) =>
      frames.some(
        ({ id: changedId, before, after }) =>
          changedId === id &&
          after !== null &&
          isEqualJson(getFrameFields(after)[field], value) &&
          !(before && isEqualJson(getFrameFields(before)[field], value)),
      ),
    )
  }

  #wasPublishedSetting(setting: Extract<BoardConflict, { kind: 'config' }>['id'], value: unknown): boolean {
    return this.#changes.some(
      ({ config }) =>
        config && isEqualJson(config.after[setting], value) && !isEqualJson(config.before[setting], value),
    )
  }
}
