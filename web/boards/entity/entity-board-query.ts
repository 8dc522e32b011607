import { queryOptions } from '@tanstack/react-query'
import { type Board, boards } from '#contract/boards/boards.ts'
import type { BoardEntity } from '#contract/boards/frame-types.ts'
import { demoIds } from '#contract/samples/demo-ids.ts'
import { ApiError, call } from '#web/api/api.ts'
import { boardsKey } from '../board-queries.ts'

/** Created on first open but not on refetch, so that a deleted board stays deleted ({@link isDeleted}). */
export const entityBoardQuery = (entityType: BoardEntity, entityId: string) =>
  queryOptions({
    queryKey: [...boardsKey, 'of', entityType, entityId],
    async queryFn({ signal, client, queryKey }): Promise<Board> {
      if (entityId === demoIds[entityType])
        return (await import('#contract/samples/sample-boards.ts')).getSampleBoard(entityType)
      const cachedBoard = client.getQueryData<Board>(queryKey)
      if (cachedBoard) return call(boards.show, { params: { id: cachedBoard.id }, signal })
      return call(boards.ofEntity, { body: { entityType, entityId }, signal })
    },
    // The sample also works offline.
    networkMode: entityId === demoIds[entityType] ? 'always' : 'online',
  })

export const isDeleted = ({ data, error }: { data: Board | undefined; error: unknown }): boolean =>
  data !== undefined && error instanceof ApiError && error.status === 404
