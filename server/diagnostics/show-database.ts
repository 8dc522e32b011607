import type { DatabaseState } from '#contract/diagnostics/diagnostics.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Database } from '#server/db/database.ts'
import { integrityProblems, migrationState, tableCount } from '#server/db/look-at-database.ts'
import { migrations } from '#server/db/migrations/index.ts'
import { Problem } from '#server/http/problem.ts'
import { countTry } from '#server/http/throttle.ts'
import type { Services } from '#server/services.ts'

const looks = { kind: 'database-look', limit: 20, windowMs: 60_000 }

/** Anyone signed in can see this, so it contains no path or address. */
export async function showDatabase(services: Services, person: Person): Promise<DatabaseState> {
  const { db, log } = services
  const started = performance.now()
  const { within, waitSeconds } = await countTry(services, looks, person.id)
  if (!within) {
    throw new Problem('too-many', {
      message: 'The database was checked too often. Wait a minute.',
      retryAfterSeconds: waitSeconds,
    })
  }
  const [{ applied, pending }, tables, problems] = await Promise.all([
    migrationState(db, migrations),
    tableCount(db),
    wholeness(db),
  ])
  if (problems.length > 0) log.error({ problems }, 'the database is damaged')
  return {
    engine: db.engine,
    reachable: true,
    migrations: { applied: applied.length, pending },
    tables,
    integrity: problems.length === 0 ? 'ok' : 'damaged',
    ms: Math.round(performance.now() - started),
  }
}

const underWay = new WeakMap<Database, Promise<string[]>>()

/** Reads the whole file, so concurrent requests share one check. */
function wholeness(db: Database): Promise<string[]> {
  const present = underWay.get(db)
  if (present) return present
  const look = integrityProblems(db, 'quick').finally(() => underWay.delete(db))
  underWay.set(db, look)
  return look
}
