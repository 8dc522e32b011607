import { constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import { sql } from 'kysely'
import { migrationState } from '#server/db/look-at-database.ts'
import { migrations } from '#server/db/migrations/index.ts'
import type { Services } from '#server/services.ts'

/** Below this a database or a backup cannot be counted on to be written. */
const leastFreeBytes = 64 * 1024 * 1024

export const shuttingDown = 'The server is shutting down.'

/** Why it is not ready; empty when it is. Anybody may read it, so no path, address or cause is in it; those go to the log. */
export async function readinessFailures(services: Services): Promise<string[]> {
  const reasons = await Promise.all([databaseReasons(services), folderReasons(services)])
  return reasons.flat()
}

async function databaseReasons({ db, log }: Services): Promise<string[]> {
  try {
    await db.selectFrom('people').select(sql<number>`1`.as('one')).limit(1).execute()
  } catch (error) {
    log.error({ err: error }, 'the database does not answer')
    return ['The database does not answer.']
  }
  try {
    const { pending } = await migrationState(db, migrations)
    return pending.length === 0 ? [] : [`Migrations of the database are pending: ${pending.length}.`]
  } catch (error) {
    log.error({ err: error }, 'the migrations of the database could not be read')
    return ['The migrations of the database cannot be read.']
  }
}

async function folderReasons({ settings, log }: Services): Promise<string[]> {
  try {
    await access(settings.dataDir, constants.W_OK)
    const { bavail, bsize } = await statfs(settings.dataDir)
    return bavail * bsize < leastFreeBytes ? ['The disk of the data folder is full.'] : []
  } catch (error) {
    log.error({ err: error }, 'the data folder cannot be written')
    return ['The data folder cannot be written.']
  }
}
