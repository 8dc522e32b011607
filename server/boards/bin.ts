import { sql } from 'kysely'
import type { Board, boards } from '#contract/boards/boards.ts'
import type { Answer } from '#contract/endpoint.ts'
import { keptInBinMs } from '#contract/keepers/entries.ts'
import type { Person } from '#server/accounts/person.ts'
import { UniqueViolation } from '#server/db/database-errors.ts'
import { type Order, placeIn, readPage } from '#server/http/pages.ts'
import { Problem } from '#server/http/problem.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { boardNotFound, requireBoardTo } from './board-access.ts'
import { boardView } from './board-view.ts'
import { readersOf, tellBoardsChanged } from './tell-boards.ts'

type Owner = Pick<Person, 'id'>

/** @throws Problem 404; 403 for people the board is shared with */
export async function removeBoard(services: Services, person: Owner, id: string): Promise<null> {
  const { board } = await requireBoardTo(services, person, id, 'owner')
  const readers = await readersOf(services, board)
  await services.db
    .updateTable('boards')
    .set({ deleted_at: services.now().getTime() })
    .where('id', '=', id)
    .where('owner_id', '=', person.id)
    .where('deleted_at', 'is', null)
    .execute()
  for (const reader of readers) services.live.tell(reader, { type: 'boards-changed', boardId: id })
  return null
}

const newestFirst: Order = [
  [sql.ref('deleted_at'), 'desc'],
  [sql.ref('id'), 'asc'],
]

/** @throws Problem 400 for an invalid cursor */
export async function listBin(
  { db, now }: Services,
  person: Owner,
  cursor?: string,
): Promise<Reply<Answer<typeof boards.bin>>> {
  const all = db
    .selectFrom('boards')
    .select(['id', 'name', 'frame_count', 'deleted_at'])
    .where('owner_id', '=', person.id)
    .where('deleted_at', '>', now().getTime() - keptInBinMs)
  const { rows, next_cursor } = await readPage(all, {
    order: newestFirst,
    after: placeIn(cursor, [0, '']),
    placeOf: ({ deleted_at, id }) => [deleted_at ?? 0, id],
  })
  const binned = rows.map(({ id, name, frame_count, deleted_at }) => ({
    id,
    name,
    frameCount: frame_count,
    deletedAt: new Date(deleted_at ?? 0).toISOString(),
    goneAt: new Date((deleted_at ?? 0) + keptInBinMs).toISOString(),
  }))
  return new Reply(binned, { extra: { next_cursor } })
}

/** Idempotent; shares are kept. @throws Problem 404 for an unknown or purged board, 409 if its entity has another board */
export async function restoreBoard(services: Services, person: Owner, id: string): Promise<Board> {
  const { db, now } = services
  const board = await db
    .selectFrom('boards')
    .selectAll()
    .where('id', '=', id)
    .where('owner_id', '=', person.id)
    .where((where) =>
      where.or([where('deleted_at', 'is', null), where('deleted_at', '>', now().getTime() - keptInBinMs)]),
    )
    .executeTakeFirst()
  if (!board) throw boardNotFound()
  if (board.deleted_at !== null) {
    try {
      const { numUpdatedRows } = await db
        .updateTable('boards')
        .set({ deleted_at: null })
        .where('id', '=', id)
        .where('owner_id', '=', person.id)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) throw boardNotFound()
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error
      throw new Problem('conflict', {
        message: 'There’s already a newer board for this. Delete that one first, then restore this one.',
        cause: error,
      })
    }
    await tellBoardsChanged(services, board)
  }
  return boardView(services, person, await requireBoardTo(services, person, id, 'owner'))
}
