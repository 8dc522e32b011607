import {
  canCloseBefore,
  canOpenAfter,
  closingMarks,
  type FormulaOpening,
  isFormula,
  maxFormulaLength,
} from './formula-text.ts'
import { type MdastNode, visitNodes } from './markdown-nodes.ts'
import type { MarkdownRules } from './text-author.ts'

type Code = number | null
type State = (code: Code) => State | undefined
interface Position {
  line: number
}
interface Token {
  start: Position
}
interface Effects {
  enter(type: string): Token
  exit(type: string): Token
  consume(code: Code): void
}
interface Tokenizer {
  previous: Code
  interrupt?: boolean
  parser: { lazy: Record<number, boolean> }
  now(): Position
  sliceSerialize(token: { start: Position; end: Position }): string
}
type Tokenize = (this: Tokenizer, effects: Effects, ok: State, nok: State) => State

/** Maximum formula source per text in characters; each character becomes about ten elements. */
const maxTotalFormulaLength = 20_000

const space = 32
const dollar = 36
const openParenthesis = 40
const openBracket = 91
const backslash = 92
/** micromark's codes for white space are negative: -5 to -3 line endings, -2 a tab, -1 a virtual space. */
const tab = -2
const virtualSpace = -1
const isLineBreak = (code: Code): code is number => code !== null && code < tab
const isSpace = (code: Code) => code === tab || code === virtualSpace || code === space
const toText = (code: Code) => (code === null || code < 0 ? ' ' : String.fromCharCode(code))

const tokenizeInline: Tokenize = function (effects, ok, nok) {
  const { previous } = this
  return readFormula(this, effects, nok, {
    canOpen: (opening) => opening !== '$' || canOpenAfter(toText(previous)),
    close: (opening, content) => (code) => {
      const isClosed = opening !== '$' || canCloseBefore(toText(code), content)
      if (!isClosed || (opening === '$$' && code === dollar) || !isFormula(opening, content)) return nok(code)
      effects.exit('formulaLine')
      effects.exit('formula')
      return ok(code)
    },
  })
}

/** Block formulas, whose lines may look like list items or setext underlines. */
const tokenizeBlock: Tokenize = function (effects, ok, nok) {
  return readFormula(this, effects, nok, {
    canOpen: (opening) => opening === '$$' || opening === '\\[',
    // Only a mark alone on its line, or a formula closed on that line, interrupts a paragraph.
    ...(this.interrupt && { lineEnding: (content) => (content.trim() === '' ? ok : nok) }),
    close: (opening, content) => {
      const afterClose: State = (code) => {
        if (isSpace(code)) {
          effects.consume(code)
          return afterClose
        }
        if ((code !== null && !isLineBreak(code)) || !isFormula(opening, content)) return nok(code)
        effects.exit('formulaLine')
        effects.exit('formula')
        return ok(code)
      }
      return afterClose
    },
  })
}

interface FormulaRules {
  canOpen(opening: FormulaOpening): boolean
  lineEnding?(content: string): State
  close(opening: FormulaOpening, content: string): State
}

