import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { createBackup } from '../../server/db/backup.ts'
import { type Database, type Engine, openDatabase } from '../../server/db/database.ts'
import { migrations } from '../../server/db/migrations/index.ts'
import { restoreBackup } from '../../server/db/restore.ts'
import { getSqliteFiles } from '../../server/db/sqlite-files.ts'
import { hashFileContent, hashPostgresContent } from '../../server/db/testing/content-hash.ts'
import { getMediaPath } from '../../server/media/folder-media.ts'
import type { MediaStore } from '../../server/media/media-store.ts'
import { createFreshDatabase, type FreshDatabase } from '../../tests/engines.ts'
import { createDatabaseAtVersion } from '../../tests/released-databases.ts'

const writesPerSecond = 100
const fileInterval = 10
const keyFingerprint = 'the fingerprint of one key'
// Seconds apart, so that backup names differ.
let secondCount = 0
export const getNextSecond = () => new Date(Date.UTC(2026, 10, 22) + 1000 * ++secondCount)

export type DatabaseLocation = Pick<FreshDatabase, 'dataDir' | 'databaseUrl'>

export const hashContent = ({ dataDir, databaseUrl }: DatabaseLocation) =>
  databaseUrl ? hashPostgresContent(databaseUrl) : hashFileContent(getSqliteFiles(dataDir).database)

export const createFullDatabase = (engine: Engine) => createDatabaseAtVersion(engine, migrations.length)

/** One write of the load; every tenth includes a file. The number determines the whole content, so any state can be rebuilt. */
async function writeNumber(db: Database, media: MediaStore | undefined, number: number): Promise<void> {
  const text = `write number ${number} 🫖`
  const file = number % fileInterval === 0 ? createFile(number) : undefined
  if (file && media) await media.write([file], new Date(0))
  const metadata = { mime: 'text/plain', bytes: file?.length ?? 0, created_at: number }
  const sha256 = file ? createHash('sha256').update(file).digest('hex') : ''
  await db.batch([
    sql`insert into held_slugs (slug, owner_id, held_until) values (${text}, 'load', ${number})`,
    sql`insert into throttle_windows (bucket, window_start, count) values ('load', 0, ${number})
        on conflict (bucket, window_start) do update set count = ${number}`,
    ...(file
      ? [
          db
            .insertInto('media')
            .values({ id: `load-${number}`, run_id: null, person_id: null, visitor_id: 'load', sha256, ...metadata }),
        ]
      : []),
  ])
}

const createFile = (number: number) => Buffer.from(`picture ${number} `.repeat(500))

export function startWriting(db: Database, media: MediaStore) {
  const load = { acknowledged: 0, stop: async () => {} }
  let isStopped = false
  const writingLoop = (async () => {
    let nextAt = performance.now()
    while (!isStopped) {
      await writeNumber(db, media, load.acknowledged + 1)
      load.acknowledged++
      nextAt += 1000 / writesPerSecond
      await delay(Math.max(0, nextAt - performance.now()))
    }
  })()
  load.stop = async () => {
    isStopped = true
    await writingLoop
  }
  return load
}

export async function readLoadState(db: Database): Promise<{ rows: number[]; count: number; files: string[] }> {
  // One statement sees one moment while the load continues.
  const loadRows = await db.longRead<{ number: number; kind: 'row' | 'count' }>(
    sql`select held_until as number, 'row' as kind from held_slugs where owner_id = 'load'
      union all select count, 'count' from throttle_windows where bucket = 'load' order by 1`,
  )
  const getNumbers = (kind: 'row' | 'count') =>
    loadRows.filter((row) => row.kind === kind).map((row) => Number(row.number))
  const files = await db.longRead<{ sha256: string }>(sql`select sha256 from media where visitor_id = 'load'`)
  return {
    rows: getNumbers('row'),
    count: getNumbers('count')[0] ?? 0,
    files: files.map(({ sha256 }) => sha256),
  }
}

export const isConsistent = ({ rows, count }: { rows: number[]; count: number }) =>
  rows.length === count && rows.every((number, index) => number === index + 1)

async function hashRebuiltState(engine: Engine, lastNumber: number): Promise<string> {
  const rebuilt = await createFullDatabase(engine)
  for (let number = 1; number <= lastNumber; number++) await writeNumber(rebuilt.db, undefined, number)
  await rebuilt.db.close()
  const content = await hashContent(rebuilt)
  await rebuilt.close()
  return content
}

/** Backs up under load, restores and returns what is wrong. With `bucket`, files aren't in the backup and must still be in the bucket. */
export async function backUpUnderLoad(
  engine: Engine,
  source: FreshDatabase,
  load: { acknowledged: number },
  bucket?: MediaStore,
): Promise<{ problems: string[]; path: string; writesDuring: number; ms: number }> {
  const problems: string[] = []
  const acknowledgedBefore = load.acknowledged
  const startedAt = performance.now()
  const { path } = await createBackup(source, getNextSecond(), keyFingerprint)
  const ms = performance.now() - startedAt
  const sentCount = load.acknowledged + 1
  const target = await createFreshDatabase(engine)
  await target.db.close()
  const { movedPaths } = await restoreBackup(path, target, {
    migrations,
    now: getNextSecond(),
    keyFingerprint,
  })
  const restored = await openDatabase(target)
  const state = await readLoadState(restored)
  for (const sha256 of state.files)
    if (!(await hasFile(target, sha256, bucket))) problems.push(`the file ${sha256} is missing`)
  await restored.close()
  if (!isConsistent(state)) problems.push(`${state.rows.length} rows with a count of ${state.count}`)
  if (state.count < acknowledgedBefore || state.count > sentCount)
    problems.push(
      `holds ${state.count} writes; ${acknowledgedBefore} were acknowledged when it started, ${sentCount} sent when it ended`,
    )
  if ((await hashContent(target)) !== (await hashRebuiltState(engine, state.count)))
    problems.push('content differs from the rebuilt state')
  for (const movedPath of movedPaths) await rm(movedPath, { recursive: true, force: true })
  await target.close()
  return { problems, path, writesDuring: sentCount - acknowledgedBefore, ms }
}

async function hasFile({ dataDir }: DatabaseLocation, sha256: string, bucket?: MediaStore): Promise<boolean> {
  if (bucket) return (await bucket.getSize(sha256)) !== undefined
  const path = getMediaPath(dataDir, sha256)
  return existsSync(path) && createHash('sha256').update(readFileSync(path)).digest('hex') === sha256
}
