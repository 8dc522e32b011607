import { lazy, Suspense } from 'react'
import { type BoardEntity, boardEntities } from '#contract/boards/frame-types.ts'
import { MessageDialog } from '#web/ui/overlays/message-dialog.tsx'
import type { Point, Size } from '../document/board-document.ts'
import { useBoard } from '../document/use-board-editor.tsx'
import { useCanvas } from './canvas-context.ts'
import { PickFrameDialog } from './pick-frame-dialog.tsx'

const FrameSettingsDialog = lazy(() =>
  import('../frames/frame-settings-dialog.tsx').then((module) => ({ default: module.FrameSettingsDialog })),
)

export type OpenDialog =
  | { kind: 'settings'; id: string }
  | { kind: 'not-added'; reason: string }
  /** Chooses the type for a drawn box; without a position it goes to the center of the view. */
  | { kind: 'pick'; position?: Point; size?: Size }

export function CanvasDialogs({ dialog, onClose }: { dialog: OpenDialog | undefined; onClose: () => void }) {
  const { actions } = useCanvas()
  const entityType = useBoard(({ board }) => board.entityType)
  if (!dialog) return null
  if (dialog.kind === 'settings') {
    return (
      <Suspense fallback={null}>
        <FrameSettingsDialog frameId={dialog.id} onClose={onClose} />
      </Suspense>
    )
  }
  if (dialog.kind === 'not-added') {
    return (
      <MessageDialog open onOpenChange={onClose} message="Failed to add frame to board">
        {dialog.reason}
      </MessageDialog>
    )
  }
  const { position, size } = dialog
  return (
    <PickFrameDialog
      entity={toBoardEntity(entityType)}
      onPick={(frameType) => {
        onClose()
        actions.add(frameType, { ...(position && { position }), ...(size && { size }) })
      }}
      onClose={onClose}
    />
  )
}

function toBoardEntity(entityType: string | null): BoardEntity | null {
  return boardEntities.find((entity) => entity === entityType) ?? null
}
