import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query'
import { type Board, type BoardInList, boards } from '#contract/boards/boards.ts'
import { ApiError, call, Unreachable, Unreadable } from '#web/api.ts'
import { readAllPages } from '#web/api-pages.ts'

/** Everything below it is asked for again when `boards-changed` is heard. */
export const boardsKey = ['boards'] as const
const boardKey = (id: string) => [...boardsKey, 'one', id] as const

/** `samples`: the server is out of reach or fails, and nothing was kept from earlier. */
export interface BoardList {
  from: 'server' | 'samples'
  boards: BoardInList[]
}

const samples = () => import('./samples/sample-boards.ts')
/** No answer, or none that says anything of these boards. */
const isNoAnswer = (reason: unknown) =>
  reason instanceof Unreachable || reason instanceof Unreadable || (reason instanceof ApiError && reason.status >= 500)
/** Sample ids never cause a request. */
export const isSampleBoard = (id: string) => id.startsWith('sample-board-')

export const boardListQuery = queryOptions({
  queryKey: [...boardsKey, 'list'],
  queryFn: async ({ signal, client, queryKey }): Promise<BoardList> => {
    try {
      return { from: 'server', boards: await readAllPages<BoardInList>(boards.list, {}, signal) }
    } catch (reason) {
      const known = client.getQueryData<BoardList>(queryKey)
      // A list that is here already is better than samples.
      if (!isNoAnswer(reason) || known?.from === 'server') throw reason
      if (!known && !(reason instanceof Unreachable)) console.error('Failed to load boards', reason)
      return { from: 'samples', boards: (await samples()).sampleBoardList }
    }
  },
  // Samples are for as long as there is no server.
  refetchInterval: ({ state }) => (state.data?.from === 'samples' ? 10_000 : false),
})

export const boardQuery = (id: string) =>
  queryOptions({
    queryKey: boardKey(id),
    queryFn: async ({ signal }): Promise<Board> => {
      const sample = isSampleBoard(id) && (await samples()).findSampleBoard(id)
      return sample || call(boards.show, { params: { id }, signal })
    },
  })

/** The board as a deed of one's own answered it: shown at once, and in the list as soon as it is asked again. */
export function takeBoard(queries: QueryClient, board: Board): void {
  queries.setQueryData(boardKey(board.id), board)
  const { config: _config, frames: _frames, ...inList } = board
  queries.setQueryData(boardListQuery.queryKey, (list) => {
    if (list?.from !== 'server') return list
    const others = list.boards.filter(({ id }) => id !== board.id)
    return { ...list, boards: [inList, ...others] }
  })
  void queries.invalidateQueries({ queryKey: boardListQuery.queryKey })
}

/** After something other than one board changed: the list, the bin, templates. */
export function useBoardsChanged(): () => Promise<void> {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: boardsKey })
}
