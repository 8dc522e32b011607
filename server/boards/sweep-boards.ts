import { keptInBinMs } from '#contract/keepers/entries.ts'
import type { Services } from '#server/services.ts'

/** So many boards in one write: others write too. */
const atOnce = 50

/**
 * Removes for good the boards that have lain in the bin for 30 days, with their frames, versions and pictures. The bytes
 * follow with the sweep of media. Answers how many boards went.
 */
export async function sweepBoards({ db, now }: Services): Promise<number> {
  const before = now().getTime() - keptInBinMs
  for (let swept = 0; ; ) {
    const rows = await db.selectFrom('boards').select('id').where('deleted_at', '<=', before).limit(atOnce).execute()
    if (rows.length === 0) return swept
    const ids = rows.map(({ id }) => id)
    await db.deleteFrom('boards').where('id', 'in', ids).where('deleted_at', '<=', before).execute()
    swept += rows.length
  }
}
