import { stripMarkdown } from '#contract/plain-text.ts'
import { getQueryWords, normalizeWord } from './card-words.ts'

const maxCharacters = 220
const leadCharacters = 60

export interface Snippet {
  snippet: string
  marks: [number, number][]
}

export function createSnippet(markdown: string, query: string): Snippet | undefined {
  const { text: content, seams } = stripMarkdown(markdown)
  const matches = findMatches(query, content, seams)
  const [first] = matches
  if (!first) return undefined
  const start = findStart(content, first[0])
  const end = findEnd(content, Math.max(start + maxCharacters, Math.min(first[1], start + 2 * maxCharacters)))
  const prefix = start > 0 ? '… ' : ''
  const shift = prefix.length - start
  return {
    snippet: `${prefix}${content.slice(start, end)}${end < content.length ? ' …' : ''}`,
    marks: matches.filter(([, to]) => to <= end).map(([from, to]) => [from + shift, to + shift]),
  }
}

function findMatches(query: string, content: string, seams: readonly number[]): [number, number][] {
  const queryWords = getQueryWords(query)
  const last = queryWords.at(-1)
  // Normalization changes lengths, so each word is normalized separately.
  const matchesQuery = (from: number, to: number) =>
    normalizeWord(content.slice(from, to)).some(
      (normalizedWord) =>
        queryWords.includes(normalizedWord) || (last && last.length > 1 && normalizedWord.startsWith(last)),
    )
  const matches: [number, number][] = []
  let seamIndex = 0
  for (const { 0: word, index } of content.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    if (matches[0] && index > matches[0][0] + 2 * maxCharacters) break
    const end = index + word.length
    while ((seams[seamIndex] ?? end) <= index) seamIndex += 1
    const cutPositions: number[] = []
    for (; (seams[seamIndex] ?? end) < end; seamIndex += 1) cutPositions.push(seams[seamIndex] ?? end)
    if (matchesQuery(index, end)) matches.push([index, end])
    else
      for (const [from, to] of splitAtSeams(index, cutPositions, end))
        if (matchesQuery(from, to)) matches.push([from, to])
  }
  return matches
}

const splitAtSeams = (from: number, cutPositions: readonly number[], to: number): [number, number][] =>
  cutPositions.length === 0
    ? []
    : [from, ...cutPositions].map((partStart, index) => [partStart, cutPositions[index] ?? to])

function findStart(content: string, position: number): number {
  if (position <= leadCharacters) return 0
  const space = content.slice(position - leadCharacters, position).search(/\s/)
  return space === -1 ? position : position - leadCharacters + space + 1
}

function findEnd(content: string, position: number): number {
  if (position >= content.length) return content.length
  const space = content.slice(0, position).search(/\s\S*$/)
  return space > position - leadCharacters ? space : position
}
