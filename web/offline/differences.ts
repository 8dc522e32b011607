import { compareLines, compareTexts } from '#web/ui/compare-texts.ts'

export interface Piece {
  text: string
  own: boolean
}

export function piecesOf(text: string, other: string): Piece[] {
  return compareTexts(other, text)
    .filter(({ removed }) => !removed)
    .map(({ value, added }) => ({ text: value, own: added }))
}

/** All lines of both texts; where they differ, the saved ones first. */
export function bothTexts(saved: string, own: string): string {
  const end = (text: string) => (text.endsWith('\n') || text === '' ? text : `${text}\n`)
  const together = compareLines(end(saved), end(own))
    .map(({ value }) => value)
    .join('')
  return saved.endsWith('\n') || own.endsWith('\n') ? together : together.replace(/\n$/, '')
}
