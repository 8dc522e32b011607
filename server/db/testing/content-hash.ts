import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { type DumpSource, dumpDatabase, formatDumpLine } from '../canonical-dump.ts'
import { openPostgresDriver } from '../open-postgres.ts'
import { createPostgresDump } from '../postgres-dump.ts'
import { createSqliteDump } from '../sqlite-dump.ts'

export async function hashFileContent(file: string): Promise<string> {
  const connection = new DatabaseSync(file)
  try {
    return await hashDump(createSqliteDump(connection))
  } finally {
    connection.close()
  }
}

export async function hashPostgresContent(databaseUrl: string): Promise<string> {
  const driver = await openPostgresDriver({ databaseUrl })
  try {
    return await driver.withClient(async (client) => {
      const source = await createPostgresDump(client)
      const checksum = await hashDump(source)
      await source.close()
      return checksum
    })
  } finally {
    await driver.destroy()
  }
}

async function hashDump(source: DumpSource): Promise<string> {
  const hash = createHash('sha256')
  for await (const entry of dumpDatabase(source)) hash.update(`${formatDumpLine(entry)}\n`)
  return hash.digest('hex')
}
