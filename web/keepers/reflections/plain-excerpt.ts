import { plainWords } from '#contract/plain-words.ts'

/** The start of a Markdown text, without its syntax. */
export function plainExcerpt(text: string, most = 280): string {
  const plain = plainWords(text.slice(0, most * 3))
  if (plain.length <= most) return text.length > most * 3 ? `${plain}…` : plain
  const cut = plain.slice(0, most)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), most - 40)).trimEnd()}…`
}
