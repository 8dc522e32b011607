import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as later } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sqliteFiles } from './sqlite-files.ts'

const kills = 20
const testing = join(import.meta.dirname, 'testing')

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keeper-crash-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

interface Outcome {
  acknowledged: number
  lost: number
  integrity: Set<unknown>
}

/** Kills eight writers at a random moment, over and over on one data folder, and counts what was acknowledged and is not there. */
async function killWriters(writerFile?: string): Promise<Outcome> {
  const outcome: Outcome = { acknowledged: 0, lost: 0, integrity: new Set() }
  for (let round = 0; round < kills; round++) {
    const acknowledged = await acknowledgedBeforeKill(round * 1_000_000, writerFile)
    const { stored, integrity } = look()
    outcome.acknowledged += acknowledged.length
    outcome.lost += acknowledged.filter((number) => !stored.has(number)).length
    outcome.integrity.add(integrity)
  }
  return outcome
}

async function acknowledgedBeforeKill(first: number, writerFile: string | undefined): Promise<number[]> {
  const child = spawn(
    process.execPath,
    [join(testing, 'crash-child.ts'), folder, String(first), ...(writerFile ? [writerFile] : [])],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text) => (said += text))
  await once(child.stdout, 'data')
  await later(Math.random() * 60)
  child.kill('SIGKILL')
  const [, signal] = await once(child, 'close')
  // One that ended by itself would prove nothing.
  if (signal !== 'SIGKILL') throw new Error('The writers were gone before they were killed')
  // What the kill cut off in the middle of a line counts for nothing.
  return said.split('\n').slice(0, -1).map(Number)
}

function look(): { stored: Set<number>; integrity: unknown } {
  const database = new DatabaseSync(sqliteFiles(folder).database)
  const stored = new Set(
    database
      .prepare('select number from acknowledged')
      .all()
      .map(({ number }) => Number(number)),
  )
  const integrity = database.prepare('pragma integrity_check').get()!.integrity_check
  database.close()
  return { stored, integrity }
}

test('twenty kills amid eight writers lose nothing that was acknowledged', async () => {
  const outcome = await killWriters()
  expect(outcome.acknowledged).toBeGreaterThan(kills)
  expect(outcome.lost).toBe(0)
  expect([...outcome.integrity]).toEqual(['ok'])
}, 60_000)

test('control: a writer that acknowledges before its commit is caught losing', async () => {
  const outcome = await killWriters(pathToFileURL(join(testing, 'early-writer.ts')).href)
  expect(outcome.lost).toBeGreaterThan(0)
  expect([...outcome.integrity]).toEqual(['ok'])
}, 60_000)
