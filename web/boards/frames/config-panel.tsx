import { useState } from 'react'
import { configurableEntities, readContent } from '#contract/boards/frame-content.ts'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { AgentPicker } from './agent-picker.tsx'
import { AgentSettings } from './config-agent.tsx'
import { BoardDetails, BoardSettings } from './config-board.tsx'
import { DomainPicker, DomainSettings } from './config-domain.tsx'
import { KeeperTypePicker, KeeperTypeSettings } from './config-keeper-type.tsx'
import { type ConfiguredEntity, configuredNames } from './config-names.ts'
import type { FrameBodyProps } from './frame-bodies.ts'
import { FrameNote } from './frame-boundary.tsx'
import { getEntityId } from './frame-entity.ts'
import { getFrameKey } from './frame-key.ts'

const settingsComponents = { agent: AgentSettings, 'keeper-type': KeeperTypeSettings, domain: DomainSettings }
const pickerComponents = { agent: AgentPicker, 'keeper-type': KeeperTypePicker, domain: DomainPicker }
const pickerTitles = { agent: 'Which agent?', 'keeper-type': 'Which keeper type?', domain: 'Which domain?' }

/** Edits settings in place: those of the board with the board, others through their own requests. */
export function ConfigPanel(props: FrameBodyProps) {
  const { frame, context, changeContent } = props
  const { entity, entityId } = readContent('config_panel', frame.data.content)
  const [choosing, setChoosing] = useState(false)
  const canChange = context.mode === 'edit'
  if (context.mode === 'sample') return <SampleSettings />
  if (context.linkToken) return <FrameNote>Settings aren’t available through a link.</FrameNote>

  const id = entity === 'board' ? null : getEntityId(entity, entityId, props)
  const chooseAnother = canChange ? () => setChoosing(true) : undefined
  return (
    <div className="flex min-h-full flex-col gap-3 px-3.5 py-3">
      {canChange && (
        <div className="flex items-center gap-2">
          <SelectField
            label="Settings for"
            labelHidden
            value={entity}
            options={configurableEntities.map((value) => ({ value, label: configuredNames[value] }))}
            onChange={(event) => {
              setChoosing(false)
              changeContent({ entity: event.currentTarget.value, entityId: null })
            }}
            className="grow"
          />
          {id && !choosing && (
            <button
              type="button"
              onClick={() => setChoosing(true)}
              className="shrink-0 rounded-xs px-1 py-1 text-small text-muted-foreground underline underline-offset-2"
            >
              Change{' '}
            </button>
          )}
        </div>
      )}
      {entity === 'board' ? (
        canChange ? (
          <BoardSettings />
        ) : (
          <BoardDetails boardId={context.boardId} />
        )
      ) : (
        <EntitySettings
          frameKey={getFrameKey(context.boardId, frame.id)}
          entity={entity}
          id={choosing ? null : id}
          onChoose={
            canChange
              ? (chosen) => {
                  setChoosing(false)
                  changeContent({ entityId: chosen })
                }
              : undefined
          }
          onChooseAnother={chooseAnother}
        />
      )}
    </div>
  )
}

interface EntitySettingsProps {
  frameKey: string
  entity: Exclude<ConfiguredEntity, 'board'>
  id: string | null
  onChoose: ((id: string) => void) | undefined
  onChooseAnother: (() => void) | undefined
}

function EntitySettings({ frameKey: key, entity, id, onChoose, onChooseAnother }: EntitySettingsProps) {
  const [Settings, Picker] = [settingsComponents[entity], pickerComponents[entity]]
  if (id) return <Settings key={id} id={id} frameKey={key} onChooseAnother={onChooseAnother} />
  if (!onChoose) return <FrameNote>Nothing chosen yet.</FrameNote>
  return (
    <div className="-mx-3">
      <Picker title={pickerTitles[entity]} onChoose={onChoose} />
    </div>
  )
}

function SampleSettings() {
  return (
    <dl className="grid gap-2.5 px-3.5 py-3 text-ui">
      {[
        ['Name', 'The Harbour Year'],
        ['Mode', 'canvas'],
        ['Layout', 'can be edited'],
      ].map(([label, value]) => (
        <div key={label}>
          <dt className="text-small text-muted-foreground">{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
