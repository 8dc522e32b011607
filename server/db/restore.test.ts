import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { assertFullyRestored } from './data-folder.ts'
import { swapData } from './restore.ts'

const now = new Date('2026-11-21T04:05:06.789Z')
const name = 'before-restore-20261121T040506Z'

let dataDir: string
let staged: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'keeper-swap-'))
  staged = join(dataDir, 'restoring')
  for (const [folder, text] of [
    [dataDir, 'old'],
    [staged, 'new'],
  ] as const) {
    mkdirSync(join(folder, 'media'), { recursive: true })
    for (const file of ['a-first', 'data.db', 'media/picture']) writeFileSync(join(folder, file), text)
  }
  writeFileSync(join(dataDir, 'data.db-wal'), 'old log')
})
afterEach(() => {
  for (const folder of [dataDir, `${dataDir}.${name}`]) rmSync(folder, { recursive: true, force: true })
})

const read = (...path: string[]) => readFileSync(join(...path), 'utf8')

test('staged data replaces the old data, which is moved aside', async () => {
  const oldDataPath = await swapData(staged, dataDir, now)
  expect(oldDataPath).toBe(`${dataDir}.${name}`)
  expect({
    'dataDir, data.db': read(dataDir, 'data.db'),
    'dataDir, media/picture': read(dataDir, 'media/picture'),
  }).toEqual({ 'dataDir, data.db': 'new', 'dataDir, media/picture': 'new' })
  expect(readdirSync(oldDataPath ?? '').toSorted()).toEqual(['a-first', 'data.db', 'data.db-wal', 'media'])
  expect(readdirSync(dataDir).toSorted()).toEqual(['a-first', 'data.db', 'media', 'restoring'])
})

test('a swap that fails halfway changes nothing, and Keeper starts', async () => {
  // Moving a folder into itself fails: this is the fallback target for old data.
  mkdirSync(join(`${dataDir}.${name}`, 'taken'), { recursive: true })
  mkdirSync(join(staged, name))
  await expect(swapData(staged, dataDir, now)).rejects.toMatchObject({ code: 'EINVAL' })
  for (const file of ['a-first', 'data.db', 'media/picture']) expect(read(dataDir, file)).toBe('old')
  expect(read(dataDir, 'data.db-wal')).toBe('old log')
  expect(existsSync(join(dataDir, name))).toBe(false)
  expect(() => assertFullyRestored(dataDir)).not.toThrow()
})
