import { toPlainText } from '#contract/plain-text.ts'

/** A longer word is cut. */
const maxLastWordLength = 40

/** The start of a Markdown text, without its syntax. */
export function toPlainExcerpt(text: string, maxLength = 280): string {
  // Markdown syntax rarely takes more than two thirds of a text.
  const maxSourceLength = maxLength * 3
  const plainText = toPlainText(text.slice(0, maxSourceLength))
  if (plainText.length <= maxLength) return text.length > maxSourceLength ? `${plainText}…` : plainText
  const excerpt = plainText.slice(0, maxLength)
  return `${excerpt.slice(0, Math.max(excerpt.lastIndexOf(' '), maxLength - maxLastWordLength)).trimEnd()}…`
}
