import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createFreshDatabase, engines } from '#tests/engines.ts'
import { containsWord } from './contains-word.ts'
import { openDatabase } from './database.ts'

const texts = ['100% sure', 'a_b', 'a\\b', 'wow!', "it's", 'Plain']

describe.each(engines)('a word, on %s', (engine) => {
  test.each([
    ['%', ['100% sure']],
    ['_', ['a_b']],
    ['\\', ['a\\b']],
    ['!', ['wow!']],
    ["'", ["it's"]],
    ['plain', ['Plain']],
    ['!%', []],
  ])('%j is found as it is written, whatever the strings of the database are', async (word, expected) => {
    const { db, databaseUrl, dataDir, close } = await createFreshDatabase(engine)
    await db.write(sql`create table notes (text text)`)
    for (const text of texts) await db.write(sql`insert into notes values (${text})`)
    const find = async (database = db) => {
      const condition = containsWord(engine, 'text', word)
      return (await database.longRead(sql<{ text: string }>`select text from notes where ${condition}`)).map(
        (row) => row.text,
      )
    }
    expect(await find()).toEqual(expected)
    if (databaseUrl) {
      const name = new URL(databaseUrl).pathname.slice(1)
      await db.write(sql`alter database ${sql.ref(name)} set standard_conforming_strings = off`)
      const reopened = await openDatabase({ dataDir, databaseUrl })
      expect(await find(reopened)).toEqual(expected)
      await reopened.close()
    }
    await close()
  })
})
