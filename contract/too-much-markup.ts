import { getFenceAfterLine } from './code-fence.ts'

/** Marks per paragraph; parsing takes quadratic time. */
const maxMarks = 500
/** Nested quotes and lists; each level recurses. */
const maxDepth = 100

const startsBlockPattern = /^\s*(?:\||#|[-*+]\s|\d{1,9}[.)]\s)/
const containerPattern = /[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))/y

export function isTooMuchMarkup(text: string): boolean {
  let markCount = 0
  let fence: string | undefined
  for (const line of text.split('\n')) {
    const previousFence = fence
    fence = getFenceAfterLine(line, previousFence)
    if (fence || previousFence) continue
    if (line.trim() === '' || startsBlockPattern.test(line)) markCount = 0
    markCount += line.match(/[*_~[\]`<]/g)?.length ?? 0
    if (markCount > maxMarks || getDepth(line) > maxDepth) return true
  }
  return false
}

function getDepth(line: string): number {
  let depth = Math.floor((line.length - line.trimStart().length) / 2)
  containerPattern.lastIndex = 0
  while (containerPattern.test(line)) depth++
  return depth
}
