import { useQueryClient } from '@tanstack/react-query'
import { ArrowLeft, ArrowRight } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { wizardKeeperTypes, wizardMemoryPatterns } from '#contract/keepers/keepers.ts'
import { ApiError } from '#web/api/api.ts'
import { createClientId } from '#web/offline/create-client-id.ts'
import { type EntityForm, useSubmitForm } from '#web/offline/use-entity-form.tsx'
import { keeperTypesKey } from '#web/queries/keeper-types-query.ts'
import { builtInThemes } from '#web/themes/base/theme-colors.ts'
import { useTheme } from '#web/themes/base/theme-provider.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { Checkbox } from '#web/ui/controls/checkbox.tsx'
import { ChoiceCards } from '#web/ui/controls/choice-cards.tsx'
import { Cover } from '#web/ui/drawings/cover.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { getDashboardPath } from '../keeper-addresses.ts'
import { wizardPatterns, wizardTypes } from '../keeper-labels.ts'
import { keeperKey, keepersKey } from '../keeper-queries.ts'
import { useCustomPatterns } from '../memory-pattern-queries.ts'
import { createKeeper } from '../settings/keeper-fields.tsx'
import { getChosenTheme } from '../use-keeper-theme.ts'
import {
  createEmptyWizard,
  getReachableStep,
  listMissingInputs,
  type WizardDraft,
  type WizardStepNumber,
  wizardSteps,
} from './wizard-rules.ts'

/** A shorter time would make "Creating..." flicker. */
const minCreatingMs = 1500

const stepTitles: Record<WizardStepNumber, string> = { 1: 'What it’s for', 2: 'How it remembers', 3: 'How it looks' }
const stepPanels = { 1: PurposeStep, 2: MemoryStep, 3: ThemeStep }

