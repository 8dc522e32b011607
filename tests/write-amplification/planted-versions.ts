import { listFrames } from '#server/boards/board-view.ts'
import { toBoardState } from '#server/boards/write-board.ts'
import { json } from '#server/db/database.ts'
import type { TestApp } from '#tests/test-app.ts'

/** Planted defect: stores the newest version of each board as a complete snapshot. */
export async function plantCompleteSnapshots({ services }: TestApp): Promise<void> {
  const { db } = services
  for (const board of await db.selectFrom('boards').selectAll().where('rev', '>', 1).execute()) {
    const { config, frames } = toBoardState(board, await listFrames(services, board.id))
    await db
      .updateTable('board_versions')
      .set({ snapshot: json({ config, frames } as never) })
      .where('board_id', '=', board.id)
      .where('rev', '=', board.rev - 1)
      .execute()
  }
}
