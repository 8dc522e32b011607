import type { PoolClient } from 'pg'
import { expect, test } from 'vitest'
import { createFreshDatabase, engines } from '#tests/engines.ts'
import { type DumpEntry, dumpDatabase } from './canonical-dump.ts'
import { json } from './database.ts'
import { loadIntoPostgres } from './load-dump.ts'
import type { PostgresDriver } from './postgres-driver.ts'
import { createPostgresDump } from './postgres-dump.ts'
import { createEntity, createTestTables } from './testing/test-tables.ts'

const megabyte = 1024 * 1024
const rows = 80

function measureMessages(client: PoolClient): { client: PoolClient; getMaxMessage(): number } {
  let maxMessage = 0
  const getSize = (value: unknown) => (value instanceof Uint8Array ? value.length : String(value ?? '').length)
  const record = (values: unknown[]) => {
    const size = values.reduce<number>((total, value) => total + getSize(value), 0)
    maxMessage = Math.max(maxMessage, size)
  }
  const query = async (...argument: unknown[]) => {
    record((argument[1] as unknown[] | undefined) ?? [])
    const result = await (client.query as (...all: unknown[]) => Promise<{ rows: unknown[] }>)(...argument)
    record(result.rows.flatMap((row) => Object.values(row as object)))
    return result
  }
  return { client: { query } as unknown as PoolClient, getMaxMessage: () => maxMessage }
}

test.runIf(engines.includes('postgres'))(
  'backing up and restoring large PostgreSQL rows uses small pages',
  async () => {
    const { db, close } = await createFreshDatabase('postgres')
    const tables = await createTestTables(db)
    const details = json({ text: 'x'.repeat(megabyte / 2) })
    const picture = new Uint8Array(megabyte / 2)
    for (let index = 0; index < rows; index++)
      await tables
        .insertInto('things')
        .values(createEntity(`thing ${index}`, { details, picture }))
        .execute()
    const driver = db.engineDriver as PostgresDriver
    await driver.withClient(async (client) => {
      const reading = measureMessages(client)
      const source = await createPostgresDump(reading.client)
      const entries: DumpEntry[] = []
      for await (const entry of dumpDatabase(source)) entries.push(entry)
      await source.close()
      expect(reading.getMaxMessage()).toBeGreaterThan(megabyte)
      expect(reading.getMaxMessage()).toBeLessThan(20 * megabyte)

      const writing = measureMessages(client)
      await client.query('begin')
      await loadIntoPostgres(
        writing.client,
        (async function* () {
          yield* entries
        })(),
      )
      const { rows: stored } = await client.query<{ count: number }>('select count(*) as count from things')
      await client.query('rollback')
      expect(stored[0]?.count).toBe(rows)
      expect(writing.getMaxMessage()).toBeGreaterThan(megabyte)
      expect(writing.getMaxMessage()).toBeLessThan(10 * megabyte)
    })
    await close()
  },
)
