import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Check, Circle, CircleAlert } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, lazy, Suspense } from 'react'
import { contextScopes } from '#contract/agents/agent-constants.ts'
import { type Agent, agents } from '#contract/agents/agents.ts'
import { isSampleAgent } from '#contract/samples/sample-agents.ts'
import { call } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { focusFirstInvalid } from '#web/ui/fields/focus-first-invalid.ts'
import { ReadOnlyWhile } from '#web/ui/fields/read-only-while.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Banner } from '#web/ui/panels/banner.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { Section } from '#web/ui/panels/section.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { agentsKey, useAgentList } from '../agent-queries.ts'
import { useGoldenGate } from '../golden/use-golden-gate.tsx'
import { getReasonText } from '../runs/reason-text.ts'
import { useAgentEditing, useFieldProps } from './agent-editor.tsx'
import { agentFormId } from './agent-form-header.tsx'
import { getChecklist } from './check-agent-form.ts'
import { IdentitySection } from './identity-section.tsx'
import { RunPreview } from './run-preview.tsx'

const ToolsField = lazy(() => import('./tools-field.tsx').then((module) => ({ default: module.ToolsField })))
const BundlePicker = lazy(() => import('./bundle-picker.tsx').then((module) => ({ default: module.BundlePicker })))

