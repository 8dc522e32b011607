import { useQueryClient } from '@tanstack/react-query'
import { ArrowLeft, ArrowRight } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { ApiError } from '#web/api/api.ts'
import { createClientId } from '#web/offline/create-client-id.ts'
import { useDraft } from '#web/offline/use-draft.ts'
import { keeperTypesKey } from '#web/queries/keeper-types-query.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { createKeeper } from '../create-keeper.ts'
import { getDashboardPath } from '../keeper-addresses.ts'
import { keeperKey, keepersKey } from '../keeper-queries.ts'
import { MemoryStep, PurposeStep, ThemeStep } from './wizard-panels.tsx'
import {
  createEmptyWizard,
  getReachableStep,
  listMissingInputs,
  type WizardDraft,
  type WizardStep,
  wizardSteps,
} from './wizard-rules.ts'

/** Minimum time to show "Creating..." (ms). */
const minCreatingMs = 1500

const stepTitles: Record<WizardStep, string> = { 1: 'What it’s for', 2: 'How it remembers', 3: 'How it looks' }
const stepPanels = { 1: PurposeStep, 2: MemoryStep, 3: ThemeStep }

export function NewKeeperPage() {
  const [id] = useState(createClientId)
  const { value: draft, set, clear, restored, ready } = useDraft<WizardDraft>('keeper/new', createEmptyWizard(id))
  const [creating, setCreating] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const headingRef = useRef<HTMLHeadingElement>(null)
  const hasMovedRef = useRef(false)
  const step = getReachableStep(draft)
  const missingInputs = listMissingInputs(step, draft)
  const errors = failure instanceof ApiError ? failure.fields : undefined
  const Panel = stepPanels[step]

  // Keyboard and screen reader users continue at the top of the step.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a step change moves the focus
  useEffect(() => {
    if (hasMovedRef.current) headingRef.current?.focus()
  }, [step])

  function goTo(next: WizardStep) {
    hasMovedRef.current = true
    setFailure(undefined)
    set({ ...draft, step: next })
  }

  function cancel() {
    clear()
    navigate('/keeper')
  }

  async function create() {
    const { keeperType, memoryPattern, title, purpose, theme, isPublic } = draft
    if (keeperType === null || memoryPattern === null || listMissingInputs(3, draft).length > 0 || creating) return
    setCreating(true)
    setFailure(undefined)
    try {
      const body = { id: draft.id, title, purpose, keeperType, memoryPattern, theme, isPublic }
      const [result] = await Promise.allSettled([
        createKeeper(body),
        new Promise((resolve) => setTimeout(resolve, minCreatingMs)),
      ])
      if (result.status === 'rejected') throw result.reason
      clear()
      queryClient.setQueryData(keeperKey(result.value.id), result.value)
      void queryClient.invalidateQueries({ queryKey: keepersKey })
      void queryClient.invalidateQueries({ queryKey: keeperKey('1') })
      void queryClient.invalidateQueries({ queryKey: keeperTypesKey })
      navigate(getDashboardPath(result.value.id))
    } catch (reason) {
      setFailure(reason)
      setCreating(false)
    }
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (missingInputs.length > 0) return
    if (step === 3) void create()
    else goTo((step + 1) as WizardStep)
  }

  return (
    <>
      <PageHeader title="New Keeper" subtitle="Three steps: what the keeper is for, how it remembers, how it looks." />
      {!ready ? (
        <SkeletonGroup>
          <Skeleton className="h-72" />
        </SkeletonGroup>
      ) : (
        <form aria-label="New keeper" onSubmit={submit} className="max-w-[860px]">
          <ol className="mb-5 flex flex-wrap gap-x-6 gap-y-2" aria-label="Steps">
            {wizardSteps.map((number) => (
              <li
                key={number}
                aria-current={number === step ? 'step' : undefined}
                className="flex items-center gap-2 text-ui text-muted-foreground aria-[current]:font-semibold aria-[current]:text-foreground"
              >
                <span
                  className={
                    number <= step
                      ? 'grid size-6 place-items-center rounded-full bg-primary text-small text-primary-foreground tabular-nums'
                      : 'grid size-6 place-items-center rounded-full border border-input text-small tabular-nums'
                  }
                >
                  {number}
                </span>
                {stepTitles[number]}
              </li>
            ))}
          </ol>
          {restored && !creating && failure === undefined && !hasMovedRef.current && (
            <p role="status" className="mb-4 text-small text-muted-foreground">
              Draft restored.
            </p>
          )}
          {failure !== undefined && (
            <Banner tone="error" className="mb-5">
              <strong className="font-semibold">Failed to create keeper</strong>
              <span className="block">{getFailureAdvice(failure)}</span>
            </Banner>
          )}
          <Card>
            <h2 ref={headingRef} tabIndex={-1} className="mb-5 outline-hidden">
              <span className="sr-only">Step {step} of 3: </span>
              {stepTitles[step]}
            </h2>
            <fieldset disabled={creating} className="min-w-0">
              <legend className="sr-only">{stepTitles[step]}</legend>
              <Panel draft={draft} errors={errors} onChange={(change) => set({ ...draft, ...change })} />
            </fieldset>
          </Card>
          <div className="mt-5 flex flex-wrap items-center gap-2">
            <Button onClick={cancel} disabled={creating} variant="plain">
              Cancel
            </Button>
            <p id="wizard-missing" className="ms-auto text-small text-muted-foreground">
              {missingInputs.length > 0 && `Still missing: ${missingInputs.join(' and ')}.`}
            </p>
            {step > 1 && (
              <Button
                disabled={creating}
                onClick={() => goTo((step - 1) as WizardStep)}
                icon={<ArrowLeft aria-hidden size={15} />}
              >
                Back
              </Button>
            )}
            <Button
              type="submit"
              variant="primary"
              disabled={missingInputs.length > 0}
              aria-describedby="wizard-missing"
              busy={creating}
              busyLabel={step === 3 ? 'Creating...' : undefined}
              icon={step === 3 ? undefined : <ArrowRight aria-hidden size={15} />}
              className="flex-row-reverse"
            >
              {step === 3 ? 'Create Keeper' : 'Next'}
            </Button>
          </div>
        </form>
      )}
    </>
  )
}

function getFailureAdvice(failure: unknown): string {
  if (failure instanceof ApiError)
    return `${failure.serverMessage ?? `HTTP error! status: ${failure.status}`} Nothing you typed is lost.`
  return 'The server couldn’t be reached. Nothing you typed is lost. Try again later.'
}
