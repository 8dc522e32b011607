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
const rowCount = 80

function measureMessages(client: PoolClient): { client: PoolClient; getMaxMessageBytes(): number } {
  let maxMessageBytes = 0
  const getByteSize = (value: unknown) => (value instanceof Uint8Array ? value.length : String(value ?? '').length)
  const recordSize = (values: unknown[]) => {
    const size = values.reduce<number>((total, value) => total + getByteSize(value), 0)
    maxMessageBytes = Math.max(maxMessageBytes, size)
  }
  const query = async (...queryArguments: unknown[]) => {
    recordSize((queryArguments[1] as unknown[] | undefined) ?? [])
    const result = await (client.query as (...all: unknown[]) => Promise<{ rows: unknown[] }>)(...queryArguments)
    recordSize(result.rows.flatMap((row) => Object.values(row as object)))
    return result
  }
  return { client: { query } as unknown as PoolClient, getMaxMessageBytes: () => maxMessageBytes }
}

test.runIf(engines.includes('postgres'))(
  'backing up and restoring large PostgreSQL rows uses small pages',
  async () => {
    const { db, close } = await createFreshDatabase('postgres')
    const tables = await createTestTables(db)
    const details = json({ text: 'x'.repeat(megabyte / 2) })
    const picture = new Uint8Array(megabyte / 2)
    for (let index = 0; index < rowCount; index++)
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
      expect(reading.getMaxMessageBytes()).toBeGreaterThan(megabyte)
      expect(reading.getMaxMessageBytes()).toBeLessThan(20 * megabyte)

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
      expect(stored[0]?.count).toBe(rowCount)
      expect(writing.getMaxMessageBytes()).toBeGreaterThan(megabyte)
      expect(writing.getMaxMessageBytes()).toBeLessThan(10 * megabyte)
    })
    await close()
  },
)
