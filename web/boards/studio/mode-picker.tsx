import { ChevronDown, LayoutDashboard } from 'lucide-react'
import { boardModes } from '#contract/boards/frame-types.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Menu, MenuChoice } from '#web/ui/overlays/menu.tsx'
import { changeConfig } from '../document/board-document.ts'
import { useBoard, useBoardEditor } from '../document/use-board-editor.tsx'

export function ModePicker({ className }: { className?: string }) {
  const editor = useBoardEditor()
  const mode = useBoard(({ document }) => document.config.engagementMode)
  return (
    <Menu
      align="start"
      trigger={
        <Button
          size="small"
          aria-label={`Engagement mode: ${mode}`}
          title="Engagement mode"
          disabled={!editor.canEdit}
          icon={<LayoutDashboard aria-hidden size={13} />}
          {...(className && { className })}
        >
          <span className="flex items-center gap-1.5">
            {mode}
            <ChevronDown aria-hidden size={13} />
          </span>
        </Button>
      }
    >
      {boardModes.map((modeOption) => (
        <MenuChoice
          key={modeOption}
          checked={modeOption === mode}
          onCheckedChange={() =>
            editor.edit('Change the engagement mode', changeConfig({ engagementMode: modeOption }))
          }
        >
          {modeOption}
        </MenuChoice>
      ))}
    </Menu>
  )
}
