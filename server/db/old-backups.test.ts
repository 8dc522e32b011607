import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hourMs } from '#server/values/time-units.ts'
import { createFreshDatabase, type FreshDatabase } from '#tests/engines.ts'
import { createBackup, removeOlderBackups } from './backup.ts'
import { migrations } from './migrations/index.ts'
import { restoreBackup } from './restore.ts'

const now = new Date('2026-11-21T04:05:06.789Z')

let source: FreshDatabase
let backups: string
let restoreFolder: string
beforeEach(async () => {
  source = await createFreshDatabase('sqlite')
  backups = join(source.dataDir, 'backups')
  restoreFolder = mkdtempSync(join(tmpdir(), 'keeper-restored-'))
})
afterEach(async () => {
  await source.close()
  rmSync(restoreFolder, { recursive: true, force: true })
})

function writeFolder(path: string, hoursAgo: number): void {
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, 'data.db'), 'half')
  const modifiedAt = new Date(now.getTime() - hoursAgo * hourMs)
  utimesSync(path, modifiedAt, modifiedAt)
}

test('a backup removes unfinished backups that are days old, and no newer ones', async () => {
  writeFolder(join(backups, 'keeper-20261117T000000Z.unfinished'), 80)
  writeFolder(join(backups, 'keeper-20261121T040000Z.unfinished'), 1)
  writeFolder(join(backups, 'keeper-20261101T000000Z'), 500)
  const { path } = await createBackup(source, now, null)
  expect(existsSync(path)).toBe(true)
  expect(readdirSync(backups).toSorted()).toEqual([
    'keeper-20261101T000000Z',
    'keeper-20261121T040000Z.unfinished',
    'keeper-20261121T040506Z',
  ])
})

test('a restore removes the leftovers of an interrupted one', async () => {
  const { path } = await createBackup(source, now, null)
  writeFolder(join(restoreFolder, 'restoring-20261120T000000Z'), 1)
  await restoreBackup(path, { dataDir: restoreFolder }, { migrations, now, keyFingerprint: null })
  expect(readdirSync(restoreFolder).filter((name) => name.startsWith('restor'))).toEqual([])
})

test('only the newest backups are kept; backups of upgrades and restores stay', async () => {
  const names = ['keeper-20261101T000000Z', 'keeper-20261102T000000Z', 'keeper-20261103T000000Z']
  for (const name of [...names, 'before-0011-budget-holds-20261001T000000Z', 'mine'])
    writeFolder(join(backups, name), 500)
  expect(await removeOlderBackups(source.dataDir, 2, { now })).toEqual(['keeper-20261101T000000Z'])
  expect(readdirSync(backups).toSorted()).toEqual([
    'before-0011-budget-holds-20261001T000000Z',
    ...names.slice(1),
    'mine',
  ])
  expect(await removeOlderBackups(source.dataDir, 2, { now })).toEqual([])
})

test('backups dated in the future are neither removed nor counted', async () => {
  const futureNames = ['keeper-20990101T000000Z', 'keeper-20990102T000000Z']
  const names = ['keeper-20261101T000000Z', 'keeper-20261102T000000Z', 'keeper-20261103T000000Z']
  for (const name of [...futureNames, ...names]) writeFolder(join(backups, name), 500)
  expect(await removeOlderBackups(source.dataDir, 2, { now })).toEqual(['keeper-20261101T000000Z'])
  expect(readdirSync(backups).toSorted()).toEqual([...names.slice(1), ...futureNames])
})
