import { transformUpToLast } from '#web/ui/fields/transform-up-to-last.ts'

export function getFinishedSentencesLength(text: string): number {
  let end = 0
  for (const match of text.matchAll(/[.!?…:]["'”’)*_`]*\s|\n/g)) end = match.index + match[0].length
  return end
}

export function toSpokenText(markdown: string): string {
  return transformUpToLast(markdown, ')', removeLinkAddresses)
    .replace(/^[#>\s-]+|[*_`~|]+/gm, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Also consumes brackets that aren't links, so that they aren't rescanned. */
function removeLinkAddresses(markdown: string): string {
  return markdown.replace(/!?\[([^\]]*)(?:\]|$)(\([^)]*\))?/g, (wholeMatch, linkText: string, address?: string) =>
    address === undefined ? wholeMatch : linkText,
  )
}
