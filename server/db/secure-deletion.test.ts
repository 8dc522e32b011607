import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openWriterConnection } from './sqlite-files.ts'
import { SqliteWriteQueue } from './sqlite-write-queue.ts'

const secret = 'what-nobody-is-to-read-again'
let folder: string
let connection: ReturnType<typeof openWriterConnection>
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keeper-deleted-'))
  connection = openWriterConnection(join(folder, 'data.db'))
  connection.exec(`
    create table diary (id integer primary key, text text);
    create virtual table words using fts5(text);
    insert into words (words, rank) values ('secure-delete', 1);
  `)
})
afterEach(async () => {
  connection.close()
  await rm(folder, { recursive: true })
})

const containsSecret = (file: string) => readFileSync(join(folder, file)).includes(secret)
const truncateWal = () =>
  new SqliteWriteQueue(connection, {
    takeIncomingJobs: () => [],
    post() {},
    onMaintenanceFailed() {},
    onClosed() {},
  }).truncateWal()

function writeAndDelete() {
  const insert = connection.prepare('insert into diary (text) values (?)')
  for (let number = 0; number < 200; number++) insert.run(`${secret} ${'and more '.repeat(number)}`)
  connection.prepare('insert into words (text) values (?)').run(secret.replaceAll('-', ''))
  truncateWal()
  expect(containsSecret('data.db')).toBe(true)
  connection.exec('delete from diary; delete from words')
}

it('deleted data is in no file once the log is emptied', () => {
  writeAndDelete()
  truncateWal()
  expect({ 'data.db': containsSecret('data.db'), 'data.db-wal': containsSecret('data.db-wal') }).toEqual({
    'data.db': false,
    'data.db-wal': false,
  })
  expect(readFileSync(join(folder, 'data.db')).includes(secret.replaceAll('-', ''))).toBe(false)
})

it('control: without overwriting, deleted data stays in the file', () => {
  connection.exec('pragma secure_delete = off')
  writeAndDelete()
  truncateWal()
  expect(containsSecret('data.db')).toBe(true)
})

it('a reader postpones emptying the log, and no one waits', () => {
  writeAndDelete()
  const reader = openWriterConnection(join(folder, 'data.db'))
  reader.exec('begin')
  reader.prepare('select count(*) from diary').get()
  connection.exec(`insert into diary (text) values ('later')`)
  connection.exec('pragma busy_timeout = 60000')
  truncateWal()
  reader.exec('commit')
  reader.close()
  truncateWal()
  expect({ 'data.db': containsSecret('data.db'), 'data.db-wal': containsSecret('data.db-wal') }).toEqual({
    'data.db': false,
    'data.db-wal': false,
  })
})
