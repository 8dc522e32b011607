import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FolderMedia, getMediaPath } from '#server/media/folder-media.ts'
import { dayMs } from '#server/values/time-units.ts'
import { createFreshDatabase, type FreshDatabase } from '#tests/engines.ts'
import { type BackupResult, createBackup } from './backup.ts'
import { createChecksumCache } from './checksum-cache.ts'
import { createMediaLinker } from './media-for-backup.ts'
import { migrations } from './migrations/index.ts'
import { restoreBackup } from './restore.ts'

const voice = Buffer.alloc(100_000, 'a voice')
const noise = Buffer.alloc(voice.length, 'noise')

let source: FreshDatabase
let restoreFolder: string
let recording: string
let name: string
let firstNight: number
beforeEach(async () => {
  source = await createFreshDatabase('sqlite')
  restoreFolder = mkdtempSync(join(tmpdir(), 'keeper-restored-'))
  const { sha256 } = await new FolderMedia(source.dataDir).write([voice], new Date())
  recording = getMediaPath(source.dataDir, sha256)
  name = `media/${sha256.slice(0, 2)}/${sha256}`
  const week = Math.floor(Date.parse('2026-11-21T04:05:06Z') / dayMs / 7) * 7
  firstNight = (week + (Number.parseInt(sha256.slice(0, 8), 16) % 7)) * dayMs + 4 * 60 * 60 * 1000
  setModifiedAt(firstNight - dayMs)
})
afterEach(async () => {
  await source.close()
  rmSync(restoreFolder, { recursive: true, force: true })
})

const setModifiedAt = (time: number) => utimesSync(recording, new Date(time), new Date(time))

async function backUp(night: number): Promise<BackupResult> {
  const now = new Date(firstNight + night * dayMs)
  const mediaCopier = createMediaLinker(0, { findChecksum: await createChecksumCache(source.dataDir, now) })
  return createBackup(source, now, null, { kind: 'nightly', mediaCopier })
}

async function restoreRecording({ path }: BackupResult): Promise<Buffer> {
  const dataDir = mkdtempSync(join(restoreFolder, 'data-'))
  await restoreBackup(path, { dataDir }, { migrations, now: new Date(firstNight), keyFingerprint: null })
  return readFileSync(join(dataDir, name))
}

test('an unchanged file is read only every seventh night', async () => {
  await backUp(0)
  const { mtimeMs, ino } = statSync(recording)
  writeFileSync(recording, noise)
  setModifiedAt(mtimeMs)
  for (let night = 1; night < 7; night++) {
    const backup = await backUp(night)
    expect(statSync(join(backup.path, name)).ino).toBe(ino)
    expect(backup.damaged).toEqual([])
    if (night === 1) await expect(restoreRecording(backup)).rejects.toThrow(`The backup is damaged: ${name}`)
  }
  const seventh = await backUp(7)
  expect(seventh.damaged).toEqual([name])
  expect((await restoreRecording(seventh)).equals(noise)).toBe(true)
  expect((await backUp(8)).damaged).toEqual([name])
})

test('a backup after skipped nights reads all files that came due', async () => {
  await backUp(1)
  const { mtimeMs } = statSync(recording)
  writeFileSync(recording, noise)
  setModifiedAt(mtimeMs)
  expect((await backUp(6)).damaged).toEqual([])
  expect((await backUp(9)).damaged).toEqual([name])
  const weekly = await backUp(16)
  expect(weekly.damaged, 'even a checksum due on another weekday').toEqual([name])
})

test('a backup dated in the future is not used', async () => {
  await backUp(700)
  const { mtimeMs } = statSync(recording)
  writeFileSync(recording, noise)
  setModifiedAt(mtimeMs)
  expect((await backUp(1)).damaged).toEqual([name])
})

test.each<[string, (previousBackup: BackupResult) => void]>([
  [
    'was written since',
    () => {
      writeFileSync(recording, noise)
      setModifiedAt(firstNight + 1)
    },
  ],
  [
    'has another length',
    () => {
      writeFileSync(recording, 'noise')
      setModifiedAt(firstNight - dayMs)
    },
  ],
  [
    'is another file under its name',
    () => {
      rmSync(recording)
      writeFileSync(recording, noise)
      setModifiedAt(firstNight - dayMs)
    },
  ],
  [
    'is listed in a changed manifest',
    ({ path }) => {
      writeFileSync(recording, noise)
      setModifiedAt(firstNight - dayMs)
      appendFileSync(join(path, 'manifest.json'), ' ')
    },
  ],
])('a recording that %s is read', async (_, change) => {
  change(await backUp(0))
  const backup = await backUp(1)
  expect(backup.damaged).toEqual([name])
  expect((await restoreRecording(backup)).equals(readFileSync(recording))).toBe(true)
})

test('an intact recording is in each backup with its checksum, read or not', async () => {
  for (let night = 0; night < 3; night++) {
    const backup = await backUp(night)
    expect(backup.damaged).toEqual([])
    expect((await restoreRecording(backup)).equals(voice)).toBe(true)
  }
})
