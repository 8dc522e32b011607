import { report } from '../bench/measure.ts'
import { findSlowInput, maxRatio, type TextReader } from '../tests/malformed/linear-time.ts'
import { listPatternReaders } from '../tests/malformed/source-patterns.ts'
import { textReaders } from '../tests/malformed/text-readers.ts'

// `--only=word` for some functions, `--limit=20000` for shorter texts.
const options = Object.fromEntries(process.argv.slice(2).map((word) => word.replace(/^--/, '').split('=')))
const nameFilter = options.only ?? ''
const lengthLimit = Number(options.limit ?? Number.POSITIVE_INFINITY)
const requirement = `doubling the text takes less than ${maxRatio} times the CPU time`

for (const reader of textReaders) if (reader.name.includes(nameFilter)) await checkReaders(reader.name, [reader])
const patterns = listPatternReaders().filter(({ name }) => name.includes(nameFilter))
if (patterns.length > 0) await checkReaders(`${patterns.length} regular expressions`, patterns)

await checkControl('a regular expression that restarts at each space', (text) => text.replace(/\s+$/, ''))
await checkControl('a loop over all words for each word', (text) =>
  text
    .split(' ')
    .filter((word, index, allWords) => allWords.indexOf(word) === index && allWords.lastIndexOf(`${word}a`) === -1),
)

async function checkReaders(name: string, readers: readonly TextReader[]): Promise<void> {
  let count = 0
  for (const reader of readers) {
    const slow = await findSlowInput(reader, { lengthLimit, thorough: true })
    if (!slow) continue
    count += 1
    console.log(
      `${slow.reader}: ${slow.shape} in ${slow.length} characters took ${slow.cpuMs.toFixed(0)} ms, ${slow.ratio.toFixed(2)} times as long as half of it`,
    )
  }
  report(name, `${count} of ${readers.length} take longer`, requirement, count === 0)
}

async function checkControl(defect: string, read: TextReader['read']): Promise<void> {
  const build = (length: number) =>
    `x${' '.repeat(length / 2)}${Array.from({ length: length / 8 }, (_, index) => index.toString(36).padStart(3, '0')).join(' ')}x`
  const slow = await findSlowInput({ name: defect, maxLength: 50_000, build, read })
  report(
    `control: ${defect}`,
    slow ? `noticed at ${slow.length} characters` : 'not noticed',
    'must be noticed',
    slow !== undefined,
  )
}
