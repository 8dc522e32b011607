import { sql } from 'kysely'
import type { Board, boards } from '#contract/boards/boards.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import { trashRetentionMs } from '#contract/keepers/entries.ts'
import type { Person } from '#server/accounts/person.ts'
import { UniqueViolation } from '#server/db/database-errors.ts'
import { type PageOrder, parseCursor, readPage } from '#server/http/pages.ts'
import { Problem } from '#server/http/problem.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import {
  createBoardNotFoundProblem,
  listReaderIds,
  publishBoardsChanged,
  publishToReaders,
  requireBoardRight,
} from './board-access.ts'
import { showBoard } from './board-view.ts'

type BoardOwner = Pick<Person, 'id'>

/** @throws Problem 404; 403 for people the board is shared with */
export async function removeBoard(services: Services, person: BoardOwner, id: string): Promise<null> {
  const { board } = await requireBoardRight(services, person, id, 'owner')
  const readerIds = await listReaderIds(services, board)
  await services.db
    .updateTable('boards')
    .set({ deleted_at: services.now().getTime() })
    .where('id', '=', id)
    .where('owner_id', '=', person.id)
    .where('deleted_at', 'is', null)
    .execute()
  publishToReaders(services, readerIds, { type: 'boards-changed', boardId: id })
  return null
}

const newestDeletedFirst: PageOrder = [
  [sql.ref('deleted_at'), 'desc'],
  [sql.ref('id'), 'asc'],
]

/** @throws Problem 400 for an invalid cursor */
export async function listTrashedBoards(
  { db, now }: Services,
  person: BoardOwner,
  cursor?: string,
): Promise<Reply<EndpointOutput<typeof boards.trash>>> {
  const query = db
    .selectFrom('boards')
    .select(['id', 'name', 'frame_count', 'deleted_at'])
    .where('owner_id', '=', person.id)
    .where('deleted_at', '>', now().getTime() - trashRetentionMs)
  const { rows, next_cursor } = await readPage(query, {
    order: newestDeletedFirst,
    after: parseCursor(cursor, ['number', 'string']),
    getPosition: ({ deleted_at, id }) => [deleted_at ?? 0, id],
  })
  const trashedBoards = rows.map(({ id, name, frame_count, deleted_at }) => ({
    id,
    name,
    frameCount: frame_count,
    deletedAt: new Date(deleted_at ?? 0).toISOString(),
    goneAt: new Date((deleted_at ?? 0) + trashRetentionMs).toISOString(),
  }))
  return new Reply(trashedBoards, { extra: { next_cursor } })
}

/** Idempotent; shares are kept. @throws Problem 404 for an unknown or purged board, 409 if its entity has another board */
export async function restoreBoard(services: Services, person: BoardOwner, id: string): Promise<Board> {
  const { db, now } = services
  const board = await db
    .selectFrom('boards')
    .selectAll()
    .where('id', '=', id)
    .where('owner_id', '=', person.id)
    .where((where) =>
      where.or([where('deleted_at', 'is', null), where('deleted_at', '>', now().getTime() - trashRetentionMs)]),
    )
    .executeTakeFirst()
  if (!board) throw createBoardNotFoundProblem()
  if (board.deleted_at !== null) {
    try {
      const { numUpdatedRows } = await db
        .updateTable('boards')
        .set({ deleted_at: null })
        .where('id', '=', id)
        .where('owner_id', '=', person.id)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) throw createBoardNotFoundProblem()
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error
      throw new Problem('conflict', {
        message: 'A newer board already exists for this item. Delete the newer board first, then restore this one.',
        cause: error,
      })
    }
    await publishBoardsChanged(services, board)
  }
  return showBoard(services, person, id)
}

const batchSize = 50

export async function sweepBoards({ db, now }: Services): Promise<number> {
  const cutoff = now().getTime() - trashRetentionMs
  let sweptCount = 0
  for (;;) {
    const rows = await db.selectFrom('boards').select('id').where('deleted_at', '<=', cutoff).limit(batchSize).execute()
    if (rows.length === 0) return sweptCount
    const ids = rows.map(({ id }) => id)
    await db.deleteFrom('boards').where('id', 'in', ids).where('deleted_at', '<=', cutoff).execute()
    sweptCount += rows.length
  }
}
