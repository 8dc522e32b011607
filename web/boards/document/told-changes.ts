import { type Conflict, type DocumentChange, fieldsOf, same } from './board-changes.ts'

/** Half a minute of writing: whoever saves has what was told a moment ago. */
const mostTold = 200

/** What a page told others, or sent to be saved: what somebody may have saved of it before it was written on. */
export class ToldChanges {
  /** The last ones. */
  readonly #changes: DocumentChange[] = []
  /** How many there were before these. */
  #forgotten = 0

  /** Answers how many were told by now. */
  note(change: DocumentChange): number {
    this.#changes.push(change)
    const told = this.#forgotten + this.#changes.length
    this.forget(told - mostTold)
    return told
  }

  /** The first so many count no more. */
  forget(told: number): void {
    const gone = this.#changes.splice(0, Math.max(0, told - this.#forgotten))
    this.#forgotten += gone.length
  }

  /** Those in which somebody else stands against this page, and not this page against what it told before. */
  without(conflicts: readonly Conflict[]): Conflict[] {
    return conflicts.flatMap((conflict): Conflict[] => {
      if (conflict.kind === 'config') return this.#saidOfBoard(conflict.id, conflict.theirs) ? [] : [conflict]
      const { id, mine, theirs } = conflict
      if (!mine || !theirs) return [conflict]
      const saved = fieldsOf(theirs)
      const fields = conflict.fields.filter((field) => !this.#saidOf(id, field, saved[field]))
      return fields.length > 0 ? [{ ...conflict, fields }] : []
    })
  }

  #saidOf(id: string, field: string, value: unknown): boolean {
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

  #saidOfBoard(setting: Extract<Conflict, { kind: 'config' }>['id'], value: unknown): boolean {
    return this.#changes.some(
      ({ config }) => config && same(config.after[setting], value) && !same(config.before[setting], value),
    )
  }
}