export function NewKeeperPage() {
  const [id] = useState(createClientId)
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const form: EntityForm<WizardDraft> = useSubmitForm({
    draftKey: 'keeper/new',
    blank: createEmptyWizard(id),
    async submit({ step: _, keeperType, memoryPattern, ...values }) {
      if (keeperType === null || memoryPattern === null) return
      const [creation] = await Promise.allSettled([
        createKeeper({ ...values, keeperType, memoryPattern }),
        new Promise((resolve) => setTimeout(resolve, minCreatingMs)),
      ])
      if (creation.status === 'rejected') throw creation.reason
      queryClient.setQueryData(keeperKey(creation.value.id), creation.value)
      void queryClient.invalidateQueries({ queryKey: keepersKey })
      void queryClient.invalidateQueries({ queryKey: keeperKey('1') })
      void queryClient.invalidateQueries({ queryKey: keeperTypesKey })
    },
    onSaved: () => navigate(getDashboardPath(draft.id)),
  })
  const { values: draft, isSaving: isCreating } = form
  const [dismissedFailure, setDismissedFailure] = useState<unknown>()
  const failure = form.failure === dismissedFailure ? undefined : form.failure
  const headingRef = useRef<HTMLHeadingElement>(null)
  const hasMovedRef = useRef(false)
  const step = getReachableStep(draft)
  const isLastStep = step === 3
  const missingInputs = listMissingInputs(step, draft)
  const Panel = stepPanels[step]

  // Keyboard and screen reader users continue at the top of the step.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a step change moves the focus
  useEffect(() => {
    if (hasMovedRef.current) headingRef.current?.focus()
  }, [step])

  function goTo(nextStep: WizardStepNumber) {
    hasMovedRef.current = true
    setDismissedFailure(form.failure)
    form.set({ step: nextStep })
  }

  function cancel() {
    form.discard()
    navigate('/keeper')
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (missingInputs.length > 0) return
    if (isLastStep) void form.save()
    else goTo((step + 1) as WizardStepNumber)
  }

  return (
    <>
      <PageHeader title="New Keeper" />
      {!form.ready ? (
        <SkeletonGroup>
          <Skeleton className="h-72" />
        </SkeletonGroup>
      ) : (
        <form aria-label="New keeper" onSubmit={submit} className="max-w-[860px]">
          <ol className="mb-5 flex flex-wrap gap-x-6 gap-y-2 phone:gap-x-2" aria-label="Steps">
            {wizardSteps.map((number) => (
              <li
                key={number}
                aria-current={number === step ? 'step' : undefined}
                className="flex items-center gap-2 text-ui text-muted-foreground phone:gap-1.5 aria-[current]:font-semibold aria-[current]:text-foreground"
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
          {form.restored && !isCreating && failure === undefined && !hasMovedRef.current && (
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
            <fieldset disabled={isCreating} className="min-w-0">
              <legend className="sr-only">{stepTitles[step]}</legend>
              <Panel form={form} />
            </fieldset>
          </Card>
          <div className="mt-5 flex flex-wrap items-center gap-2">
            <Button onClick={cancel} disabled={isCreating} variant="plain">
              Cancel
            </Button>
            <p id="wizard-missing" className="ms-auto text-small text-muted-foreground">
              {missingInputs.length > 0 && `Still missing: ${missingInputs.join(' and ')}.`}
            </p>
            {step > 1 && (
              <Button
                disabled={isCreating}
                onClick={() => goTo((step - 1) as WizardStepNumber)}
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
              busy={isCreating}
              busyLabel={isLastStep ? 'Creating...' : undefined}
              icon={isLastStep ? undefined : <ArrowRight aria-hidden size={15} />}
              className="flex-row-reverse"
            >
              {isLastStep ? 'Create Keeper' : 'Next'}
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

interface PanelProps {
  form: EntityForm<WizardDraft>
}

function PurposeStep({ form: { field } }: PanelProps) {
  return (
    <div className="flex flex-col gap-5">
      <TextField
        label="Title"
        required
        maxLength={120}
        {...field('title')}
        help="A name, as on a book’s spine: The Harbour Year."
      />
      <TextArea
        label="Purpose"
        required
        rows={4}
        maxLength={2000}
        {...field('purpose')}
        help="What you’ll keep here. Agents read this first."
      />
    </div>
  )
}

function MemoryStep({ form: { values, set, errors } }: PanelProps) {
  const customPatterns = useCustomPatterns()
  return (
    <div className="flex flex-col gap-7">
      <ChoiceCards
        label="Keeper type"
        required
        columns={3}
        value={values.keeperType}
        error={errors.keeperType}
        onValueChange={(keeperType) => set({ keeperType })}
        options={wizardKeeperTypes.map((value) => ({ value, ...wizardTypes[value] }))}
      />
      <ChoiceCards
        label="Memory pattern"
        required
        columns={2}
        value={values.memoryPattern}
        error={errors.memoryPattern}
        onValueChange={(memoryPattern) => set({ memoryPattern })}
        options={[
          ...wizardMemoryPatterns.map((value) => ({ value: value as string, ...wizardPatterns[value] })),
          ...customPatterns.map(({ value, label, description }) => ({ value, title: label, description })),
        ]}
      />
    </div>
  )
}

function ThemeStep({ form: { values: draft, set } }: PanelProps) {
  const customPatterns = useCustomPatterns()
  const pattern = wizardMemoryPatterns.find((candidate) => candidate === draft.memoryPattern)
  return (
    <div className="flex flex-col gap-6">
      <div>
        <ChoiceCards
          label="Theme"
          columns={3}
          value={draft.theme}
          onValueChange={(theme) => set({ theme })}
          options={builtInThemes.map(({ slug, name }) => ({
            value: slug,
            title: name,
            picture: <Swatch theme={slug} />,
          }))}
        />
        <p className="mt-1.5 text-small text-muted-foreground">With Keeper Classic, this keeper uses your own theme.</p>
      </div>
      <ThemePreview draft={draft} />
      <Checkbox
        label="Public page (coming later)"
        help="Nothing becomes visible yet. Your choice takes effect once public pages exist."
        checked={draft.isPublic}
        onCheckedChange={(isPublic) => set({ isPublic })}
      />
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1.5 border-t border-border pt-5 text-ui">
        <dt className="text-muted-foreground">Title</dt>
        <dd className="wrap-break-word">{draft.title}</dd>
        <dt className="text-muted-foreground">Purpose</dt>
        <dd className="whitespace-pre-line wrap-break-word">{draft.purpose}</dd>
        <dt className="text-muted-foreground">Keeper type</dt>
        <dd>{draft.keeperType && wizardTypes[draft.keeperType].title}</dd>
        <dt className="text-muted-foreground">Memory pattern</dt>
        <dd>
          {pattern
            ? wizardPatterns[pattern].title
            : (customPatterns.find(({ value }) => value === draft.memoryPattern)?.label ?? draft.memoryPattern)}
        </dd>
      </dl>
    </div>
  )
}

function Swatch({ theme }: { theme: string }) {
  const { mode } = useTheme()
  return (
    <span
      aria-hidden
      data-theme={getChosenTheme(theme)}
      data-mode={mode}
      className="grid size-9 shrink-0 grid-cols-2 overflow-hidden rounded-md border border-border"
    >
      <span className="bg-background" />
      <span className="bg-primary" />
      <span className="bg-ribbon" />
      <span className="bg-foreground" />
    </span>
  )
}

function ThemePreview({ draft: { theme, id, title, purpose } }: { draft: WizardDraft }) {
  const { mode } = useTheme()
  return (
    <section
      aria-label="Preview"
      data-theme={getChosenTheme(theme)}
      data-mode={mode}
      className="flex gap-5 rounded-lg border border-border bg-background p-5 text-foreground phone:flex-wrap"
    >
      <Cover seed={id} width={108} height={144} ribbon />
      <div className="flex min-w-0 flex-1 basis-48 flex-col gap-2">
        <p dir="auto" className="font-serif text-h2 font-medium wrap-break-word">
          {title}
        </p>
        <p dir="auto" className="line-clamp-2 text-ui text-muted-foreground wrap-break-word">
          {purpose}
        </p>
        <div className="rounded-page border border-border bg-paper p-3.5">
          <p className="font-serif text-read">Your text looks like this.</p>
          <p className="mt-1 text-small text-muted-foreground">And notes look like this.</p>
        </div>
        <p className="flex flex-wrap gap-2 text-small font-label">
          <span className="rounded-md bg-primary px-3 py-1.5 text-primary-foreground">A button</span>
          <span className="rounded-md bg-ribbon-soft px-3 py-1.5 text-ribbon-text">Kept</span>
          <span className="rounded-md border border-border bg-card px-3 py-1.5">A card</span>
        </p>
      </div>
    </section>
  )
}
