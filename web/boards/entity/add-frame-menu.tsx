import { Plus } from 'lucide-react'
import { useState } from 'react'
import { maxFrames } from '#contract/boards/boards.ts'
import { type FrameType, frameTypes } from '#contract/boards/frame-types.ts'
import { findFreePositions } from '#contract/boards/free-positions.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Menu, MenuItem } from '#web/ui/overlays/menu.tsx'
import { MessageDialog } from '#web/ui/overlays/message-dialog.tsx'
import { activeDropStage } from '../canvas/library-drag.ts'
import { addFrames, buildFrame, getFrameBox } from '../document/board-document.ts'
import { useBoard, useBoardEditor } from '../document/use-board-editor.tsx'
import { FrameIcon } from '../frames/frame-icons.tsx'

export interface AddFrameMenuProps {
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
            <span className="block font-mono text-code text-muted-foreground">{type}</span>
          </MenuItem>
        ))}
      </Menu>
      <MessageDialog open={hasFailed} onOpenChange={setHasFailed} message="Failed to add frame to board">
        There’s no free space left on this board. Move a frame away from the edge and try again.
      </MessageDialog>
    </>
  )
}
