import { useQuery } from '@tanstack/react-query'
import type { BoardInList } from '#contract/boards/boards.ts'
import { ApiError } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { boardQuery, isSampleBoard } from '../board-queries.ts'
import { BoardEditorProvider } from '../document/use-board-editor.tsx'
import { BoardSessionProvider } from '../together/use-board-session.tsx'
import { BarFrame } from './bar-frame.tsx'
import type { OpenedBoard } from './board-row.tsx'
import { ClosedBoardGuard } from './closed-board.tsx'
import { StudioDesk } from './studio-desk.tsx'
import { getBoardErrorText, pluralizeFrames } from './studio-texts.ts'
import type { BoardActions } from './use-board-actions.ts'

export interface OpenBoardProps {
  id: string
  /** The board's entry in the list, shown while the board loads or if it fails to. */
  listEntry: BoardInList | undefined
  actions: BoardActions
  /** Set if the list of boards isn't visible. */
  onBoards: (() => void) | undefined
  onOpened: (opened: OpenedBoard | null) => void
}

export function OpenBoard({ id, listEntry, actions, onBoards, onOpened }: OpenBoardProps) {
  const { data: board, error, isFetching, refetch } = useQuery(boardQuery(id))
  if (board) {
    const studioDesk = (
      <ClosedBoardGuard isNotFound={error !== null && isNotFoundError(error)} actions={actions}>
        <StudioDesk actions={actions} onBoards={onBoards} onOpened={onOpened} />
      </ClosedBoardGuard>
    )
    return (
      <BoardEditorProvider key={board.id} board={board}>
        {isSampleBoard(board.id) ? studioDesk : <BoardSessionProvider>{studioDesk}</BoardSessionProvider>}
      </BoardEditorProvider>
    )
  }
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <BarFrame
        name={
          <h2 className="truncate font-sans text-body font-semibold tracking-normal">{listEntry?.name ?? 'Board'}</h2>
        }
        trailing={
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
            {isNotFoundError(error) ? 'This board was deleted or isn’t shared with you.' : getLoadFailureText(error)}
            {listEntry &&
              !isNotFoundError(error) &&
              ` Nothing is lost: the board has ${pluralizeFrames(listEntry.frameCount)}.`}
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

const isNotFoundError = (reason: Error) => reason instanceof ApiError && reason.status === 404
const getLoadFailureText = (reason: Error) => `Failed to load board: ${getBoardErrorText(reason)}`
