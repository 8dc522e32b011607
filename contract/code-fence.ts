/** Backticks followed by another backtick on the line are inline code, not a fence. */
const openingFence = /^[ \t]*(`{3,}(?=[^`]*$)|~{3,})/
const closingFence = /^[ \t]*(`{3,}|~{3,})\s*$/

export function getFenceAfterLine(line: string, openFence: string | undefined): string | undefined {
  if (!openFence) return openingFence.exec(line)?.[1]
  return closingFence.exec(line)?.[1]?.startsWith(openFence) ? undefined : openFence
}
