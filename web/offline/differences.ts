import { compareLines, compareTexts } from '#web/ui/compare-texts.ts'

export interface DiffSegment {
  text: string
  isUnique: boolean
}

export function getDiffSegments(text: string, other: string): DiffSegment[] {
  return compareTexts(other, text)
    .filter(({ removed }) => !removed)
    .map(({ value, added }) => ({ text: value, isUnique: added }))
}

/** All lines of both texts; where they differ, the saved ones first. */
export function combineTexts(saved: string, local: string): string {
  const ensureNewline = (text: string) => (text.endsWith('\n') || text === '' ? text : `${text}\n`)
  const combined = compareLines(ensureNewline(saved), ensureNewline(local))
    .map(({ value }) => value)
    .join('')
  return saved.endsWith('\n') || local.endsWith('\n') ? combined : combined.replace(/\n$/, '')
}
