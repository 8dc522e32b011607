import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createBackup } from './backup.ts'
import { lockDataFolder } from './data-folder.ts'
import { openDatabase } from './database.ts'
import { DataFolderInUse, DataFolderUnwritable } from './database-errors.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { openReaderConnection } from './sqlite-files.ts'

let folder: string
const children: ChildProcess[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keeper-lock-'))
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})

async function startOtherKeeper(dataDir: string): Promise<{ child: ChildProcess; output: string[] }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'testing/hold-folder.ts'), dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const output: string[] = []
  const lines = createInterface({ input: child.stdout! }).on('line', (line) => output.push(line))
  await once(lines, 'line')
  return { child, output }
}

test('a second process is refused until the first is killed', async () => {
  const first = await startOtherKeeper(folder)
  expect(first.output).toEqual(['open'])
  const second = await startOtherKeeper(folder)
  await once(second.child, 'exit')
  expect(second.output).toEqual([
    `The data folder ${folder} is in use by another Keeper process. Stop that one, or set KEEPER_DATA_DIR to another folder.`,
  ])
  await expect(openDatabase({ dataDir: folder })).rejects.toBeInstanceOf(DataFolderInUse)
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  await (await openDatabase({ dataDir: folder })).close()
})

test('the same process is refused until it closes the first database', async () => {
  const first = await openDatabase({ dataDir: folder })
  await expect(openDatabase({ dataDir: folder })).rejects.toBeInstanceOf(DataFolderInUse)
  await first.close()
  await (await openDatabase({ dataDir: folder })).close()
})

test('a deleted lock file lets no second process in, before and after relocking', async () => {
  const first = await startOtherKeeper(folder)
  rmSync(join(folder, 'keeper.lock'))
  const second = await startOtherKeeper(folder)
  await once(second.child, 'exit')
  expect(second.output).toEqual([
    expect.stringContaining(`The data folder ${folder} is in use by another Keeper process.`),
  ])
  await expect(openDatabase({ dataDir: folder })).rejects.toBeInstanceOf(DataFolderInUse)
  expect(first.child.exitCode).toBe(null)
})

test('a replaced lock file lets no second process in', async () => {
  await startOtherKeeper(folder)
  writeFileSync(join(folder, 'another.lock'), '')
  renameSync(join(folder, 'another.lock'), join(folder, 'keeper.lock'))
  await expect(openDatabase({ dataDir: folder })).rejects.toBeInstanceOf(DataFolderInUse)
})

test('a restore is refused while a Keeper with a deleted lock file runs', async () => {
  await startOtherKeeper(folder)
  rmSync(join(folder, 'keeper.lock'))
  await expect(lockDataFolder(folder)).rejects.toBeInstanceOf(DataFolderInUse)
})

test("a killed process doesn't block the next one, with or without its lock file", async () => {
  for (const removeLock of [false, true]) {
    const first = await startOtherKeeper(folder)
    first.child.kill('SIGKILL')
    await once(first.child, 'exit')
    if (removeLock) rmSync(join(folder, 'keeper.lock'))
    await (await openDatabase({ dataDir: folder })).close()
  }
})

test("a program reading data.db delays the start, but doesn't block it", async () => {
  await (await openDatabase({ dataDir: folder })).close()
  const reader = openReaderConnection(join(folder, 'data.db'), 0)
  reader.prepare('select count(*) from sqlite_schema').get()
  const { output } = await startOtherKeeper(folder)
  expect(output).toEqual(['open'])
  expect(reader.prepare('select 1 as one').get()).toEqual({ one: 1 })
  reader.close()
})

test('backups and readers work while Keeper runs', async () => {
  const db = await openDatabase({ dataDir: folder })
  await migrate(db, migrations, { dataDir: folder, now: () => new Date(), backup: false })
  const { path } = await createBackup({ dataDir: folder }, new Date(), null)
  expect(readdirSync(path)).toContain('data.db')
  await expect(openDatabase({ dataDir: folder })).rejects.toBeInstanceOf(DataFolderInUse)
  await db.close()
  expect(readdirSync(folder).filter((name) => name.startsWith('data.db'))).toEqual(['data.db'])
})

test("a folder that can't be created is refused with one line", async () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const refused = await openDatabase({ dataDir: file }).catch((error) => error)
  expect(refused).toBeInstanceOf(DataFolderUnwritable)
  expect(refused.message).toBe(
    `Keeper can’t write to the data folder ${file} (EEXIST). Give Keeper write permission, or set KEEPER_DATA_DIR to another folder.`,
  )
  await expect(openDatabase({ dataDir: join(file, 'inside') })).rejects.toBeInstanceOf(DataFolderUnwritable)
})

test("a database file that can't be opened is reported as an unwritable folder", async () => {
  mkdirSync(join(folder, 'data.db'))
  await expect(openDatabase({ dataDir: folder })).rejects.toBeInstanceOf(DataFolderUnwritable)
})

test('a folder with an interrupted restore is refused', async () => {
  writeFileSync(join(folder, 'restore-in-progress'), '')
  await expect(openDatabase({ dataDir: folder })).rejects.toThrow('was interrupted. Run it again')
})

test('an invalid database is refused, and the folder is released', async () => {
  writeFileSync(join(folder, 'data.db'), 'no database, but long enough to be read as the head of one: '.repeat(20))
  await expect(openDatabase({ dataDir: folder })).rejects.toThrow('Restore a backup')
  rmSync(join(folder, 'data.db'))
  await (await openDatabase({ dataDir: folder })).close()
})
