import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query'
import { type Board, type BoardInList, boards } from '#contract/boards/boards.ts'
import { ApiError, call, NetworkError, UnreadableResponse } from '#web/api/api.ts'
import { readAllPages } from '#web/api/api-pages.ts'

/** Prefix of all queries that a `boards-changed` event invalidates. */
export const boardsKey = ['boards'] as const
const boardKey = (id: string) => [...boardsKey, 'one', id] as const

/** `samples`: the server is unreachable or failing, and nothing is cached. */
export interface BoardList {
  source: 'server' | 'samples'
  boards: BoardInList[]
}

const reconnectIntervalMs = 10_000

const importSamples = () => import('#contract/samples/sample-boards.ts')
/** No response, or one that says nothing about boards. */
const isServerFailure = (reason: unknown) =>
  reason instanceof NetworkError ||
  reason instanceof UnreadableResponse ||
  (reason instanceof ApiError && reason.status >= 500)
/** Sample boards never cause a request. */
export const isSampleBoard = (id: string) => id.startsWith('sample-board-')

export const boardListQuery = queryOptions({
  queryKey: [...boardsKey, 'list'],
  queryFn: async ({ signal, client, queryKey }): Promise<BoardList> => {
    try {
      return { source: 'server', boards: await readAllPages<BoardInList>(boards.list, {}, signal) }
    } catch (reason) {
      const cachedList = client.getQueryData<BoardList>(queryKey)
      // A cached list is better than samples.
      if (!isServerFailure(reason) || cachedList?.source === 'server') throw reason
      if (!cachedList && !(reason instanceof NetworkError)) console.error('Failed to load boards', reason)
      return { source: 'samples', boards: (await importSamples()).sampleBoardList }
    }
  },
  // Poll until the server is back.
  refetchInterval: ({ state }) => (state.data?.source === 'samples' ? reconnectIntervalMs : false),
})

export const boardQuery = (id: string) =>
  queryOptions({
    queryKey: boardKey(id),
    queryFn: async ({ signal }): Promise<Board> => {
      const sample = isSampleBoard(id) && (await importSamples()).findSampleBoard(id)
      return sample || call(boards.show, { params: { id }, signal })
    },
  })

export function cacheBoard(queryClient: QueryClient, board: Board): void {
  queryClient.setQueryData(boardKey(board.id), board)
  const { config: _config, frames: _frames, ...inList } = board
  queryClient.setQueryData(boardListQuery.queryKey, (list) => {
    if (list?.source !== 'server') return list
    const otherBoards = list.boards.filter(({ id }) => id !== board.id)
    return { ...list, boards: [inList, ...otherBoards] }
  })
  void queryClient.invalidateQueries({ queryKey: boardListQuery.queryKey })
}

export function useInvalidateBoards(): () => Promise<void> {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: boardsKey })
}
