import { findSlowInputs, maxRatio, type TextReader } from '#tests/malformed/linear-time.ts'
import { patternReaders } from '#tests/malformed/source-patterns.ts'
import { textReaders } from '#tests/malformed/text-readers.ts'
import { report } from '../bench/measure.ts'

// `--only=word` for some functions, `--limit=20000` for shorter texts.
const options = Object.fromEntries(process.argv.slice(2).map((word) => word.replace(/^--/, '').split('=')))
const only = options.only ?? ''
const lengthLimit = Number(options.limit ?? Number.POSITIVE_INFINITY)
const bar = `twice the text takes less than ${maxRatio} times the CPU time`

for (const reader of textReaders) if (reader.name.includes(only)) await hold(reader.name, [reader])
const patterns = patternReaders().filter(({ name }) => name.includes(only))
if (patterns.length > 0) await hold(`${patterns.length} regular expressions`, patterns)

await control('a regular expression that starts again at each blank', (text) => text.replace(/\s+$/, ''))
await control('a loop that looks through all words for each', (text) =>
  text.split(' ').filter((word, at, words) => words.indexOf(word) === at && words.lastIndexOf(`${word}a`) === -1),
)

async function hold(name: string, readers: readonly TextReader[]): Promise<void> {
  const slow = []
  for (const reader of readers) slow.push(...(await findSlowInputs(reader, { lengthLimit, thorough: true })))
  for (const { reader, shape, length, ratio, cpuMs } of slow)
    console.log(
      `${reader}: ${shape} in ${length} characters took ${cpuMs.toFixed(0)} ms, ${ratio.toFixed(2)} times the half`,
    )
  report(name, `${slow.length} inputs take more`, bar, slow.length === 0)
}

async function control(defect: string, read: TextReader['read']): Promise<void> {
  const build = (length: number) =>
    `x${' '.repeat(length / 2)}${Array.from({ length: length / 8 }, (_, at) => at.toString(36).padStart(3, '0')).join(' ')}x`
  const slow = await findSlowInputs({ name: defect, maxLength: 50_000, build, read })
  report(`control: ${defect}`, `noticed: ${slow.length} inputs`, 'must be noticed', slow.length > 0)
}
