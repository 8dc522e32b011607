import { isTimeZone } from '#contract/keepers/keeper-fields.ts'
import type { Services } from '#server/services.ts'

/** The time zone of a person's last written moment; UTC without any. For dates written without a browser. */
export async function getPersonTimezone({ db }: Services, personId: string): Promise<string> {
  const newestMoment = await db
    .selectFrom('keepers')
    .innerJoin('moments', (join) =>
      join.on('moments.id', '=', (subquery) =>
        subquery
          .selectFrom('moments as newest')
          .select('newest.id')
          .whereRef('newest.keeper_id', '=', 'keepers.id')
          .orderBy('newest.created_at', 'desc')
          .limit(1),
      ),
    )
    .select('moments.timezone')
    .where('keepers.owner_id', '=', personId)
    .orderBy('moments.created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  // The time zone was validated on a machine that may know other zones.
  return newestMoment && isTimeZone(newestMoment.timezone) ? newestMoment.timezone : 'UTC'
}
