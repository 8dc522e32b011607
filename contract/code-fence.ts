/** With another backtick later in the line, it is inline code, not a fence. */
const openingFence = /^[ \t]*(`{3,}(?=[^`]*$)|~{3,})/
const closingFence = /^[ \t]*(`{3,}|~{3,})\s*$/

export function getOpenFence(line: string, openFence: string | undefined): string | undefined {
  if (!openFence) return openingFence.exec(line)?.[1]
  return closingFence.exec(line)?.[1]?.startsWith(openFence) ? undefined : openFence
}
