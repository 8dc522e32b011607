import { limitNotes } from './import-plan.ts'

/** Report sentences for one item and for several; # is replaced by the count. */
export interface NoteText {
  one: string
  many: string
}

const maxExamples = 3

/** Counts what an import leaves out or changes, one line per reason. */
export class ImportNotes {
  readonly #tallies = new Map<string, { text: NoteText; count: number; examples: string[] }>()

  /** @param example names the entry or file, such as “Journal.json, entry 17” */
  add(text: NoteText, example?: string, count = 1): void {
    const tally = this.#tallies.get(text.many) ?? { text, count: 0, examples: [] }
    this.#tallies.set(text.many, tally)
    tally.count += count
    if (example !== undefined && tally.examples.length < maxExamples && !tally.examples.includes(example))
      tally.examples.push(example)
  }

  addAll(other: ImportNotes): void {
    for (const { text, count, examples } of other.#tallies.values()) {
      for (const example of examples) this.add(text, example)
      this.add(text, undefined, count - examples.length)
    }
  }

  /** @param others sentences without a count, appended at the end */
  toPreview(others: readonly string[] = []): ReturnType<typeof limitNotes> {
    return limitNotes([...[...this.#tallies.values()].map(formatNote), ...others])
  }
}

function formatNote({ text, count, examples }: { text: NoteText; count: number; examples: string[] }): string {
  const sentence = (count === 1 ? text.one : text.many).replace('#', count.toLocaleString('en-US'))
  if (examples.length === 0) return sentence
  const others = count - examples.length
  const list = others > 0 ? [...examples, `${others.toLocaleString('en-US')} more`] : examples
  return `${sentence.replace(/\.$/, '')}: ${list.join('; ')}.`
}
