import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { Link } from 'react-router'
import { type Agent, agents } from '#contract/agents/agents.ts'
import { getProviderInfo, getProviderName } from '#contract/providers/registry.ts'
import { getEditPath } from '#web/agents/agent-addresses.ts'
import { agentsKey } from '#web/agents/agent-queries.ts'
import { AgentSeal } from '#web/agents/agent-seal.tsx'
import { sendNow, useEntityForm } from '#web/offline/use-entity-form.tsx'
import { fromRangeValue, SettingRange, toRangeValue } from '#web/ui/fields/setting-range.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { agentQuery } from './entity-queries.ts'
import { FrameQuery } from './frame-query.tsx'
import { InPlaceForm } from './in-place-form.tsx'

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
      const model_settings = temperature !== undefined && { temperature: fromRangeValue(temperature) }
      const body = { id: agent.id, ...changes, ...(model_settings && { model_settings }) }
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
        <span className="min-w-0 truncate font-serif text-[17px] leading-6 font-medium">{agent.name}</span>
      </p>
      {isDisabled && <p className="text-small text-muted-foreground">You can view this agent, but not change it.</p>}
      <TextArea label="Purpose" rows={2} maxLength={8000} disabled={isDisabled} {...field('purpose')} />
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
    </>
  )
  return (
    <div className="flex flex-col gap-3">
      {isDisabled ? fields : <InPlaceForm form={form}>{fields}</InPlaceForm>}
      <Link to={getEditPath(agent.id)} className="self-start rounded-xs text-small underline underline-offset-2">
        All settings of this agent
      </Link>
    </div>
  )
}
