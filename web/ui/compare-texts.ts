import { type Change, diffLines, diffWordsWithSpace } from 'diff'

/** Total characters; longer texts are compared line by line. */
const maxWordDiffLength = 20_000
/** The diff takes time quadratic in the number of changed words or lines. */
const maxEditLength = 2000

export function compareTexts(previous: string, next: string): Change[] {
  const isShort = previous.length + next.length <= maxWordDiffLength
  const wordChanges = isShort ? diffWordsWithSpace(previous, next, { maxEditLength }) : undefined
  return wordChanges ?? compareLines(previous, next)
}

export function compareLines(previous: string, next: string): Change[] {
  return (
    diffLines(previous, next, { maxEditLength }) ?? [
      { value: previous, added: false, removed: true, count: 1 },
      { value: next, added: true, removed: false, count: 1 },
    ]
  )
}
