import { binRetentionMs } from '#contract/keepers/entries.ts'
import type { Services } from '#server/services.ts'

/** Boards per write, so that other writes get their turn. */
const batchSize = 50

/** Purges boards after 30 days in the trash and returns their number. The media sweep deletes the bytes later. */
export async function sweepBoards({ db, now }: Services): Promise<number> {
  const cutoff = now().getTime() - binRetentionMs
  for (let swept = 0; ; ) {
    const rows = await db.selectFrom('boards').select('id').where('deleted_at', '<=', cutoff).limit(batchSize).execute()
    if (rows.length === 0) return swept
    const ids = rows.map(({ id }) => id)
    await db.deleteFrom('boards').where('id', 'in', ids).where('deleted_at', '<=', cutoff).execute()
    swept += rows.length
  }
}
