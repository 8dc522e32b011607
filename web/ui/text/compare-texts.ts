import { type Change, diffLines, diffWordsWithSpace } from 'diff'
import { normalizeLineEndings } from './line-endings.ts'

/** Total characters; longer texts are compared line by line. */
const maxWordDiffLength = 20_000
/** The diff takes time quadratic in the number of changed words or lines. */
const maxEditLength = 2000

export function compareTexts(previous: string, next: string): Change[] {
  const isShort = previous.length + next.length <= maxWordDiffLength
  const wordChanges = isShort ? diff(diffWordsWithSpace, previous, next) : undefined
  return wordChanges ?? compareLines(previous, next)
}

/** The segments of `text`, and whether `other` lacks them. */
export const getDiffSegments = (text: string, other: string) =>
  compareTexts(other, text)
    .filter(({ removed }) => !removed)
    .map(({ value, added }) => ({ text: value, isUnique: added }))

const diff = (diffParts: typeof diffLines, previous: string, next: string) =>
  diffParts(normalizeLineEndings(previous), normalizeLineEndings(next), { maxEditLength })

export function compareLines(previous: string, next: string): Change[] {
  return (
    diff(diffLines, previous, next) ?? [
      { value: previous, added: false, removed: true, count: 1 },
      { value: next, added: true, removed: false, count: 1 },
    ]
  )
}

/** All lines of both texts; where they differ, the saved ones first. */
export function combineTexts(saved: string, local: string): string {
  const ensureNewline = (text: string) => (text.endsWith('\n') || text === '' ? text : `${text}\n`)
  const combined = compareLines(ensureNewline(saved), ensureNewline(local))
    .map(({ value }) => value)
    .join('')
  return saved.endsWith('\n') || local.endsWith('\n') ? combined : combined.replace(/\n$/, '')
}
