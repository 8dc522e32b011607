export interface Parser {
  name: string
  /** Fragments its inputs consist of, besides odd texts. */
  pieces: readonly string[]
  /** Caps inputs where each character is expensive, so that length alone isn't reported as slow. */
  mostLetters?: number
  /** Complete inputs, used with slight damage. */
  whole?: readonly string[]
  /** Must not throw anything but what `mayThrow` accepts. */
  parse(text: string): unknown
  mayThrow?(thrown: unknown): boolean
}

export const slowestMs = 50

/** Texts that often break parsers. */
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
/** A deterministic random generator from 0 to 1. */
export function dice(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Usually a few fragments, sometimes one repeated thousands of times, or a damaged complete input. */
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
  // Quadratic time shows here.
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

/** Fuzzes a parser and reports failing inputs. */
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
    // Retried because the machine may have paused.
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
