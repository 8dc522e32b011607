import { foldedWords, wordsAskedFor } from './card-words.ts'

const mostCharacters = 220
const before = 60

export interface Snippet {
  snippet: string
  marks: [number, number][]
}

/** The place of a text where its words stand as they were asked for, with where they stand in it; undefined when none does. */
export function snippetOf(content: string, query: string): Snippet | undefined {
  const asked = wordsAskedFor(query)
  const last = asked.at(-1)
  const places: [number, number][] = []
  // Folding changes lengths, so each word of the text is folded by itself.
  for (const { 0: word, index } of content.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    const folded = foldedWords(word)
    const fits = folded.some((each) => asked.includes(each) || (last && last.length > 1 && each.startsWith(last)))
    if (fits) places.push([index, index + word.length])
  }
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

/** At the beginning of a word, some words before the place. */
function startOf(content: string, place: number): number {
  if (place <= before) return 0
  const space = content.slice(place - before, place).search(/\s/)
  return space === -1 ? place : place - before + space + 1
}

/** At the end of a word. */
function endOf(content: string, place: number): number {
  if (place >= content.length) return content.length
  const space = content.slice(0, place).search(/\s\S*$/)
  return space > place - before ? space : place
}
