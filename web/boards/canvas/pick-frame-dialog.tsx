import { type BoardEntity, type FrameType, frameTypes, getFrameLibrary } from '#contract/boards/frame-types.ts'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { FrameIcon } from '../frames/frame-icons.tsx'

interface PickFrameDialogProps {
  entity: BoardEntity | null
  onPick: (frameType: FrameType) => void
  onClose: () => void
}

export function PickFrameDialog({ entity, onPick, onClose }: PickFrameDialogProps) {
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
                  <span className="block truncate text-ui font-semibold">{name}</span>
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
