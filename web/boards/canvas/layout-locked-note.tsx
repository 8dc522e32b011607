import { Button } from '#web/ui/controls/button.tsx'
import { changeConfig } from '../document/board-document.ts'
import { useBoardEditor } from '../document/use-board-editor.tsx'

export function LayoutLockedNote() {
  const editor = useBoardEditor()
  return (
    <p
      data-fixed-note
      className="absolute top-3 left-3 z-10 flex items-center gap-1 rounded-md border border-border bg-popover py-px pr-px pl-3 text-small text-muted-foreground phone:top-7"
    >
      The layout is locked.
      <Button
        size="small"
        variant="plain"
        onClick={() => editor.edit('Allow layout editing', changeConfig({ allowLayoutEditing: true }))}
      >
        Allow layout editing
      </Button>
    </p>
  )
}
