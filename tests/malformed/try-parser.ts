export interface Parser {
  name: string
  /** What its inputs are made of, beside letters nobody expects. */
  pieces: readonly string[]
  /** Where the work for each letter is much, so that a long input is slow without being a trap. */
  mostLetters?: number
  /** A whole input now and then, to be damaged a little. */
  whole?: readonly string[]
  /** Fails only by throwing what it does not promise, or by an answer that cannot be. */
  parse(text: string): unknown
  /** Whether it promises to throw that. */
  mayThrow?(thrown: unknown): boolean
}

export const slowestMs = 50

/** Letters, marks and numbers that somebody once forgot. */
const odd = [
  '\u0000',
  '\ud800',
  '\udc00',
  '\u202e',
  '\ufeff',
  '\u0085',
  '\u2028',
  '\r',
  '\n',
  '\r\n',
  '\t',
  ' ',
  'é',
  'e\u0301',
  'ſ',
  'İ',
  'ß',
  'ﷺ',
  '👩‍👩‍👧',
  '字',
  '__proto__',
  'constructor',
  '9007199254740993',
  '1e999',
  '-0',
  'NaN',
  'null',
  '\\',
  '"',
  "'",
  '`',
  '%',
  '$&',
  '<',
  '>',
  '&',
  '\u001b[31m',
]
/** The same numbers for the same seed, from 0 to 1. */
export function dice(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** One input: mostly a few pieces, sometimes one of them thousands of times, or a whole one with a little damage. */
export function inputFor({ pieces, whole = [] }: Pick<Parser, 'pieces' | 'whole'>, roll: () => number): string {
  const one = <Item>(items: readonly Item[]) => items[Math.floor(roll() * items.length)] as Item
  const piece = () => (roll() < 0.8 ? one(pieces) : one(odd))
  const kind = roll()
  if (whole.length > 0 && kind < 0.5) {
    let text = one(whole)
    for (let cuts = 1 + Math.floor(roll() * 3); cuts > 0; cuts--) {
      const at = Math.floor(roll() * text.length)
      text = text.slice(0, at) + piece() + text.slice(at + Math.floor(roll() * 12))
    }
    return text
  }
  // Where time grows with the square of the length, this is where it shows.
  if (kind > 0.999) return (piece() + piece()).repeat(Math.floor(roll() * 3000)) + piece()
  let text = ''
  for (let count = Math.floor(roll() * roll() * 60); count >= 0; count--) text += piece()
  return text
}

export interface ParserFinding {
  parser: string
  number: number
  wrong: string
  input: string
}

/** Gives a parser so many inputs; says which of them it did not stand. */
export async function tryParser(
  parser: Parser,
  { times, seed }: { times: number; seed: number },
): Promise<{ findings: ParserFinding[]; slowestMs: number }> {
  const roll = dice(seed)
  const findings: ParserFinding[] = []
  let slowest = 0
  for (let number = 0; number < times; number++) {
    const input = inputFor(parser, roll).slice(0, parser.mostLetters)
    let took = await timed(parser, input, (wrong) => findings.push({ parser: parser.name, number, wrong, input }))
    // The machine may have been away; a slow parser is slow again, and by its own doing.
    for (let again = 0; took > slowestMs && again < 3; again++) took = Math.min(took, await timed(parser, input))
    slowest = Math.max(slowest, took)
    if (took > slowestMs) findings.push({ parser: parser.name, number, wrong: `took ${took.toFixed(0)} ms`, input })
    if (findings.length > 50) break
  }
  return { findings, slowestMs: slowest }
}

async function timed(parser: Parser, input: string, tell: (wrong: string) => void = () => undefined): Promise<number> {
  const began = process.threadCpuUsage()
  try {
    const result = parser.parse(input)
    if (result instanceof Promise) await result
  } catch (thrown) {
    if (!parser.mayThrow?.(thrown)) tell(`threw ${thrown}`)
  }
  const { user, system } = process.threadCpuUsage(began)
  return (user + system) / 1000
}
