/** The first words of a Markdown text, without its marks. */
export function plainExcerpt(text: string, most = 280): string {
  const plain = text
    .slice(0, most * 3)
    .replace(/^\s*(?:#{1,6}|>|[-*+]|\d+\.)\s+/gm, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/(\*\*|__|~~|`+)/g, '')
    .replace(/(^|\s)[*_](\S[^*_]*)[*_](?=[\s.,;:!?]|$)/g, '$1$2')
    .replace(/\s+/g, ' ')
    .trim()
  if (plain.length <= most) return text.length > most * 3 ? `${plain}…` : plain
  const cut = plain.slice(0, most)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), most - 40)).trimEnd()}…`
}
