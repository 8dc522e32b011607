import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { computeBuiltInEmbedding } from '../../server/keepers/memory-cards/built-in-embedding.ts'
import { getCardWords } from '../../server/keepers/memory-cards/card-words.ts'
import { toSignBits, toVectorBytes } from '../../server/keepers/memory-cards/vectors.ts'

interface RowOwner {
  personId: string
  keeperId: string
}

const diaryHours = 20 * 365 * 24

export function fillWithRows(
  dataDir: string,
  { personId, keeperId }: RowOwner,
  rows: { moments: number; cards: number },
): void {
  const database = new DatabaseSync(join(dataDir, 'data.db'))
  database.exec('pragma synchronous = off')
  const stepMs = (diaryHours * 3_600_000) / Math.max(1, rows.moments)
  const startTime = Date.now() - diaryHours * 3_600_000
  const timeSql = `cast(${startTime} + i * ${stepMs} as integer)`
  const chunkSize = 100_000
  const idSuffix = keeperId.slice(-8)
  for (let from = 0; from < rows.moments; from += chunkSize)
    database.exec(`with recursive n(i) as
        (select ${from} union all select i + 1 from n where i + 1 < ${Math.min(from + chunkSize, rows.moments)})
      insert into moments (id, keeper_id, owner_id, created_at, updated_at, occurred_at, local_date, timezone, body,
        mood_score, pinned, ai_visible)
      select '${idSuffix}' || printf('%024x', i + 1), '${keeperId}', '${personId}', ${timeSql}, ${timeSql}, ${timeSql}, date(${timeSql} / 1000, 'unixepoch'), 'UTC',
        'Moment ' || i || ' The ferry was late, so Per and I ate the cardamom buns on the quay.', i % 5 - 2, 0, 1 from n`)
  const card = database.prepare(
    `insert into memory_cards (id, keeper_id, owner_id, created_at, updated_at, content, ai_visible, state, embedded_with,
      embedded_at, words) values (?, ?, ?, ?, ?, ?, 1, 'active', 'built-in', 1, ?)`,
  )
  const vector = database.prepare(
    `insert into card_vectors (card_id, keeper_id, model, dimensions, vector, signs, created_at)
      values (?, ?, 'built-in', 256, ?, ?, ?)`,
  )
  database.exec('begin')
  const vocabulary = [
    'ferry',
    'flour',
    'scale',
    'boats',
    'fog',
    'light',
    'shutters',
    'harbour',
    'cardamom',
    'quay',
    'rope',
  ]
  for (let number = 0; number < rows.cards; number++) {
    const id = `${idSuffix}${number.toString(16).padStart(24, '0')}`
    const words = Array.from(
      { length: 6 },
      (_, wordIndex) => vocabulary[(number * (wordIndex + 3)) % vocabulary.length],
    )
    const content = `${words.join(' ')} ${(number * 2_654_435_761) % 1_000_000}`
    const embedding = computeBuiltInEmbedding(content)
    if (!embedding) throw new Error('a card without words')
    card.run(id, keeperId, personId, number, number, content, getCardWords({ topic: null, content }))
    vector.run(id, keeperId, toVectorBytes(embedding), toSignBits(embedding), number)
  }
  database.exec('commit')
  database.close()
}
