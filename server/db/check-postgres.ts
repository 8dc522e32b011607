import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import pg from 'pg'
import { trimEndMatching } from '#contract/linear-text.ts'
import { withDeadline } from '#server/values/with-deadline.ts'
import { DatabaseUnavailable, DatabaseUnusable } from './database-errors.ts'
import type { PostgresAddress } from './database-url.ts'
import { isConnectionError } from './postgres-failures.ts'
import { createClientConfig } from './postgres-pool.ts'

const minVersion = 150_000
const retryDelayMs = 250
const answerTimeoutMs = 5_000
const sessionCheckRounds = 5

export interface PostgresServer {
  version: string
  tls: 'off' | 'verified' | 'unverified'
  /** A pooler lends a connection for each transaction, so session settings don't last. */
  isTransactionPooled: boolean
  /** Equal for two addresses of the same database. */
  identity: string
}

interface StartOptions {
  startTimeoutMs: number
  onWaiting?: ((message: string) => void) | undefined
}

/** Checks everything Keeper needs. @throws DatabaseUnavailable after `startTimeoutMs`, or DatabaseUnusable; messages leave out the password */
export async function waitUntilUsable(
  pool: pg.Pool,
  address: PostgresAddress,
  { startTimeoutMs, onWaiting }: StartOptions,
): Promise<PostgresServer> {
  const deadline = Date.now() + startTimeoutMs
  for (let attempt = 1; ; attempt++) {
    try {
      return await checkServer(pool, address)
    } catch (error) {
      if (error instanceof DatabaseUnusable) throw error
      const message = explainFailure(address, error as Error)
      const isRetryable = error instanceof DatabaseUnavailable || isConnectionError(error as Error)
      if (!isRetryable || Date.now() > deadline) throw new DatabaseUnavailable(message, { cause: error })
      if (attempt === 1) onWaiting?.(`${message} Trying again for ${Math.ceil(startTimeoutMs / 1000)} s.`)
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs))
    }
  }
}

async function checkServer(pool: pg.Pool, address: PostgresAddress): Promise<PostgresServer> {
  const first = await pool.connect()
  let second: pg.PoolClient | undefined
  let isHealthy = false
  try {
    const details = await readDetails(first)
    assertUsable(address, details)
    second = await pool.connect().catch(throwOneConnection)
    const isTransactionPooled = await sharesSessions(first, second)
    await withDeadline(openTransactions(first, second), answerTimeoutMs, () => new Error('no answer')).catch(
      throwOneConnection,
    )
    isHealthy = true
    return { version: details.version, tls: getTlsMode(first), isTransactionPooled, identity: details.identity }
  } finally {
    first.release(!isHealthy)
    // A restore would take this connection, if it stayed open, for another Keeper.
    second?.release(true)
  }
}

async function openTransactions(first: pg.PoolClient, second: pg.PoolClient): Promise<void> {
  for (const client of [first, second]) await client.query('begin')
  for (const client of [first, second]) await client.query('rollback')
}

function throwOneConnection(error: Error): never {
  throw new DatabaseUnavailable(`only one connection can be used at a time (${error.message})`, { cause: error })
}

/**
 * A pooler hides the server's process ID from the client. In transaction mode, a client's statements reach different
 * processes, or one that another client used in between.
 */
async function sharesSessions(first: pg.PoolClient, second: pg.PoolClient): Promise<boolean> {
  const processId = await getProcessId(first)
  const announcedId = (first as pg.PoolClient & { processID?: number }).processID
  if (processId === announcedId) return false
  for (let round = 0; round < sessionCheckRounds; round++) {
    await second.query('begin').catch(throwStatementPooling)
    const otherId = await getProcessId(second)
    const isShared = otherId === processId || (await getProcessId(first)) !== processId
    await second.query('rollback')
    if (isShared) return true
  }
  return false
}

function throwStatementPooling(error: Error): never {
  if (/statement pooling/i.test(error.message))
    throw new DatabaseUnavailable('the pooler in front of it is in statement mode, which allows no transactions', {
      cause: error,
    })
  throw error
}

async function getProcessId(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query<{ id: number }>('select pg_backend_pid() as id')
  return rows[0]!.id
}

function getTlsMode(client: pg.PoolClient): PostgresServer['tls'] {
  const socket = (client as pg.PoolClient & { connection?: { stream: Socket } }).connection?.stream
  if (!(socket instanceof TLSSocket)) return 'off'
  return socket.authorized ? 'verified' : 'unverified'
}

