import { ChevronDown, LayoutDashboard, LayoutPanelLeft, PanelRight, SquareStack } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { boardModes } from '#contract/boards/frame-types.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import type { useViewportClass } from '#web/ui/hooks/use-viewport-class.ts'
import { Menu, MenuChoice } from '#web/ui/overlays/menu.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { changeConfig } from '../document/board-document.ts'
import { useBoard, useBoardEditor } from '../document/use-board-editor.tsx'
import { ParticipantAvatars } from '../together/participants.tsx'
import { NameBox } from './board-row.tsx'
import { BarFrame } from './studio-frame.tsx'
import { untitledBoard } from './studio-texts.ts'
import { type StudioTab, ViewTabs } from './view-tabs.tsx'

interface BoardNameProps {
  /** A new board, whose name is selected for typing. */
  isUnnamed: boolean
  onNamed: () => void
}

interface TopBarProps extends BoardNameProps {
  viewportClass: ReturnType<typeof useViewportClass>
  tab: StudioTab
  onTab: (tab: StudioTab) => void
  isSettingsOpen: boolean
  onSettings: () => void
  /** Set if the list of boards isn't visible. */
  onShowBoards: (() => void) | undefined
  /** Set if the frame library isn't visible. */
  onLibrary: (() => void) | undefined
  /** Menus and Save. */
  actions: ReactNode
}

export function TopBar(props: TopBarProps) {
  const {
    isUnnamed,
    onNamed,
    viewportClass,
    tab,
    onTab,
    isSettingsOpen,
    onSettings,
    onShowBoards,
    onLibrary,
    actions,
  } = props
  const editor = useBoardEditor()
  const buttonStyle = viewportClass === 'phone' ? ({ size: 'small' } as const) : { outlined: true }
  return (
    <BarFrame
      name={
        <>
          {onShowBoards && (
            <IconButton label="Boards" size="small" className="-ms-1.5" onClick={onShowBoards}>
              <LayoutPanelLeft aria-hidden size={16} />
            </IconButton>
          )}
          <BoardName isUnnamed={isUnnamed} onNamed={onNamed} />
          {!editor.canEdit && <Badge tone="outlined">View only</Badge>}
        </>
      }
      picker={viewportClass !== 'phone' && <ModePicker />}
      tabs={<ViewTabs value={tab} onValueChange={onTab} className="phone:justify-between" />}
      trailing={
        <>
          <ParticipantAvatars />
          {onLibrary && (
            <IconButton label="Frame Library" {...buttonStyle} onClick={onLibrary}>
              <SquareStack aria-hidden size={16} />
            </IconButton>
          )}
          <IconButton label="Properties panel" {...buttonStyle} pressed={isSettingsOpen} onClick={onSettings}>
            <PanelRight aria-hidden size={16} />
          </IconButton>
          {actions}
        </>
      }
    />
  )
}

function BoardName({ isUnnamed, onNamed }: BoardNameProps) {
  const editor = useBoardEditor()
  const [isRenaming, setRenaming] = useState(isUnnamed)
  const name = useBoard(({ document }) => document.config.name) || untitledBoard
  const isDirty = useBoard((state) => state.isDirty)

  function endRenaming() {
    setRenaming(false)
    onNamed()
  }
  function rename(next: string) {
    endRenaming()
    const newName = next.trim() || untitledBoard
    if (newName !== name) editor.edit('Rename the board', changeConfig({ name: newName }))
  }

  if (isRenaming)
    return <NameBox value={name} label="Board name" onSubmit={rename} onCancel={endRenaming} className="max-w-64" />
  return (
    <>
      <h2 className="min-w-0 font-sans text-body font-semibold tracking-normal">
        {editor.canEdit ? (
          <button
            type="button"
            title="Rename"
            className="block max-w-full truncate rounded-xs text-start phone:min-h-10"
            onClick={() => setRenaming(true)}
          >
            {name}
          </button>
        ) : (
          <span dir="auto" className="block truncate">
            {name}
          </span>
        )}
      </h2>
      <span role="status" className="shrink-0">
        {isDirty && (
          <span title="Unsaved changes" className="block size-2 rounded-full bg-ribbon">
            <span className="sr-only">Unsaved changes</span>
          </span>
        )}
      </span>
    </>
  )
}

function ModePicker() {
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
