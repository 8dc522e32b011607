import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Database, openDatabase } from './database.ts'
import { DatabaseUnavailable, DiskFull } from './database-errors.ts'
import type { DatabaseFailureHandlers } from './engine-driver.ts'
import { openSqliteDriver } from './sqlite-driver.ts'
import { startThread } from './worker-channel.ts'

let folder: string
let reported: string[]
const failureHandlers: DatabaseFailureHandlers = {
  onMaintenanceFailed: (error: Error) => void reported.push(`maintenance: ${error instanceof DiskFull}`),
  onLost: (error: Error) => void reported.push(`lost: ${(error.cause as Error).message}`),
}
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keeper-driver-'))
  reported = []
})
afterEach(() => rmSync(folder, { recursive: true }))

const openWithDyingWriter = async () =>
  new Database(
    await openSqliteDriver(folder, failureHandlers, {
      startWriter: (file) => startThread(new URL('./testing/dying-writer.ts', import.meta.url), { file }),
    }),
  )

test('a dead writer is reported once; writes fail, reads and closing work', async () => {
  const db = await openWithDyingWriter()
  await db.write(sql`create table pots (id text primary key)`)
  await db.write(sql`insert into pots values ('a')`)
  expect(reported).toEqual([])
  const batchWithDuplicate = [sql`insert into pots values ('b')`, sql`insert into pots values ('a')`]
  await expect(db.batch(batchWithDuplicate)).rejects.toThrow(DatabaseUnavailable)
  await expect(db.write(sql`insert into pots values ('c')`)).rejects.toThrow(DatabaseUnavailable)
  expect(await db.longRead(sql`select id from pots`)).toEqual([{ id: 'a' }])
  await db.close()
  expect(reported).toEqual(['lost: injected: rollback failed'])
  await (await openDatabase({ dataDir: folder })).close()
})

test('failed maintenance is reported without counting as a dead writer', async () => {
  const db = await openWithDyingWriter()
  await db.write(sql`create table pots (id text primary key)`)
  await db.close()
  expect(reported).toEqual(['maintenance: true'])
})