export const isReadOnlyExpression = `(current_setting('transaction_read_only') = 'on' or pg_is_in_recovery())`

/** Whether a new connection could write. */
export async function isWritable(address: PostgresAddress): Promise<boolean> {
  const client = new pg.Client(createClientConfig(address))
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query(`select not ${isReadOnlyExpression} as "isWritable"`)
    return rows[0].isWritable
  } finally {
    await client.end()
  }
}

interface ServerDetails {
  versionNumber: number
  version: string
  encoding: string
  role: string
  schema: string | null
  isReadOnly: boolean
  canCreate: boolean
  tableOwner: string | null
  identity: string
}

async function readDetails(client: pg.PoolClient): Promise<ServerDetails> {
  const { rows } = await client.query<ServerDetails>(`
    select current_setting('server_version_num')::int as "versionNumber", current_setting('server_version') as version,
      current_setting('server_encoding') as encoding, current_user::text as role, current_schema()::text as schema,
      ${isReadOnlyExpression} as "isReadOnly",
      coalesce(has_schema_privilege(current_schema(), 'create'), false) as "canCreate",
      (select pg_get_userbyid(relowner)::text from pg_class where relname = 'keeper_migrations'
        and relnamespace = (select oid from pg_namespace where nspname = current_schema())
        and not pg_has_role(relowner, 'usage')) as "tableOwner",
      concat_ws(' ', extract(epoch from pg_postmaster_start_time()), current_database(), current_schema()) as identity`)
  return rows[0]!
}

function assertUsable({ serverName }: PostgresAddress, details: ServerDetails): void {
  const { versionNumber, encoding, role, schema, isReadOnly, canCreate, tableOwner } = details
  if (versionNumber < minVersion)
    throw new DatabaseUnusable(`PostgreSQL at ${serverName} is older than 15 (${versionNumber}). Upgrade it.`)
  if (encoding !== 'UTF8')
    throw new DatabaseUnusable(
      `The database at ${serverName} stores text as ${encoding}. Create it with the encoding UTF8.`,
    )
  if (isReadOnly)
    throw new DatabaseUnavailable(
      'it is read-only, because it’s a standby or because default_transaction_read_only is on',
    )
  if (schema === null)
    throw new DatabaseUnusable(
      `The role ${role} has no schema in ${serverName}: its search_path names none that exists and that it may use.`,
    )
  if (tableOwner !== null)
    throw new DatabaseUnusable(
      `The tables in ${serverName} belong to the role ${tableOwner}, and ${role} can’t change them. Connect as ${tableOwner}, or: grant ${tableOwner} to ${role}.`,
    )
  if (!canCreate)
    throw new DatabaseUnusable(
      `The role ${role} can’t create tables in the schema ${schema} of ${serverName}. Use the owner of the database, or: grant create on schema ${schema} to ${role}.`,
    )
}

const untrustedCodes = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
])

function explainFailure({ setting, serverName }: PostgresAddress, error: Error): string {
  const { code, message } = error as Error & { code?: string }
  // An AggregateError of several hosts has an empty message.
  const reason = `Can’t use PostgreSQL at ${serverName}: ${trimEndMatching(message || code || 'no reason given', /[\s.]/)}.`
  return `${reason} ${getRemedy(setting, code, message)}`
}

function getRemedy(setting: string, code: string | undefined, message: string): string {
  if (code !== undefined && untrustedCodes.has(code))
    return 'Its certificate isn’t trusted: set DATABASE_CA_FILE to the certificate of its authority.'
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `Its certificate is for another name: use that name in ${setting}, or sslmode=verify-ca with DATABASE_CA_FILE.`
  if (message.includes('does not support SSL'))
    return `It has no TLS: turn it on there, or remove sslmode from ${setting}.`
  if (/no encryption|SSL off|SSL required/i.test(message))
    return `It requires TLS: add ?sslmode=verify-full to ${setting}.`
  if (code === '53300' || message.includes('one connection'))
    return 'Each Keeper process needs at least 3 connections, and uses up to 11.'
  if (/unsupported startup parameter: (options|search_path)/.test(message))
    return `A pooler takes no schema in ${setting}: use \`alter role … set search_path = …\`, and remove it there.`
  if (message.includes('read-only')) return 'Keeper must be able to write.'
  return `Check ${setting}.`
}
