import { Info } from 'lucide-react'
import { lazy, Suspense, useEffect, useEffectEvent, useId, useState } from 'react'
import { type AgentClass, agentClasses } from '#contract/agents/agent-constants.ts'
import { toSlug } from '#contract/agents/agent-slug.ts'
import { coordinatorSettings } from '#contract/agents/model-settings.ts'
import { getProviderInfo } from '#contract/providers/registry.ts'
import { Seal } from '#web/ui/drawings/seal.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Tooltip } from '#web/ui/overlays/tooltip.tsx'
import { Section } from '#web/ui/panels/section.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { useAgentList } from '../agent-queries.ts'
import { useAgentEditing, useFieldProps } from './agent-editor.tsx'
import { toModelFields } from './agent-form-values.ts'
import { suggestSlug } from './check-agent-form.ts'
import { useModelList } from './provider-lists.tsx'

const BundlePicker = lazy(() => import('./bundle-picker.tsx').then((module) => ({ default: module.BundlePicker })))

export function IdentitySection({ onChangeModel }: { onChangeModel: () => void }) {
  const { agent, values, errors, set, setWhileTyping } = useAgentEditing()
  const isSlugTyped = values.slug !== '' && values.slug !== toSlug(values.name)

  function changeName(name: string) {
    setWhileTyping({ name })
    if (!agent && !isSlugTyped) set({ slug: toSlug(name) })
  }

  return (
    <Section title="Identity" help="The agent’s name, what it does, and its class.">
      <div className="flex flex-col gap-4">
        <div>
          <TextField
            {...useFieldProps('name')}
            onChange={(event) => changeName(event.currentTarget.value)}
            required
            maxLength={120}
            autoComplete="off"
          />
          <SlugField />
        </div>
        <TextArea
          {...useFieldProps('purpose')}
          required
          rows={3}
          maxLength={8000}
          placeholder="What should it do?"
          help="What the agent does and how. Its instructions start with this text."
        />
        <AgentClassCards error={errors.agent_class} />
        {values.agent_class === 'Coordinator' && (
          <Suspense fallback={<Skeleton className="h-[3.625rem]" />}>
            <BundleField />
          </Suspense>
        )}
        <ModelLine onChange={onChangeModel} />
      </div>
    </Section>
  )
}

function BundleField() {
  const { values, errors, set, showProblem } = useAgentEditing()
  const { data } = useAgentList()
  return (
    <BundlePicker
      label="Agent bundle"
      required
      value={values.bundle}
      onValueChange={(bundle) => set({ bundle })}
      onBlur={() => showProblem('bundle')}
      agents={data?.agents ?? []}
      excludedSlug={values.slug}
      error={errors.bundle}
    />
  )
}

const changeButtonClasses = 'tap-area rounded-xs underline underline-offset-2 hover:text-foreground desk:min-h-6'

/** Shown as one line until someone changes the slug, or has to type it. */
function SlugField() {
  const { readOnly, values, errors, set } = useAgentEditing()
  const [isOpen, setIsOpen] = useState(false)
  const props = useFieldProps('slug')
  const suggestedSlug = suggestSlug(values.slug)
  const mustBeTyped = errors.slug !== undefined || (values.slug === '' && values.name.trim() !== '')
  if (!isOpen && mustBeTyped) setIsOpen(true)
  if (!isOpen)
    return (
      <p className="mt-1 text-small text-muted-foreground phone:py-1">
        {values.slug === '' ? (
          'Its slug is made from its name. Other agents call it by that slug'
        ) : (
          <>
            Slug <code className="font-mono text-code wrap-anywhere text-foreground">{values.slug}</code>
          </>
        )}
        {!readOnly && (
          <>
            <span aria-hidden> · </span>
            <button
              type="button"
              aria-label="Change the slug"
              onClick={() => setIsOpen(true)}
              className={changeButtonClasses}
            >
              change
            </button>
          </>
        )}
      </p>
    )
  return (
    <div className="relative mt-4">
      <TextField
        {...props}
        required
        mono
        maxLength={63}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        help="Other agents call it by this name."
        fix={
          suggestedSlug
            ? {
                label: `Use ${suggestedSlug}`,
                onFix: () => set({ slug: suggestedSlug }),
              }
            : undefined
        }
      />
      <SlugNote />
    </div>
  )
}

