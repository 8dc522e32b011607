import { type NormalizedText, normalizeSearchText, normalizeWithPositions } from './normalize-search-text.ts'

/** Positions in the text; `to` is exclusive. */
export type SearchMark = [from: number, to: number]

export interface SearchExcerpt {
  excerpt: string
  marks: SearchMark[]
}

const maxCharacters = 220
const leadCharacters = 60
const windowLength = 4_000
/** Longer than any term with its accents, so that no match is split. */
const windowOverlap = 1_000

/** Cuts the text around the first match and marks every match in the original spelling. Undefined without a match. */
export function createSearchExcerpt(text: string, terms: readonly string[]): SearchExcerpt | undefined {
  for (let start = 0; start < text.length; start += windowLength) {
    const part = text.slice(start, start + windowLength + windowOverlap)
    const normalized = normalizeSearchText(part)
    if (!terms.some((term) => normalized.includes(term))) continue
    const [first] = findSearchMarks(part, terms)
    if (first) return cutExcerpt(text, start + first[0], start + first[1], terms)
  }
  return undefined
}

function cutExcerpt(text: string, from: number, to: number, terms: readonly string[]): SearchExcerpt {
  const start = findWordStart(text, from)
  const end = findWordEnd(text, Math.max(start + maxCharacters, Math.min(to, start + 2 * maxCharacters)))
  const visible = text.slice(start, end)
  const lead = start > 0 ? '…' : ''
  const marks = findSearchMarks(visible, terms).map(
    ([first, last]): SearchMark => [first + lead.length, last + lead.length],
  )
  return { excerpt: `${lead}${visible}${end < text.length ? '…' : ''}`, marks }
}

function findWordStart(text: string, position: number): number {
  if (position <= leadCharacters) return 0
  const lead = text.slice(position - leadCharacters, position)
  const space = lead.search(/\s\S/)
  return space === -1 ? toCharacterStart(text, position - leadCharacters / 3) : position - leadCharacters + space + 1
}

function findWordEnd(text: string, position: number): number {
  if (position >= text.length) return text.length
  const tail = text.slice(position - leadCharacters, position)
  const space = tail.search(/\s\S*$/)
  return space === -1 ? toCharacterStart(text, position) : position - leadCharacters + space
}

const continuationCharacter = /^(?:\p{M}|\u200D|[\uDC00-\uDFFF])/u

function toCharacterStart(text: string, position: number): number {
  let start = position
  while (start < text.length && continuationCharacter.test(text.charAt(start))) start += 1
  return start
}

/** Positions of the normalized terms in the text, in order and without overlaps. */
export function findSearchMarks(text: string, terms: readonly string[]): SearchMark[] {
  const normalized = normalizeWithPositions(text)
  const marks: SearchMark[] = []
  for (const term of terms)
    for (let index = normalized.text.indexOf(term); index !== -1 && term !== ''; ) {
      marks.push(toOriginalMark(normalized, index, index + term.length))
      index = normalized.text.indexOf(term, index + term.length)
    }
  return mergeMarks(marks)
}

/** A ligature or a decomposed letter has several normalized characters, and is marked as a whole. */
export function toOriginalMark({ starts }: NormalizedText, from: number, to: number): SearchMark {
  let end = to
  while (end < starts.length - 1 && (starts[end] ?? 0) <= (starts[end - 1] ?? 0)) end += 1
  return [starts[from] ?? 0, starts[end] ?? 0]
}

export function mergeMarks(marks: readonly SearchMark[]): SearchMark[] {
  const merged: SearchMark[] = []
  for (const [from, to] of marks.toSorted((one, other) => one[0] - other[0])) {
    const last = merged.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else merged.push([from, to])
  }
  return merged
}
