import { toPlainText } from '#contract/plain-text.ts'

export const excerptSourceLength = 400
const maxCharacters = 200

/** One line of at most 200 characters, cut between words. */
export function createExcerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const characters = Array.from(line)
  if (characters.length <= maxCharacters) return line
  const truncated = characters.slice(0, maxCharacters - 1).join('')
  const lastSpace = truncated.lastIndexOf(' ')
  return `${lastSpace > maxCharacters / 2 ? truncated.slice(0, lastSpace) : truncated}…`
}

export function createPlainExcerpt(markdown: string): string {
  return createExcerpt(toPlainText(markdown) || markdown)
}
