import { type Change, diffLines, diffWordsWithSpace } from 'diff'

/** Total characters; longer texts are compared line by line. */
const maxByWords = 20_000
/** The diff takes time quadratic in the number of changed words or lines. */
const maxEditLength = 2000

export function compareTexts(before: string, after: string): Change[] {
  const isShort = before.length + after.length <= maxByWords
  const byWords = isShort ? diffWordsWithSpace(before, after, { maxEditLength }) : undefined
  return byWords ?? compareLines(before, after)
}

export function compareLines(before: string, after: string): Change[] {
  return (
    diffLines(before, after, { maxEditLength }) ?? [
      { value: before, added: false, removed: true, count: 1 },
      { value: after, added: true, removed: false, count: 1 },
    ]
  )
}
