import pg from 'pg'
import { DatabaseUnavailable, DatabaseUnfit } from './database-errors.ts'
import { isUnreachable } from './postgres-failures.ts'

/** Time for PostgreSQL to come up when both are started together; ms. */
const startPatience = 10_000
/** Time to wait for a connection, a new one or one that others hold, before DatabaseUnavailable; ms. */
const connectPatience = 5_000
const oldestVersion = 150_000
/** By this name an operator, and `restore`, tell Keeper's connections from others. */
export const applicationName = 'keeper'

/**
 * Connections to a PostgreSQL that Keeper can work with. `patience`: ms to wait for it to come up.
 * Throws with one clear line, without the password: DatabaseUnavailable when it cannot be reached, DatabaseUnfit when it will not do.
 */
export async function openPostgresPool(databaseUrl: string, patience = startPatience): Promise<pg.Pool> {
  const place = placeOf(databaseUrl)
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: applicationName,
    connectionTimeoutMillis: connectPatience,
    max: 10,
    keepAlive: true,
    pipeline: true,
    types: columnTypes(),
  })
  // Both say that a connection broke. Without a listener that ends the process; whoever uses the connection learns it anyway.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  try {
    await waitUntilFit(pool, place, patience)
    return pool
  } catch (error) {
    await pool.end()
    throw error
  }
}

function placeOf(databaseUrl: string): string {
  try {
    const { protocol, host, pathname } = new URL(databaseUrl)
    if (!/^postgres(ql)?:$/.test(protocol)) throw new Error('another protocol')
    return `${host}${pathname}`
  } catch {
    throw new DatabaseUnfit('DATABASE_URL is not an address like postgres://user:password@host:5432/keeper')
  }
}

async function waitUntilFit(pool: pg.Pool, place: string, patience: number): Promise<void> {
  const until = Date.now() + patience
  for (;;) {
    try {
      const { rows } = await pool.query(
        `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding`,
      )
      const { version, encoding } = rows[0] as { version: number; encoding: string }
      if (version < oldestVersion)
        throw new DatabaseUnfit(`PostgreSQL at ${place} is older than 15 (${version}). Upgrade it.`)
      if (encoding !== 'UTF8')
        throw new DatabaseUnfit(`The database at ${place} keeps text as ${encoding}. Create it with encoding UTF8.`)
      return
    } catch (error) {
      const { code, message } = error as { code?: string; message: string }
      const mayComeUp = isUnreachable(error as Error)
      if (!mayComeUp && code === undefined) throw error
      // An address with several hosts fails with an AggregateError, whose message is empty.
      if (!mayComeUp || Date.now() > until)
        throw new DatabaseUnavailable(
          `PostgreSQL at ${place} cannot be used: ${message || code}. Check DATABASE_URL.`,
          { cause: error },
        )
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  }
}

/** Rows as SQLite gives them: numbers for bigint (milliseconds, counts) and for the sums of those, plain bytes. */
function columnTypes(): pg.CustomTypesConfig {
  const types = new pg.TypeOverrides()
  types.setTypeParser(pg.types.builtins.INT8, Number)
  types.setTypeParser(pg.types.builtins.NUMERIC, Number)
  types.setTypeParser(pg.types.builtins.BYTEA, (text) => new Uint8Array(Buffer.from(text.slice(2), 'hex')))
  return types
}
