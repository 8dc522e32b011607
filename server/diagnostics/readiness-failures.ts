import { constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import { sql } from 'kysely'
import { getMigrationState } from '#server/db/database-health.ts'
import { migrations } from '#server/db/migrations/index.ts'
import { apiHeaders } from '#server/http/security-headers.ts'
import type { Services } from '#server/services.ts'

const minFreeBytes = 64 * 1024 * 1024

const refusalReasons = { 'shutting-down': 'The server is shutting down.', restoring: 'A backup is being restored.' }

/** Reasons the server isn't ready; empty if it is. Public, so paths, addresses and causes only go to the log. */
export async function listReadinessFailures(services: Services): Promise<string[]> {
  const reasons = await Promise.all([checkDatabase(services), checkDataFolder(services)])
  return reasons.flat()
}

async function checkDatabase({ db, log }: Services): Promise<string[]> {
  try {
    await db.selectFrom('people').select(sql<number>`1`.as('one')).limit(1).execute()
    if ((await db.engineDriver.checkWritable?.()) === false) {
      log.error('the database is read-only')
      return ['The database can’t be written.']
    }
  } catch (error) {
    log.error(describeFailure(error), 'the database isn’t responding')
    return ['The database isn’t responding.']
  }
  try {
    const { pending } = await getMigrationState(db, migrations)
    return pending.length === 0 ? [] : [`Pending database migrations: ${pending.length}.`]
  } catch (error) {
    log.error(describeFailure(error), 'the database migrations could not be read')
    return ['The database migrations can’t be read.']
  }
}

async function checkDataFolder({ settings, log }: Services): Promise<string[]> {
  try {
    await access(settings.dataDir, constants.W_OK)
    const { bavail, bsize } = await statfs(settings.dataDir)
    return bavail * bsize < minFreeBytes ? ['The disk of the data folder is full.'] : []
  } catch (error) {
    log.error(describeFailure(error), 'the data folder isn’t writable')
    return ['The data folder isn’t writable.']
  }
}

/** Probes repeat every few seconds, so a stack each time would hide everything else. */
function describeFailure(error: unknown): { reason: string; code?: string } {
  const { message, cause } = error as Error
  const { code } = (cause ?? error) as NodeJS.ErrnoException
  return { reason: message, ...(code !== undefined && { code }) }
}

export function answerWhileStopping(request: Request, period: keyof typeof refusalReasons): Response | null {
  const isHealthRequest = request.method === 'GET' && new URL(request.url).pathname === '/health'
  if (!isHealthRequest) return null
  return new Response(JSON.stringify({ status: 'unavailable', reasons: [refusalReasons[period]] }), {
    status: 503,
    headers: { ...apiHeaders, 'retry-after': '5' },
  })
}
