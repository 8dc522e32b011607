import { type SqlBool, sql } from 'kysely'
import type { Services } from '#server/services.ts'
import { dayMs } from '#server/values/time-units.ts'

const idleLifetimeMs = 30 * dayMs

type SessionTimes = { created_at: number; age_counted_from: number | null }

/** End of a session used at `now` (ms): after 30 idle days or at its maximum age, whichever is first. */
export function getSessionEnd({ settings }: Pick<Services, 'settings'>, times: SessionTimes, now: number): number {
  const { sessionDays } = settings
  const idleEnd = now + idleLifetimeMs
  return sessionDays === 0
    ? idleEnd
    : Math.min(idleEnd, (times.age_counted_from ?? times.created_at) + sessionDays * dayMs)
}

/** SQL condition: not expired at `now` (ms), even if the maximum age was shortened since. */
export function whereSessionActive({ settings }: Pick<Services, 'settings'>, now: number) {
  const unexpired = sql<SqlBool>`sessions.expires_at > ${now}`
  const { sessionDays } = settings
  if (sessionDays === 0) return unexpired
  const ageStart = sql`coalesce(sessions.age_counted_from, sessions.created_at)`
  return sql<SqlBool>`(${unexpired} and ${ageStart} > ${now - sessionDays * dayMs})`
}

export function selectActiveSessions({ db, settings }: Pick<Services, 'db' | 'settings'>, now: number) {
  return (
    db
      .selectFrom('sessions')
      .innerJoin('people', 'people.id', 'sessions.person_id')
      .where(whereSessionActive({ settings }, now))
      .where('people.deactivated_at', 'is', null)
      // The account is over even if the sweep hasn't deleted it yet.
      .where((where) => where.or([where('people.deletes_at', 'is', null), where('people.deletes_at', '>', now)]))
  )
}
