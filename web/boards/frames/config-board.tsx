import { useQuery } from '@tanstack/react-query'
import type { BoardConfig } from '#contract/boards/boards.ts'
import { boardModes, engagementPatterns } from '#contract/boards/frame-types.ts'
import { Switch } from '#web/ui/controls/switch.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { changeConfig } from '../document/board-document.ts'
import { useBoard, useBoardEditor, useOptionalBoardEditor } from '../document/use-board-editor.tsx'
import { ColorField } from '../studio/colour-field.tsx'
import { frameBoardQuery } from './entity-queries.ts'
import { FrameQuery } from './frame-query.tsx'

/** Edits the open board directly; changes are undoable and saved with the board. */
export function BoardSettings() {
  const editor = useBoardEditor()
  const config = useBoard(({ document }) => document.config)
  const change = (label: string, changes: Partial<BoardConfig>, gesture?: string) =>
    editor.edit(label, changeConfig(changes), gesture)
  const modes = [...new Set([...boardModes, config.engagementMode])]
  return (
    <div className="flex flex-col gap-3">
      <TextField
        label="Name"
        value={config.name}
        maxLength={120}
        autoComplete="off"
        onChange={({ currentTarget }) => change('Rename the board', { name: currentTarget.value }, 'board-name')}
        onBlur={() => {
          if (config.name.trim() === '') change('Rename the board', { name: 'Untitled Board' }, 'board-name')
          editor.endGesture()
        }}
      />
      <TextArea
        label="Description"
        rows={2}
        value={config.description}
        maxLength={2000}
        onChange={({ currentTarget }) =>
          change('Change the description', { description: currentTarget.value }, 'board-description')
        }
        onBlur={() => editor.endGesture()}
      />
      <SelectField
        label="Engagement mode"
        value={config.engagementMode}
        options={modes.map((mode) => ({ value: mode, label: mode }))}
        onChange={({ currentTarget }) => {
          const engagementMode = engagementPatterns.find((mode) => mode === currentTarget.value)
          if (engagementMode) change('Change the engagement mode', { engagementMode })
        }}
      />
      <div className="grid grid-cols-[repeat(auto-fill,minmax(130px,1fr))] gap-3">
        <ColorField name="primaryColor" label="Primary color" />
        <ColorField name="backgroundColor" label="Background color" />
        <ColorField name="accentColor" label="Accent color" />
        <ColorField name="borderColor" label="Border color" />
      </div>
      <Switch
        label="Allow layout editing"
        help="When off, frames can’t be moved or reordered."
        checked={config.allowLayoutEditing}
        onCheckedChange={(allowLayoutEditing) => change('Change layout editing', { allowLayoutEditing })}
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
    <dl className="grid gap-2.5 text-ui">
      <BoardDetailItem label="Name">{name}</BoardDetailItem>
      {description && <BoardDetailItem label="Description">{description}</BoardDetailItem>}
      <BoardDetailItem label="Engagement mode">{engagementMode}</BoardDetailItem>
      <BoardDetailItem label="Layout">{layout}</BoardDetailItem>
      <div>
        <dt className="text-small text-muted-foreground">Colors</dt>
        <dd className="mt-1 flex flex-wrap gap-1.5">
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
        </dd>
      </div>
    </dl>
  )
}

function BoardDetailItem({ label, children }: { label: string; children: string }) {
  return (
    <div className="min-w-0">
      <dt className="text-small text-muted-foreground">{label}</dt>
      <dd className="wrap-break-word">{children}</dd>
    </div>
  )
}
