import { type SqlBool, sql } from 'kysely'
import { dayMs } from '#server/hours-and-days.ts'
import type { Services } from '#server/services.ts'

/** How long a session goes on without being used. */
const idleLifetime = 30 * dayMs

type SessionTimes = { created_at: number; age_counted_from: number | null }

/** When a session that is used at `now` (ms) ends: after 30 days without use, and at its maximum age at the latest. */
export function sessionEnd({ settings }: Pick<Services, 'settings'>, times: SessionTimes, now: number): number {
  const { sessionDays } = settings
  const idle = now + idleLifetime
  return sessionDays === 0 ? idle : Math.min(idle, (times.age_counted_from ?? times.created_at) + sessionDays * dayMs)
}

/** Condition: not expired at `now` (ms), also where the maximum age was made shorter since its end was written. */
export function isSessionLiving({ settings }: Pick<Services, 'settings'>, now: number) {
  const unexpired = sql<SqlBool>`sessions.expires_at > ${now}`
  const { sessionDays } = settings
  if (sessionDays === 0) return unexpired
  const ageFrom = sql`coalesce(sessions.age_counted_from, sessions.created_at)`
  return sql<SqlBool>`(${unexpired} and ${ageFrom} > ${now - sessionDays * dayMs})`
}

/** Sessions that count at `now` (ms), with their people: not expired, and the account neither deactivated nor over. */
export function livingSessions({ db, settings }: Pick<Services, 'db' | 'settings'>, now: number) {
  return (
    db
      .selectFrom('sessions')
      .innerJoin('people', 'people.id', 'sessions.person_id')
      .where(isSessionLiving({ settings }, now))
      .where('people.deactivated_at', 'is', null)
      // Its time is over, though the sweep that takes it may not have come yet.
      .where((where) => where.or([where('people.deletes_at', 'is', null), where('people.deletes_at', '>', now)]))
  )
}
