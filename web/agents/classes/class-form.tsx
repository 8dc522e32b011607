import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type AgentClassEntry, agentClassCalls } from '#contract/agents/agent-classes.ts'
import { contextScopes, visibilities } from '#contract/agents/agent-constants.ts'
import { type Provider, settingBounds } from '#contract/agents/model-settings.ts'
import { getProviderInfo } from '#contract/providers/registry.ts'
import { CatalogCard } from '#web/catalog/catalog-cards.tsx'
import { EntityForm } from '#web/offline/entity-form.tsx'
import { sendNow, useEntityForm } from '#web/offline/use-entity-form.tsx'
import { useProviders } from '#web/queries/use-providers.ts'
import { Switch } from '#web/ui/controls/switch.tsx'
import { Seal } from '#web/ui/drawings/seal.tsx'
import { ChipInput } from '#web/ui/fields/chip-input.tsx'
import { NumberField } from '#web/ui/fields/number-field.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { classesKey } from './class-queries.ts'
import {
  blankClass,
  type ClassBase,
  type ClassValues,
  getDefaultModel,
  toClassBody,
  toClassValues,
} from './class-values.ts'

interface ClassFormProps {
  entry: AgentClassEntry | null
  onSaved: (entry: AgentClassEntry) => void
  onCancel: () => void
}

const classBases: ClassBase[] = ['Standard', 'Coordinator', 'Lead']

export function ClassForm({ entry, onSaved, onCancel }: ClassFormProps) {
  const providers = useProviders()
  const queryClient = useQueryClient()
  const form = useEntityForm<AgentClassEntry, ClassValues>({
    draftKey: `agent-class/${entry?.id ?? 'new'}`,
    subject: 'This class',
    entity: entry,
    toValues: toClassValues,
    blank: blankClass,
    send(_, { values, rev, key: idempotencyKey }) {
      const body = toClassBody(values, entry?.defaults)
      return entry
        ? sendNow(agentClassCalls.update, { params: { id: entry.id }, body, ifMatch: rev ?? entry.rev })
        : sendNow(agentClassCalls.create, { body, idempotencyKey })
    },
    async onSaved(result) {
      await queryClient.invalidateQueries({ queryKey: classesKey })
      if (result?.state === 'sent') onSaved(result.answer)
      else onCancel()
    },
  })
  const { values, set, field, errors } = form

  if (!form.ready) return <Skeleton className="h-80" />
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,360px)] items-start gap-8 max-[1100px]:grid-cols-1">
      <EntityForm
        form={form}
        aria-label={entry ? `Edit ${entry.name}` : 'New agent class'}
        failureTitle="Failed to save the class. Your text is safe in this browser."
        buttonsClassName="border-t border-border pt-4"
        disabled={values.name.trim() === '' || values.model.trim() === ''}
        saveLabel={entry ? 'Save' : 'Create class'}
        onCancel={onCancel}
      >
        <TextField label="Name" required maxLength={80} {...field('name')} />
        <TextArea label="Description" maxLength={1000} {...field('description')} />
        <SelectField
          label="Behaves as"
          value={values.base}
          error={errors.base}
          options={classBases.map((base) => ({ value: base, label: base }))}
          onChange={(event) => {
            const base = event.currentTarget.value as ClassBase
            set({ base, ...getDefaultModel(values.provider, base) })
          }}
        />
        <div className="grid grid-cols-2 gap-4 phone:grid-cols-1">
          <SelectField
            label="Provider"
            value={values.provider}
            options={providers.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(event) => {
              const provider = event.currentTarget.value as Provider
              set({ provider, ...getDefaultModel(provider, values.base) })
            }}
          />
          <TextField
            label="Model"
            required
            mono
            list="class-models"
            {...field('model')}
            error={errors['defaults.model_settings.model']}
          />
          <datalist id="class-models">
            {getProviderInfo(values.provider).offeredModels.map((model) => (
              <option key={model} value={model} />
            ))}
          </datalist>
          <NumberField
            label="Temperature"
            help="Leave empty to use the model’s default."
            {...settingBounds.temperature}
            value={values.temperature}
            error={errors['defaults.model_settings.temperature']}
            onNumberChange={(temperature) => set({ temperature: temperature ?? Number.NaN })}
          />
          <NumberField
            label="Max tokens"
            help="Leave empty to use the model’s limit."
            {...settingBounds.max_tokens}
            value={values.maxTokens}
            error={errors['defaults.model_settings.max_tokens']}
            onNumberChange={(maxTokens) => set({ maxTokens: maxTokens ?? Number.NaN })}
          />
          <SelectField
            label="Context scope"
            {...field('scope')}
            options={contextScopes.map((scope) => ({ value: scope, label: scope || 'General' }))}
          />
          <SelectField
            label="Visibility"
            {...field('visibility')}
            options={visibilities.map((visibility) => ({ value: visibility, label: visibility }))}
          />
        </div>
        <ChipInput
          label="Tools"
          placeholder="Type a tool name and press Enter"
          value={values.tools}
          error={errors['defaults.tools']}
          onValueChange={(tools) => set({ tools })}
        />
        <Switch label="Remembers chats" checked={values.memory} onCheckedChange={(memory) => set({ memory })} />
      </EntityForm>
      <section aria-labelledby="class-preview" className="min-w-0">
        <h2 id="class-preview" className="mb-2 text-h3">
          Preview
        </h2>
        <ClassCard entry={{ ...toClassBody(values, entry?.defaults), system: false }} />
      </section>
    </div>
  )
}

interface ClassCardProps {
  entry: Pick<AgentClassEntry, 'name' | 'description' | 'system' | 'base' | 'defaults'>
  count?: number
  actions?: ReactNode
}

export function ClassCard({ entry, count, actions }: ClassCardProps) {
  const { name, description, system, base, defaults } = entry
  const details = [
    defaults.model_provider && [defaults.model_provider, defaults.model_settings?.model].filter(Boolean).join(' '),
    defaults.context_scope !== undefined && `scope ${defaults.context_scope || 'General'}`,
    defaults.memory_enabled && 'remembers',
    defaults.visibility,
    defaults.tools?.length && defaults.tools.join(', '),
  ].filter(Boolean)
  return (
    <CatalogCard
      name={name}
      description={description}
      system={system}
      seal={<Seal name={name || base} kind={base} size={34} />}
      usage={count === undefined ? undefined : { count, noun: 'agent' }}
      actions={actions}
    >
      <p className="flex flex-wrap gap-1.5">
        {!system && <Badge tone="outlined">behaves as {base}</Badge>}
        {base === 'Persona' && <Badge tone="warning">Coming soon</Badge>}
      </p>
      {details.length > 0 && (
        <p className="font-mono text-code text-muted-foreground wrap-anywhere">{details.join(' · ')}</p>
      )}
    </CatalogCard>
  )
}
