export interface FuzzedParser {
  name: string
  /** Fragments its inputs consist of, besides odd texts. */
  fragments: readonly string[]
  /** Caps inputs where each character is expensive, so that length alone isn't reported as slow. */
  maxLength?: number
  /** Complete inputs, used with slight damage. */
  samples?: readonly string[]
  /** Must not throw anything but what `mayThrow` accepts. */
  parse(text: string): unknown
  mayThrow?(thrown: unknown): boolean
}

export const maxParseMs = 50

/** Texts that often break parsers. */
const oddTexts = [
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
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Usually a few fragments, sometimes one repeated thousands of times, or a damaged complete input. */
export function createInput(
  { fragments, samples = [] }: Pick<FuzzedParser, 'fragments' | 'samples'>,
  random: () => number,
): string {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item
  const pickFragment = () => (random() < 0.8 ? pick(fragments) : pick(oddTexts))
  const kind = random()
  if (samples.length > 0 && kind < 0.5) {
    let text = pick(samples)
    for (let cuts = 1 + Math.floor(random() * 3); cuts > 0; cuts--) {
      const position = Math.floor(random() * text.length)
      text = text.slice(0, position) + pickFragment() + text.slice(position + Math.floor(random() * 12))
    }
    return text
  }
  // Quadratic time shows here.
  if (kind > 0.999) return (pickFragment() + pickFragment()).repeat(Math.floor(random() * 3000)) + pickFragment()
  let text = ''
  for (let count = Math.floor(random() * random() * 60); count >= 0; count--) text += pickFragment()
  return text
}

export interface ParserFinding {
  parser: string
  inputNumber: number
  problem: string
  input: string
}

/** Fuzzes a parser and reports failing inputs. */
export async function fuzzParser(
  parser: FuzzedParser,
  { times, seed }: { times: number; seed: number },
): Promise<{ findings: ParserFinding[]; slowestMs: number }> {
  const random = createRandom(seed)
  const findings: ParserFinding[] = []
  let slowest = 0
  for (let inputNumber = 0; inputNumber < times; inputNumber++) {
    const input = createInput(parser, random).slice(0, parser.maxLength)
    let tookMs = await measureParse(parser, input, (problem) =>
      findings.push({ parser: parser.name, inputNumber, problem, input }),
    )
    // Retried because the machine may have paused.
    for (let retry = 0; tookMs > maxParseMs && retry < 3; retry++)
      tookMs = Math.min(tookMs, await measureParse(parser, input))
    slowest = Math.max(slowest, tookMs)
    if (tookMs > maxParseMs)
      findings.push({ parser: parser.name, inputNumber, problem: `took ${tookMs.toFixed(0)} ms`, input })
    if (findings.length > 50) break
  }
  return { findings, slowestMs: slowest }
}

async function measureParse(
  parser: FuzzedParser,
  input: string,
  report: (problem: string) => void = () => undefined,
): Promise<number> {
  const cpuStart = process.threadCpuUsage()
  try {
    const result = parser.parse(input)
    if (result instanceof Promise) await result
  } catch (thrown) {
    if (!parser.mayThrow?.(thrown)) report(`threw ${thrown}`)
  }
  const { user, system } = process.threadCpuUsage(cpuStart)
  return (user + system) / 1000
}
