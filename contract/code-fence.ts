/** With another backtick later in the line, it is inline code, not a fence. */
const opening = /^[ \t]*(`{3,}(?=[^`]*$)|~{3,})/
const closing = /^[ \t]*(`{3,}|~{3,})\s*$/

export function fenceAfter(line: string, open: string | undefined): string | undefined {
  if (!open) return opening.exec(line)?.[1]
  return closing.exec(line)?.[1]?.startsWith(open) ? undefined : open
}
