import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { normalizeSearchText } from '#contract/search/normalize-search-text.ts'
import { parseSearchQuery } from '#contract/search/search-query.ts'
import {
  getGrams,
  getQueryGrams,
  getScopeGram,
  toPosition,
  toTokenQuery,
  toTokens,
} from '#server/search-index/grams.ts'
import { formatMs, percentile, registerPerson, report, startKeeper } from './measure.ts'

// Searches 1,000,000 entries for rare words, common words, parts of words and several words: p95 at most 25 ms and at most 3
// times the baseline, which queries the index and the rows with prepared statements in this process.

const port = 15_858
const url = `http://127.0.0.1:${port}`
const entryCount = 1_000_000
const searchesPerKind = 60
const blockSize = 1_000
const transactionSize = 20_000

const dataDir = mkdtempSync(join(process.env.KEEPER_BENCH_DIR ?? tmpdir(), 'keeper-bench-'))
const environment = { PORT: String(port), KEEPER_DATA_DIR: dataDir, KEEPER_NIGHTLY_BACKUPS: '0' }

// Word frequencies as in a language: a few common words, many rare ones.
let randomState = 42
const random = () => {
  randomState = (Math.imul(randomState, 1_664_525) + 1_013_904_223) >>> 0
  return randomState / 2 ** 32
}
const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(items.length * random())] as Item
const syllables = 'ba ce di fo gu har lam mor nel pri qua ros sel tun ver wil bour light keep morn ing ed er ly'.split(
  ' ',
)
const vocabulary = [
  ...new Set(
    Array.from({ length: 120_000 }, () =>
      Array.from({ length: 2 + Math.floor(random() * 3) }, () => pick(syllables)).join(''),
    ),
  ),
]
const pickWord = () => vocabulary[Math.floor(vocabulary.length * random() ** 5)] ?? ''
const createSentence = () => Array.from({ length: 20 + Math.floor(random() * 25) }, pickWord).join(' ')
const createRareWord = (number: number) => `zephyr${number.toString(36)}quay`

let keeper = await startKeeper(environment)
const token = await registerPerson(url)
const created = await fetch(`${url}/api/keeper/keepers`, {
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
  body: JSON.stringify({ title: 'Bench', purpose: 'Many moments', keeperType: 'journal', memoryPattern: 'sole' }),
})
const keeperId = ((await created.json()) as { data: { id: string } }).data.id
await keeper.stop()

const file = join(dataDir, 'data.db')
const database = new DatabaseSync(file)
const ownerId = String(database.prepare('select owner_id from keepers where id = ?').get(keeperId)?.owner_id)
const samples: string[] = []
fillDatabase()
keeper = await startKeeper(environment)

