import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { BinaryVectors } from '#server/keepers/memory-cards/binary-vectors.ts'
import { computeBuiltInEmbedding } from '#server/keepers/memory-cards/built-in-embedding.ts'
import { getCardWords } from '#server/keepers/memory-cards/card-words.ts'
import { toSignBits, toVectorBytes } from '#server/keepers/memory-cards/vectors.ts'
import { formatMs, percentile, registerPerson, report, startKeeper } from './measure.ts'

// Searching 100,000 cards by words and meaning, next to 100,000 of someone else: p95 at most 25 ms. Baseline: in this process.

const port = 15_856
const url = `http://127.0.0.1:${port}`
const cardCount = 100_000
const searchCount = 300

const dataDir = mkdtempSync(join(tmpdir(), 'keeper-bench-'))
const environment = { PORT: String(port), KEEPER_DATA_DIR: dataDir, KEEPER_REGISTRATIONS_PER_HOUR: '1000' }

// Word frequencies as in a language: a few common words, many rare ones.
let randomState = 42
const random = () => {
  randomState = (Math.imul(randomState, 1_664_525) + 1_013_904_223) >>> 0
  return randomState / 2 ** 32
}
const syllables = 'ba ce di fo gu har lam mor nel pri qua ros sel tun ver wil bour light keep morn'.split(' ')
const pickSyllable = () => syllables[Math.floor(random() * syllables.length)] ?? ''
const vocabulary = Array.from({ length: 20_000 }, () =>
  Array.from({ length: 2 + Math.floor(random() * 2) }, pickSyllable).join(''),
)
const pickWord = () => vocabulary[Math.floor(vocabulary.length * random() ** 4)] ?? ''
const createSentence = (length: number) => Array.from({ length }, pickWord).join(' ')

let keeper = await startKeeper(environment)
const tokens = [await registerPerson(url, 'others@keeper.example'), await registerPerson(url)]
const keeperIds: string[] = []
for (const token of tokens) {
  const answer = await fetch(`${url}/api/keeper/keepers`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ title: 'Bench', purpose: 'Many cards', keeperType: 'journal', memoryPattern: 'sole' }),
  })
  keeperIds.push(((await answer.json()) as { data: { id: string } }).data.id)
}
await keeper.stop()

const database = new DatabaseSync(join(dataDir, 'data.db'))
const ownVectors = new BinaryVectors(32)
fillDatabase()
keeper = await startKeeper(environment)

const [, ownToken = ''] = tokens
const [, ownKeeperId = ''] = keeperIds
async function search(query: string): Promise<number> {
  const startedAt = performance.now()
  const answer = await fetch(
    `${url}/api/keeper/keepers/${ownKeeperId}/memory-cards/search?query=${encodeURIComponent(query)}`,
    {
      headers: { authorization: `Bearer ${ownToken}` },
    },
  )
  const { data } = (await answer.json()) as { data: { card: { keeperId: string } }[] }
  if (!answer.ok || data.length === 0 || data.some(({ card }) => card.keeperId !== ownKeeperId))
    throw new Error(`the search for ${query} answered ${answer.status} with ${data?.length} cards`)
  return performance.now() - startedAt
}
const queries = Array.from({ length: searchCount }, () => createSentence(1 + Math.floor(random() * 4)))
const firstSearchMs = await search(createSentence(2))
for (const query of queries.slice(0, 20)) await search(query)
const latenciesMs: number[] = []
for (const query of queries) latenciesMs.push(await search(query))
await keeper.stop()

const matchStatement = database.prepare(
  'select card from card_words where card_words match ? order by rowid desc limit 500',
)
const baselineLatenciesMs = queries.map((query) => {
  const startedAt = performance.now()
  const quotedWords = query.split(' ').map((queryWord) => `"${queryWord}"`)
  matchStatement.all(`keeper:"${ownKeeperId}" AND words:(${quotedWords.join(' AND ')})`)
  const vector = computeBuiltInEmbedding(query)
  if (vector) ownVectors.findNearest(toSignBits(vector), 200)
  return performance.now() - startedAt
})
database.close()
rmSync(dataDir, { recursive: true })

const [p50, p95] = [percentile(latenciesMs, 0.5), percentile(latenciesMs, 0.95)]
report(
  `search over ${cardCount} cards among ${cardCount} of someone else`,
  `p50 ${formatMs(p50)}, p95 ${formatMs(p95)}; baseline p50 ${formatMs(percentile(baselineLatenciesMs, 0.5))}, p95 ${formatMs(percentile(baselineLatenciesMs, 0.95))}; first search ${formatMs(firstSearchMs)}`,
  'p95 25 ms',
  p95 <= 25,
)

function fillDatabase(): void {
  const owners = keeperIds.map((id) =>
    String(database.prepare('select owner_id from keepers where id = ?').get(id)?.owner_id),
  )
  const insertCard = database.prepare(
    `insert into memory_cards (id, keeper_id, owner_id, created_at, updated_at, content, ai_visible, state, embedded_with, embedded_at, words)
     values (?, ?, ?, ?, ?, ?, 1, 'active', 'built-in', 1, ?)`,
  )
  const insertVector = database.prepare(
    `insert into card_vectors (card_id, keeper_id, model, dimensions, vector, signs, created_at) values (?, ?, 'built-in', 256, ?, ?, ?)`,
  )
  // A small cache would make every second insert read from disk.
  database.exec('pragma cache_size = -1000000; pragma synchronous = off; begin')
  for (let index = 0; index < cardCount * 2; index++) {
    if (index % 10_000 === 9_999) database.exec('commit; begin')
    const id = index.toString(16).padStart(32, '0')
    const content = createSentence(12 + Math.floor(random() * 20))
    const embedding = computeBuiltInEmbedding(content)
    if (!embedding) throw new Error('a sentence without words')
    const keeperId = keeperIds[index % 2] ?? ''
    const time = 1_700_000_000_000 + index
    insertCard.run(id, keeperId, owners[index % 2] ?? '', time, time, content, getCardWords({ topic: null, content }))
    insertVector.run(id, keeperId, toVectorBytes(embedding), toSignBits(embedding), time)
    if (index % 2 === 1) ownVectors.put(id, toSignBits(embedding))
  }
  database.exec('commit')
}
