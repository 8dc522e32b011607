import { type BoardConflict, type DocumentChange, getFrameFields, isEqualJson } from './board-changes.ts'

/** About half a minute of typing. */
const maxPublished = 200

/** Recently published changes, which others may have saved before editing continued here. */
export class PublishedChanges {
  readonly #changes: DocumentChange[] = []
  /** Number of dropped older changes. */
  #droppedCount = 0

  /** Returns the total number published so far. */
  record(change: DocumentChange): number {
    this.#changes.push(change)
    const count = this.#droppedCount + this.#changes.length
    this.forget(count - maxPublished)
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
      if (conflict.kind === 'config') return this.#wasPublishedSetting(conflict.id, conflict.theirs) ? [] : [conflict]
      const { id, mine, theirs } = conflict
      if (!mine || !theirs) return [conflict]
      const saved = getFrameFields(theirs)
      const fields = conflict.fields.filter((field) => !this.#wasPublished(id, field, saved[field]))
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
