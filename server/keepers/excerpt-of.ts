import { plainWords } from '#contract/plain-words.ts'

/** Characters to load for an excerpt. */
export const readForExcerpt = 400
const mostCharacters = 200

/** One line of at most 200 characters, cut between words. */
export function excerptOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const characters = Array.from(line)
  if (characters.length <= mostCharacters) return line
  const cut = characters.slice(0, mostCharacters - 1).join('')
  const space = cut.lastIndexOf(' ')
  return `${space > mostCharacters / 2 ? cut.slice(0, space) : cut}…`
}

/** Without Markdown, unless there is nothing else. */
export function plainExcerptOf(markdown: string): string {
  return excerptOf(plainWords(markdown) || markdown)
}
