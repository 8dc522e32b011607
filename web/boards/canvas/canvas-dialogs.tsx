import {
  type BoardEntity,
  type FrameType,
  frameTypes,
  getFrameLibrary,
  toBoardEntity,
} from '#contract/boards/frame-types.ts'
import { MessageDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { lazyComponent } from '#web/ui/panels/lazy-component.tsx'
import type { Point, Size } from '../document/board-document.ts'
import { useBoard } from '../document/use-board-editor.tsx'
import { FrameIcon } from '../frames/frame-icons.tsx'
import { useCanvas } from './canvas-context.ts'

const FrameSettingsDialog = lazyComponent(async () => (await import('../frames/frame-settings-dialog.tsx')).default)

export type OpenDialog =
  | { kind: 'settings'; id: string }
  | { kind: 'not-added'; reason: string }
  /** Chooses the type for a drawn box; without a position it goes to the center of the view. */
  | { kind: 'pick'; position?: Point; size?: Size }

export function CanvasDialogs({ dialog, onClose }: { dialog: OpenDialog | undefined; onClose: () => void }) {
  const { actions } = useCanvas()
  const entityType = useBoard(({ board }) => board.entityType)
  if (!dialog) return null
  if (dialog.kind === 'settings') return <FrameSettingsDialog frameId={dialog.id} onClose={onClose} />
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
        actions.add(frameType, { position, size })
      }}
      onClose={onClose}
    />
  )
}

interface PickFrameDialogProps {
  entity: BoardEntity | null
  onPick: (frameType: FrameType) => void
  onClose: () => void
}

function PickFrameDialog({ entity, onPick, onClose }: PickFrameDialogProps) {
  return (
    <Dialog open onOpenChange={onClose} title="What goes here?">
      <ul className="grid grid-cols-2 gap-1.5 phone:grid-cols-1">
        {getFrameLibrary(entity).map((type) => {
          const { name, description, icon } = frameTypes[type]
          return (
            <li key={type}>
              <button
                type="button"
                onClick={() => onPick(type)}
                className="flex w-full items-center gap-2.5 rounded-md border border-border bg-card px-3 py-2 text-start hover:bg-muted"
              >
                <FrameIcon name={icon} size={16} />
                <span className="min-w-0">
                  <span dir="auto" className="block truncate text-ui font-semibold">
                    {name}
                  </span>
                  <span className="block truncate text-small text-muted-foreground">{description}</span>
                </span>
              </button>
            </li>
          )
        })}
      </ul>
    </Dialog>
  )
}