function readFormula(tokenizer: Tokenizer, effects: Effects, nok: State, rules: FormulaRules): State {
  let opening: FormulaOpening = '$'
  let content = ''
  let isLineEmpty = false

  const startState: State = (code) => {
    effects.enter('formula')
    effects.enter('formulaLine')
    effects.consume(code)
    return code === dollar ? afterDollar : afterBackslash
  }
  const afterDollar: State = (code) => {
    if (code !== dollar) return open(code)
    opening = '$$'
    effects.consume(code)
    return open
  }
  const afterBackslash: State = (code) => {
    if (code !== openParenthesis && code !== openBracket) return nok(code)
    opening = code === openParenthesis ? '\\(' : '\\['
    effects.consume(code)
    return open
  }
  const open: State = (code) => (rules.canOpen(opening) && code !== dollar ? inside(code) : nok(code))

  const inside: State = (code) => {
    if (code === null || content.length > maxFormulaLength) return nok(code)
    if (isLineBreak(code)) {
      if (rules.lineEnding) return rules.lineEnding(content)(code)
      // A formula can't contain a blank line.
      if (isLineEmpty) return nok(code)
      effects.exit('formulaLine')
      effects.enter('lineEnding')
      effects.consume(code)
      effects.exit('lineEnding')
      content += '\n'
      isLineEmpty = true
      return lineStart
    }
    isLineEmpty &&= isSpace(code)
    effects.consume(code)
    if (code === backslash) return escaped
    if (code === dollar && opening.startsWith('$'))
      return opening === '$' ? rules.close(opening, content) : secondDollar
    content += toText(code)
    return inside
  }
  // In a quote, a line without `>` (lazy) can't continue the formula.
  const lineStart: State = (code) => {
    if (code === null || isLineBreak(code) || tokenizer.parser.lazy[tokenizer.now().line]) return nok(code)
    effects.enter('formulaLine')
    return inside(code)
  }
  const secondDollar: State = (code) => {
    if (code !== dollar) return nok(code)
    effects.consume(code)
    return rules.close(opening, content)
  }
  const escaped: State = (code) => {
    if (code === null || isLineBreak(code)) {
      content += '\\'
      return inside(code)
    }
    const escapeSequence = `\\${toText(code)}`
    if (escapeSequence === opening && !opening.startsWith('$')) return nok(code)
    effects.consume(code)
    if (escapeSequence === closingMarks[opening]) return rules.close(opening, content)
    content += escapeSequence
    return inside
  }
  return startState
}

/** `\(` and `\[` that open no formula are kept as written. */
const tokenizeBracket: Tokenize = (effects, ok, nok) => {
  const bracket: State = (code) => {
    if (code === null || !'()[]'.includes(String.fromCharCode(code))) return nok(code)
    effects.consume(code)
    effects.exit('data')
    return ok
  }
  return (code) => {
    effects.enter('data')
    effects.consume(code)
    return bracket
  }
}

interface Compiler {
  enter(node: MdastNode, token: Token): void
  exit(token: Token): void
  stack: MdastNode[]
  sliceSerialize(token: Token): string
}
interface SyntaxData {
  micromarkExtensions?: unknown[]
  fromMarkdownExtensions?: unknown[]
}

/** Unlike remark-math, doesn't read "$5 and $6" as a formula, nor an unclosed `$$` to the end of the text. */
export function formulaSyntax(this: unknown, { rules }: { rules: MarkdownRules }) {
  const data = (this as { data(): SyntaxData }).data()
  const text = { name: 'formula', tokenize: tokenizeInline }
  const flow = { name: 'formula', tokenize: tokenizeBlock, concrete: true }
  const backslashConstructs = rules.bracketEscapes ? [text] : [text, { name: 'bracket', tokenize: tokenizeBracket }]
  data.micromarkExtensions = [
    ...(data.micromarkExtensions ?? []),
    { text: { [dollar]: text, [backslash]: backslashConstructs }, flow: { [dollar]: flow, [backslash]: flow } },
  ]
  data.fromMarkdownExtensions = [
    ...(data.fromMarkdownExtensions ?? []),
    {
      enter: {
        formula(this: Compiler, token: Token) {
          this.enter({ type: 'formula', value: '' }, token)
        },
      },
      exit: {
        formula(this: Compiler, token: Token) {
          const node = this.stack.at(-1) as MdastNode
          node.value = this.sliceSerialize(token).trimEnd()
          node.data = {
            hName: 'code',
            hProperties: { className: ['language-formula'] },
            hChildren: [{ type: 'text', value: node.value }],
          }
          this.exit(token)
        },
      },
    },
  ]
  return (tree: MdastNode) => {
    let length = 0
    visitNodes(tree, (node) => {
      if (node.type !== 'formula') return
      length += node.value?.length ?? 0
      if (length > maxTotalFormulaLength) Object.assign(node, { type: 'text', data: undefined })
    })
  }
}