function ModelLine({ onChange }: { onChange: () => void }) {
  const { readOnly, values, isDirty, set } = useAgentEditing()
  const { model_provider: provider, model, awaits_default_model: awaitsDefault } = values
  const { list } = useModelList(provider, awaitsDefault)
  const defaultModel = list?.default_model
  const applyDefault = useEffectEvent((newModel: string) => set({ model: newModel }))
  useEffect(() => {
    if (awaitsDefault && isDirty && defaultModel) applyDefault(defaultModel)
  }, [awaitsDefault, isDirty, defaultModel])
  return (
    <p className="flex flex-wrap items-center gap-x-1.5 text-ui text-muted-foreground">
      <span className="me-1 font-label text-foreground">Model</span>
      {provider} <span className="font-mono text-code wrap-anywhere">{model}</span>
      {!readOnly && (
        <>
          <span aria-hidden>·</span>
          <button type="button" aria-label="Change the model" onClick={onChange} className={changeButtonClasses}>
            change
          </button>
        </>
      )}
    </p>
  )
}

function SlugNote() {
  return (
    <Tooltip label="Only lowercase letters, numbers and hyphens are allowed">
      <button
        type="button"
        aria-label="About the slug"
        className="absolute start-11 -top-[3px] grid size-6 place-items-center rounded-full text-muted-foreground hover:text-foreground"
      >
        <Info aria-hidden size={13} />
      </button>
    </Tooltip>
  )
}

const classNotes: Record<AgentClass, string> = {
  Standard: 'Does one thing well',
  Coordinator: 'Orchestrates agents',
  Lead: 'Standalone chat interface',
  Persona: 'Coming soon',
}

export function AgentClassCards({ error }: { error?: string }) {
  const groupName = useId()
  const { values, set } = useAgentEditing()
  const { agent_class: chosenClass, class_slug: customClass } = values

  function chooseClass(next: AgentClass) {
    const providerDefaults = toModelFields(getProviderInfo(values.model_provider).settings)
    const getDefault = (agentClass: AgentClass, field: 'max_tokens' | 'temperature') =>
      agentClass === 'Coordinator' ? coordinatorSettings[field] : providerDefaults[field]
    // A number chosen by the person stays.
    const getNext = (field: 'max_tokens' | 'temperature') =>
      values[field] === getDefault(chosenClass, field) ? getDefault(next, field) : values[field]
    set({
      class_slug: '',
      agent_class: next,
      max_tokens: getNext('max_tokens'),
      temperature: getNext('temperature'),
    })
  }

  return (
    <fieldset className="col-span-full min-w-0" aria-describedby={`${groupName}-note`}>
      <legend className="mb-1.5 text-ui leading-[1.125rem] font-label">
        Agent class
        <span aria-hidden className="ms-1.5 font-semibold text-destructive">
          *
        </span>
      </legend>
      <div className="grid grid-cols-4 gap-2 phone:grid-cols-2">
        {agentClasses.map((agentClass) => (
          <label
            key={agentClass}
            className={classNames(
              'relative flex min-w-0 flex-col gap-[7px] rounded-md border border-border bg-card px-[11px] py-2.5 transition-colors duration-120',
              'has-enabled:hover:border-input has-checked:border-primary has-checked:inset-ring has-checked:inset-ring-primary',
              'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring',
              'has-disabled:cursor-not-allowed has-[input:disabled:not(:checked)]:border-dashed has-[input:disabled:not(:checked)]:bg-transparent',
            )}
          >
            <input
              type="radio"
              name={groupName}
              value={agentClass}
              checked={agentClass === chosenClass}
              disabled={agentClass === 'Persona'}
              onChange={() => chooseClass(agentClass)}
              className="pointer-events-none absolute inset-0 appearance-none opacity-0"
            />
            <Seal name={agentClass} kind={agentClass} size={28} />
            <span>
              <span className="block text-ui font-semibold">{agentClass}</span>
              <span className="block text-small text-muted-foreground">{classNotes[agentClass]}</span>
            </span>
          </label>
        ))}
      </div>
      {customClass !== '' && (
        <p className="mt-1.5 text-small text-muted-foreground">
          This agent starts from your class <code className="font-mono text-code">{customClass}</code>. Choosing one of
          these classes replaces it.
        </p>
      )}
      <p id={`${groupName}-note`} aria-live="polite" className="mt-1.5 text-small text-destructive empty:hidden">
        {error}
      </p>
    </fieldset>
  )
}
