import { plainWords } from '#contract/plain-words.ts'

/** How much of a text has to be read from the database for `excerptOf`. */
export const readForExcerpt = 400
const mostCharacters = 200

/** The beginning of something written, on one line: at most 200 characters, cut between words where there are some. */
export function excerptOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const characters = Array.from(line)
  if (characters.length <= mostCharacters) return line
  const cut = characters.slice(0, mostCharacters - 1).join('')
  const space = cut.lastIndexOf(' ')
  return `${space > mostCharacters / 2 ? cut.slice(0, space) : cut}…`
}

/** The same of what is Markdown (a moment, a reflection, a card): without its marks, unless there is nothing else. */
export function plainExcerptOf(markdown: string): string {
  return excerptOf(plainWords(markdown) || markdown)
}
