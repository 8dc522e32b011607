import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Check, Circle, CircleAlert } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, lazy, Suspense } from 'react'
import { type Agent, agents } from '#contract/agents/agents.ts'
import { isSampleAgent } from '#contract/samples/sample-agents.ts'
import { call } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { focusFirstInvalid } from '#web/ui/fields/field.tsx'
import { ReadOnlyWhile } from '#web/ui/fields/read-only-while.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { agentsKey } from '../agent-queries.ts'
import { useGoldenGate } from '../golden/use-golden-gate.tsx'
import { getReasonText } from '../runs/reason-text.ts'
import { useAgentEditing } from './agent-editor.tsx'
import { AgentSubmitButton, agentFormId } from './agent-form-header.tsx'
import { type ChecklistItem, getChecklist } from './check-agent-form.ts'
import { FormSections, modelToggleId, useModelDisclosure } from './form-sections.tsx'
import { IdentitySection } from './identity-section.tsx'
import { useRetiringModels } from './retiring-models.tsx'
import { RunPreview } from './run-preview.tsx'

const AgentStatsPanel = lazy(() =>
  import('../usage/agent-stats.tsx').then((module) => ({ default: module.AgentStats })),
)
const TryIt = lazy(() => import('./try-it.tsx').then((module) => ({ default: module.TryIt })))
const GoldenPanel = lazy(() => import('../golden/golden-panel.tsx').then((module) => ({ default: module.GoldenPanel })))

export function AgentForm() {
  const { agent, readOnly, values, problems, failureText, isDirty, isSaving, restored, ...form } = useAgentEditing()
  const { saveOrConfirm, gate } = useGoldenGate(agent, form.save)
  const isRetiring = useRetiringModels().some(({ agent_id, model }) => agent_id === agent?.id && model === agent.model)
  const modelDisclosure = useModelDisclosure(isRetiring)

  function openModel() {
    modelDisclosure.onOpenChange(true)
    document.getElementById(modelToggleId)?.focus()
  }

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
              <IdentitySection onChangeModel={openModel} />
            </fieldset>
          </ReadOnlyWhile>
          <FormSections modelDisclosure={modelDisclosure} />
        </div>
        <div className="flex min-w-0 flex-col gap-3.5">
          <Suspense fallback={<CardPlaceholder title="Try it" className="mt-2 h-[98px]" />}>
            <TryIt />
          </Suspense>
          <RunPreview />
          {agent && !isSampleAgent(agent) && (
            <Suspense fallback={<CardPlaceholder title="Usage" className="mt-2.5 h-9" />}>
              <AgentStatsPanel agentId={agent.id} />
            </Suspense>
          )}
          {!readOnly && <FormRequirements />}
        </div>
      </form>
      {agent && !readOnly && (
        <Suspense fallback={<Skeleton className="mt-8 h-40" />}>
          <GoldenPanel key={agent.id} agent={agent} unsaved={isDirty} />
        </Suspense>
      )}
      {isDirty && !readOnly && (
        <div className="sticky bottom-0 z-10 -mx-4 border-t border-border bg-background px-4 py-2 desk:hidden">
          <AgentSubmitButton className="w-full" />
        </div>
      )}
      {gate}
      {form.conflictDialog}
    </>
  )
}

function CardPlaceholder({ title, className }: { title: string; className: string }) {
  return (
    <Card padded={false} className="px-4 py-3.5">
      <h2 dir="auto" className="font-sans text-ui leading-5 font-semibold tracking-normal">
        {title}
      </h2>
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
        {getChecklist(values, problems).map((item) => (
          <li key={item.text} className={item.isInvalid ? 'flex gap-2 text-destructive' : 'flex gap-2'}>
            <RequirementIcon item={item} />
            {item.text}
            <span className="sr-only"> ({getRequirementStatus(item)})</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function RequirementIcon({ item: { isMet, isInvalid } }: { item: ChecklistItem }) {
  if (isMet) return <Check aria-hidden size={14} strokeWidth={2.3} className="mt-[3px] shrink-0 text-success" />
  if (isInvalid) return <CircleAlert aria-hidden size={14} className="mt-[3px] shrink-0" />
  return <Circle aria-hidden size={14} className="mt-[3px] shrink-0 text-muted-foreground" />
}

function getRequirementStatus({ isMet, isOptional }: ChecklistItem): string {
  if (isMet) return 'done'
  return isOptional ? 'optional' : 'to do'
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
      {error ? getReasonText(error) : describeStatus(status)}
    </Banner>
  )
}

function describeStatus(status: Agent['status']): string {
  if (status === 'error') return 'This agent is set to error and won’t run. Fix the cause, then set it to ready.'
  return `This agent is set to ${status} and won’t run. Set it to ready when it can run again.`
}
