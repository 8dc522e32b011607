import { withoutMarks } from '#contract/plain-words.ts'
import { foldedWord, wordsAskedFor } from './card-words.ts'

const mostCharacters = 220
const before = 60

export interface Snippet {
  snippet: string
  marks: [number, number][]
}

/** The part of a text around the first match, without Markdown; `marks` are ranges in it. Undefined without a match. */
export function snippetOf(markdown: string, query: string): Snippet | undefined {
  const { text: content, seams } = withoutMarks(markdown)
  const places = placesOf(query, content, seams)
  const [first] = places
  if (!first) return undefined
  const start = startOf(content, first[0])
  const end = endOf(content, Math.max(start + mostCharacters, Math.min(first[1], start + 2 * mostCharacters)))
  const lead = start > 0 ? '… ' : ''
  const shift = lead.length - start
  return {
    snippet: `${lead}${content.slice(start, end)}${end < content.length ? ' …' : ''}`,
    marks: places.filter(([, to]) => to <= end).map(([from, to]) => [from + shift, to + shift]),
  }
}

/** Ranges of matching words. A word split by Markdown (`light**house**`) also matches by its parts. */
function placesOf(query: string, content: string, seams: readonly number[]): [number, number][] {
  const asked = wordsAskedFor(query)
  const last = asked.at(-1)
  // Normalization changes lengths, so each word is normalized separately.
  const fits = (from: number, to: number) =>
    foldedWord(content.slice(from, to)).some(
      (each) => asked.includes(each) || (last && last.length > 1 && each.startsWith(last)),
    )
  const places: [number, number][] = []
  let seam = 0
  for (const { 0: word, index } of content.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    // The snippet ends before this.
    if (places[0] && index > places[0][0] + 2 * mostCharacters) break
    const end = index + word.length
    while ((seams[seam] ?? end) <= index) seam += 1
    const cuts: number[] = []
    for (; (seams[seam] ?? end) < end; seam += 1) cuts.push(seams[seam] ?? end)
    if (fits(index, end)) places.push([index, end])
    else for (const [from, to] of partsOf(index, cuts, end)) if (fits(from, to)) places.push([from, to])
  }
  return places
}

const partsOf = (from: number, cuts: readonly number[], to: number): [number, number][] =>
  cuts.length === 0 ? [] : [from, ...cuts].map((begin, at) => [begin, cuts[at] ?? to])

/** At the start of a word, a few words before the match. */
function startOf(content: string, place: number): number {
  if (place <= before) return 0
  const space = content.slice(place - before, place).search(/\s/)
  return space === -1 ? place : place - before + space + 1
}

function endOf(content: string, place: number): number {
  if (place >= content.length) return content.length
  const space = content.slice(0, place).search(/\s\S*$/)
  return space > place - before ? space : place
}
