import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Link } from 'react-router'
import { type Agent, agents } from '#contract/agents/agents.ts'
import { configurableEntities, readContent } from '#contract/boards/frame-content.ts'
import { canActInDomain } from '#contract/domains/domain-actions.ts'
import { type Domain, getOwnRole } from '#contract/domains/domains.ts'
import { getProviderInfo, getProviderName } from '#contract/providers/registry.ts'
import { getEditPath } from '#web/agents/agent-addresses.ts'
import { agentsKey } from '#web/agents/agent-queries.ts'
import { AgentSeal } from '#web/agents/agent-seal.tsx'
import { sendNow, useEntityForm } from '#web/offline/use-entity-form.tsx'
import { useMyDomains } from '#web/queries/use-my-domains.ts'
import { quietLinkClasses } from '#web/ui/controls/quiet-link.ts'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { fromRangeValue, SettingRange, toRangeValue } from '#web/ui/fields/setting-range.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { useNotice } from '#web/ui/hooks/use-notice.tsx'
import { InPlaceDomainForm } from '../entity/domain/in-place-domain-form.tsx'
import { BoardDetails, BoardSettings } from './config-board.tsx'
import { KeeperTypeById, KeeperTypeSettings } from './config-keeper-type.tsx'
import { configuredNames } from './content-names.ts'
import { AgentPicker, DomainPicker, KeeperTypePicker } from './entity-pickers.tsx'
import { agentQuery } from './entity-queries.ts'
import type { FrameBodyProps } from './frame-bodies.ts'
import { FrameNote } from './frame-boundary.tsx'
import { FrameDetailList, InPlaceForm } from './frame-parts.tsx'
import { FrameQuery, FrameUnavailable, getEntityId, getFrameKey } from './frame-query.tsx'

const settingsComponents = { agent: AgentSettings, 'keeper-type': ChosenKeeperType, domain: DomainSettings }
const pickerComponents = { agent: AgentPicker, 'keeper-type': KeeperTypePicker, domain: DomainPicker }
const pickerTitles = { agent: 'Which agent?', 'keeper-type': 'Which keeper type?', domain: 'Which domain?' }

function ChosenKeeperType({
  frameKey,
  ...props
}: {
  id: string
  frameKey: string
  onChooseAnother: (() => void) | undefined
}) {
  return <KeeperTypeById {...props}>{(type) => <KeeperTypeSettings type={type} frameKey={frameKey} />}</KeeperTypeById>
}

