import { queryOptions } from '@tanstack/react-query'
import { type Board, boards } from '#contract/boards/boards.ts'
import type { BoardEntity } from '#contract/boards/frame-types.ts'
import { call } from '#web/api.ts'
import { boardsKey } from '../board-queries.ts'
import { demoIds } from '../samples/demo-ids.ts'

/** The reader’s board of an entity, made when it is first opened; of a demo entity the sample, without a call. */
export const entityBoardQuery = (entityType: BoardEntity, entityId: string) =>
  queryOptions({
    queryKey: [...boardsKey, 'of', entityType, entityId],
    queryFn: async ({ signal }): Promise<Board> =>
      entityId === demoIds[entityType]
        ? (await import('../samples/sample-boards.ts')).sampleBoardOf(entityType)
        : call(boards.ofEntity, { body: { entityType, entityId }, signal }),
    // The sample is there without a network too.
    networkMode: entityId === demoIds[entityType] ? 'always' : 'online',
  })
