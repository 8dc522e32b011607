import { trashRetentionMs } from '#contract/keepers/entries.ts'
import type { Services } from '#server/services.ts'

const batchSize = 50

export async function sweepBoards({ db, now }: Services): Promise<number> {
  const cutoff = now().getTime() - trashRetentionMs
  for (let swept = 0; ; ) {
    const rows = await db.selectFrom('boards').select('id').where('deleted_at', '<=', cutoff).limit(batchSize).execute()
    if (rows.length === 0) return swept
    const ids = rows.map(({ id }) => id)
    await db.deleteFrom('boards').where('id', 'in', ids).where('deleted_at', '<=', cutoff).execute()
    swept += rows.length
  }
}
