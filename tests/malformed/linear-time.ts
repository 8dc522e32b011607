export interface TextReader {
  name: string
  /** Maximum input length of its field, in characters. */
  maxLength: number
  read(text: string): unknown
  /** Tokens of the reader's grammar, repeated in addition to the general units. */
  units?: readonly string[]
  /** Skips the general units, for groups of hundreds of readers. */
  specificUnitsOnly?: boolean
  /** The reader does constant work beyond this length. */
  minLength?: number
  /** Builds the only input of a reader that needs a special text. */
  build?: (length: number) => string
}

export interface SlowInput {
  reader: string
  /** Describes the input so that it can be rebuilt. */
  shape: string
  length: number
  ratio: number
  cpuMs: number
}

/** Maximum time ratio for doubled input: 2 is linear, 2.8 is n√n, 4 is quadratic. */
export const maxRatio = 2.5
/** Shorter measurements are noise, and harmless. */
const minMs = 15
/** The thread clock advances in steps of up to 10 ms, so a sample covers several. */
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
  /** Tried only up to {@link rareLength}. */
  isRare?: boolean
}

const rareLength = 65_536

/** One repeated unit, with a prefix and suffix that keep a pattern from matching early. */
export function listShapes(reader: Omit<TextReader, 'read'>, { thorough }: { thorough: boolean }): Shape[] {
  if (reader.build) return [{ name: reader.name, build: reader.build }]
  const specificUnits = reader.units ?? []
  const allUnits = reader.specificUnitsOnly && !thorough ? specificUnits : [...specificUnits, ...units]
  const plain = allUnits.map((unit) => createRepeatedShape(unit, 'x', 'x'))
  const pairs = thorough
    ? ['\n', ' '].flatMap((first) => allUnits.map((second) => createHalvesShape(first, second)))
    : []
  const framed = thorough ? frames.flatMap((frame) => allUnits.map((unit) => createRepeatedShape(unit, ...frame))) : []
  return [...plain, ...[...pairs, ...framed].map((shape) => ({ ...shape, isRare: true }))]
}

const frames: readonly [prefix: string, suffix: string][] = [
  ['](', ')'],
  ['<a', '>'],
  ['', ''],
]

function createRepeatedShape(unit: string, prefix: string, suffix: string): Shape {
  return {
    name: `${JSON.stringify(prefix)} + ${JSON.stringify(unit)} repeated + ${JSON.stringify(suffix)}`,
    build: (length) => prefix + fill(unit, length - prefix.length - suffix.length) + suffix,
  }
}

function createHalvesShape(first: string, second: string): Shape {
  return {
    name: `${JSON.stringify(first)} repeated, then ${JSON.stringify(second)} repeated`,
    build: (length) => fill(first, Math.floor(length / 2)) + fill(second, Math.ceil(length / 2)),
  }
}

const fill = (unit: string, length: number) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length)

/**
 * Reads each shape at growing lengths, up to twice the field's maximum. Returns the first input whose time grows
 * faster than its length. `lengthLimit` caps the text.
 */
export async function findSlowInput(
  reader: TextReader,
  { lengthLimit = Number.POSITIVE_INFINITY, thorough = false } = {},
): Promise<SlowInput | undefined> {
  const maxLength = Math.max(2 * (reader.minLength ?? 0), Math.min(2 * reader.maxLength, lengthLimit))
  for (const shape of listShapes(reader, { thorough })) {
    const slowInput = await findSuperlinearGrowth(
      reader,
      shape,
      shape.isRare ? Math.min(maxLength, rareLength) : maxLength,
    )
    if (slowInput) return slowInput
  }
  return undefined
}

async function findSuperlinearGrowth(
  reader: TextReader,
  shape: Shape,
  maxLength: number,
): Promise<SlowInput | undefined> {
  // The first length has no previous time to compare with.
  let previousMs = Number.POSITIVE_INFINITY
  const startLength = reader.minLength ?? Math.min(firstLength, maxLength / 2)
  for (let length = startLength; length <= maxLength; length *= 2) {
    const cpuMs = await measureCpuMs(reader, shape.build(length))
    if (cpuMs >= minMs && cpuMs > maxRatio * previousMs) {
      const slowInput = await confirmSlow(reader, shape, length)
      if (slowInput) return slowInput
    }
    previousMs = cpuMs
  }
  return undefined
}

/** Garbage collection and caches cause single jumps; a slow reader stays slow on longer texts. */
async function confirmSlow(reader: TextReader, shape: Shape, length: number): Promise<SlowInput | undefined> {
  const [halfMs = 0, cpuMs = 0] = await measureMinCpuMs(reader, [length / 2, length].map(shape.build))
  const ratio = cpuMs / halfMs
  if (cpuMs < minMs || ratio <= maxRatio) return undefined
  const doublings = cpuMs > 50 ? 2 : 3
  const longerMs = await measureCpuMs(reader, shape.build(length * 2 ** doublings))
  if (longerMs / cpuMs <= maxRatio ** doublings) return undefined
  return { reader: reader.name, shape: shape.name, length, ratio, cpuMs }
}

/** The mean time per call for each text, in the fastest of three samples. */
async function measureMinCpuMs(reader: TextReader, texts: readonly string[]): Promise<number[]> {
  const minMs = texts.map(() => Number.POSITIVE_INFINITY)
  for (let repetition = 0; repetition < 3; repetition++)
    for (const [index, text] of texts.entries())
      minMs[index] = Math.min(minMs[index] ?? 0, await measureMeanCpuMs(reader, text))
  return minMs
}

async function measureMeanCpuMs(reader: TextReader, text: string): Promise<number> {
  let calls = 0
  let totalMs = 0
  while (totalMs < sampleMs) {
    const batchSize = 2 ** Math.min(calls, 6)
    totalMs += await measureCpuMs(reader, text, batchSize)
    calls += batchSize
  }
  return totalMs / calls
}

/** CPU time of `times` calls; a thrown refusal counts as a read. */
async function measureCpuMs({ read }: Pick<TextReader, 'read'>, text: string, times = 1): Promise<number> {
  const start = process.threadCpuUsage()
  for (let call = 0; call < times; call++)
    try {
      await read(text)
    } catch {}
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1000
}
