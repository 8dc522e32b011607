import { changeUpToLast } from '#web/ui/change-up-to-last.ts'

/** How many characters of a growing text are whole sentences, so that each is read out once it is finished. */
export function finishedLength(text: string): number {
  let end = 0
  for (const match of text.matchAll(/[.!?…:]["'”’)*_`]*\s|\n/g)) end = match.index + match[0].length
  return end
}

/** Written marks are for the eye: **bold**, `code`, # titles, [links](…). */
export function spokenText(markdown: string): string {
  return changeUpToLast(markdown, ')', withoutAddresses)
    .replace(/^[#>\s-]+|[*_`~|]+/gm, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Also matches brackets that are no link, so that no bracket inside them is looked at again. */
function withoutAddresses(markdown: string): string {
  return markdown.replace(/!?\[([^\]]*)(?:\]|$)(\([^)]*\))?/g, (whole, words: string, address?: string) =>
    address === undefined ? whole : words,
  )
}
