import { fenceAfter } from './code-fence.ts'

type Range = readonly [from: number, to: number]

/** Markdown as a reader sees it, on one line. List numbers stay, because `3. May` can be a date. */
export function toPlainText(markdown: string): string {
  return stripMarkdown(markdown).text.replace(/\s+/g, ' ').trim()
}

/** Removes Markdown markup in linear time and keeps the lines; `seams` are the positions where something was removed. */
export function stripMarkdown(markdown: string): { text: string; seams: number[] } {
  const lines = findLineMarks(markdown)
  const tokens = findTokensOutside([...lines.marks, ...lines.verbatim].sort(byPosition), markdown)
  const marks = [...lines.marks, ...findTokenMarks(tokens, markdown)].sort(byPosition)
  const seams: number[] = []
  let text = ''
  let at = 0
  for (const [from, to] of marks) {
    if (to <= at) continue
    text += markdown.slice(at, Math.max(at, from))
    seams.push(text.length)
    at = to
  }
  return { text: text + markdown.slice(at), seams }
}

const byPosition = ([one]: Range, [other]: Range) => one - other

const rule = /^[ \t]*(?:([-*_])(?:[ \t]*\1){2,}|={3,})[ \t]*$/
const lineStart = /[ \t]*(?:[-*+](?:[ \t]+(?:\[[ xX]\][ \t]+)?|$)|>[ \t]?|#{1,6}(?:[ \t]+|$))/y

function findLineMarks(markdown: string): { marks: Range[]; verbatim: Range[] } {
  const marks: Range[] = []
  const verbatim: Range[] = []
  let open: string | undefined
  let at = 0
  for (const line of markdown.split('\n')) {
    const end = at + line.length
    const previouslyOpen = open
    open = fenceAfter(line, previouslyOpen)
    if (open !== previouslyOpen) marks.push([at, end])
    else if (open) verbatim.push([at, end])
    else if (rule.test(line)) marks.push([at, end])
    else {
      let to = 0
      for (lineStart.lastIndex = 0; lineStart.test(line); ) to = lineStart.lastIndex
      if (to > 0) marks.push([at, at + to])
    }
    at = end + 1
  }
  return { marks, verbatim }
}

interface Token {
  from: number
  to: number
  sign: string
}

const token = new RegExp(
  [
    /\\[!-/:-@[-`{-~]/,
    /`+/,
    /<(?:https?|mailto):[^\s<>]+>/,
    /!?\[/,
    // Also matches truncated links. `(?!\s)` after white space prevents quadratic backtracking.
    /\](?:\(\s*(?!\s)(?:<[^<>\n]*>|(?:[^()\s]|\([^()\s]*\))*)(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)|\(\s+(?!\s)(?:"[^"]*"|'[^']*')\s*\)|\([^()\s]*$)?/,
    /\*+|_+|(?<!~)~~(?!~)/,
    /\n[ \t]*(?=\n)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)

function findTokensOutside(taken: readonly Range[], markdown: string): Token[] {
  const tokens: Token[] = []
  let next = 0
  for (const { 0: sign, index: from } of markdown.matchAll(token)) {
    while ((taken[next]?.[1] ?? Number.POSITIVE_INFINITY) <= from) next += 1
    const [start = Number.POSITIVE_INFINITY] = taken[next] ?? []
    if (start > from) tokens.push({ from, to: from + sign.length, sign })
  }
  return tokens
}

function findTokenMarks(tokens: readonly Token[], markdown: string): Range[] {
  const marks: Range[] = []
  const emphasis = createEmphasisParser(markdown, marks)
  const nextEqualRun = findNextEqualRuns(tokens)
  let brackets: Range[] = []
  let codeUntil = 0
  for (const [index, { from, to, sign }] of tokens.entries()) {
    if (from < codeUntil) continue
    const first = sign[0]
    if (first === '\\') marks.push([from, from + 1])
    else if (first === '<') marks.push([from, from + 1], [to - 1, to])
    else if (first === '\n') {
      brackets = []
      emphasis.endParagraph()
    } else if (first === '`') {
      const close = tokens[nextEqualRun[index] ?? -1]
      if (close) {
        marks.push([from, to], [close.from, close.to])
        codeUntil = close.to
      }
    } else if (first === '[' || first === '!') brackets.push([from, to])
    else if (first === ']') {
      const opening = brackets.pop()
      if (opening && sign !== ']') marks.push(opening, [from, to])
    } else emphasis.meet({ from, to, sign })
  }
  emphasis.endCut()
  return marks
}

function findNextEqualRuns(tokens: readonly Token[]): (number | undefined)[] {
  const next: (number | undefined)[] = []
  const latest = new Map<string, number>()
  for (const [index, { sign }] of tokens.entries()) {
    if (!sign.startsWith('`')) continue
    const previousIndex = latest.get(sign)
    if (previousIndex !== undefined) next[previousIndex] = index
    latest.set(sign, index)
  }
  return next
}

const space = /^\s?$/
const wordLess = /^[^\p{L}\p{N}]?$/u

/** Pairs of `*`, `_` and `~~` as in CommonMark, without its rule of three. */
function createEmphasisParser(markdown: string, marks: Range[]) {
  let open: { from: number; sign: string; left: number; afterWord: boolean }[] = []
  let openCounts: Record<string, number> = {}
  function forget(maxOpen: number) {
    while (open.length > maxOpen) {
      const closed = open.pop()
      if (closed) openCounts[closed.sign] = (openCounts[closed.sign] ?? 0) - 1
    }
  }
  return {
    endParagraph() {
      open = []
      openCounts = {}
    },
    /** A single `*` can be a footnote, one after a word a power, and `__` can start a name. */
    endCut() {
      for (const { from, sign, left, afterWord } of open)
        if (sign === '*' && left > 1 && !afterWord) marks.push([from, from + left])
    },
    meet({ from, to, sign: { 0: sign = '' } }: Token) {
      const previousChar = markdown.slice(Math.max(0, from - 1), from)
      const nextChar = markdown.slice(to, to + 1)
      const afterWord = !wordLess.test(previousChar)
      const beforeWord = !wordLess.test(nextChar)
      const opens = !space.test(nextChar) && (beforeWord || !afterWord) && !(sign === '_' && afterWord)
      const closes = !space.test(previousChar) && (afterWord || !beforeWord) && !(sign === '_' && beforeWord)
      let at = from
      while (closes && at < to && openCounts[sign]) {
        const openIndex = open.findLastIndex((one) => one.sign === sign)
        const other = open[openIndex]
        if (!other) break
        const taken = Math.min(2, other.left, to - at)
        forget(openIndex + 1)
        other.left -= taken
        marks.push([other.from + other.left, other.from + other.left + taken], [at, at + taken])
        at += taken
        if (other.left === 0) forget(openIndex)
      }
      if (opens && at < to) {
        open.push({ from: at, sign, left: to - at, afterWord })
        openCounts[sign] = (openCounts[sign] ?? 0) + 1
      }
    },
  }
}