/** Edits settings in place. Board settings are saved with the board, other settings through their own requests. */
export function ConfigPanel(props: FrameBodyProps) {
  const { frame, context, changeContent } = props
  const { entity, entityId } = readContent('config_panel', frame.data.content)
  const [isChoosing, setChoosing] = useState(false)
  const canChange = context.mode === 'edit'
  if (context.mode === 'sample') return <SampleSettings />

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
          {id && !isChoosing && (
            <button
              type="button"
              onClick={() => setChoosing(true)}
              className="shrink-0 rounded-xs px-1 py-1 text-small text-muted-foreground underline underline-offset-2"
            >
              Change
            </button>
          )}
        </div>
      )}
      {entity === 'board' && (canChange ? <BoardSettings /> : <BoardDetails boardId={context.boardId} />)}
      {entity !== 'board' && (
        <EntitySettings
          frameKey={getFrameKey(context.boardId, frame.id)}
          entity={entity}
          id={isChoosing ? null : id}
          onChoose={
            canChange
              ? (chosenId) => {
                  setChoosing(false)
                  changeContent({ entityId: chosenId })
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
  entity: keyof typeof settingsComponents
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

const sampleSettings = [
  ['Name', 'The Harbour Year'],
  ['Mode', 'canvas'],
  ['Layout', 'can be edited'],
] as const

function SampleSettings() {
  return (
    <div className="px-3.5 py-3">
      <FrameDetailList details={sampleSettings} />
    </div>
  )
}

interface AgentSettingsProps {
  id: string
  frameKey: string
  onChooseAnother: (() => void) | undefined
}

/** Edits purpose, model and temperature; the agent's own form has all other settings. */
function AgentSettings({ id, frameKey, onChooseAnother }: AgentSettingsProps) {
  const query = useQuery(agentQuery(id))
  return (
    <FrameQuery query={query} entityName="agent" onChooseAnother={onChooseAnother}>
      {(agent) => <AgentForm agent={agent} frameKey={frameKey} />}
    </FrameQuery>
  )
}

const toAgentValues = ({ purpose, model, model_settings }: Agent) => ({
  purpose,
  model,
  temperature: toRangeValue(model_settings.temperature),
})

function AgentForm({ agent, frameKey }: { agent: Agent; frameKey: string }) {
  const queryClient = useQueryClient()
  const listId = useId()
  const form = useEntityForm({
    draftKey: `frame/${frameKey}/agent/${agent.id}`,
    subject: 'This agent',
    entity: agent,
    toValues: toAgentValues,
    blank: toAgentValues(agent),
    send({ temperature, ...changes }, { rev }) {
      const model_settings = temperature === undefined ? undefined : { temperature: fromRangeValue(temperature) }
      const body = { id: agent.id, ...changes, model_settings }
      return sendNow(agents.update, { body, ifMatch: rev ?? agent.rev })
    },
    onSaved: (result) => {
      if (result?.state === 'sent') queryClient.setQueryData(agentQuery(agent.id).queryKey, result.answer)
      return queryClient.invalidateQueries({ queryKey: agentsKey })
    },
  })
  const { values, set, field, errors } = form
  const isDisabled = !agent.may.edit
  const fields = (
    <>
      <p className="flex items-center gap-2.5">
        <AgentSeal agent={agent} size={26} className="shrink-0" />
        <span dir="auto" className="min-w-0 truncate font-serif text-[1.0625rem] leading-6 font-medium">
          {agent.name}
        </span>
      </p>
      {isDisabled && <p className="text-small text-muted-foreground">You can view this agent, but not change it.</p>}
      <TextArea label="Purpose" rows={2} maxLength={8000} disabled={isDisabled} {...field('purpose')} />
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(12.5rem,100%),1fr))] gap-3">
        <TextField
          label="Model"
          mono
          list={listId}
          maxLength={200}
          disabled={isDisabled}
          help={`Provider: ${getProviderName(agent.model_provider)}`}
          autoComplete="off"
          {...field('model')}
          error={errors.model ?? errors['model_settings.model']}
        />
        <datalist id={listId}>
          {getProviderInfo(agent.model_provider).offeredModels.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <SettingRange
          setting="temperature"
          label="Temperature"
          value={values.temperature}
          disabled={isDisabled}
          error={errors['model_settings.temperature']}
          onNumberChange={(temperature) => set({ temperature })}
        />
      </div>
    </>
  )
  return (
    <div className="flex flex-col gap-3">
      {isDisabled ? fields : <InPlaceForm form={form}>{fields}</InPlaceForm>}
      <Link to={getEditPath(agent.id)} className={`self-start ${quietLinkClasses}`}>
        All settings of this agent
      </Link>
    </div>
  )
}

interface DomainSettingsProps {
  id: string
  onChooseAnother: (() => void) | undefined
}

function DomainSettings({ id, onChooseAnother }: DomainSettingsProps) {
  const query = useMyDomains()
  return (
    <FrameQuery query={query} entityName="domain">
      {(domains) => {
        const domain = domains.find((candidate) => candidate.id === id)
        if (!domain) return <FrameUnavailable entityName="domain" onChooseAnother={onChooseAnother} />
        const canEdit = canActInDomain(getOwnRole(domain), 'edit')
        return canEdit ? <EditableDomain domain={domain} /> : <DomainDetailList domain={domain} />
      }}
    </FrameQuery>
  )
}

function EditableDomain({ domain }: { domain: Domain }) {
  const { showNotice, noticeBanner } = useNotice()
  return (
    <>
      {noticeBanner}
      <InPlaceDomainForm domain={domain} onSaved={() => showNotice('success', 'Domain saved successfully')} />
    </>
  )
}

function DomainDetailList({ domain: { name, slug, description } }: { domain: Domain }) {
  return (
    <>
      <FrameDetailList
        details={[
          ['Name', name],
          ['Slug', slug],
          ['Description', description],
        ]}
      />
      <p className="text-small text-muted-foreground">Only the domain’s owner and admins can change these settings.</p>
    </>
  )
}
