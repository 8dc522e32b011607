import { type Conflict, type DocumentChange, fieldsOf, same } from './board-changes.ts'

/** About half a minute of typing. */
const mostTold = 200

/** Recently published changes, which others may have saved before editing continued here. */
export class ToldChanges {
  readonly #changes: DocumentChange[] = []
  /** Number of dropped older changes. */
  #forgotten = 0

  /** Returns the total number published so far. */
  note(change: DocumentChange): number {
    this.#changes.push(change)
    const told = this.#forgotten + this.#changes.length
    this.forget(told - mostTold)
    return told
  }

  /** Drops the first `count` changes. */
  forget(told: number): void {
    const gone = this.#changes.splice(0, Math.max(0, told - this.#forgotten))
    this.#forgotten += gone.length
  }

  /** Removes conflicts with values that this page published itself. */
  without(conflicts: readonly Conflict[]): Conflict[] {
    return conflicts.flatMap((conflict): Conflict[] => {
      if (conflict.kind === 'config') return this.#wasPublishedSetting(conflict.id, conflict.theirs) ? [] : [conflict]
      const { id, mine, theirs } = conflict
      if (!mine || !theirs) return [conflict]
      const saved = fieldsOf(theirs)
      const fields = conflict.fields.filter((field) => !this.#wasPublished(id, field, saved[field]))
      return fields.length > 0 ? [{ ...conflict, fields }] : []
    })
  }

  #wasPublished(id: string, field: string, value: unknown): boolean {
    return this.#changes.some(({ frames }) =>
      frames.some(
        ({ id: changed, before, after }) =>
          changed === id &&
          after !== null &&
          same(fieldsOf(after)[field], value) &&
          !(before && same(fieldsOf(before)[field], value)),
      ),
    )
  }

  #wasPublishedSetting(setting: Extract<Conflict, { kind: 'config' }>['id'], value: unknown): boolean {
    return this.#changes.some(
      ({ config }) => config && same(config.after[setting], value) && !same(config.before[setting], value),
    )
  }
}
