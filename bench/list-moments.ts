import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { type Database, openDatabase } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { migrations } from '#server/db/migrations/index.ts'
import { listMoments } from '#server/keepers/moments/list-moments.ts'
import type { Services } from '#server/services.ts'
import { median, percentile, report } from './measure.ts'

// A page of 50 moments takes the same time (± 20 %) among 1,000 and 1,000,000. Baseline: the same rows with prepared statements.

const sizes = [1000, 10_000, 100_000, 1_000_000]
const pageCount = 200
const rounds = 5
const pageSize = 50

const tempDir = mkdtempSync(join(tmpdir(), 'keeper-bench-'))
const db = await openDatabase({ dataDir: tempDir })
const now = () => new Date('2026-11-20T12:00:00Z')
await migrate(db, migrations, { dataDir: tempDir, now })
const createServicesFor = (database: Database) => ({ db: database, now }) as unknown as Services
const person = { id: 'ada' }

await db.write(sql`insert into people (id, email, email_folded, name, password_hash, created_at)
  values ('ada', 'a@keeper.example', 'a@keeper.example', 'Ada', 'x', 0)`)
await db.write(sql`insert into keepers (id, owner_id, title, purpose, keeper_type, memory_pattern, theme, is_public,
  created_at, updated_at) values ('k', 'ada', 'K', 'p', 'journal', 'sole', 'keeper-classic', 0, 0, 0)`)
await db.write(sql`with recursive n(i) as (select 0 union all select i + 1 from n where i < 199)
  insert into topics (id, keeper_id, owner_id, created_at, updated_at, name, name_folded, color, note, pinned)
  select 'topic-' || i, 'k', 'ada', 0, 0, 'Topic ' || i, 'topic ' || i, 'ochre', '', 0 from n`)

const spanMs = 20 * 365 * 24 * 60 * 60 * 1000
const toSqlInteger = (number: number) => sql.raw(String(Math.floor(number)))
/** Scatters ids (Fibonacci hashing), because the order of ids must not follow the order of time. */
const idMultiplier = 2_654_435_761
const momentId = sql`printf('%032x', i * ${toSqlInteger(idMultiplier)})`
const occurredAt = sql`${toSqlInteger(now().getTime() - spanMs)} + i * ${toSqlInteger(spanMs / 1_000_000)}`
async function growTo(from: number, to: number): Promise<void> {
  const chunkSize = 100_000
  for (let start = from; start < to; start += chunkSize) {
    const numbers = sql`with recursive n(i) as
      (select ${toSqlInteger(start)} union all select i + 1 from n where i + 1 < ${toSqlInteger(Math.min(start + chunkSize, to))})`
    await db.write(sql`${numbers}
      insert into moments (id, keeper_id, owner_id, created_at, updated_at, occurred_at, local_date, timezone, body,
        mood_score, pinned, ai_visible)
      select ${momentId}, 'k', 'ada', 0, 0, ${occurredAt}, date((${occurredAt}) / 1000, 'unixepoch'), 'UTC',
        'Moment ' || i || ${' The ferry was late, so Per and I ate the cardamom buns on the quay.'.repeat(3)},
        i % 5 - 2, 0, 1 from n`)
    await db.write(sql`${numbers}
      insert into entry_topics (entity, entity_id, topic_id, keeper_id, said_at)
      select 'moment', ${momentId}, 'topic-' || (i % 200), 'k', ${occurredAt} from n where i % 2 = 0`)
    await db.write(sql`${numbers}
      insert into media (id, person_id, sha256, mime, bytes, created_at, keeper_id, entity, entity_id, position)
      select 'media-' || i, 'ada', 'x', 'image/png', 1, 0, 'k', 'moment', ${momentId}, 0
      from n where i % 10 = 0`)
  }
}

