import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Write } from '#server/db/database.ts'
import { dayMs } from '#server/hours-and-days.ts'
import type { Services } from '#server/services.ts'

/** At most `limit` attempts in `windowMs`. Counted in the database, so several processes share it. */
export interface Throttle {
  kind: string
  limit: number
  windowMs: number
  /** Counted separately per value, such as an address; `forgettingTries` clears all of a subject. */
  apart?: string
}

/** Hashed, so that the table isn't a list of visitors; the subject comes first to keep its rows together. */
function bucketOf(throttle: Throttle, subject: string): string {
  const apart = throttle.apart === undefined ? '' : `.${hashOf(throttle.apart)}`
  return `${hashOf(subject)}:${throttle.kind}${apart}`
}

function hashOf(subject: string): string {
  return createHash('sha256').update(subject).digest('base64url').slice(0, 22)
}

/** Write that clears all counts of a subject. */
export function forgettingTries(subject: string): Write {
  const hash = hashOf(subject)
  // `;` follows `:` in ASCII, so this range covers every bucket starting with the hash and a colon.
  return sql`delete from throttle_windows where bucket >= ${`${hash}:`} and bucket < ${`${hash};`}`
}

/** Counts one or several attempts; returns whether they are within the limit, or the seconds to wait. */
export async function countTry(
  services: Services,
  throttle: Throttle,
  subject: string,
  times = 1,
): Promise<{ count: number; within: boolean; waitSeconds: number }> {
  const now = services.now().getTime()
  const start = now - (now % throttle.windowMs)
  const row = await services.db
    .insertInto('throttle_windows')
    .values({ bucket: bucketOf(throttle, subject), window_start: start, count: times })
    .onConflict((conflict) =>
      conflict.columns(['bucket', 'window_start']).doUpdateSet({ count: sql`throttle_windows.count + ${times}` }),
    )
    .returning('count')
    .executeTakeFirstOrThrow()
  return {
    count: row.count,
    within: row.count <= throttle.limit,
    waitSeconds: (start + throttle.windowMs - now) / 1000,
  }
}

/** Attempts in the current window, without counting one. */
export async function triesSoFar(
  services: Services,
  throttle: Throttle,
  subject: string,
): Promise<{ count: number; waitSeconds: number }> {
  const now = services.now().getTime()
  const start = now - (now % throttle.windowMs)
  const row = await services.db
    .selectFrom('throttle_windows')
    .select('count')
    .where('bucket', '=', bucketOf(throttle, subject))
    .where('window_start', '=', start)
    .executeTakeFirst()
  return { count: row?.count ?? 0, waitSeconds: (start + throttle.windowMs - now) / 1000 }
}

/** Deletes windows older than the longest throttle plus a day. */
export async function sweepThrottle(services: Services): Promise<void> {
  await services.db
    .deleteFrom('throttle_windows')
    .where('window_start', '<', services.now().getTime() - 8 * dayMs)
    .execute()
}
