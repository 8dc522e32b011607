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
const minMs = 15
/** The clock of a thread goes in steps of up to 10 ms, so that a sample is many of them. */
const sampleMs = 40
const firstLength = 4096

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
  /** Tried up to {@link rareLength} only. */
  isRare?: boolean
}

const rareLength = 65_536

/** One unit again and again, with what keeps a pattern from matching before or behind it. */
export function shapesOf(reader: Omit<TextReader, 'read'>, { thorough }: { thorough: boolean }): Shape[] {
  if (reader.build) return [{ name: reader.name, build: reader.build }]
  const own = reader.units ?? []
  const all = reader.ownUnitsOnly && !thorough ? own : [...own, ...units]
  const plain = all.map((unit) => repeatedShape(unit, 'x', 'x'))
  const pairs = (thorough ? ['\n', ' '] : ['\n']).flatMap((first) => all.map((second) => halvesShape(first, second)))
  const framed = thorough ? frames.flatMap((frame) => all.map((unit) => repeatedShape(unit, ...frame))) : []
  return [...plain, ...[...pairs, ...framed].map((shape) => ({ ...shape, isRare: true }))]
}

const frames: readonly [before: string, after: string][] = [
  ['](', ')'],
  ['<a', '>'],
  ['', ''],
]

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
 * Reads each shape at growing lengths up to twice the longest the field takes; the first input whose time grows
 * faster than its length.
 * @param lengthLimit for a short form: no text is longer than this
 */
export async function findSlowInput(
  reader: TextReader,
  { lengthLimit = Number.POSITIVE_INFINITY, thorough = false } = {},
): Promise<SlowInput | undefined> {
  const top = Math.max(2 * (reader.minLength ?? 0), Math.min(2 * reader.maxLength, lengthLimit))
  for (const shape of shapesOf(reader, { thorough })) {
    const found = await growthOf(reader, shape, shape.isRare ? Math.min(top, rareLength) : top)
    if (found) return found
  }
  return undefined
}

async function growthOf(reader: TextReader, shape: Shape, top: number): Promise<SlowInput | undefined> {
  let previousMs = 0
  const first = reader.minLength ?? Math.min(firstLength, top / 2)
  for (let length = first; length <= top; length *= 2) {
    const cpuMs = await cpuMsOf(reader, shape.build(length))
    if (cpuMs >= minMs && cpuMs > maxRatio * previousMs) {
      const slow = await confirmed(reader, shape, length)
      if (slow) return slow
    }
    previousMs = cpuMs
  }
  return undefined
}

/** Garbage collection and caches make single steps: a slow reader goes on to be slow with longer texts. */
async function confirmed(reader: TextReader, shape: Shape, length: number): Promise<SlowInput | undefined> {
  const [halfMs = 0, cpuMs = 0] = await minCpuMs(reader, [length / 2, length].map(shape.build))
  const ratio = cpuMs / halfMs
  if (cpuMs < minMs || ratio <= maxRatio) return undefined
  const doublings = cpuMs > 100 ? 2 : 3
  const longerMs = await cpuMsOf(reader, shape.build(length * 2 ** doublings))
  if (longerMs / cpuMs <= maxRatio ** doublings) return undefined
  return { reader: reader.name, shape: shape.name, length, ratio, cpuMs }
}

/** Of each text the mean time of a call in the fastest of several samples. */
async function minCpuMs(reader: TextReader, texts: readonly string[]): Promise<number[]> {
  const least = texts.map(() => Number.POSITIVE_INFINITY)
  for (let again = 0; again < 3; again++)
    for (const [at, text] of texts.entries()) least[at] = Math.min(least[at] ?? 0, await meanCpuMs(reader, text))
  return least
}

async function meanCpuMs(reader: TextReader, text: string): Promise<number> {
  let calls = 0
  let total = 0
  while (total < sampleMs) {
    total += await cpuMsOf(reader, text, 2 ** Math.min(calls, 6))
    calls += 2 ** Math.min(calls, 6)
  }
  return total / calls
}

/** CPU time of so many calls; what it refuses by throwing counts as read. */
async function cpuMsOf({ read }: Pick<TextReader, 'read'>, text: string, times = 1): Promise<number> {
  const start = process.threadCpuUsage()
  for (let call = 0; call < times; call++)
    try {
      await read(text)
    } catch {}
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1000
}
