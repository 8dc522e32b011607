import type { PoolClient } from 'pg'
import { expect, test } from 'vitest'
import { engines, freshDatabase } from '#tests/engines.ts'
import { type DumpEntry, dumpOf } from './canonical-dump.ts'
import { json } from './database.ts'
import { loadIntoPostgres } from './load-dump.ts'
import type { PostgresDriver } from './postgres-driver.ts'
import { postgresDump } from './postgres-dump.ts'
import { thing, withThings } from './testing/things.ts'

const megabyte = 1024 * 1024
const rows = 80

function measured(client: PoolClient): { client: PoolClient; largest(): number } {
  let largest = 0
  const sizeOf = (value: unknown) => (value instanceof Uint8Array ? value.length : String(value ?? '').length)
  const note = (values: unknown[]) => {
    largest = Math.max(
      largest,
      values.reduce((sum: number, value) => sum + sizeOf(value), 0),
    )
  }
  const query = async (...given: unknown[]) => {
    note((given[1] as unknown[] | undefined) ?? [])
    const result = await (client.query as (...all: unknown[]) => Promise<{ rows: unknown[] }>)(...given)
    note(result.rows.flatMap((row) => Object.values(row as object)))
    return result
  }
  return { client: { query } as unknown as PoolClient, largest: () => largest }
}

test.runIf(engines.includes('postgres'))(
  'backing up and restoring large PostgreSQL rows uses small pages',
  async () => {
    const { db, close } = await freshDatabase('postgres')
    const things = await withThings(db)
    const details = json({ text: 'x'.repeat(megabyte / 2) })
    const picture = new Uint8Array(megabyte / 2)
    for (let index = 0; index < rows; index++)
      await things
        .insertInto('things')
        .values(thing(`thing ${index}`, { details, picture }))
        .execute()
    const driver = db.engineDriver as PostgresDriver
    await driver.withClient(async (client) => {
      const reading = measured(client)
      const source = await postgresDump(reading.client)
      const entries: DumpEntry[] = []
      for await (const entry of dumpOf(source)) entries.push(entry)
      await source.close()
      expect(reading.largest()).toBeGreaterThan(megabyte)
      expect(reading.largest()).toBeLessThan(20 * megabyte)

      const writing = measured(client)
      await client.query('begin')
      await loadIntoPostgres(
        writing.client,
        (async function* () {
          yield* entries
        })(),
      )
      const { rows: found } = await client.query<{ count: number }>('select count(*) as count from things')
      await client.query('rollback')
      expect(found[0]?.count).toBe(rows)
      expect(writing.largest()).toBeGreaterThan(megabyte)
      expect(writing.largest()).toBeLessThan(10 * megabyte)
    })
    await close()
  },
)
