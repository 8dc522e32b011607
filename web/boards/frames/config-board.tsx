import { useQuery } from '@tanstack/react-query'
import type { BoardConfig, BoardTheme } from '#contract/boards/boards.ts'
import { Switch } from '#web/ui/controls/switch.tsx'
import { changeConfig } from '../document/board-document.ts'
import { useBoard, useBoardEditor, useOptionalBoardEditor } from '../document/use-board-editor.tsx'
import { BoardFields, ColorField } from '../studio/settings-panel.tsx'
import { frameBoardQuery } from './entity-queries.ts'
import { FrameDetailList } from './frame-parts.tsx'
import { FrameQuery } from './frame-query.tsx'

export function BoardSettings() {
  const editor = useBoardEditor()
  const allowLayoutEditing = useBoard(({ document }) => document.config.allowLayoutEditing)
  return (
    <div className="flex flex-col gap-3">
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(12.5rem,100%),1fr))] gap-3">
        <BoardFields showsMode rows={2} />
      </div>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(7rem,100%),1fr))] gap-2">
        <ColorField name="primaryColor" label="Primary color" />
        <ColorField name="backgroundColor" label="Background color" />
        <ColorField name="accentColor" label="Accent color" />
        <ColorField name="borderColor" label="Border color" />
      </div>
      <Switch
        label="Allow layout editing"
        help="When off, frames can’t be moved or reordered."
        checked={allowLayoutEditing}
        onCheckedChange={(isAllowed) =>
          editor.edit('Change layout editing', changeConfig({ allowLayoutEditing: isAllowed }))
        }
      />
    </div>
  )
}

export function BoardDetails({ boardId }: { boardId: string }) {
  const openEditor = useOptionalBoardEditor()
  const query = useQuery({ ...frameBoardQuery(boardId), enabled: openEditor === null })
  if (openEditor) return <OpenBoardDetails />
  return (
    <FrameQuery query={query} entityName="board">
      {(board) => <BoardDetailList config={board.config} />}
    </FrameQuery>
  )
}

function OpenBoardDetails() {
  return <BoardDetailList config={useBoard(({ document }) => document.config)} />
}

function BoardDetailList({ config: { name, description, engagementMode, layout, theme } }: { config: BoardConfig }) {
  return (
    <FrameDetailList
      details={[
        ['Name', name],
        ...(description ? ([['Description', description]] as const) : []),
        ['Engagement mode', engagementMode],
        ['Layout', layout],
        ['Colors', <ThemeColors key="colors" theme={theme} />],
      ]}
    />
  )
}

function ThemeColors({ theme }: { theme: BoardTheme }) {
  return (
    <span className="mt-1 flex flex-wrap gap-1.5">
      {Object.entries(theme).map(([part, color]) => (
        <span
          key={part}
          title={`${part.replace('Color', '')} ${color}`}
          className="size-6 rounded-sm border border-border"
          style={{ backgroundColor: color }}
        >
          <span className="sr-only">{`${part.replace('Color', '')} ${color}`}</span>
        </span>
      ))}
    </span>
  )
}
