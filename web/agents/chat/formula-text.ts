import { getFenceAfterLine } from '#contract/code-fence.ts'

/** Longer formulas are shown as source. */
export const maxFormulaLength = 4000
const maxPendingLength = 200

export type FormulaOpening = '$' | '$$' | '\\(' | '\\['
export const closingMarks: Record<FormulaOpening, string> = { $: '$', $$: '$$', '\\(': '\\)', '\\[': '\\]' }

/** Command names and their text arguments, which aren't prose. */
const commandPattern = /\\[A-Za-z]+\*?(?:\s*\{[^{}\\]*\})?/g
/** An amount of money followed by words: "5 or 6", "1.5M in". */
const amountPattern = /^\d[\d.,]*\p{L}{0,2}[^\p{L}\d]*\s\p{L}{2,}/u
/** Two letters that are neither Latin nor Greek. */
const otherScriptPattern = /[^\P{L}\p{Script=Latin}\p{Script=Greek}]{2}/u
const mathSignPattern = /[\\^_=<>+*/]/
const escapedSignPattern = /\\[^A-Za-z]/g
const lowercaseWordPattern = /(?<!\p{L})\p{L}?\p{Ll}+(?!\p{L})/gu
const singleWordPattern = /^\s*[a-z]{4,}\s*$/

function isProse(content: string): boolean {
  const proseWords = content.replace(commandPattern, ' ').match(lowercaseWordPattern) ?? []
  const longWords = proseWords.filter(({ length }) => length > 2)
  const wordsOfTwoLetters = proseWords.filter(({ length }) => length > 1)
  return (
    longWords.length > 1 ||
    (wordsOfTwoLetters.length > 2 && !mathSignPattern.test(content)) ||
    amountPattern.test(content)
  )
}

/** Tells formulas from amounts ("costs $5 and $6") and escaped brackets ("\[x\] done"). */
export function isFormula(opening: FormulaOpening, content: string): boolean {
  if (content.trim() === '' || content.length > maxFormulaLength) return false
  if (opening === '$$') return mathSignPattern.test(content) || !isProse(content)
  if (isProse(content)) return false
  if (opening === '\\[') return mathSignPattern.test(content.replace(escapedSignPattern, ''))
  return opening === '\\(' ? !singleWordPattern.test(content) : !/^\s|\s$/.test(content)
}

export const canOpenAfter = (previous: string) => !/[\w$\\]/.test(previous)

/** Whether a dollar before this character can close one: yes in "$n$th", no in "$a,$b". */
export function canCloseBefore(next: string, content: string): boolean {
  return !/[\w$]/.test(next) || (/[a-z]/.test(next) && /^(?:[a-zA-Z]|\d+)$/.test(content))
}

/** Hides a formula at the end of a text that is still being streamed. */
export function removePartialFormula(text: string): string {
  let from = 0
  let end = 0
  let fence: string | undefined
  for (const line of text.split('\n')) {
    const previousFence = fence
    fence = getFenceAfterLine(line, previousFence)
    end += line.length + 1
    // The last line may still grow.
    if (fence || previousFence || (line.trim() === '' && end < text.length)) from = end
  }
  const start = fence ? undefined : findPartialFormula(text, from)
  return start === undefined ? text : text.slice(0, start)
}

function findPartialFormula(text: string, from: number): number | undefined {
  const markPattern = /`+|\\[\s\S]?|\$\$?/g
  markPattern.lastIndex = from
  for (let match = markPattern.exec(text); match; match = markPattern.exec(text)) {
    const [opening] = match
    const afterOpening = markPattern.lastIndex
    if (opening.startsWith('`')) {
      const closingBackticks = new RegExp(`(?<!\`)${opening}(?!\`)`, 'g')
      closingBackticks.lastIndex = afterOpening
      if (closingBackticks.test(text)) markPattern.lastIndex = closingBackticks.lastIndex
    } else if (opening === '\\') return match.index
    else if (isOpening(opening) && (opening !== '$' || canOpenAfter(text.charAt(match.index - 1)))) {
      const closing = findClosing(text, opening, afterOpening)
      const content = text.slice(afterOpening, closing)
      if (closing === undefined && canBecomeFormula(opening, content)) return match.index
      if (closing !== undefined && isFormula(opening, content)) markPattern.lastIndex = closing + opening.length
    }
  }
}

const isOpening = (mark: string): mark is FormulaOpening => mark in closingMarks

/** Index of the closing mark; the end of the text if none can follow, undefined if it may still arrive. */
function findClosing(text: string, opening: FormulaOpening, from: number): number | undefined {
  const markPattern = opening.startsWith('$') ? /\\[\s\S]|\$\$?/g : /\\[\s\S]/g
  markPattern.lastIndex = from
  for (let match = markPattern.exec(text); match; match = markPattern.exec(text)) {
    if (match[0] === closingMarks[opening]) return match.index
    // Another mark can't close it, but a `$` at the end may become `$$`.
    if (match[0] === opening || match[0].startsWith('$'))
      return opening === '$$' && markPattern.lastIndex === text.length ? undefined : text.length
  }
}

function canBecomeFormula(opening: FormulaOpening, content: string): boolean {
  if (opening === '$$') return content.length <= maxFormulaLength
  if (opening !== '$') return content.length <= maxFormulaLength && !isProse(content)
  return (
    content.length <= maxPendingLength && !/^\s/.test(content) && !isProse(content) && !otherScriptPattern.test(content)
  )
}
