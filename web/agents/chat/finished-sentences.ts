import { changeUpToLast } from '#web/ui/change-up-to-last.ts'

export function finishedLength(text: string): number {
  let end = 0
  for (const match of text.matchAll(/[.!?…:]["'”’)*_`]*\s|\n/g)) end = match.index + match[0].length
  return end
}

/** Removes Markdown marks and link addresses. */
export function spokenText(markdown: string): string {
  return changeUpToLast(markdown, ')', withoutAddresses)
    .replace(/^[#>\s-]+|[*_`~|]+/gm, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Also consumes brackets that aren't links, so that they aren't rescanned. */
function withoutAddresses(markdown: string): string {
  return markdown.replace(/!?\[([^\]]*)(?:\]|$)(\([^)]*\))?/g, (whole, words: string, address?: string) =>
    address === undefined ? whole : words,
  )
}
