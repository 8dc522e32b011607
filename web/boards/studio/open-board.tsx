import { useQuery } from '@tanstack/react-query'
import type { BoardInList } from '#contract/boards/boards.ts'
import { ApiError } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorPanel } from '#web/ui/error-panel.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { boardQuery, isSampleBoard } from '../board-queries.ts'
import { BoardEditorProvider } from '../document/use-board-editor.tsx'
import { BoardRoomProvider } from '../together/use-board-room.tsx'
import { BarFrame } from './bar-frame.tsx'
import type { OpenedBoard } from './board-row.tsx'
import { UnlessClosed } from './closed-board.tsx'
import { StudioDesk } from './studio-desk.tsx'
import { framesIn, reasonOf } from './studio-words.ts'
import type { BoardDeeds } from './use-board-deeds.ts'

export interface OpenBoardProps {
  id: string
  /** The board's entry in the list, shown while the board loads or if it fails to. */
  listed: BoardInList | undefined
  deeds: BoardDeeds
  /** Set if the list of boards isn't visible. */
  onBoards: (() => void) | undefined
  onOpened: (opened: OpenedBoard | null) => void
}

export function OpenBoard({ id, listed, deeds, onBoards, onOpened }: OpenBoardProps) {
  const { data: board, error, isFetching, refetch } = useQuery(boardQuery(id))
  if (board) {
    const desk = (
      <UnlessClosed isGone={error !== null && isMissing(error)} deeds={deeds}>
        <StudioDesk deeds={deeds} onBoards={onBoards} onOpened={onOpened} />
      </UnlessClosed>
    )
    return (
      <BoardEditorProvider key={board.id} board={board}>
        {isSampleBoard(board.id) ? desk : <BoardRoomProvider>{desk}</BoardRoomProvider>}
      </BoardEditorProvider>
    )
  }
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <BarFrame
        name={<h2 className="truncate font-sans text-body font-semibold tracking-normal">{listed?.name ?? 'Board'}</h2>}
        end={
          <>
            {onBoards && (
              <Button size="small" onClick={onBoards}>
                Boards
              </Button>
            )}
            <Button variant="primary" size="small" className="h-8" disabled>
              Save
            </Button>
          </>
        }
      />
      <div className="min-h-0 flex-1 overflow-y-auto p-6">
        {error ? (
          <ErrorPanel
            title="Error Loading Board"
            retryLabel="Try Again"
            onRetry={() => void refetch()}
            retrying={isFetching}
            reason={error}
          >
            {isMissing(error) ? 'This board was deleted or isn’t shared with you.' : failedSentence(error)}
            {listed && ` It has ${framesIn(listed.frameCount)}, and nothing is lost.`}
          </ErrorPanel>
        ) : (
          <SkeletonGroup label="Loading the board" className="grid grid-cols-2 gap-6 phone:grid-cols-1">
            <Skeleton className="h-48 rounded-lg" />
            <Skeleton className="h-64 rounded-lg" />
            <Skeleton className="h-44 rounded-lg" />
          </SkeletonGroup>
        )}
      </div>
    </div>
  )
}

const isMissing = (reason: Error) => reason instanceof ApiError && reason.status === 404
const failedSentence = (reason: Error) => `Failed to load board: ${reasonOf(reason)}`
