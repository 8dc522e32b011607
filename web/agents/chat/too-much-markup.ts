/** Signs in one paragraph: reading them takes time with the square of their number. */
const mostSigns = 500
/** Quotes and lists within each other: every one is a call on the stack. */
const deepest = 100

const fenceMark = /^\s{0,3}(`{3,}|~{3,})/
const ownParagraph = /^\s*(?:\||#|[-*+]\s|\d{1,9}[.)]\s)/
const container = /[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))/y

/** Whether a text has so much markup that a page would stand still for seconds, or fall over, in showing it. */
export function isTooMuchMarkup(text: string): boolean {
  let signs = 0
  let fence: string | undefined
  for (const line of text.split('\n')) {
    const mark = fenceMark.exec(line)?.[1]
    if (mark && !fence) fence = mark
    else if (mark && fence && mark.startsWith(fence)) fence = undefined
    if (fence || mark) continue
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
