import { ArrowLeft, ArrowRight } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { ConflictDialog } from '#web/offline/conflict-dialog.tsx'
import { useDraft } from '#web/offline/use-draft.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { ReadOnlyWhile } from '#web/ui/fields/read-only-while.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { useBoard } from '../../document/use-board-editor.tsx'
import type { KeeperTypeBoardProps } from './keeper-type-board-page.tsx'
import { TemplatesStep } from './templates-step.tsx'
import {
  getRemoteValues,
  getTypeDraftChanges,
  isUnchanged,
  type TypeDraft,
  type TypeSnapshot,
  toTypeDraft,
  usePublish,
} from './type-draft.ts'
import { AgentsStep, PatternStep, ReviewStep } from './type-steps.tsx'

const steps = [
  'Identity',
  'Memory pattern',
  'Engagement templates',
  'Default agent + frames',
  'Review & publish',
] as const
const lastStep = steps.length - 1

export interface StepProps {
  draft: TypeDraft
  onDraft: (draft: TypeDraft) => void
  readOnly: boolean
}

interface TypeWizardProps extends Required<KeeperTypeBoardProps> {
  snapshot: TypeSnapshot
}

/** Keeps a local draft until it is published. */
export function TypeWizard({ type, snapshot, templates, agents, sample }: TypeWizardProps) {
  const [query, setQuery] = useSearchParams()
  const draft = useDraft<TypeDraft>(`keeper-type-board/${type.id}`, toTypeDraft(snapshot))
  const { publishing, problem, conflict, errors, publish, resolve, dismissConflict } = usePublish(type, draft)
  const [successText, setSuccessText] = useState('')
  const boardChanged = useBoard(({ dirty }) => dirty)
  const heading = useRef<HTMLHeadingElement>(null)
  const hasMoved = useRef(false)
  const requestedStep = Number.parseInt(query.get('step') ?? '', 10)
  const step = requestedStep >= 0 && requestedStep <= lastStep ? requestedStep : 0
  const readOnly = sample || !type.mine

  // Keyboard and screen reader users start at the top of the step.
  // biome-ignore lint/correctness/useExhaustiveDependencies: focus moves when the step changes
  useEffect(() => {
    if (hasMoved.current) heading.current?.focus()
  }, [step])

  function goTo(next: number) {
    hasMoved.current = true
    setSuccessText('')
    setQuery(
      (currentParams) => {
        const nextParams = new URLSearchParams(currentParams)
        nextParams.set('step', String(next))
        return nextParams
      },
      { replace: true },
    )
  }
  const stepProps: StepProps = { draft: draft.value, onDraft: draft.set, readOnly }

  return (
    <div className="grid grid-cols-[230px_minmax(0,1fr)] items-start gap-6 phone:grid-cols-1 phone:gap-4">
      <ReadOnlyWhile while={publishing}>
        <StepList step={step} draft={draft.value} onStep={goTo} />
        <div className="min-w-0">
          {draft.restored && !readOnly && (
            <Banner
              tone="info"
              className="mb-4"
              action={
                <Button size="small" onClick={draft.clear}>
                  Discard
                </Button>
              }
            >
              Your draft was restored. Publish it to apply it.
            </Banner>
          )}
          <p role="status" className="sr-only">
            {successText}
          </p>
          {successText && (
            <Banner tone="success" className="mb-4" onDismiss={() => setSuccessText('')}>
              {successText}
            </Banner>
          )}
          {problem && (
            <Banner tone="error" className="mb-4">
              {problem}
            </Banner>
          )}
          <Card className="min-h-64">
            <p className="text-small text-muted-foreground">{`Step ${step + 1} of ${steps.length}`}</p>
            <h2 ref={heading} tabIndex={-1} className="mb-4 outline-none">
              {steps[step]}
            </h2>
            {step === 0 && <IdentityStep {...stepProps} errors={errors} />}
            {step === 1 && <PatternStep {...stepProps} sample={sample} errors={errors} />}
            {step === 2 && <TemplatesStep {...stepProps} linked={templates} sample={sample} />}
            {step === 3 && <AgentsStep {...stepProps} typeId={type.id} assigned={agents} sample={sample} />}
            {step === lastStep && <ReviewStep {...stepProps} type={type} />}
          </Card>
          <div className="mt-4 flex justify-between gap-3">
            <Button icon={<ArrowLeft aria-hidden size={14} />} disabled={step === 0} onClick={() => goTo(step - 1)}>
              Previous
            </Button>
            {step < lastStep ? (
              <Button
                variant="primary"
                icon={<ArrowRight aria-hidden size={14} />}
                className="flex-row-reverse"
                onClick={() => goTo(step + 1)}
              >
                Next
              </Button>
            ) : (
              !readOnly && (
                <Button
                  variant="primary"
                  busy={publishing}
                  busyLabel="Publishing..."
                  disabled={isUnchanged(draft.value) && !boardChanged}
                  onClick={async () => {
                    if ((await publish()) === 'published')
                      setSuccessText(`${draft.value.values.name.trim()} was published.`)
                  }}
                >
                  Publish
                </Button>
              )
            )}
          </div>
        </div>
      </ReadOnlyWhile>
      {conflict && (
        <ConflictDialog
          subject="This keeper type"
          fields={conflict.fields}
          conflictKey={`keeper-type-board/${type.id}`}
          onKeepLocal={resolve}
          onKeepRemote={() => resolve(getRemoteValues(conflict))}
          onClose={dismissConflict}
        />
      )}
    </div>
  )
}

