import { isTimeZone } from '#contract/keepers/keeper-words.ts'
import type { Services } from '#server/services.ts'

/**
 * The time zone somebody lives in: that of the moment they wrote last, in whichever keeper; UTC while there is none. For
 * what is dated in their name without a browser that says where they are.
 */
export async function livedZone({ db }: Services, personId: string): Promise<string> {
  const newest = await db
    .selectFrom('keepers')
    .innerJoin('moments', (join) =>
      join.on('moments.id', '=', (inKeeper) =>
        inKeeper
          .selectFrom('moments as written')
          .select('written.id')
          .whereRef('written.keeper_id', '=', 'keepers.id')
          .orderBy('written.created_at', 'desc')
          .limit(1),
      ),
    )
    .select('moments.timezone')
    .where('keepers.owner_id', '=', personId)
    .orderBy('moments.created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  // Another machine, which wrote it, may know zones that this one does not.
  return newest && isTimeZone(newest.timezone) ? newest.timezone : 'UTC'
}
