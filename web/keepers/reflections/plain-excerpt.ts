import { toPlainText } from '#contract/plain-text.ts'

/** The start of a Markdown text, without its syntax. */
export function toPlainExcerpt(text: string, maxLength = 280): string {
  const plainText = toPlainText(text.slice(0, maxLength * 3))
  if (plainText.length <= maxLength) return text.length > maxLength * 3 ? `${plainText}…` : plainText
  const truncated = plainText.slice(0, maxLength)
  return `${truncated.slice(0, Math.max(truncated.lastIndexOf(' '), maxLength - 40)).trimEnd()}…`
}
