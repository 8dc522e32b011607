import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { type DumpSource, dumpOf, lineOf } from '../canonical-dump.ts'
import { openPostgresDriver } from '../postgres-driver.ts'
import { postgresDump } from '../postgres-dump.ts'
import { sqliteDump } from '../sqlite-dump.ts'

export async function contentOfFile(file: string): Promise<string> {
  const connection = new DatabaseSync(file)
  try {
    return await sumOf(sqliteDump(connection))
  } finally {
    connection.close()
  }
}

export async function contentOfPostgres(databaseUrl: string): Promise<string> {
  const driver = await openPostgresDriver(databaseUrl)
  try {
    return await driver.withClient(async (client) => {
      const source = await postgresDump(client)
      const sum = await sumOf(source)
      await source.close()
      return sum
    })
  } finally {
    await driver.destroy()
  }
}

async function sumOf(source: DumpSource): Promise<string> {
  const hash = createHash('sha256')
  for await (const entry of dumpOf(source)) hash.update(`${lineOf(entry)}\n`)
  return hash.digest('hex')
}