const measureMs = async (work: () => unknown) => {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

interface Timeline {
  size: number
  db: Database
  baseline: ReturnType<typeof openBaseline>
  cursors: string[]
  keeperTimesMs: number[]
  baselineTimesMs: number[]
}
const timelines: Timeline[] = []
let previousSize = 0
for (const size of sizes) {
  await growTo(previousSize, size)
  previousSize = size
  const dataDir = join(tempDir, String(size))
  mkdirSync(dataDir)
  // The newest rows are only in the write-ahead log. Nothing writes during the copy.
  for (const file of ['data.db', 'data.db-wal']) copyFileSync(join(tempDir, file), join(dataDir, file))
  timelines.push(await openTimeline(dataDir, size))
}
await db.close()

// Warm-up, without its times.
for (const timeline of timelines) for (const cursor of timeline.cursors) await measurePage(timeline, cursor, 0)
for (const timeline of timelines) timeline.keeperTimesMs.length = timeline.baselineTimesMs.length = 0
// Alternating sizes, so that a temporary slowdown affects all.
for (let round = 0; round < rounds; round++)
  for (let pageIndex = 0; pageIndex < pageCount; pageIndex++)
    for (const timeline of timelines) await measurePage(timeline, timeline.cursors[pageIndex] ?? '', pageIndex)

const measured = timelines.map(({ size, keeperTimesMs, baselineTimesMs }) => ({
  size,
  p50: median(keeperTimesMs),
  p95: percentile(keeperTimesMs, 0.95),
  baselineP50: median(baselineTimesMs),
}))
const [first, last] = [measured[0], measured.at(-1)]
for (const { size, p50, p95, baselineP50 } of measured) {
  const times = `p50 ${p50.toFixed(2)} ms, p95 ${p95.toFixed(2)} ms, ${(p50 / baselineP50).toFixed(1)} × the baseline's ${baselineP50.toFixed(2)} ms`
  const growth = p50 / (first?.p50 ?? 1)
  report(
    `page of ${pageSize} among ${size.toLocaleString('en-US')} moments`,
    `${times}, ${growth.toFixed(2)} × the smallest`,
    'at most 1.2 ×',
    growth <= 1.2,
  )
}

const filters = {
  'a day': { from: '2020-05-05', to: '2020-05-05' },
  'a month': { from: '2019-05-01', to: '2019-05-31' },
  'a topic': { topic: 'topic 7' },
  'a mood': { mood: 2 },
  'with pictures': { withMedia: 'true' as const },
  'a word in all moments': { q: 'ferry' },
  'a word in one moment': { q: '"Moment 4242"' },
}
const biggestTimeline = timelines.at(-1) as Timeline
for (const [name, filter] of Object.entries(filters)) {
  const times: number[] = []
  for (let round = 0; round < 5; round++)
    times.push(await measureMs(() => listMoments(createServicesFor(biggestTimeline.db), person, 'k', filter)))
  console.log(`       ${name}, among ${last?.size.toLocaleString('en-US')}: p50 ${median(times).toFixed(1)} ms`)
}
for (const timeline of timelines) {
  timeline.baseline.close()
  await timeline.db.close()
}
rmSync(tempDir, { recursive: true })

async function openTimeline(dataDir: string, size: number): Promise<Timeline> {
  const database = await openDatabase({ dataDir })
  const rows = await database
    .selectFrom('moments')
    .select(['occurred_at', 'id'])
    .where(sql<boolean>`rowid % ${toSqlInteger(Math.max(1, size / pageCount))} = 0`)
    .limit(pageCount)
    .execute()
  const cursors = rows.map((row) => `${row.occurred_at}.${row.id}`)
  return {
    size,
    db: database,
    baseline: openBaseline(join(dataDir, 'data.db')),
    cursors,
    keeperTimesMs: [],
    baselineTimesMs: [],
  }
}

/** Reads one page from Keeper and one from the baseline, in alternating order, because the second read finds rows in memory. */
async function measurePage(
  { db: database, baseline, keeperTimesMs, baselineTimesMs }: Timeline,
  cursor: string,
  pageIndex: number,
): Promise<void> {
  const readKeeperPage = async () =>
    keeperTimesMs.push(await measureMs(() => listMoments(createServicesFor(database), person, 'k', { cursor })))
  const readBaselinePage = async () => baselineTimesMs.push(await measureMs(() => baseline.page(cursor)))
  for (const readPage of pageIndex % 2 === 0 ? [readKeeperPage, readBaselinePage] : [readBaselinePage, readKeeperPage])
    await readPage()
}

function openBaseline(file: string) {
  const baselineDb = new DatabaseSync(file, { readOnly: true })
  const placeholders = Array.from({ length: pageSize }, () => '?').join(', ')
  const moments = baselineDb.prepare(`select * from moments where keeper_id = ? and deleted_at is null
    and (occurred_at, id) < (?, ?) order by occurred_at desc, id desc limit ?`)
  const topics = baselineDb.prepare(`select entity_id, topics.id, name, color from entry_topics
    join topics on topics.id = topic_id where entity = 'moment' and entity_id in (${placeholders})`)
  const media = baselineDb.prepare(`select * from media where entity = 'moment' and entity_id in (${placeholders})`)
  return {
    page(cursor: string) {
      const [occurredAt = '', id = ''] = cursor.split('.')
      const rows = moments.all('k', Number(occurredAt), id, pageSize + 1)
      const ids = Array.from({ length: pageSize }, (_, index) => String(rows[index]?.id ?? ''))
      return [rows, topics.all(...ids), media.all(...ids)]
    },
    close: () => baselineDb.close(),
  }
}
