import type { Database } from '#server/db/database.ts'

/** Sessions that count at `now` (ms), with their people: not expired, and the account neither deactivated nor over. */
export function livingSessions(db: Database, now: number) {
  return (
    db
      .selectFrom('sessions')
      .innerJoin('people', 'people.id', 'sessions.person_id')
      .where('sessions.expires_at', '>', now)
      .where('people.deactivated_at', 'is', null)
      // Its time is over, though the sweep that takes it may not have come yet.
      .where((where) => where.or([where('people.deletes_at', 'is', null), where('people.deletes_at', '>', now)]))
  )
}
