import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query'
import { type Board, type BoardInList, boards } from '#contract/boards/boards.ts'
import { call, Unreachable } from '#web/api.ts'
import { readAllPages } from '#web/api-pages.ts'

/** Everything below it is asked for again when `boards-changed` is heard. */
export const boardsKey = ['boards'] as const
const boardKey = (id: string) => [...boardsKey, 'one', id] as const

/** `samples`: the server is out of reach, and nothing was kept from earlier. */
export interface BoardList {
  from: 'server' | 'samples'
  boards: BoardInList[]
}

const samples = () => import('./samples/sample-boards.ts')
/** Sample ids never cause a request. */
export const isSample = (id: string) => id.startsWith('sample-board-')

export const boardListQuery = queryOptions({
  queryKey: [...boardsKey, 'list'],
  queryFn: async ({ signal }): Promise<BoardList> => {
    try {
      return { from: 'server', boards: await readAllPages<BoardInList>(boards.list, {}, signal) }
    } catch (reason) {
      if (!(reason instanceof Unreachable)) throw reason
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
      const sample = isSample(id) && (await samples()).findSampleBoard(id)
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
