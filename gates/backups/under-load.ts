import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { setTimeout as later } from 'node:timers/promises'
import { sql } from 'kysely'
import { createBackup } from '#server/db/backup.ts'
import { type Database, type Engine, openDatabase } from '#server/db/database.ts'
import { migrations } from '#server/db/migrations/index.ts'
import { restoreBackup } from '#server/db/restore.ts'
import { sqliteFiles } from '#server/db/sqlite-files.ts'
import { contentOfFile, contentOfPostgres } from '#server/db/testing/content-sum.ts'
import { mediaPath } from '#server/media/folder-media.ts'
import type { MediaStore } from '#server/media/media-store.ts'
import { type FreshDatabase, freshDatabase } from '#tests/engines.ts'
import { databaseOfVersion } from '#tests/released-databases.ts'

const writesPerSecond = 100
const filesEvery = 10
const key = 'the fingerprint of one key'
// Seconds apart, so that backup names differ.
let second = 0
export const nextSecond = () => new Date(Date.UTC(2026, 10, 22) + 1000 * ++second)

export type Place = Pick<FreshDatabase, 'dataDir' | 'databaseUrl'>

export const contentOf = ({ dataDir, databaseUrl }: Place) =>
  databaseUrl ? contentOfPostgres(databaseUrl) : contentOfFile(sqliteFiles(dataDir).database)

export const fullDatabase = (engine: Engine) => databaseOfVersion(engine, migrations.length)

/** One write of the load; every tenth includes a file. The number determines the whole content, so any state can be rebuilt. */
async function writeNumber(db: Database, media: MediaStore | undefined, number: number): Promise<void> {
  const words = `what was written as ${number} 🫖`
  const file = number % filesEvery === 0 ? fileOf(number) : undefined
  if (file && media) await media.write([file], new Date(0))
  const facts = { mime: 'text/plain', bytes: file?.length ?? 0, created_at: number }
  const sha256 = file ? createHash('sha256').update(file).digest('hex') : ''
  await db.batch([
    sql`insert into held_slugs (slug, owner_id, held_until) values (${words}, 'load', ${number})`,
    sql`insert into throttle_windows (bucket, window_start, count) values ('load', 0, ${number})
        on conflict (bucket, window_start) do update set count = ${number}`,
    ...(file
      ? [
          db
            .insertInto('media')
            .values({ id: `load-${number}`, run_id: null, person_id: null, visitor_id: 'load', sha256, ...facts }),
        ]
      : []),
  ])
}

const fileOf = (number: number) => Buffer.from(`picture ${number} `.repeat(500))

export function writeWithoutPause(db: Database, media: MediaStore) {
  const load = { acknowledged: 0, stop: async () => {} }
  let isOver = false
  const writing = (async () => {
    let next = performance.now()
    while (!isOver) {
      await writeNumber(db, media, load.acknowledged + 1)
      load.acknowledged++
      next += 1000 / writesPerSecond
      await later(Math.max(0, next - performance.now()))
    }
  })()
  load.stop = async () => {
    isOver = true
    await writing
  }
  return load
}

export async function loadIn(db: Database): Promise<{ rows: number[]; count: number; files: string[] }> {
  // One statement sees one moment while the load continues.
  const found = await db.longRead<{ number: number; tally: number }>(
    sql`select held_until as number, 0 as tally from held_slugs where owner_id = 'load'
      union all select count, 1 from throttle_windows where bucket = 'load' order by 1`,
  )
  const numbersOf = (tally: number) =>
    found.filter((row) => Number(row.tally) === tally).map((row) => Number(row.number))
  const files = await db.longRead<{ sha256: string }>(sql`select sha256 from media where visitor_id = 'load'`)
  return {
    rows: numbersOf(0),
    count: numbersOf(1)[0] ?? 0,
    files: files.map(({ sha256 }) => sha256),
  }
}

export const isOneMoment = ({ rows, count }: { rows: number[]; count: number }) =>
  rows.length === count && rows.every((number, index) => number === index + 1)

async function contentAt(engine: Engine, last: number): Promise<string> {
  const again = await fullDatabase(engine)
  for (let number = 1; number <= last; number++) await writeNumber(again.db, undefined, number)
  await again.db.close()
  const content = await contentOf(again)
  await again.close()
  return content
}

/** Backs up under load, restores and returns what is wrong. With `bucket`, files aren't in the backup and must still be in the bucket. */
export async function backUpUnderLoad(
  engine: Engine,
  source: FreshDatabase,
  load: { acknowledged: number },
  bucket?: MediaStore,
): Promise<{ wrong: string[]; path: string; during: number; ms: number }> {
  const wrong: string[] = []
  const before = load.acknowledged
  const since = performance.now()
  const { path } = await createBackup(source, nextSecond(), key)
  const ms = performance.now() - since
  const after = load.acknowledged + 1
  const target = await freshDatabase(engine)
  await target.db.close()
  const { aside } = await restoreBackup(path, target, { migrations, now: nextSecond(), keyFingerprint: key })
  const restored = await openDatabase(target)
  const found = await loadIn(restored)
  for (const sha256 of found.files)
    if (!(await holds(target, sha256, bucket))) wrong.push(`the file ${sha256} is missing`)
  await restored.close()
  if (!isOneMoment(found)) wrong.push(`${found.rows.length} rows with a count of ${found.count}`)
  if (found.count < before || found.count > after)
    wrong.push(`holds ${found.count} writes; ${before} were acknowledged when it began, ${after} sent when it ended`)
  if ((await contentOf(target)) !== (await contentAt(engine, found.count)))
    wrong.push('content differs from the rebuilt state')
  for (const place of aside) await rm(place, { recursive: true, force: true })
  await target.close()
  return { wrong, path, during: after - before, ms }
}

async function holds({ dataDir }: Place, sha256: string, bucket?: MediaStore): Promise<boolean> {
  if (bucket) return (await bucket.size(sha256)) !== undefined
  const path = mediaPath(dataDir, sha256)
  return existsSync(path) && createHash('sha256').update(readFileSync(path)).digest('hex') === sha256
}
