import { Button } from '#web/ui/button.tsx'
import { changeConfig } from '../document/board-document.ts'
import { useBoardEditor } from '../document/use-board-editor.tsx'

/** Why frames do not move on a board that is changed otherwise. */
export function FixedNote() {
  const editor = useBoardEditor()
  return (
    <p
      data-fixed-note
      className="absolute top-2 left-3 z-10 flex items-center gap-2 text-small text-muted-foreground phone:left-2"
    >
      The layout is fixed: frames stay where they are.
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
