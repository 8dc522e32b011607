import { writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { sql } from 'kysely'
import { Database } from '../database.ts'
import { openSqliteDriver } from '../sqlite-driver.ts'

/**
 * Writes rows with eight writers until it is killed, and prints the number of each row once it is acknowledged.
 * Arguments: the data folder, the first number to use, and a writer thread to use instead of the real one.
 */
const [dataDir, first, writerFile] = process.argv.slice(2)
const db = new Database(await openSqliteDriver(dataDir!, writerFile ? new URL(writerFile) : undefined))
await db.write(sql`create table if not exists acknowledged (number integer primary key, text text not null)`)
// Whoever is killed does not leave its compiled code to the next one by itself.
flushCompileCache()

let number = Number(first)
async function writer(): Promise<never> {
  for (;;) {
    const mine = number++
    const insert = sql`insert into acknowledged (number, text) values (${mine}, ${'some words to fill a page '.repeat(8)})`
    if (mine % 3 === 0) await db.batch([insert, sql`update acknowledged set text = text where number = ${mine}`])
    else await db.write(insert)
    acknowledge(mine)
  }
}
for (let count = 0; count < 8; count++) writer()

/** Straight to the descriptor: what is printed has left this process, whatever happens to it next. */
function acknowledge(mine: number): void {
  for (;;) {
    try {
      writeSync(1, `${mine}\n`)
      return
    } catch (error) {
      // The pipe is full: whoever reads it is busy.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    }
  }
}
