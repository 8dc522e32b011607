/** Three backticks or more with another one behind them in the line are code within words, no fence. */
const opening = /^[ \t]*(`{3,}(?=[^`]*$)|~{3,})/
const closing = /^[ \t]*(`{3,}|~{3,})\s*$/

/** Which fence of a code block is open after a line of Markdown, when `open` was before it. In a list it may stand far in. */
export function fenceAfter(line: string, open: string | undefined): string | undefined {
  if (!open) return opening.exec(line)?.[1]
  return closing.exec(line)?.[1]?.startsWith(open) ? undefined : open
}
