import type { Repair } from '#contract/diagnostics/diagnostics.ts'
import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { countTables, findIntegrityProblems } from '#server/db/database-health.ts'
import { migrate } from '#server/db/migrate.ts'
import { migrations } from '#server/db/migrations/index.ts'
import type { Services } from '#server/services.ts'

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
