import { useQueryClient } from '@tanstack/react-query'
import { LayoutPanelLeft } from 'lucide-react'
import { lazy, Suspense, useEffect } from 'react'
import { boardEntities } from '#contract/boards/frame-types.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { useBoard, useBoardEditor } from '../document/use-board-editor.tsx'
import { useSaveBoard } from '../document/use-save-board.ts'
import { StudioBars } from '../studio/studio-bars.tsx'
import { ParticipantAvatars } from '../together/participant-avatars.tsx'
import { AddFrameMenu, type AddFrameMenuProps } from './add-frame-menu.tsx'
import { entityBoardQuery } from './entity-board-query.ts'

const BoardCanvas = lazy(() => import('../canvas/board-canvas.tsx').then((module) => ({ default: module.BoardCanvas })))
const BoardConflictDialog = lazy(() => import('../studio/board-conflict-dialog.tsx'))

export interface EditBoardProps extends AddFrameMenuProps {
  /** View only, regardless of edit rights. */
  readOnly?: boolean
}

export function EditBoard({ types, getFrameDefaults, readOnly = false }: EditBoardProps) {
  const editor = useBoardEditor()
  const boardId = useBoard(({ board }) => board.id)
  const dirty = useBoard((state) => state.dirty)
  const saving = useBoard((state) => state.saving)
  const conflict = useBoard((state) => state.conflict)
  const canEdit = !readOnly && editor.canEdit
  useCacheSavedBoard()

  const { save, reviewing, setReviewing } = useSaveBoard({ canEdit, handlesSaveKey: canEdit })

  return (
    <section aria-label="Board" className="min-w-0">
      {!readOnly && (
        <div data-chrome className="mb-3 flex flex-wrap items-center gap-2">
          <AddFrameMenu types={types} getFrameDefaults={getFrameDefaults} />
          <span role="status" className="text-small text-muted-foreground">
            {dirty && 'Unsaved changes'}
          </span>
          <span className="ms-auto flex flex-wrap items-center gap-2">
            <ParticipantAvatars />
            <LinkButton
              to={`/studio/board-studio?board=${encodeURIComponent(boardId)}`}
              icon={<LayoutPanelLeft aria-hidden size={15} />}
            >
              Open in Board Studio
            </LinkButton>
            <Button
              variant="primary"
              busy={saving}
              busyLabel="Saving..."
              disabled={!canEdit}
              aria-keyshortcuts="Control+S Meta+S"
              onClick={() => void save()}
            >
              Save
            </Button>
          </span>
        </div>
      )}
      <div className="flex h-[68dvh] min-h-[420px] flex-col overflow-hidden rounded-lg border border-border">
        <StudioBars onSave={() => void save()} onReview={() => setReviewing(true)} />
        <div className="relative min-h-0 flex-1">
          <Suspense fallback={<Skeleton className="m-6 h-48 rounded-lg" />}>
            <BoardCanvas readOnly={!canEdit} />
          </Suspense>
        </div>
      </div>
      {reviewing && conflict && (
        <Suspense fallback={null}>
          <BoardConflictDialog conflict={conflict} onClose={() => setReviewing(false)} onResolved={save} />
        </Suspense>
      )}
    </section>
  )
}

/** Caches the saved board, so that returning to the page shows it immediately. */
function useCacheSavedBoard() {
  const queryClient = useQueryClient()
  const board = useBoard((state) => state.board)
  useEffect(() => {
    const entity = boardEntities.find((boardEntity) => boardEntity === board.entityType)
    if (!entity || board.entityId === null) return
    queryClient.setQueryData(entityBoardQuery(entity, board.entityId).queryKey, (cachedBoard) =>
      cachedBoard && cachedBoard.id === board.id && cachedBoard.rev < board.rev ? board : cachedBoard,
    )
  }, [queryClient, board])
}
