import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FolderMedia, getMediaPath } from '#server/media/folder-media.ts'
import { createFreshDatabase, engines, type FreshDatabase } from '#tests/engines.ts'
import { createBackup } from './backup.ts'
import { listFilesRecursively } from './backup-archive.ts'
import { json, openDatabase } from './database.ts'
import { getInstallationName, type Migration, migrate } from './migrate.ts'
import { migrations as released } from './migrations/index.ts'
import { restoreBackup } from './restore.ts'
import { getSqliteFiles } from './sqlite-files.ts'
import { hashFileContent, hashPostgresContent } from './testing/content-hash.ts'
import { createEntity, getTestTableStatements, type TestSchema } from './testing/test-tables.ts'

const testTables: Migration = { name: '9001-things', statements: getTestTableStatements }
const migrations = [...released, testTables]
const now = new Date('2026-11-21T04:05:06.789Z')
const recording = Buffer.alloc(100_000, 'ID3 and a voice')
const options = { migrations, now, keyFingerprint: 'one key' }

let fresh: FreshDatabase[]
let folders: string[]
beforeEach(() => {
  fresh = []
  folders = []
})
afterEach(async () => {
  for (const database of fresh) await database.close()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

async function createInstallation(engine: (typeof engines)[number]): Promise<FreshDatabase> {
  const source = await createFreshDatabase(engine)
  fresh.push(source)
  await migrate(source.db, migrations, { dataDir: source.dataDir, now: () => now, backup: false })
  return source
}

async function insertRows({ db, dataDir }: FreshDatabase): Promise<void> {
  const rows = db as unknown as Kysely<TestSchema>
  const texts = [
    '🫖👩‍👩‍👧',
    'שלום עולם ‏',
    'line\nbreak\ttab',
    '"quotes" \'and\' \\',
    'é vs é',
    '',
    'ZZ',
    'aa',
    '\u0001',
    'a\u2028b\u2029c\u0085d',
  ]
  await rows
    .insertInto('boxes')
    .values(texts.map((label, index) => ({ id: `box ${texts.length - index}`, label })))
    .execute()
  await rows
    .insertInto('things')
    .values([
      createEntity('full', {
        box_id: 'box 3',
        is_red: true,
        details: json({ z: [1, { b: 2, a: null }], a: '🫖', '': 0.1 }),
        made_at: 1_795_000_000_123,
        weight: -1.5e-7,
        picture: new Uint8Array([0, 1, 254, 255]),
      }),
      createEntity('empty'),
      createEntity('Null', { details: json(null), is_red: false }),
      createEntity('text', { details: json('5'), weight: 1e21, made_at: -1, picture: new Uint8Array() }),
    ])
    .execute()
  for (let start = 0; start < 2_000; start += 500) {
    await rows
      .insertInto('things')
      .values(
        Array.from({ length: 500 }, (_, index) =>
          createEntity(`many ${(start + index) * 7919}`, { weight: (start + index) / 3 }),
        ),
      )
      .execute()
  }
  mkdirSync(join(dataDir, 'media/ab'), { recursive: true })
  writeFileSync(join(dataDir, 'media/ab/picture'), Buffer.alloc(200_000, 'picture'))
  const { sha256 } = await new FolderMedia(dataDir).write([recording], now)
  const metadata = { mime: 'audio/mpeg', bytes: recording.length, created_at: now.getTime() }
  await db
    .insertInto('media')
    .values({ id: 'spoken', run_id: null, person_id: null, visitor_id: 'v', sha256, ...metadata })
    .execute()
}

async function readRecording({ dataDir, databaseUrl }: FreshDatabase): Promise<Buffer> {
  const db = await openDatabase({ dataDir, databaseUrl })
  const { sha256 } = await db.selectFrom('media').select('sha256').executeTakeFirstOrThrow()
  await db.close()
  return readFileSync(getMediaPath(dataDir, sha256))
}

const hashContent = ({ dataDir, databaseUrl }: { dataDir: string; databaseUrl?: string }) =>
  databaseUrl ? hashPostgresContent(databaseUrl) : hashFileContent(getSqliteFiles(dataDir).database)

const enginePairs = engines.flatMap((from) => engines.map((to) => [from, to] as const))

test.each(enginePairs)('a backup of %s restores into %s with the same content', async (from, to) => {
  const source = await createInstallation(from)
  await insertRows(source)
  const { path, files } = await createBackup(source, now, 'one key')
  expect(path).toBe(join(source.dataDir, 'backups/keeper-20261121T040506Z'))
  expect(files).toBe(3)
  await source.db.close()

  const target = await createInstallation(to)
  await (target.db as unknown as Kysely<TestSchema>).insertInto('boxes').values({ id: 'old', label: 'goes' }).execute()
  await target.db.close()
  const previousContent = await hashContent(target)
  const { movedPaths } = await restoreBackup(path, target, {
    ...options,
    now: new Date('2026-11-22T00:00:00Z'),
  })
  folders.push(...movedPaths)

  expect(await hashContent(target)).toBe(await hashContent(source))
  expect(await hashContent(target)).not.toBe(previousContent)
  expect(readFileSync(join(target.dataDir, 'media/ab/picture'), 'utf8')).toContain('picturepicture')
  expect((await readRecording(target)).equals(recording)).toBe(true)
  expect(readdirSync(target.dataDir).filter((name) => name.startsWith('restor'))).toEqual([])
  if (to === 'sqlite') expect(await hashFileContent(join(movedPaths[0] ?? '', 'data.db'))).toBe(previousContent)
  else expect(readFileSync(join(movedPaths[0] ?? '', 'rows.jsonl'), 'utf8')).toContain('["old","goes"]')

  const reopened = await openDatabase(target)
  const selectWithoutDetails = sql<{
    id: string
  }>`select id from things where details is null and id in ('empty', 'Null')`
  expect(await reopened.longRead(selectWithoutDetails)).toEqual([{ id: 'empty' }])
  // A new installation, because the saved one may still use the same bucket.
  expect(await getInstallationName(reopened)).toBe('Keeper of 2026-11-22T00:00:00.000Z')
  expect((await migrate(reopened, migrations, { dataDir: target.dataDir, now: () => now })).applied).toEqual([])
  const violating = (reopened as unknown as Kysely<TestSchema>)
    .insertInto('things')
    .values(createEntity('lost', { box_id: 'nowhere' }))
    .execute()
  await expect(violating).rejects.toMatchObject({ name: 'ForeignKeyViolation' })
  await reopened.close()
})

test.each(engines)('a backup of an older Keeper on %s restores unchanged and migrates', async (engine) => {
  const source = await createFreshDatabase(engine)
  fresh.push(source)
  const { path } = await createBackup(source, now, null)
  await source.db.close()
  const target = await createInstallation(engine)
  await target.db.close()
  folders.push(...(await restoreBackup(path, target, options)).movedPaths)
  const reopened = await openDatabase(target)
  expect(
    (await migrate(reopened, migrations, { dataDir: target.dataDir, now: () => now, backup: false })).applied,
  ).toEqual(['9001-things'])
  await reopened.close()
})

test.each(engines)('the backup before a migration on %s restores', async (engine) => {
  const source = await createInstallation(engine)
  await insertRows(source)
  const lossyMigration: Migration = { name: '9002-loss', statements: () => ['delete from things'] }
  const { backup } = await migrate(source.db, [...migrations, lossyMigration], {
    dataDir: source.dataDir,
    now: () => now,
  })
  await source.db.close()
  const contentAfterLoss = await hashContent(source)
  folders.push(...(await restoreBackup(backup ?? '', source, options)).movedPaths)
  expect(await hashContent(source)).not.toBe(contentAfterLoss)
  expect(existsSync(join(source.dataDir, 'media/ab/picture'))).toBe(true)
})

describe('with a Keeper that writes continuously', () => {
  test('a backup has all acknowledged writes and restores unchanged', async () => {
    const source = await createInstallation('sqlite')
    await insertRows(source)
    await source.db.close()
    const child = spawn(process.execPath, [join(import.meta.dirname, 'testing/crash-child.ts'), source.dataDir, '0'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text
    })
    await once(child.stdout, 'data')
    await delay(100)
    const acknowledged = output.split('\n').slice(0, -1).map(Number)
    const { path } = await createBackup(source, now, null)
    const writeCountDuringBackup = output.split('\n').length - 1 - acknowledged.length
    await expect(restoreBackup(path, source, options)).rejects.toMatchObject({ name: 'DataFolderInUse' })
    child.kill('SIGKILL')
    const [, signal] = await once(child, 'close')

    expect(signal).toBe('SIGKILL')
    expect(writeCountDuringBackup).toBeGreaterThan(10)
    const saved = await hashFileContent(join(path, 'data.db'))
    folders.push(...(await restoreBackup(path, source, options)).movedPaths)
    expect(await hashContent(source)).toBe(saved)
    const database = new DatabaseSync(getSqliteFiles(source.dataDir).database)
    const stored = new Set(
      database
        .prepare('select number from acknowledged')
        .all()
        .map(({ number }) => number),
    )
    expect(acknowledged.filter((number) => !stored.has(number))).toEqual([])
    expect(database.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' })
    database.close()
  })
})

test("files deleted or unfinished during a backup don't break it", async () => {
  const source = await createInstallation('sqlite')
  const media = join(source.dataDir, 'media')
  for (const folder of ['aa', 'zz']) mkdirSync(join(media, folder), { recursive: true })
  writeFileSync(join(media, 'aa/long'), Buffer.alloc(20_000_000, 'long'))
  writeFileSync(join(media, 'zz/gone'), 'gone')
  writeFileSync(join(media, `zz/${'a'.repeat(64)}.${'b'.repeat(12)}`), 'half of an upl')
  const backup = createBackup(source, now, 'one key')
  while (!existsSync(join(source.dataDir, 'backups/keeper-20261121T040506Z.unfinished/media/aa/long'))) await delay(1)
  rmSync(join(media, 'zz/gone'))
  const { path } = await backup
  expect(await listFilesRecursively(path)).toEqual(['data.db', 'manifest.json', 'manifest.sha256', 'media/aa/long'])
  const target = await createInstallation('sqlite')
  await target.db.close()
  folders.push(...(await restoreBackup(path, target, options)).movedPaths)
})

describe('a backup is refused without changes', () => {
  let target: FreshDatabase
  let path: string
  let originalContent: string

  beforeEach(async () => {
    const source = await createInstallation('sqlite')
    await insertRows(source)
    path = (await createBackup(source, now, 'one key')).path
    target = await createInstallation('sqlite')
    await target.db.close()
    originalContent = await hashContent(target)
  })

  async function expectRefused(message: RegExp, overrides: Partial<typeof options> = {}): Promise<void> {
    await expect(restoreBackup(path, target, { ...options, ...overrides })).rejects.toMatchObject({
      name: 'BackupRefused',
      message: expect.stringMatching(message),
    })
    expect(await hashContent(target)).toBe(originalContent)
    expect(readdirSync(target.dataDir).filter((name) => name.includes('restor'))).toEqual([])
  }

  test('a backup is refused if any byte changed', async () => {
    const files = await listFilesRecursively(path)
    for (let flip = 0; flip < 100; flip++) {
      const file = join(path, files[flip % files.length] ?? '')
      const intact = readFileSync(file)
      const broken = Buffer.from(intact)
      const byteIndex = Math.floor(Math.random() * broken.length)
      broken[byteIndex] = (broken[byteIndex] ?? 0) ^ (1 << Math.floor(Math.random() * 8))
      writeFileSync(file, broken)
      await expect(restoreBackup(path, target, options)).rejects.toMatchObject({ name: 'BackupRefused' })
      writeFileSync(file, intact)
    }
    expect(await hashContent(target)).toBe(originalContent)
    folders.push(...(await restoreBackup(path, target, options)).movedPaths)
    expect(await hashContent(target)).not.toBe(originalContent)
  })

  test('a backup is refused if a recording changed', async () => {
    const file = (await listFilesRecursively(path)).find((name) => /^media\/..\/[0-9a-f]{64}$/.test(name)) ?? ''
    const bytes = readFileSync(join(path, file))
    bytes[50_000] = 0
    writeFileSync(join(path, file), bytes)
    await expectRefused(new RegExp(`damaged: ${file} has changed`))
    truncateSync(join(path, file), 10)
    await expectRefused(/damaged: media/)
  })

  test('a backup is refused if it is truncated', async () => {
    truncateSync(join(path, 'data.db'), statSync(join(path, 'data.db')).size - 4096)
    await expectRefused(/damaged: data\.db/)
  })

  test('a backup is refused if a file is missing or extra', async () => {
    writeFileSync(join(path, 'media/more'), '')
    await expectRefused(/in its manifest: media\/more/)
    for (const name of ['more', 'ab/picture']) rmSync(join(path, 'media', name))
    await expectRefused(/media\/ab\/picture is missing/)
    rmSync(join(path, 'manifest.sha256'))
    await expectRefused(/isn’t a complete backup/)
  })

  test('a backup is refused if it was created with another key, unless accepted', async () => {
    await expectRefused(/another master key/, { keyFingerprint: 'another key' })
    folders.push(
      ...(await restoreBackup(path, target, { ...options, keyFingerprint: 'another key', acceptOtherKey: true }))
        .movedPaths,
    )
    expect(await hashContent(target)).not.toBe(originalContent)
  })

  test.skipIf(process.platform === 'win32')(
    'a backup is refused when the current media folder is on another disk',
    async () => {
      symlinkSync('/dev', join(target.dataDir, 'media'))
      await expectRefused(/media is on a different disk .* Unmount it/)
    },
  )

  test('a backup is refused if a newer Keeper created it', async () => {
    await expectRefused(/migration 9001-things in a form this version of Keeper doesn’t know/, { migrations: released })
  })

  test("a backup is refused if it doesn't exist or is something else", async () => {
    const folder = mkdtempSync(join(tmpdir(), 'keeper-backup-'))
    folders.push(folder)
    path = join(folder, 'nothing')
    await expectRefused(/There is no backup/)
    path = folder
    await expectRefused(/isn’t a complete backup/)
    path = join(folder, 'file.db')
    writeFileSync(path, 'not a database')
    await expectRefused(/isn’t a Keeper database/)
  })
})

test.runIf(engines.includes('postgres'))('restoring into a PostgreSQL in use is refused', async () => {
  const source = await createInstallation('postgres')
  const { path } = await createBackup(source, now, null)
  await expect(restoreBackup(path, source, options)).rejects.toThrow('in use by a running Keeper')
})
