import { type PostgresServer, waitUntilUsable } from './check-postgres.ts'
import { DatabaseUnusable } from './database-errors.ts'
import { type PostgresAddress, readPostgresAddress } from './database-url.ts'
import { type DriverOptions, PostgresDriver } from './postgres-driver.ts'
import { createPool } from './postgres-pool.ts'

const defaultStartTimeoutMs = 30_000

export interface PostgresSettings {
  databaseUrl: string
  /** PostgreSQL itself, or a pooler in session mode, when `databaseUrl` leads to a pooler in transaction mode. */
  directUrl?: string | undefined
  caFile?: string | undefined
}

interface OpenOptions extends DriverOptions {
  startTimeoutMs?: number
}

/** @throws DatabaseUnavailable after `startTimeoutMs`, or DatabaseUnusable */
export async function openPostgresDriver(
  { databaseUrl, directUrl, caFile }: PostgresSettings,
  options: OpenOptions = {},
): Promise<PostgresDriver> {
  const address = readPostgresAddress('DATABASE_URL', databaseUrl, caFile)
  const directAddress = directUrl ? readPostgresAddress('DATABASE_DIRECT_URL', directUrl, caFile) : address
  return openDriver({ address, directAddress }, options)
}

/** For commands that need one session. @throws DatabaseUnavailable or DatabaseUnusable */
export async function openDirectDriver({ databaseUrl, directUrl, caFile }: PostgresSettings): Promise<PostgresDriver> {
  const address = directUrl
    ? readPostgresAddress('DATABASE_DIRECT_URL', directUrl, caFile)
    : readPostgresAddress('DATABASE_URL', databaseUrl, caFile)
  return openDriver({ address, directAddress: address })
}

interface Addresses {
  address: PostgresAddress
  directAddress: PostgresAddress
}

async function openDriver(
  { address, directAddress }: Addresses,
  { startTimeoutMs = defaultStartTimeoutMs, ...options }: OpenOptions = {},
): Promise<PostgresDriver> {
  const isSeparate = address !== directAddress
  const pool = createPool(address, isSeparate ? 'pooled' : 'only')
  const directPool = isSeparate ? createPool(directAddress, 'direct') : pool
  try {
    const server = await waitUntilUsable(pool, address, { ...options, startTimeoutMs })
    if (isSeparate) {
      const direct = await waitUntilUsable(directPool, directAddress, { ...options, startTimeoutMs })
      assertKeepsSessions(direct, directAddress)
      if (direct.identity !== server.identity)
        throw new DatabaseUnusable('DATABASE_DIRECT_URL and DATABASE_URL lead to different databases or schemas.')
    } else assertKeepsSessions(server, address)
    return new PostgresDriver({ pool, address, directPool, directAddress, server }, options)
  } catch (error) {
    await Promise.all([...new Set([pool, directPool])].map((openPool) => openPool.end()))
    throw error
  }
}

function assertKeepsSessions({ isTransactionPooled }: PostgresServer, { setting }: PostgresAddress): void {
  if (isTransactionPooled)
    throw new DatabaseUnusable(
      `${setting} leads to a pooler in transaction mode, which loses notifications and locks. Set DATABASE_DIRECT_URL to the address of PostgreSQL itself, which is used for these and for upgrades.`,
    )
}
