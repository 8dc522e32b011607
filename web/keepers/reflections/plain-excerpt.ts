import { toPlainText } from '#contract/plain-text.ts'

/** The start of a Markdown text, without its syntax. */
export function toPlainExcerpt(text: string, maxLength = 280): string {
  const plain = toPlainText(text.slice(0, maxLength * 3))
  if (plain.length <= maxLength) return text.length > maxLength * 3 ? `${plain}…` : plain
  const cut = plain.slice(0, maxLength)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), maxLength - 40)).trimEnd()}…`
}
