import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import type { BoardInList } from '#contract/boards/boards.ts'
import { boards } from '#contract/boards/boards.ts'
import { truncate } from '#contract/truncate.ts'
import { ApiError, call } from '#web/api/api.ts'
import { createClientId } from '#web/offline/create-client-id.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { boardQuery, isSampleBoard } from '../board-queries.ts'
import { toBoardBody } from '../document/board-body.ts'
import { withoutPictures } from '../document/board-document.ts'
import { BoardEditorProvider, useBoard } from '../document/use-board-editor.tsx'
import { BoardSessionProvider, useBoardSessionState } from '../together/use-board-session.tsx'
import { BarFrame } from './bar-frame.tsx'
import type { OpenedBoard } from './board-row.tsx'
import { StudioDesk } from './studio-desk.tsx'
import { getBoardErrorText, newBoard, pluralizeFrames } from './studio-texts.ts'
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

interface ClosedBoardProps {
  /** The server answered 404: deleted, or no longer shared. */
  isNotFound: boolean
  actions: BoardActions
  children: ReactNode
}

/** Hides a board that was unshared or deleted while open; unsaved changes can be saved as a new board. */
export function ClosedBoardGuard({ isNotFound, actions, children }: ClosedBoardProps) {
  const { closed } = useBoardSessionState()
  const board = useBoard((state) => state.board)
  const document = useBoard((state) => state.document)
  const dirty = useBoard((state) => state.dirty)
  const [busy, setBusy] = useState(false)
  const [failureText, setFailureText] = useState<string>()
  // The same id on a retry, so that no second board is created.
  const id = useRef(createClientId())
  if (!isNotFound && !closed) return children

  async function saveAsOwn() {
    setBusy(true)
    setFailureText(undefined)
    try {
      const createdBoard = await call(boards.create, { body: { id: id.current, ...newBoard } })
      const { config, frames } = toBoardBody(withoutPictures(document), board)
      const body = { config: { ...config, name: `${truncate(config.name, 115)} copy` }, frames }
      actions.showBoard(await call(boards.save, { params: { id: createdBoard.id }, body, ifMatch: createdBoard.rev }))
    } catch (reason) {
      setFailureText(getBoardErrorText(reason))
      setBusy(false)
    }
  }
  const hasPictures = document.frames.some(({ data }) => data.content.mediaId)
  return (
    <div className="min-h-0 flex-1 overflow-y-auto p-6">
      {failureText && (
        <Banner tone="error" className="mb-4">
          Failed to create board: {failureText}
        </Banner>
      )}
      <EmptyPanel
        title="This board is no longer shared with you"
        action={
          dirty && (
            <Button variant="primary" busy={busy} onClick={() => void saveAsOwn()}>
              Save as my own board
            </Button>
          )
        }
      >
        {dirty
          ? `The board was unshared or deleted. Your unsaved changes are still in this browser.${hasPictures ? ' Pictures aren’t included.' : ''}`
          : 'The board was unshared or deleted. Its owner still has what you saved.'}
      </EmptyPanel>
    </div>
  )
}