async function search(query: string): Promise<number> {
  const startedAt = performance.now()
  const answer = await fetch(`${url}/api/keeper/search?q=${encodeURIComponent(query)}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { data } = (await answer.json()) as { data: { items: unknown[] } }
  if (!answer.ok || data.items.length === 0) throw new Error(`the search for ${query} answered ${answer.status}`)
  return performance.now() - startedAt
}
const pickWords = () => pick(samples).split(' ')
const createQueries = <Item>(create: () => Item) => Array.from({ length: searchesPerKind }, create)
const queries: Record<string, string[]> = {
  'a word in one entry': createQueries(() => createRareWord(Math.floor(random() * entryCount))),
  'a rare word': createQueries(() => vocabulary[Math.floor(vocabulary.length * (0.5 + random() / 2))] ?? ''),
  'a common word': createQueries(() => vocabulary[Math.floor(random() * 50)] ?? ''),
  'inside a word': createQueries(() => pick(pickWords().filter((part) => part.length > 6)).slice(1, -1)),
  'three words': createQueries(() => pickWords().slice(3, 6).join(' ')),
  'a phrase': createQueries(() => `"${pickWords().slice(3, 6).join(' ')}"`),
  'one or two letters': createQueries(() => pick(pickWords()).slice(0, 1 + Math.floor(random() * 2))),
}
const firstSearchMs = await search(createRareWord(entryCount / 2))
const allLatenciesMs: number[] = []
const lines: string[] = []
for (const [kind, texts] of Object.entries(queries)) {
  for (const text of texts.slice(0, 5)) await search(text)
  const latencies: number[] = []
  for (const text of texts) latencies.push(await search(text))
  allLatenciesMs.push(...latencies)
  lines.push(`${kind}: p50 ${formatMs(percentile(latencies, 0.5))}, p95 ${formatMs(percentile(latencies, 0.95))}`)
}
await keeper.stop()

const searchQuery = database.prepare(`select moments.*, search_entries.text from search_index
  cross join search_entries on search_entries.position = search_index.rowid join moments on moments.id = search_entries.id
  where search_index match ? order by search_index.rowid desc limit 51`)
const baseline = Object.values(queries)
  .flat()
  .map((query) => {
    const startedAt = performance.now()
    const grams = parseSearchQuery(query).required.flatMap(getQueryGrams).flat()
    searchQuery.all(toTokenQuery([...grams, getScopeGram('owner', ownerId)]))
    return performance.now() - startedAt
  })
const indexBytes = Number(database.prepare('select sum(length(block)) as bytes from search_index_data').get()?.bytes)
const textBytes = Number(database.prepare('select sum(octet_length(text)) as bytes from search_entries').get()?.bytes)
database.close()
const formatMb = (bytes: number) => `${Math.round(bytes / 1e6)} MB`
lines.push(
  `texts ${formatMb(textBytes)}, normalized copies the same, index ${formatMb(indexBytes)}, file ${formatMb(statSync(file).size)}`,
)
rmSync(dataDir, { recursive: true })

for (const line of lines) console.log(`       ${line}`)
const [p50, p95, baselineP95] = [
  percentile(allLatenciesMs, 0.5),
  percentile(allLatenciesMs, 0.95),
  percentile(baseline, 0.95),
]
report(
  `search over ${entryCount.toLocaleString('en-US')} entries`,
  `p50 ${formatMs(p50)}, p95 ${formatMs(p95)}, ${(p95 / baselineP95).toFixed(1)} × the baseline's ${formatMs(baselineP95)}`,
  'p95 25 ms and 3 ×',
  p95 <= 25 && p95 <= 3 * baselineP95,
)
report('first search after a start', formatMs(firstSearchMs), '150 ms', firstSearchMs <= 150)

function fillDatabase(): void {
  const insertMoment =
    database.prepare(`insert into moments (id, keeper_id, owner_id, created_at, updated_at, occurred_at,
    local_date, timezone, body, pinned, ai_visible) values (?, ?, ?, ?, ?, ?, ?, 'UTC', ?, 0, 1)`)
  const insertEntry =
    database.prepare(`insert into search_entries (position, entity, id, owner_id, container_id, day, text)
    values (?, 'moment', ?, ?, ?, ?, ?)`)
  const insertGrams = database.prepare('insert into search_index (rowid, grams) values (?, ?)')
  const scopes = [getScopeGram('owner', ownerId), getScopeGram('type', 'moment'), getScopeGram('container', keeperId)]
  // A small cache would make every second insert read from disk.
  database.exec('pragma cache_size = -500000; pragma synchronous = off')
  for (let start = 0; start < entryCount; start += transactionSize) {
    const rows = Array.from({ length: transactionSize }, (_, index) => createRow(start + index))
    database.exec('begin')
    for (const { id, time, day, body } of rows) insertMoment.run(id, keeperId, ownerId, 0, 0, time, day, body)
    for (const { id, position, day, text } of rows) insertEntry.run(position, id, ownerId, keeperId, day, text)
    // Writing to other tables in between would make SQLite write a segment of the full-text index each time.
    for (const { position, text } of rows.toSorted((a, b) => a.position - b.position))
      insertGrams.run(position, toTokens(new Set([...getGrams(text), ...scopes])))
    database.exec('delete from search_pending; commit')
  }
}

function createRow(number: number) {
  const id = number.toString(16).padStart(32, '0')
  const body = `${createSentence()} ${createRareWord(number)}`
  if (number % 1_000 === 0) samples.push(body)
  // Spread over 20 years in blocks that aren't chronological, as after imports.
  const block = Math.floor(number / blockSize)
  const time =
    1_100_000_000_000 + (((block * 7) % (entryCount / blockSize)) * blockSize + (number % blockSize)) * 631_152
  const day = new Date(time).toISOString().slice(0, 10)
  return { id, time, day, body, text: `\n${normalizeSearchText(body)}`, position: toPosition(time, id, 0) }
}
