import { fenceAfter } from '#contract/code-fence.ts'

/** Signs in one paragraph: reading them takes time with the square of their number. */
const mostSigns = 500
/** Quotes and lists within each other: every one is a call on the stack. */
const deepest = 100

const ownParagraph = /^\s*(?:\||#|[-*+]\s|\d{1,9}[.)]\s)/
const container = /[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))/y

/** Whether a text has so much markup that a page would stand still for seconds, or fall over, in showing it. */
export function isTooMuchMarkup(text: string): boolean {
  let signs = 0
  let fence: string | undefined
  for (const line of text.split('\n')) {
    const before = fence
    fence = fenceAfter(line, before)
    if (fence || before) continue
    if (line.trim() === '' || ownParagraph.test(line)) signs = 0
    signs += line.match(/[*_~[\]`<]/g)?.length ?? 0
    if (signs > mostSigns || depthOf(line) > deepest) return true
  }
  return false
}

function depthOf(line: string): number {
  let depth = Math.floor((line.length - line.trimStart().length) / 2)
  container.lastIndex = 0
  while (container.test(line)) depth++
  return depth
}
