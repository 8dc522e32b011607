import { fenceAfter } from '#contract/code-fence.ts'

/** Longer ones are shown as they were written. */
export const maxFormulaLength = 4000
/** So much of a growing text is held back for a dollar that may begin a formula. */
const maxHeldBack = 200

export type Opening = '$' | '$$' | '\\(' | '\\['
export const closings: Record<Opening, string> = { $: '$', $$: '$$', '\\(': '\\)', '\\[': '\\]' }

/** Names of commands, and texts within a formula, are no prose. */
const commands = /\\[A-Za-z]+\*?(?:\s*\{[^{}\\]*\})?/g
/** "5 or 6", "1.5M in": an amount of money and what follows it. */
const amount = /^\d[\d.,]*\p{L}{0,2}[^\p{L}\d]*\s\p{L}{2,}/u
const wordOfOtherScript = /[^\P{L}\p{Script=Latin}\p{Script=Greek}]{2}/u
const mathSign = /[\\^_=<>+*/]/
const escapedSign = /\\[^A-Za-z]/g
const onlyWord = /^\s*[a-z]{4,}\s*$/

function isProse(content: string): boolean {
  const words = content.replace(commands, ' ').match(/(?<!\p{L})\p{L}?\p{Ll}+(?!\p{L})/gu) ?? []
  const long = words.filter(({ length }) => length > 2)
  const short = words.filter(({ length }) => length > 1)
  return long.length > 1 || (short.length > 2 && !mathSign.test(content)) || amount.test(content)
}

/**
 * Whether a text between two delimiters is a formula. Dollars also stand before amounts ("costs $5 and $6"), and editors
 * write brackets with a backslash ("\[x\] done").
 */
export function isFormula(opening: Opening, content: string): boolean {
  if (content.trim() === '' || content.length > maxFormulaLength) return false
  if (opening === '$$') return mathSign.test(content) || !isProse(content)
  if (isProse(content)) return false
  if (opening === '\\[') return mathSign.test(content.replace(escapedSign, ''))
  return opening === '\\(' ? !onlyWord.test(content) : !/^\s|\s$/.test(content)
}

/** Whether a dollar behind this sign can begin a formula. */
export const canOpenAfter = (previous: string) => !/[\w$\\]/.test(previous)

/** Whether a dollar before this sign can end one: that of "$n$th" does, that of "$a,$b" does not. */
export function canCloseBefore(next: string, content: string): boolean {
  return !/[\w$]/.test(next) || (/[a-z]/.test(next) && /^(?:[a-zA-Z]|\d+)$/.test(content))
}

/** Without the formula that a growing text has begun and not ended, so that none is seen in halves. */
export function withoutHalfFormula(text: string): string {
  let from = 0
  let end = 0
  let fence: string | undefined
  for (const line of text.split('\n')) {
    const before = fence
    fence = fenceAfter(line, before)
    end += line.length + 1
    // Behind the last line there may come more of it.
    if (fence || before || (line.trim() === '' && end < text.length)) from = end
  }
  const start = fence ? undefined : startOfHalfFormula(text, from)
  return start === undefined ? text : text.slice(0, start)
}

function startOfHalfFormula(text: string, from: number): number | undefined {
  const mark = /`+|\\[\s\S]?|\$\$?/g
  mark.lastIndex = from
  for (let match = mark.exec(text); match; match = mark.exec(text)) {
    const [opening] = match
    const behind = mark.lastIndex
    if (opening.startsWith('`')) {
      const code = new RegExp(`(?<!\`)${opening}(?!\`)`, 'g')
      code.lastIndex = behind
      if (code.test(text)) mark.lastIndex = code.lastIndex
    } else if (opening === '\\') return match.index
    else if (isOpening(opening) && (opening !== '$' || canOpenAfter(text.charAt(match.index - 1)))) {
      const closing = findClosing(text, opening, behind)
      const content = text.slice(behind, closing)
      if (closing === undefined && mayBecomeFormula(opening, content)) return match.index
      if (closing !== undefined && isFormula(opening, content)) mark.lastIndex = closing + opening.length
    }
  }
}

const isOpening = (mark: string): mark is Opening => mark in closings

/** Where it is closed; where it cannot be any more, the end of the text. */
function findClosing(text: string, opening: Opening, from: number): number | undefined {
  const mark = opening.startsWith('$') ? /\\[\s\S]|\$\$?/g : /\\[\s\S]/g
  mark.lastIndex = from
  for (let match = mark.exec(text); match; match = mark.exec(text)) {
    if (match[0] === closings[opening]) return match.index
    const isOther = match[0] === opening || match[0].startsWith('$')
    if (isOther) return mark.lastIndex === text.length && opening === '$$' ? undefined : text.length
  }
}

function mayBecomeFormula(opening: Opening, content: string): boolean {
  if (opening === '$$') return content.length <= maxFormulaLength
  if (opening !== '$') return content.length <= maxFormulaLength && !isProse(content)
  return content.length <= maxHeldBack && !/^\s/.test(content) && !isProse(content) && !wordOfOtherScript.test(content)
}
