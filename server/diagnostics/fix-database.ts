import type { Repair } from '#contract/diagnostics/diagnostics.ts'
import type { Person } from '#server/accounts/person.ts'
import { auditing } from '#server/audit/write-audit.ts'
import { integrityProblems, tableCount } from '#server/db/look-at-database.ts'
import { migrate } from '#server/db/migrate.ts'
import { migrations } from '#server/db/migrations/index.ts'
import type { Services } from '#server/services.ts'

/** May be pressed at any time: where nothing is to be done it says so. Two at once do each thing once. */
export async function fixDatabase(services: Services, person: Person): Promise<Repair> {
  const { db, log } = services
  const actions: string[] = []
  const errors: string[] = []
  let applied: string[] = []
  try {
    const outcome = await migrate(db, migrations, { dataDir: services.settings.dataDir, now: services.now })
    applied = outcome.applied
    if (outcome.backup) actions.push('A backup was taken first, into the folder of backups.')
    actions.push(
      ...(applied.length > 0 ? applied.map((name) => `Applied the migration ${name}.`) : ['No migration was pending.']),
    )
  } catch (error) {
    log.error({ err: error }, 'the database could not be brought up to date')
    // Of a migration that fails only what the engine says of its statements, which hold no values.
    errors.push(isTold(error) ? error.message : 'The migrations could not be applied. The log of the server says why.')
  }
  try {
    const [problems, tables] = await Promise.all([integrityProblems(db, 'thorough'), tableCount(db)])
    if (problems.length === 0) actions.push(`Looked through ${tables} tables: all of them are whole.`)
    else log.error({ problems }, 'the database is damaged')
    errors.push(...problems.map((problem) => `${problem}. Restore a backup: docs/operating.md says how.`))
  } catch (error) {
    log.error({ err: error }, 'the database could not be looked through')
    errors.push('The tables could not be looked through. The log of the server says why.')
  }
  const details = { applied: applied.join(', ') || 'none', errors: String(errors.length) }
  await db.batch([auditing(services, { action: 'database-repaired', actor: person, details })])
  return { actions: actions.map((message) => ({ message })), errors: errors.map((error) => ({ error })) }
}

function isTold(error: unknown): error is Error {
  return error instanceof Error && (error.name === 'MigrationRefused' || error.message.startsWith('Migration '))
}
