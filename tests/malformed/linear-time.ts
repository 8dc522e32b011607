export interface TextReader {
  name: string
  /** The longest text its field takes, in characters. */
  maxLength: number
  read(text: string): unknown
  /** Repeated beside the general units: signs of its own grammar. */
  units?: readonly string[]
  /** Leaves the general units out, where there are hundreds of readers. */
  ownUnitsOnly?: boolean
  /** Its work is bounded from this length on. */
  minLength?: number
  /** The one input of a reader that needs another kind of text. */
  build?: (length: number) => string
}

export interface SlowInput {
  reader: string
  /** What the input is made of, to build it again. */
  shape: string
  length: number
  ratio: number
  cpuMs: number
}

/** Doubling the text may take so much more time: 2 is linear, 2.8 is n√n, 4 is quadratic. */
export const maxRatio = 2.5
/** Below this the time of a call says nothing, and costs nobody anything. */
const minMs = 12
const firstLength = 4096
/** Of one reader; more say no more. */
const maxSlowInputs = 3

const units = [
  ' ',
  '\t',
  '\n',
  ' \n',
  'a',
  'a ',
  'a\n',
  '](',
  '[',
  '![',
  '[a](b',
  '<',
  '<a ',
  '<a "',
  '<a>',
  '<!--',
  '*a _b ',
  '* ',
  ' *a',
  '_a',
  '~~a',
  '`',
  '` ``',
  '```\n',
  '"',
  "'",
  '\\',
  '&',
  '&amp',
  '|',
  '> ',
  '- ',
  '1. ',
  '#',
  '(',
  ')',
  '{',
  '[]',
  ',',
  ';',
  '.',
  'A. ',
  '!',
  '=',
  '@',
  'a@a.',
  '/',
  'http://a',
  '0',
  '\r',
  '\u00a0',
  '\u0301',
  'a\u0301',
  '\u{1f469}\u200d',
  '\ud800',
  '字',
]

export interface Shape {
  name: string
  build(length: number): string
}

/** One unit again and again, with what keeps a pattern from matching before or behind it. */
export function shapesOf(reader: Omit<TextReader, 'read'>, { thorough }: { thorough: boolean }): Shape[] {
  if (reader.build) return [{ name: reader.name, build: reader.build }]
  const own = reader.units ?? []
  const all = reader.ownUnitsOnly && !thorough ? own : [...own, ...units]
  const frames: readonly [string, string][] = [
    ['x', 'x'],
    ...(thorough
      ? ([
          ['', ''],
          ['](', ')'],
          ['<a', '>'],
          ['\n\n', '\n\n'],
          ['"', '\n'],
        ] as [string, string][])
      : []),
  ]
  const repeated = all.flatMap((unit) => frames.map(([before, after]) => repeatedShape(unit, before, after)))
  const firsts = thorough ? ['\n', ' ', ...own] : ['\n']
  const pairs = firsts.flatMap((first) => all.map((second) => halvesShape(first, second)))
  return [...repeated, ...pairs]
}

function repeatedShape(unit: string, before: string, after: string): Shape {
  return {
    name: `${JSON.stringify(before)} + ${JSON.stringify(unit)} repeated + ${JSON.stringify(after)}`,
    build: (length) => before + fill(unit, length - before.length - after.length) + after,
  }
}

function halvesShape(first: string, second: string): Shape {
  return {
    name: `${JSON.stringify(first)} repeated, then ${JSON.stringify(second)} repeated`,
    build: (length) => fill(first, Math.floor(length / 2)) + fill(second, Math.ceil(length / 2)),
  }
}

const fill = (unit: string, length: number) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length)

/**
 * Reads each shape at growing lengths up to twice the longest the field takes; the inputs whose time grows faster than
 * their length.
 * @param lengthLimit for a short form: no text is longer than this
 */
export async function findSlowInputs(
  reader: TextReader,
  { lengthLimit = Number.POSITIVE_INFINITY, thorough = false } = {},
): Promise<SlowInput[]> {
  const top = Math.max(2 * (reader.minLength ?? 0), Math.min(2 * reader.maxLength, lengthLimit))
  const slow: SlowInput[] = []
  for (const shape of shapesOf(reader, { thorough })) {
    const found = await growthOf(reader, shape, top)
    if (found && slow.push(found) === maxSlowInputs) break
  }
  return slow
}

async function growthOf(reader: TextReader, shape: Shape, top: number): Promise<SlowInput | undefined> {
  let previousMs = 0
  const first = reader.minLength ?? Math.min(firstLength, top / 2)
  for (let length = first; length <= top; length *= 2) {
    const cpuMs = await cpuMsOf(reader, shape.build(length))
    if (cpuMs >= minMs && previousMs > 0 && cpuMs / previousMs > maxRatio) {
      const slow = await confirmed(reader, shape, length)
      if (slow) return slow
    }
    previousMs = cpuMs
  }
  return undefined
}

/** Compilation and garbage collection take time once; a slow reader is slow each time, and at each length. */
async function confirmed(reader: TextReader, shape: Shape, length: number): Promise<SlowInput | undefined> {
  const [quarterMs = 0, halfMs = 0, cpuMs = 0] = await minCpuMs(
    reader,
    [length / 4, length / 2, length].map(shape.build),
  )
  const ratio = Math.min(cpuMs / halfMs, Math.sqrt(cpuMs / quarterMs))
  return cpuMs >= minMs && ratio > maxRatio
    ? { reader: reader.name, shape: shape.name, length, ratio, cpuMs }
    : undefined
}

async function minCpuMs(reader: TextReader, texts: readonly string[]): Promise<number[]> {
  const least = texts.map(() => Number.POSITIVE_INFINITY)
  for (let again = 0; again < 6; again++)
    for (const [at, text] of texts.entries()) least[at] = Math.min(least[at] ?? 0, await cpuMsOf(reader, text))
  return least
}

/** CPU time of one call; what it refuses by throwing counts as read. */
export async function cpuMsOf({ read }: Pick<TextReader, 'read'>, text: string): Promise<number> {
  const start = process.threadCpuUsage()
  try {
    await read(text)
  } catch {}
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1000
}
