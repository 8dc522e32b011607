import pg from 'pg'
import { DatabaseUnavailable, DatabaseUnusable } from './database-errors.ts'
import { isConnectionError } from './postgres-failures.ts'

const defaultStartTimeoutMs = 10_000
const connectTimeoutMs = 5_000
const minVersion = 150_000
export const applicationName = 'keeper'

/** @throws DatabaseUnavailable after `startTimeoutMs`, or DatabaseUnusable; messages leave out the password */
export async function openPostgresPool(databaseUrl: string, startTimeoutMs = defaultStartTimeoutMs): Promise<pg.Pool> {
  const serverName = getHostAndName(databaseUrl)
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: applicationName,
    connectionTimeoutMillis: connectTimeoutMs,
    max: 10,
    keepAlive: true,
    pipeline: true,
    types: createTypeOverrides(),
  })
  // Without a listener, a broken connection ends the process; its user receives the error anyway.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  try {
    await waitUntilUsable(pool, serverName, startTimeoutMs)
    return pool
  } catch (error) {
    await pool.end()
    throw error
  }
}

function getHostAndName(databaseUrl: string): string {
  try {
    const { protocol, host, pathname } = new URL(databaseUrl)
    if (!/^postgres(ql)?:$/.test(protocol)) throw new Error('another protocol')
    return `${host}${pathname}`
  } catch {
    throw new DatabaseUnusable('DATABASE_URL isn’t an address like postgres://user:password@host:5432/keeper')
  }
}

async function waitUntilUsable(pool: pg.Pool, serverName: string, startTimeoutMs: number): Promise<void> {
  const deadline = Date.now() + startTimeoutMs
  for (;;) {
    try {
      const { rows } = await pool.query(
        `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding`,
      )
      const { version, encoding } = rows[0] as { version: number; encoding: string }
      if (version < minVersion)
        throw new DatabaseUnusable(`PostgreSQL at ${serverName} is older than 15 (${version}). Upgrade it.`)
      if (encoding !== 'UTF8')
        throw new DatabaseUnusable(
          `The database at ${serverName} stores text as ${encoding}. Create it with the encoding UTF8.`,
        )
      return
    } catch (error) {
      const { code, message } = error as { code?: string; message: string }
      const isRetryable = isConnectionError(error as Error)
      if (!isRetryable && code === undefined) throw error
      // An AggregateError of several hosts has an empty message.
      if (!isRetryable || Date.now() > deadline)
        throw new DatabaseUnavailable(
          `Can’t use PostgreSQL at ${serverName}: ${message || code}. Check DATABASE_URL.`,
          {
            cause: error,
          },
        )
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  }
}

function createTypeOverrides(): pg.CustomTypesConfig {
  const types = new pg.TypeOverrides()
  types.setTypeParser(pg.types.builtins.INT8, Number)
  types.setTypeParser(pg.types.builtins.NUMERIC, Number)
  types.setTypeParser(pg.types.builtins.BYTEA, (text) => new Uint8Array(Buffer.from(text.slice(2), 'hex')))
  return types
}
