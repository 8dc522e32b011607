import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { dayMs } from '#server/values/time-units.ts'
import { Problem } from './problem.ts'

export interface Throttle {
  kind: string
  limit: number
  windowMs: number
  /** Counted separately per value, such as an address; `deleteAttempts` clears all of a subject. */
  subKey?: string
}

/** Hashes the subject, so that the table doesn't reveal visitors. The subject comes first to keep its rows together. */
function toBucket(throttle: Throttle, subject: string): string {
  const suffix = throttle.subKey === undefined ? '' : `.${hashSubject(throttle.subKey)}`
  return `${hashSubject(subject)}:${throttle.kind}${suffix}`
}

function hashSubject(subject: string): string {
  return hash('sha256', subject, 'base64url').slice(0, 22)
}

export function deleteAttempts(subject: string): Write {
  const subjectHash = hashSubject(subject)
  // `;` follows `:` in ASCII, so this range covers every bucket starting with the hash and a colon.
  return sql`delete from throttle_windows where bucket >= ${`${subjectHash}:`} and bucket < ${`${subjectHash};`}`
}

export async function countAttempts(
  services: Services,
  throttle: Throttle,
  subject: string,
  attempts = 1,
): Promise<{ count: number; isWithinLimit: boolean; waitSeconds: number }> {
  const now = services.now().getTime()
  const windowStart = now - (now % throttle.windowMs)
  const row = await services.db
    .insertInto('throttle_windows')
    .values({ bucket: toBucket(throttle, subject), window_start: windowStart, count: attempts })
    .onConflict((conflict) =>
      conflict.columns(['bucket', 'window_start']).doUpdateSet({ count: sql`throttle_windows.count + ${attempts}` }),
    )
    .returning('count')
    .executeTakeFirstOrThrow()
  return {
    count: row.count,
    isWithinLimit: row.count <= throttle.limit,
    waitSeconds: (windowStart + throttle.windowMs - now) / 1000,
  }
}

/** Counts an attempt. @throws Problem `too-many` beyond the limit */
export async function requireAttempt(
  services: Services,
  throttle: Throttle,
  subject: string,
  message?: string | ((waitSeconds: number) => string),
): Promise<void> {
  const { isWithinLimit, waitSeconds } = await countAttempts(services, throttle, subject)
  if (isWithinLimit) return
  const text = typeof message === 'function' ? message(waitSeconds) : message
  throw new Problem('too-many', { ...(text !== undefined && { message: text }), retryAfterSeconds: waitSeconds })
}

export async function readAttempts(
  services: Services,
  throttle: Throttle,
  subject: string,
): Promise<{ count: number; waitSeconds: number }> {
  const now = services.now().getTime()
  const windowStart = now - (now % throttle.windowMs)
  const row = await services.db
    .selectFrom('throttle_windows')
    .select('count')
    .where('bucket', '=', toBucket(throttle, subject))
    .where('window_start', '=', windowStart)
    .executeTakeFirst()
  return { count: row?.count ?? 0, waitSeconds: (windowStart + throttle.windowMs - now) / 1000 }
}

export async function sweepThrottle(services: Services): Promise<void> {
  await services.db
    .deleteFrom('throttle_windows')
    .where('window_start', '<', services.now().getTime() - 8 * dayMs)
    .execute()
}
