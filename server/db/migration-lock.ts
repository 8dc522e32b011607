import type pg from 'pg'
import { DatabaseUnusable } from './database-errors.ts'
import { runSql } from './postgres-failures.ts'

const migrationLock = 5_337_240_115
const defaultTimeoutMs = 5 * 60_000
const pollIntervalMs = 500

export interface LockOptions {
  timeoutMs?: number | undefined
  onWaiting?: ((message: string) => void) | undefined
}

/** Begins a transaction that holds the lock until it ends, so that no pooler can keep the lock. @throws DatabaseUnusable after `timeoutMs` */
export async function startWithMigrationLock(
  client: pg.ClientBase,
  { timeoutMs = defaultTimeoutMs, onWaiting }: LockOptions,
): Promise<void> {
  const deadline = performance.now() + timeoutMs
  let reportedId: number | undefined
  for (;;) {
    await runSql(client, 'begin; set local idle_in_transaction_session_timeout = 0')
    const { rows } = await runSql(client, `select pg_try_advisory_xact_lock(${migrationLock}) as "isLocked"`)
    if (rows[0]?.isLocked) return
    const holder = await findHolder(client)
    await runSql(client, 'rollback')
    if (performance.now() > deadline) throw new DatabaseUnusable(getTimeoutMessage(holder))
    if (holder && holder.id !== reportedId) {
      reportedId = holder.id
      onWaiting?.(
        `waiting up to ${Math.ceil(timeoutMs / 1000)} s for another process that upgrades this database (${describeHolder(holder)})`,
      )
    }
    await new Promise((resolve) => setTimeout(resolve, pollIntervalMs))
  }
}

/** Reports which sessions a migration waits for, such as a dump. */
export async function reportBlockers(
  client: pg.ClientBase,
  blockedId: number,
  onWaiting: LockOptions['onWaiting'],
): Promise<void> {
  const { rows } = await runSql(client, `select pg_blocking_pids(${blockedId}) as ids`)
  const ids = rows[0].ids as number[]
  if (ids.length > 0) onWaiting?.(`a migration waits for locks of other sessions (PostgreSQL pid ${ids.join(', ')})`)
}

interface LockHolder {
  id: number
  name: string | null
  address: string | null
}

async function findHolder(client: pg.ClientBase): Promise<LockHolder | undefined> {
  const { rows } = await runSql(
    client,
    `select l.pid as id, a.application_name as name, host(a.client_addr) as address
     from pg_locks l left join pg_stat_activity a on a.pid = l.pid
     where l.locktype = 'advisory' and l.granted and (l.classid::bigint << 32 | l.objid::bigint) = ${migrationLock}
       and l.database = (select oid from pg_database where datname = current_database())`,
  )
  return rows[0] as LockHolder | undefined
}

function describeHolder({ id, name, address }: LockHolder): string {
  return [`PostgreSQL pid ${id}`, name, address && `from ${address}`].filter(Boolean).join(', ')
}

function getTimeoutMessage(holder: LockHolder | undefined): string {
  const reason = 'Another process holds the upgrade lock of this database'
  if (!holder) return `${reason}. Start again later.`
  return `${reason} (${describeHolder(holder)}). If no other Keeper is starting or upgrading, end that session: select pg_terminate_backend(${holder.id})`
}
