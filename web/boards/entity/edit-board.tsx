import { useQueryClient } from '@tanstack/react-query'
import { LayoutPanelLeft, Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { maxFrames } from '#contract/boards/boards.ts'
import { type FrameType, frameTypes, toBoardEntity } from '#contract/boards/frame-types.ts'
import { findFreePositions } from '#contract/boards/free-positions.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { MessageDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { Menu, MenuItem } from '#web/ui/overlays/menu.tsx'
import { lazyComponent } from '#web/ui/panels/lazy-component.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { activeDropStage } from '../canvas/library-drag.ts'
import { addFrames, buildFrame, getFrameBox } from '../document/board-document.ts'
import { useBoard, useBoardEditor, useSaveBoard } from '../document/use-board-editor.tsx'
import { FrameIcon } from '../frames/frame-icons.tsx'
import { SaveButton, StudioBars } from '../studio/studio-bars.tsx'
import { ParticipantAvatars } from '../together/participants.tsx'
import { entityBoardQuery } from './entity-board.tsx'

const BoardCanvas = lazyComponent(
  async () => (await import('../canvas/board-canvas.tsx')).BoardCanvas,
  <Skeleton className="m-6 h-48 rounded-lg" />,
)

interface EditBoardProps extends AddFrameMenuProps {
  /** View only, regardless of edit rights. */
  readOnly?: boolean
}

export function EditBoard({ types, getFrameDefaults, readOnly = false }: EditBoardProps) {
  const editor = useBoardEditor()
  const boardId = useBoard(({ board }) => board.id)
  const isDirty = useBoard((state) => state.isDirty)
  const canEdit = !readOnly && editor.canEdit
  useCacheSavedBoard()

  const boardSaving = useSaveBoard({ canEdit, handlesSaveKey: canEdit })

  return (
    <section aria-label="Board" className="min-w-0">
      {!readOnly && (
        <div data-chrome className="mb-3 flex flex-wrap items-center gap-2 phone:*:grow">
          <AddFrameMenu types={types} getFrameDefaults={getFrameDefaults} />
          <span
            role="status"
            className="text-small text-muted-foreground phone:order-last phone:basis-full phone:empty:hidden"
          >
            {isDirty && 'Unsaved changes'}
          </span>
          <span className="ms-auto flex flex-wrap items-center gap-2 phone:contents phone:*:grow">
            <ParticipantAvatars />
            <LinkButton
              to={`/studio/board-studio?board=${encodeURIComponent(boardId)}`}
              icon={<LayoutPanelLeft aria-hidden size={15} className="phone:hidden" />}
            >
              <span>
                <span className="phone:sr-only">Open in </span>Board Studio
              </span>
            </LinkButton>
            <SaveButton save={boardSaving.save} canEdit={canEdit} />
          </span>
        </div>
      )}
      <div className="flex h-[68dvh] min-h-[420px] flex-col phone:h-[54dvh] overflow-hidden rounded-lg border border-border">
        <StudioBars {...boardSaving} />
        <div className="relative min-h-0 flex-1">
          <BoardCanvas readOnly={!canEdit} embedded />
        </div>
      </div>
    </section>
  )
}

/** Caches the saved board, so that returning to the page shows it immediately. */
function useCacheSavedBoard() {
  const queryClient = useQueryClient()
  const board = useBoard((state) => state.board)
  useEffect(() => {
    const entity = toBoardEntity(board.entityType)
    if (!entity || board.entityId === null) return
    queryClient.setQueryData(entityBoardQuery(entity, board.entityId).queryKey, (cachedBoard) =>
      cachedBoard && cachedBoard.id === board.id && cachedBoard.rev < board.rev ? board : cachedBoard,
    )
  }, [queryClient, board])
}

interface AddFrameMenuProps {
  types: readonly FrameType[]
  /** Entity and content of a new frame. */
  getFrameDefaults: (type: FrameType) => { entityType: string; entityId: string; content?: Record<string, unknown> }
}

export function AddFrameMenu({ types, getFrameDefaults }: AddFrameMenuProps) {
  const editor = useBoardEditor()
  const [hasFailed, setHasFailed] = useState(false)
  const isFull = useBoard(({ document }) => document.frames.length >= maxFrames)

  function add(type: FrameType) {
    const { document } = editor.getSnapshot()
    const canvas = activeDropStage.getSnapshot()
    const position =
      canvas?.findSpot(type) ?? findFreePositions(document.frames.map(getFrameBox), [frameTypes[type].size])[0]
    if (!position) return setHasFailed(true)
    const frame = buildFrame(type, { position, ...getFrameDefaults(type) })
    editor.edit(`Add ${frame.data.name}`, addFrames([frame]))
    editor.select([frame.id])
    canvas?.scrollIntoView(frame)
  }

  return (
    <>
      <Menu
        trigger={
          <Button icon={<Plus aria-hidden size={15} />} disabled={isFull || !editor.canEdit}>
            Add Frame
          </Button>
        }
        align="start"
      >
        {types.map((type) => (
          <MenuItem key={type} icon={<FrameIcon name={frameTypes[type].icon} />} onSelect={() => add(type)}>
            <span className="block">{frameTypes[type].name}</span>
            <span className="block text-small text-muted-foreground">{frameTypes[type].description}</span>
          </MenuItem>
        ))}
      </Menu>
      <MessageDialog open={hasFailed} onOpenChange={setHasFailed} message="Failed to add frame to board">
        There’s no free space left on this board. Move a frame away from the edge and try again.
      </MessageDialog>
    </>
  )
}
