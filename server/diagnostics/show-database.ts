import type { DatabaseState } from '#contract/diagnostics/diagnostics.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Database } from '#server/db/database.ts'
import { countTables, findIntegrityProblems, getMigrationState } from '#server/db/database-health.ts'
import { migrations } from '#server/db/migrations/index.ts'
import { Problem } from '#server/http/problem.ts'
import { countAttempts } from '#server/http/throttle.ts'
import type { Services } from '#server/services.ts'

const databaseCheckThrottle = { kind: 'database-look', limit: 20, windowMs: 60_000 }

/** Anyone signed in can see this, so it contains no path or address. */
export async function showDatabase(services: Services, person: Person): Promise<DatabaseState> {
  const { db, log } = services
  const startedAt = performance.now()
  const { isWithinLimit, waitSeconds } = await countAttempts(services, databaseCheckThrottle, person.id)
  if (!isWithinLimit) {
    throw new Problem('too-many', {
      message: 'The database was checked too often. Wait a minute.',
      retryAfterSeconds: waitSeconds,
    })
  }
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
  const running = runningChecks.get(db)
  if (running) return running
  const check = findIntegrityProblems(db, 'quick').finally(() => runningChecks.delete(db))
  runningChecks.set(db, check)
  return check
}
