import { getFenceAfterLine } from './code-fence.ts'

type TextRange = readonly [from: number, to: number]

/** Markdown as a reader sees it, on one line. List numbers stay, because `3. May` can be a date. */
export function toPlainText(markdown: string): string {
  return stripMarkdown(markdown).text.replace(/\s+/g, ' ').trim()
}

/** Removes Markdown markup in linear time and keeps the lines; `seams` are the positions where something was removed. */
export function stripMarkdown(markdown: string): { text: string; seams: number[] } {
  const lines = findLineMarks(markdown)
  const tokens = findTokensOutside([...lines.marks, ...lines.codeRanges].sort(byPosition), markdown)
  const marks = [...lines.marks, ...findTokenMarks(tokens, markdown)].sort(byPosition)
  const seams: number[] = []
  let text = ''
  let position = 0
  for (const [from, to] of marks) {
    if (to <= position) continue
    text += markdown.slice(position, Math.max(position, from))
    seams.push(text.length)
    position = to
  }
  return { text: text + markdown.slice(position), seams }
}

const byPosition = ([one]: TextRange, [other]: TextRange) => one - other

const horizontalRule = /^[ \t]*(?:([-*_])(?:[ \t]*\1){2,}|={3,})[ \t]*$/
const lineMarker = /[ \t]*(?:[-*+](?:[ \t]+(?:\[[ xX]\][ \t]+)?|$)|>[ \t]?|#{1,6}(?:[ \t]+|$))/y

function findLineMarks(markdown: string): { marks: TextRange[]; codeRanges: TextRange[] } {
  const marks: TextRange[] = []
  const codeRanges: TextRange[] = []
  let openFence: string | undefined
  let position = 0
  for (const line of markdown.split('\n')) {
    const end = position + line.length
    const previousFence = openFence
    openFence = getFenceAfterLine(line, previousFence)
    if (openFence !== previousFence) marks.push([position, end])
    else if (openFence) codeRanges.push([position, end])
    else if (horizontalRule.test(line)) marks.push([position, end])
    else {
      let to = 0
      for (lineMarker.lastIndex = 0; lineMarker.test(line); ) to = lineMarker.lastIndex
      if (to > 0) marks.push([position, position + to])
    }
    position = end + 1
  }
  return { marks, codeRanges }
}

interface Token {
  from: number
  to: number
  sign: string
}

const tokenPattern = new RegExp(
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

function findTokensOutside(excluded: readonly TextRange[], markdown: string): Token[] {
  const tokens: Token[] = []
  let next = 0
  for (const { 0: sign, index: from } of markdown.matchAll(tokenPattern)) {
    while ((excluded[next]?.[1] ?? Number.POSITIVE_INFINITY) <= from) next += 1
    const [start = Number.POSITIVE_INFINITY] = excluded[next] ?? []
    if (start > from) tokens.push({ from, to: from + sign.length, sign })
  }
  return tokens
}

function findTokenMarks(tokens: readonly Token[], markdown: string): TextRange[] {
  const marks: TextRange[] = []
  const emphasis = createEmphasisParser(markdown, marks)
  const nextEqualRun = findNextEqualRuns(tokens)
  let brackets: TextRange[] = []
  let codeEnd = 0
  for (const [index, { from, to, sign }] of tokens.entries()) {
    if (from < codeEnd) continue
    const firstCharacter = sign[0]
    if (firstCharacter === '\\') marks.push([from, from + 1])
    else if (firstCharacter === '<') marks.push([from, from + 1], [to - 1, to])
    else if (firstCharacter === '\n') {
      brackets = []
      emphasis.endParagraph()
    } else if (firstCharacter === '`') {
      const close = tokens[nextEqualRun[index] ?? -1]
      if (close) {
        marks.push([from, to], [close.from, close.to])
        codeEnd = close.to
      }
    } else if (firstCharacter === '[' || firstCharacter === '!') brackets.push([from, to])
    else if (firstCharacter === ']') {
      const opening = brackets.pop()
      if (opening && sign !== ']') marks.push(opening, [from, to])
    } else emphasis.readRun({ from, to, sign })
  }
  emphasis.endText()
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

const spaceOrEdge = /^\s?$/
const nonWordOrEdge = /^[^\p{L}\p{N}]?$/u

/** Pairs of `*`, `_` and `~~` as in CommonMark, without its rule of three. */
function createEmphasisParser(markdown: string, marks: TextRange[]) {
  let openRuns: { from: number; marker: string; length: number; isAfterWord: boolean }[] = []
  let openCounts: Record<string, number> = {}
  function closeRunsAbove(maxOpen: number) {
    while (openRuns.length > maxOpen) {
      const closed = openRuns.pop()
      if (closed) openCounts[closed.marker] = (openCounts[closed.marker] ?? 0) - 1
    }
  }
  return {
    endParagraph() {
      openRuns = []
      openCounts = {}
    },
    /** Of the runs still open where a text was truncated, only `**` before a word counts as markup: `*` can be a
     * footnote or a power, `__` can start a name. */
    endText() {
      for (const { from, marker, length, isAfterWord } of openRuns)
        if (marker === '*' && length > 1 && !isAfterWord) marks.push([from, from + length])
    },
    readRun({ from, to, sign }: Token) {
      const marker = sign.charAt(0)
      const previousChar = markdown.slice(Math.max(0, from - 1), from)
      const nextChar = markdown.slice(to, to + 1)
      const isAfterWord = !nonWordOrEdge.test(previousChar)
      const isBeforeWord = !nonWordOrEdge.test(nextChar)
      const canOpen = !spaceOrEdge.test(nextChar) && (isBeforeWord || !isAfterWord) && !(marker === '_' && isAfterWord)
      const canClose =
        !spaceOrEdge.test(previousChar) && (isAfterWord || !isBeforeWord) && !(marker === '_' && isBeforeWord)
      let position = from
      while (canClose && position < to && openCounts[marker]) {
        const openIndex = openRuns.findLastIndex((run) => run.marker === marker)
        const opener = openRuns[openIndex]
        if (!opener) break
        const pairedLength = Math.min(2, opener.length, to - position)
        closeRunsAbove(openIndex + 1)
        opener.length -= pairedLength
        marks.push(
          [opener.from + opener.length, opener.from + opener.length + pairedLength],
          [position, position + pairedLength],
        )
        position += pairedLength
        if (opener.length === 0) closeRunsAbove(openIndex)
      }
      if (canOpen && position < to) {
        openRuns.push({ from: position, marker, length: to - position, isAfterWord })
        openCounts[marker] = (openCounts[marker] ?? 0) + 1
      }
    },
  }
}
