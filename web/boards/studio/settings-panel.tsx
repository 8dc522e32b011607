import { boardModes } from '#contract/boards/frame-types.ts'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { useViewportClass } from '#web/ui/hooks/use-viewport-class.ts'
import { changeConfig } from '../document/board-document.ts'
import { useBoard, useBoardEditor } from '../document/use-board-editor.tsx'
import { ColorField } from './colour-field.tsx'
import { untitledBoard } from './studio-texts.ts'

export function SettingsPanel() {
  const editor = useBoardEditor()
  const config = useBoard(({ document }) => document.config)
  const isPhone = useViewportClass() === 'phone'
  const isDisabled = !editor.canEdit

  return (
    <div className="flex flex-col gap-6 px-3.5 py-3.5 text-ui">
      <section aria-labelledby="board-information" className="flex flex-col gap-3">
        <h3 id="board-information" className="font-sans text-ui font-semibold tracking-normal">
          Board Information
        </h3>
        <TextField
          label="Name"
          value={config.name}
          maxLength={120}
          autoComplete="off"
          disabled={isDisabled}
          onChange={({ currentTarget }) =>
            editor.edit('Rename the board', changeConfig({ name: currentTarget.value }), 'board-name')
          }
          onBlur={() => {
            const name = config.name.trim() || untitledBoard
            if (name !== config.name) editor.edit('Rename the board', changeConfig({ name }), 'board-name')
            editor.endGesture()
          }}
        />
        <TextArea
          label="Description"
          value={config.description}
          maxLength={2000}
          disabled={isDisabled}
          onChange={({ currentTarget }) =>
            editor.edit(
              'Change the description',
              changeConfig({ description: currentTarget.value }),
              'board-description',
            )
          }
          onBlur={() => editor.endGesture()}
        />
        {isPhone && (
          <SelectField
            label="Engagement mode"
            value={config.engagementMode}
            disabled={isDisabled}
            options={boardModes.map((mode) => ({ value: mode, label: mode }))}
            onChange={({ currentTarget }) => {
              const engagementMode = boardModes.find((mode) => mode === currentTarget.value)
              if (engagementMode) editor.edit('Change the engagement mode', changeConfig({ engagementMode }))
            }}
          />
        )}
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
