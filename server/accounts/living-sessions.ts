import { type SqlBool, sql } from 'kysely'
import { dayMs } from '#server/hours-and-days.ts'
import type { Services } from '#server/services.ts'

const idleLifetime = 30 * dayMs

type SessionTimes = { created_at: number; age_counted_from: number | null }

/** End of a session used at `now` (ms): after 30 idle days or at its maximum age, whichever is first. */
export function sessionEnd({ settings }: Pick<Services, 'settings'>, times: SessionTimes, now: number): number {
  const { sessionDays } = settings
  const idle = now + idleLifetime
  return sessionDays === 0 ? idle : Math.min(idle, (times.age_counted_from ?? times.created_at) + sessionDays * dayMs)
}

/** SQL condition: not expired at `now` (ms), even if the maximum age was shortened since. */
export function isSessionLiving({ settings }: Pick<Services, 'settings'>, now: number) {
  const unexpired = sql<SqlBool>`sessions.expires_at > ${now}`
  const { sessionDays } = settings
  if (sessionDays === 0) return unexpired
  const ageFrom = sql`coalesce(sessions.age_counted_from, sessions.created_at)`
  return sql<SqlBool>`(${unexpired} and ${ageFrom} > ${now - sessionDays * dayMs})`
}

export function livingSessions({ db, settings }: Pick<Services, 'db' | 'settings'>, now: number) {
  return (
    db
      .selectFrom('sessions')
      .innerJoin('people', 'people.id', 'sessions.person_id')
      .where(isSessionLiving({ settings }, now))
      .where('people.deactivated_at', 'is', null)
      // The account is over even if the sweep hasn't deleted it yet.
      .where((where) => where.or([where('people.deletes_at', 'is', null), where('people.deletes_at', '>', now)]))
  )
}