const scopeOptions = contextScopes.map((scope) => ({ value: scope, label: scope || 'General' }))
const listFieldProps = { mono: true, autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const

function ReachSection() {
  const isCoordinator = useAgentEditing().values.agent_class === 'Coordinator'
  return (
    <Section title="Reach" help="What the agent can see and do.">
      <div className="grid grid-cols-2 items-start gap-x-[18px] gap-y-4 phone:grid-cols-1">
        <SelectField {...useFieldProps('context_scope')} required options={scopeOptions} />
        {isCoordinator && (
          <Suspense fallback={<Skeleton className="h-[58px]" />}>
            <BundleField />
          </Suspense>
        )}
        <Suspense fallback={<Skeleton className={classNames('h-[58px]', !isCoordinator && 'col-start-1')} />}>
          <ToolsField className={isCoordinator ? undefined : 'col-start-1'} />
        </Suspense>
        <TextField
          {...useFieldProps('permissions')}
          {...listFieldProps}
          help="Labels for your own use. They grant nothing; only the agent’s tools do."
        />
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

const LeadSections = lazy(() => import('./lead-section.tsx').then((module) => ({ default: module.LeadSections })))
const ModelSections = lazy(() => import('./model-section.tsx').then((module) => ({ default: module.ModelSections })))
const AgentStatsPanel = lazy(() =>
  import('../usage/agent-stats.tsx').then((module) => ({ default: module.AgentStats })),
)
const TryIt = lazy(() => import('./try-it.tsx').then((module) => ({ default: module.TryIt })))
const GoldenPanel = lazy(() => import('../golden/golden-panel.tsx').then((module) => ({ default: module.GoldenPanel })))

export function AgentForm() {
  const { agent, readOnly, values, problems, failureText, isDirty, isSaving, restored, ...form } = useAgentEditing()
  const { saveOrConfirm, gate } = useGoldenGate(agent, form.save)

  async function submit(event?: FormEvent) {
    event?.preventDefault()
    // Saving a form with problems shows them.
    await (Object.keys(problems).length > 0 ? form.save() : saveOrConfirm(values))
    focusFirstInvalid(document.getElementById(agentFormId))
  }

  function handleKeyDown(event: KeyboardEvent<HTMLFormElement>) {
    if (event.key !== 'Enter') return
    // The people search isn't part of the form.
    if (event.target instanceof HTMLElement && event.target.role === 'searchbox') return event.preventDefault()
    if (!(event.ctrlKey || event.metaKey) || readOnly) return
    event.preventDefault()
    void submit()
  }

  return (
    <>
      <div className="mb-5 flex flex-col gap-2 empty:hidden">
        {failureText && <Banner tone="error">{failureText}</Banner>}
        {readOnly && agent && <Banner tone="info">{describeReadOnly(agent)}</Banner>}
        {restored && isDirty && (
          <Banner
            tone="info"
            action={
              <Button size="small" variant="plain" onClick={form.discard}>
                Discard
              </Button>
            }
          >
            Your draft was restored. It isn’t saved yet.
          </Banner>
        )}
        {agent && agent.status !== 'ready' && !readOnly && <StatusNotice agent={agent} />}
      </div>
      <h2 className="sr-only">Settings</h2>
      <form
        id={agentFormId}
        noValidate
        onSubmit={submit}
        onKeyDown={handleKeyDown}
        className="grid grid-cols-[minmax(0,1fr)_300px] items-start gap-10 max-[1180px]:grid-cols-1"
      >
        <div className="min-w-0">
          <ReadOnlyWhile while={isSaving}>
            <fieldset disabled={readOnly} className="min-w-0">
              <IdentitySection />
              <ReachSection />
              <Suspense fallback={<Skeleton className="my-8 h-64" />}>
                {values.agent_class === 'Lead' && <LeadSections />}
              </Suspense>
              <Suspense fallback={<ModelSectionsPlaceholder />}>
                <ModelSections />
              </Suspense>
            </fieldset>
          </ReadOnlyWhile>
          <SharingPart />
        </div>
        <div className="flex min-w-0 flex-col gap-3.5">
          <ReadOnlyWhile while={isSaving}>
            <RunPreview />
          </ReadOnlyWhile>
          {agent && !isSampleAgent(agent) && (
            <Suspense fallback={<CardPlaceholder title="Usage" className="mt-2.5 h-9" />}>
              <AgentStatsPanel agentId={agent.id} />
            </Suspense>
          )}
          {!readOnly && <FormRequirements />}
          <Suspense fallback={<CardPlaceholder title="Try it" className="mt-2 h-[98px]" />}>
            <TryIt />
          </Suspense>
        </div>
      </form>
      {agent && !readOnly && (
        <Suspense fallback={<Skeleton className="mt-8 h-40" />}>
          <GoldenPanel key={agent.id} agent={agent} unsaved={isDirty} />
        </Suspense>
      )}
      {gate}
      {form.conflictDialog}
    </>
  )
}

function ModelSectionsPlaceholder() {
  return (
    <>
      <Section title="Model Configuration" help="Changing the provider resets these values.">
        <Skeleton className="h-[340px] phone:h-[560px]" />
      </Section>
      <Section title="Retry Configuration">
        <Skeleton className="h-20 phone:h-40" />
      </Section>
    </>
  )
}

function CardPlaceholder({ title, className }: { title: string; className: string }) {
  return (
    <Card padded={false} className="px-4 py-3.5">
      <h2 className="font-sans text-ui leading-5 font-semibold tracking-normal">{title}</h2>
      <Skeleton className={className} />
    </Card>
  )
}

function describeReadOnly({ owner_id, visibility, status, may }: Agent): string {
  if (owner_id === null) return 'This agent comes with Keeper. Only an administrator can change it.'
  const runText =
    may.run || status !== 'ready' ? 'You can run it.' : 'You can’t run it either; ask its owner for permission.'
  if (visibility !== 'shared') return `Only its owner can change this agent. ${runText}`
  return `This agent is shared with you, but you can’t change it. ${runText}`
}

function FormRequirements() {
  const { agent, values, problems } = useAgentEditing()
  return (
    <Card padded={false} className="px-4 py-3.5">
      <h2 className="font-sans text-ui leading-5 font-semibold tracking-normal">
        {agent ? 'To update this agent' : 'To create this agent'}
      </h2>
      <ul className="mt-2 flex flex-col gap-[5px] text-ui">
        {getChecklist(values, problems).map(({ text, isMet, isInvalid, isOptional }) => (
          <li key={text} className={isInvalid ? 'flex gap-2 text-destructive' : 'flex gap-2'}>
            {isMet ? (
              <Check aria-hidden size={14} strokeWidth={2.3} className="mt-[3px] shrink-0 text-success" />
            ) : isInvalid ? (
              <CircleAlert aria-hidden size={14} className="mt-[3px] shrink-0" />
            ) : (
              <Circle aria-hidden size={14} className="mt-[3px] shrink-0 text-muted-foreground" />
            )}
            {text}
            <span className="sr-only">{isMet ? ' (done)' : isOptional ? ' (optional)' : ' (to do)'}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function StatusNotice({ agent: { id, status } }: { agent: Agent }) {
  const queryClient = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call(agents.update, { body: { id, status: 'ready' } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: agentsKey }),
  })
  return (
    <Banner
      tone="warning"
      action={
        <Button size="small" busy={isPending} onClick={() => mutate()}>
          Set to ready
        </Button>
      }
    >
      {error
        ? getReasonText(error)
        : status === 'error'
          ? 'This agent is set to error and won’t run. Fix the cause, then set it to ready.'
          : `This agent is set to ${status} and won’t run. Set it to ready when it can run again.`}
    </Banner>
  )
}

const SharingSection = lazy(() => import('../sharing/sharing-section.tsx'))

function SharingPart() {
  const { agent, values } = useAgentEditing()
  if (!agent || isSampleAgent(agent) || !agent.may.share) return null
  if (agent.visibility !== 'shared')
    return values.visibility === 'shared' ? (
      <Section title="Sharing" help="Who else can use this agent.">
        <p className="text-ui text-muted-foreground">Update the agent first, then choose people here.</p>
      </Section>
    ) : null
  return (
    <Suspense fallback={<Skeleton className="my-8 h-24" />}>
      <SharingSection agent={agent} />
    </Suspense>
  )
}
