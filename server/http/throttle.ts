import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Write } from '#server/db/database.ts'
import { dayMs } from '#server/hours-and-days.ts'
import type { Services } from '#server/services.ts'

/** At most `limit` tries of one kind in `windowMs` milliseconds. Counted in the database, so several processes share it. */
export interface Throttle {
  kind: string
  limit: number
  windowMs: number
  /** Each of these is counted apart, such as an address. `forgettingTries` of the subject forgets them all. */
  apart?: string
}

/**
 * Addresses and e-mails are hashed: a table of counts must not become a list of who came. The subject first, so that all
 * of one lie side by side in the primary key.
 */
function bucketOf(throttle: Throttle, subject: string): string {
  const apart = throttle.apart === undefined ? '' : `.${hashOf(throttle.apart)}`
  return `${hashOf(subject)}:${throttle.kind}${apart}`
}

function hashOf(subject: string): string {
  return createHash('sha256').update(subject).digest('base64url').slice(0, 22)
}

/** The write that forgets every count of a subject, of whatever kind. */
export function forgettingTries(subject: string): Write {
  const hash = hashOf(subject)
  // The sign behind the colon: up to there begins whatever begins with the subject and a colon.
  return sql`delete from throttle_windows where bucket >= ${`${hash}:`} and bucket < ${`${hash};`}`
}

/** Counts a try, or several at once, and says whether it was within the limit, and if not, for how many seconds to wait. */
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

/** How many tries stand in the present window, without counting one. */
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

/** Windows older than the longest and a day count for nothing any more. */
export async function sweepThrottle(services: Services): Promise<void> {
  await services.db
    .deleteFrom('throttle_windows')
    .where('window_start', '<', services.now().getTime() - 8 * dayMs)
    .execute()
}
