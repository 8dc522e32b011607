import pg from 'pg'
import type { PostgresAddress } from './database-url.ts'

const connectTimeoutMs = 5_000
const maxConnections = 10
/** For the lock client, dumps and migrations. */
const maxDirectConnections = 3
/** Proxies and managed hosts cut older connections silently (s). */
const maxLifetimeSeconds = 300
/** A statement waiting longer for another session's lock fails with 503 (ms). */
const lockTimeoutMs = 15_000
/** A restore takes a connection with this name for a running Keeper. A pooler keeps connections open longer, so pooled ones have another name. */
export const applicationName = 'keeper'
const pooledApplicationName = 'keeper pooled'

export function createClientConfig({ config }: PostgresAddress): pg.ClientConfig {
  return {
    ...config,
    application_name: applicationName,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
  }
}

/** `kind` is `only` if there is no separate direct address. */
export function createPool(address: PostgresAddress, kind: 'only' | 'pooled' | 'direct'): pg.Pool {
  const pool = new pg.Pool({
    ...createClientConfig(address),
    ...(kind === 'pooled' && { application_name: pooledApplicationName }),
    max: kind === 'direct' ? maxDirectConnections : maxConnections,
    maxLifetimeSeconds,
    pipeline: true,
    types: createTypeOverrides(),
    onConnect: limitLockWaits,
  })
  // Without a listener, a broken connection ends the process; the caller receives the error anyway.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Only where the session is this client's own: a pooler would give the setting to others. */
async function limitLockWaits(client: pg.ClientBase): Promise<void> {
  const { processID: processId } = client as pg.ClientBase & { processID: number | null }
  await client.query(
    `select set_config('lock_timeout', $1, false) where pg_backend_pid() = $2 and current_setting('lock_timeout') = '0'`,
    [String(lockTimeoutMs), processId],
  )
}

function createTypeOverrides(): pg.CustomTypesConfig {
  const types = new pg.TypeOverrides()
  types.setTypeParser(pg.types.builtins.INT8, Number)
  types.setTypeParser(pg.types.builtins.NUMERIC, Number)
  types.setTypeParser(pg.types.builtins.BYTEA, (text) => new Uint8Array(Buffer.from(text.slice(2), 'hex')))
  return types
}
