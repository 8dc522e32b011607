import { useState } from 'react'
import type { BoardConfig, BoardTheme } from '#contract/boards/boards.ts'
import { boardModes, engagementPatterns } from '#contract/boards/frame-types.ts'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { useViewportClass } from '#web/ui/hooks/use-viewport-class.ts'
import { changeConfig } from '../document/board-document.ts'
import { useBoard, useBoardEditor } from '../document/use-board-editor.tsx'
import { untitledBoard } from './studio-texts.ts'

export function SettingsPanel() {
  const isPhone = useViewportClass() === 'phone'

  return (
    <div className="flex flex-col gap-6 px-3.5 py-3.5 text-ui">
      <section aria-labelledby="board-information" className="flex flex-col gap-3">
        <h3 id="board-information" className="font-sans text-ui font-semibold tracking-normal">
          Board Information
        </h3>
        <BoardFields showsMode={isPhone} />
      </section>
      <section aria-labelledby="board-theme" className="flex flex-col gap-3">
        <h3 id="board-theme" className="font-sans text-ui font-semibold tracking-normal">
          Theme
        </h3>
        <ColorField name="primaryColor" label="Primary color" />
        <ColorField name="backgroundColor" label="Background color" />
      </section>
      <section aria-labelledby="getting-started" className="flex flex-col gap-2">
        <h3 id="getting-started" className="font-sans text-ui font-semibold tracking-normal">
          Getting Started
        </h3>
        <ol className="flex list-decimal flex-col gap-1.5 ps-4 text-muted-foreground marker:tabular-nums">
          <li>Name the board and say what it’s for.</li>
          <li>Drag frames from the Frame Library onto the canvas.</li>
          <li>Select a frame and open its settings.</li>
          <li>Choose a layout and check it under Preview.</li>
          <li>Save.</li>
        </ol>
      </section>
    </div>
  )
}

interface BoardFieldsProps {
  showsMode?: boolean
  rows?: number
}

/** Edits the open board directly; changes are undoable and saved with the board. */
export function BoardFields({ showsMode = false, rows }: BoardFieldsProps) {
  const editor = useBoardEditor()
  const config = useBoard(({ document }) => document.config)
  const isDisabled = !editor.canEdit
  const change = (label: string, changes: Partial<BoardConfig>, gesture?: string) =>
    editor.edit(label, changeConfig(changes), gesture)
  const modes = [...new Set([...boardModes, config.engagementMode])]
  return (
    <>
      <TextField
        label="Name"
        value={config.name}
        maxLength={120}
        autoComplete="off"
        disabled={isDisabled}
        onChange={({ currentTarget }) => change('Rename the board', { name: currentTarget.value }, 'board-name')}
        onBlur={() => {
          const name = config.name.trim() || untitledBoard
          if (name !== config.name) change('Rename the board', { name }, 'board-name')
          editor.endGesture()
        }}
      />
      {showsMode && (
        <SelectField
          label="Engagement mode"
          value={config.engagementMode}
          disabled={isDisabled}
          options={modes.map((mode) => ({ value: mode, label: mode }))}
          onChange={({ currentTarget }) => {
            const engagementMode = engagementPatterns.find((mode) => mode === currentTarget.value)
            if (engagementMode) change('Change the engagement mode', { engagementMode })
          }}
        />
      )}
      <TextArea
        label="Description"
        className="col-span-full"
        rows={rows}
        value={config.description}
        maxLength={2000}
        truncates
        disabled={isDisabled}
        onChange={({ currentTarget }) =>
          change('Change the description', { description: currentTarget.value }, 'board-description')
        }
        onBlur={() => editor.endGesture()}
      />
    </>
  )
}

const hexColorPattern = /^#[0-9a-f]{6}$/i

/** Text that isn't a valid color stays in the box and doesn't change the board. */
export function ColorField({ name, label }: { name: keyof BoardTheme; label: string }) {
  const editor = useBoardEditor()
  const theme = useBoard(({ document }) => document.config.theme)
  const [draft, setDraft] = useState<string>()
  const color = theme[name]
  const isDisabled = !editor.canEdit

  function change(next: string) {
    const isColor = hexColorPattern.test(next)
    setDraft(isColor ? undefined : next)
    if (isColor)
      editor.edit(
        'Change a color',
        (document) => changeConfig({ theme: { ...document.config.theme, [name]: next } })(document),
        `board-${name}`,
      )
  }

  return (
    <TextField
      label={label}
      mono
      value={draft ?? color}
      maxLength={7}
      disabled={isDisabled}
      spellCheck={false}
      autoComplete="off"
      autoCapitalize="none"
      error={draft === undefined ? undefined : 'Enter a color as 7 characters, like #334155.'}
      onChange={({ currentTarget }) => change(currentTarget.value.trim())}
      onBlur={() => editor.endGesture()}
      end={
        <input
          type="color"
          aria-label={`Choose the ${label.toLowerCase()}`}
          value={color.toLowerCase()}
          disabled={isDisabled}
          onChange={({ currentTarget }) => change(currentTarget.value)}
          onBlur={() => editor.endGesture()}
          className="size-6 cursor-pointer rounded-xs border border-border bg-transparent p-0"
        />
      }
    />
  )
}
