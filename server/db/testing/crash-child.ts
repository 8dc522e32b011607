import { writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { sql } from 'kysely'
import { Database } from '../database.ts'
import { openSqliteDriver } from '../sqlite-driver.ts'
import { startThread } from '../worker-channel.ts'

const [dataDir, firstNumber, writerFile] = process.argv.slice(2)
const writer = writerFile && { startWriter: (file: string) => startThread(new URL(writerFile), { file }) }
const db = new Database(await openSqliteDriver(dataDir!, {}, writer || {}))
await db.write(sql`create table if not exists acknowledged (number integer primary key, text text not null)`)
flushCompileCache()

let number = Number(firstNumber)
async function runWriter(): Promise<never> {
  for (;;) {
    const rowNumber = number++
    const insert = sql`insert into acknowledged (number, text) values (${rowNumber}, ${'some words to fill a page '.repeat(8)})`
    if (rowNumber % 3 === 0)
      await db.batch([insert, sql`update acknowledged set text = text where number = ${rowNumber}`])
    else await db.write(insert)
    acknowledge(rowNumber)
  }
}
for (let count = 0; count < 8; count++) runWriter()

function acknowledge(rowNumber: number): void {
  for (;;) {
    try {
      writeSync(1, `${rowNumber}\n`)
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    }
  }
}