function StepList({ step, draft, onStep }: { step: number; draft: TypeDraft; onStep: (step: number) => void }) {
  const changed = findChangedSteps(draft)
  return (
    <nav aria-label="Keeper type">
      <ol aria-label="Steps" className="grid gap-1">
        {steps.map((title, index) => (
          <li key={title}>
            <button
              type="button"
              onClick={() => onStep(index)}
              aria-current={index === step ? 'step' : undefined}
              className="flex w-full items-center gap-2.5 rounded-md px-2.5 py-2 text-start text-ui text-muted-foreground hover:bg-secondary hover:text-foreground aria-[current]:bg-secondary aria-[current]:font-semibold aria-[current]:text-foreground"
            >
              <span
                aria-hidden
                className="grid size-6 shrink-0 place-items-center rounded-full border border-input text-small tabular-nums"
              >
                {index + 1}
              </span>
              <span className="min-w-0 flex-1">{title}</span>
              {changed[index] && (
                <span title="Not published yet" className="size-2 shrink-0 rounded-full bg-ribbon">
                  <span className="sr-only">, not published yet</span>
                </span>
              )}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}

function findChangedSteps(draft: TypeDraft): boolean[] {
  const { values, linked, unlinked, reordered, assigned, unassigned } = getTypeDraftChanges(draft)
  return [
    'name' in values || 'description' in values,
    'memoryPattern' in values,
    reordered || linked.length + unlinked.length > 0,
    assigned.length + unassigned.length > 0,
  ]
}

interface IdentityStepProps extends StepProps {
  errors: Record<string, string> | undefined
}

function IdentityStep({ draft, onDraft, readOnly, errors }: IdentityStepProps) {
  const { name, description } = draft.values
  const updateValues = (change: { name?: string; description?: string }) =>
    onDraft({ ...draft, values: { ...draft.values, ...change } })
  return (
    <div className="grid max-w-xl gap-4">
      <TextField
        label="Name"
        required
        maxLength={80}
        value={name}
        disabled={readOnly}
        error={errors?.name ?? (name.trim() === '' ? 'Enter a name.' : undefined)}
        onChange={(event) => updateValues({ name: event.currentTarget.value })}
      />
      <TextArea
        label="Purpose"
        maxLength={1000}
        value={description}
        disabled={readOnly}
        error={errors?.description}
        help="Describe what keepers of this type are for, in a sentence or two."
        onChange={(event) => updateValues({ description: event.currentTarget.value })}
      />
    </div>
  )
}
