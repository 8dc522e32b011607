import { Trash2 } from 'lucide-react'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { removeFrames } from '../document/board-document.ts'
import { useBoard, useBoardEditor } from '../document/use-board-editor.tsx'
import { FrameIcon } from '../frames/frame-icons.tsx'

export function FrameList({ readOnly }: { readOnly: boolean }) {
  const editor = useBoardEditor()
  const frames = useBoard(({ document }) => document.frames)
  if (frames.length === 0) return <p className="text-ui text-muted-foreground">No frames on this board yet.</p>
  return (
    <ul aria-label="Frames" className="border-t border-hairline">
      {frames.map(({ id, data }) => (
        <li key={id} className="flex items-center gap-2.5 border-b border-hairline py-2 text-ui">
          <FrameIcon name={data.icon} />
          <span className="min-w-0 flex-1 truncate font-medium">{data.name}</span>
          <span className="font-mono text-code text-muted-foreground">{data.frameType}</span>
          {!readOnly && (
            <IconButton
              label={`Remove ${data.name}`}
              size="small"
              onClick={() => editor.edit(`Delete ${data.name}`, removeFrames(new Set([id])))}
            >
              <Trash2 aria-hidden size={15} />
            </IconButton>
          )}
        </li>
      ))}
    </ul>
  )
}
