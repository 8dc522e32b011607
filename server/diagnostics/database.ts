import type { DatabaseState, Repair } from '#contract/diagnostics/diagnostics.ts'
import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import type { Database } from '#server/db/database.ts'
import { countTables, findIntegrityProblems, getMigrationState } from '#server/db/database-health.ts'
import { migrate } from '#server/db/migrate.ts'
import { migrations } from '#server/db/migrations/index.ts'
import { requireAttempt } from '#server/http/throttle.ts'
import type { Services } from '#server/services.ts'

const checkThrottle = { kind: 'database-look', limit: 20, windowMs: 60_000 }

/** Anyone signed in can see this, so it contains no path or address. */
export async function showDatabase(services: Services, person: Person): Promise<DatabaseState> {
  const { db, log } = services
  const startedAt = performance.now()
  await requireAttempt(services, checkThrottle, person.id, 'The database was checked too often. Wait a minute.')
  const [{ applied, pending }, tables, problems] = await Promise.all([
    getMigrationState(db, migrations),
    countTables(db),
    checkIntegrity(db),
  ])
  if (problems.length > 0) log.error({ problems }, 'the database is damaged')
  return {
    engine: db.engine,
    reachable: true,
    migrations: { applied: applied.length, pending },
    tables,
    integrity: problems.length === 0 ? 'ok' : 'damaged',
    ms: Math.round(performance.now() - startedAt),
  }
}

const runningChecks = new WeakMap<Database, Promise<string[]>>()

function checkIntegrity(db: Database): Promise<string[]> {
  const runningCheck = runningChecks.get(db)
  if (runningCheck) return runningCheck
  const check = findIntegrityProblems(db, 'quick').finally(() => runningChecks.delete(db))
  runningChecks.set(db, check)
  return check
}

export async function fixDatabase(services: Services, person: Person): Promise<Repair> {
  const { db, log } = services
  const actions: string[] = []
  const errors: string[] = []
  let applied: string[] = []
  try {
    const outcome = await migrate(db, migrations, { dataDir: services.settings.dataDir, now: services.now })
    applied = outcome.applied
    if (outcome.backup) actions.push('A backup was saved to the backups folder first.')
    actions.push(
      ...(applied.length > 0 ? applied.map((name) => `Applied the migration ${name}.`) : ['No migration was pending.']),
    )
  } catch (error) {
    log.error({ err: error }, 'the database could not be migrated')
    // Only errors about statements are reported, which contain no values.
    errors.push(isReportable(error) ? error.message : 'The migrations failed. See the server’s log for the reason.')
  }
  try {
    const [problems, tables] = await Promise.all([findIntegrityProblems(db, 'thorough'), countTables(db)])
    if (problems.length === 0) actions.push(`Checked ${tables} tables: no damage found.`)
    else log.error({ problems }, 'the database is damaged')
    errors.push(...problems.map((problem) => `${problem}. Restore a backup as described in docs/operating.md.`))
  } catch (error) {
    log.error({ err: error }, 'the database could not be checked')
    errors.push('The tables could not be checked. See the server’s log for the reason.')
  }
  const details = { applied: applied.join(', ') || 'none', errors: String(errors.length) }
  await db.batch([insertAudit(services, { action: 'database-repaired', actor: person, details })])
  return { actions: actions.map((message) => ({ message })), errors: errors.map((error) => ({ error })) }
}

function isReportable(error: unknown): error is Error {
  return error instanceof Error && (error.name === 'MigrationRefused' || error.message.startsWith('Migration '))
}

const roundTripThrottle = { kind: 'uuid-test', limit: 30, windowMs: 60_000 }

export async function testRoundTrip(
  services: Services,
  person: Person,
  { testUUID, testString }: { testUUID: string; testString: string },
): Promise<{ testUUID: string; testString: string; ms: number }> {
  await requireAttempt(services, roundTripThrottle, person.id, 'Too many attempts in a short time. Wait a minute.')
  const { db } = services
  const startedAt = performance.now()
  const prefix = `uuid-test:${services.newId()}:`
  const row = { bucket: prefix + testUUID + testString, window_start: services.now().getTime(), count: 0 }
  const [, removed] = await db.batch([
    db.insertInto('throttle_windows').values(row),
    db.deleteFrom('throttle_windows').where('bucket', '=', row.bucket).returning('bucket'),
  ])
  const [removedRow] = (removed?.rows ?? []) as { bucket: string }[]
  const value = removedRow?.bucket.slice(prefix.length)
  if (value === undefined) throw new Error('the written value was not found')
  return {
    testUUID: value.slice(0, testUUID.length),
    testString: value.slice(testUUID.length),
    ms: Math.round(performance.now() - startedAt),
  }
}
