import { keptInBinMs } from '#contract/keepers/entries.ts'
import type { Services } from '#server/services.ts'

/** Boards per write, so that other writes get their turn. */
const atOnce = 50

/** Purges boards after 30 days in the trash and returns their number. The media sweep deletes the bytes later. */
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
