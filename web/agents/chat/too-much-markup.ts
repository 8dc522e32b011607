import { fenceAfter } from '#contract/code-fence.ts'

/** Marks per paragraph; parsing takes quadratic time. */
const mostSigns = 500
/** Nested quotes and lists; each level recurses. */
const deepest = 100

const ownParagraph = /^\s*(?:\||#|[-*+]\s|\d{1,9}[.)]\s)/
const container = /[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))/y

/** Whether rendering would freeze or crash the page. */
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
