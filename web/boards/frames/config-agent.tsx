import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { Link } from 'react-router'
import { type Agent, agents } from '#contract/agents/agents.ts'
import { getProviderInfo, getProviderName } from '#contract/providers/registry.ts'
import { getEditPath } from '#web/agents/agent-addresses.ts'
import { agentsKey } from '#web/agents/agent-queries.ts'
import { AgentSeal } from '#web/agents/agent-seal.tsx'
import { call } from '#web/api.ts'
import { onSubmitKey } from '#web/ui/on-send-key.ts'
import { ReadOnlyWhile } from '#web/ui/read-only-while.tsx'
import { fromRangeValue, SettingRange, toRangeValue } from '#web/ui/setting-range.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { agentQuery } from './entity-queries.ts'
import { FrameQuery } from './frame-query.tsx'
import { InPlaceFormFooter } from './in-place-form-footer.tsx'
import { useInPlaceForm } from './use-in-place-form.ts'

interface AgentSettingsProps {
  id: string
  frameKey: string
  onChooseAnother: (() => void) | undefined
}

/** Edits purpose, model and temperature; the agent's own form has all other settings. */
export function AgentSettings({ id, frameKey, onChooseAnother }: AgentSettingsProps) {
  const query = useQuery(agentQuery(id))
  return (
    <FrameQuery query={query} entityName="agent" onChooseAnother={onChooseAnother}>
      {(agent) => <AgentForm agent={agent} frameKey={frameKey} />}
    </FrameQuery>
  )
}

const labels = { purpose: 'Purpose', model: 'Model', temperature: 'Temperature' }

function AgentForm({ agent, frameKey }: { agent: Agent; frameKey: string }) {
  const queryClient = useQueryClient()
  const listId = useId()
  const form = useInPlaceForm({
    draftKey: `frame/${frameKey}/agent/${agent.id}`,
    entity: agent,
    toValues: ({ purpose, model, model_settings }: Agent) => ({
      purpose,
      model,
      temperature: toRangeValue(model_settings.temperature),
    }),
    labels,
    send: ({ temperature, ...changes }, rev) =>
      call(agents.update, {
        body: {
          id: agent.id,
          ...changes,
          ...(temperature !== undefined && { model_settings: { temperature: fromRangeValue(temperature) } }),
        },
        ifMatch: rev,
      }),
    onSaved: (saved) => {
      queryClient.setQueryData(agentQuery(agent.id).queryKey, saved)
      return queryClient.invalidateQueries({ queryKey: agentsKey })
    },
  })
  const { values, change, errors } = form
  const isDisabled = !agent.may.edit
  return (
    <form
      noValidate
      onKeyDown={onSubmitKey}
      onSubmit={(event) => {
        event.preventDefault()
        void form.save()
      }}
      className="flex flex-col gap-3"
    >
      <p className="flex items-center gap-2.5">
        <AgentSeal agent={agent} size={26} className="shrink-0" />
        <span className="min-w-0 truncate font-serif text-[17px] leading-6 font-medium">{agent.name}</span>
      </p>
      {isDisabled && <p className="text-small text-muted-foreground">You can view this agent, but not change it.</p>}
      <ReadOnlyWhile while={form.busy}>
        <TextArea
          label={labels.purpose}
          rows={2}
          value={values.purpose}
          maxLength={8000}
          disabled={isDisabled}
          error={errors.purpose}
          onChange={(event) => change({ purpose: event.currentTarget.value })}
        />
        <TextField
          label={labels.model}
          mono
          list={listId}
          value={values.model}
          maxLength={200}
          disabled={isDisabled}
          error={errors.model ?? errors['model_settings.model']}
          help={`Provider: ${getProviderName(agent.model_provider)}`}
          autoComplete="off"
          onChange={(event) => change({ model: event.currentTarget.value })}
        />
        <datalist id={listId}>
          {getProviderInfo(agent.model_provider).offeredModels.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <SettingRange
          setting="temperature"
          label={labels.temperature}
          value={values.temperature}
          disabled={isDisabled}
          error={errors['model_settings.temperature']}
          onNumberChange={(temperature) => change({ temperature })}
        />
      </ReadOnlyWhile>
      {!isDisabled && <InPlaceFormFooter form={form} entityName="This agent" />}
      <Link to={getEditPath(agent.id)} className="self-start rounded-xs text-small underline underline-offset-2">
        All settings of this agent
      </Link>
    </form>
  )
}
