import { type Change, diffLines, diffWordsWithSpace } from 'diff'

/** Longer texts are compared line by line. */
const maxByWords = 20_000
/** Words or lines that differ; comparing takes time with the square of their number. */
const maxEditLength = 2000

/** Both texts in parts, those only in one of them marked; texts with nearly nothing in common are one part each. */
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
