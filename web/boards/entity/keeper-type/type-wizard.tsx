import { useState } from 'react'
import { ConflictDialog } from '#web/offline/conflict-dialog.tsx'
import { useDraft } from '#web/offline/use-draft.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { ReadOnlyWhile } from '#web/ui/fields/read-only-while.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { useBoard } from '../../document/use-board-editor.tsx'
import { StepWizard } from '../step-wizard.tsx'
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
import { AgentsStep, PatternStep, ReviewStep, UnpublishedDot } from './type-steps.tsx'

const stepTitles = [
  'Identity',
  'Memory pattern',
  'Engagement templates',
  'Default agent + frames',
  'Review & publish',
] as const

export interface StepProps {
  draft: TypeDraft
  onDraftChange: (draft: TypeDraft) => void
  readOnly: boolean
}

interface TypeWizardProps extends Required<KeeperTypeBoardProps> {
  snapshot: TypeSnapshot
}

/** Keeps a local draft until it is published. */
export function TypeWizard({ type, snapshot, templates, agents, isSample }: TypeWizardProps) {
  const draft = useDraft<TypeDraft>(`keeper-type-board/${type.id}`, toTypeDraft(snapshot))
  const { isPublishing, problem, conflict, errors, publish, resolve, dismissConflict } = usePublish(type, draft)
  const [successText, setSuccessText] = useState('')
  const hasBoardChanges = useBoard(({ isDirty }) => isDirty)
  const readOnly = isSample || !type.mine
  const stepProps: StepProps = { draft: draft.value, onDraftChange: draft.set, readOnly }
  const changedSteps = findChangedSteps(draft.value)
  const steps = stepTitles.map((title, index) => ({
    title,
    note: changedSteps[index] && <UnpublishedDot />,
  }))

  return (
    <>
      <ReadOnlyWhile while={isPublishing}>
        <StepWizard
          label="Keeper type"
          steps={steps}
          onMove={() => setSuccessText('')}
          className="grid-cols-[230px_minmax(0,1fr)]"
          notices={
            <>
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
            </>
          }
          finish={
            !readOnly && (
              <Button
                variant="primary"
                busy={isPublishing}
                busyLabel="Publishing..."
                disabled={isUnchanged(draft.value) && !hasBoardChanges}
                onClick={async () => {
                  if ((await publish()) === 'published')
                    setSuccessText(`${draft.value.values.name.trim()} was published.`)
                }}
              >
                Publish
              </Button>
            )
          }
        >
          {(step) => (
            <>
              {step === 0 && <IdentityStep {...stepProps} errors={errors} />}
              {step === 1 && <PatternStep {...stepProps} isSample={isSample} errors={errors} />}
              {step === 2 && <TemplatesStep {...stepProps} linkedTemplates={templates} isSample={isSample} />}
              {step === 3 && <AgentsStep {...stepProps} typeId={type.id} assignedAgents={agents} isSample={isSample} />}
              {step === 4 && <ReviewStep {...stepProps} type={type} />}
            </>
          )}
        </StepWizard>
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
    </>
  )
}

/** Whether each step before the review has changes. */
function findChangedSteps(draft: TypeDraft): boolean[] {
  const { values, linkedIds, unlinkedIds, isReordered, assignedIds, unassignedIds } = getTypeDraftChanges(draft)
  return [
    'name' in values || 'description' in values,
    'memoryPattern' in values,
    isReordered || linkedIds.length + unlinkedIds.length > 0,
    assignedIds.length + unassignedIds.length > 0,
  ]
}

interface IdentityStepProps extends StepProps {
  errors: Record<string, string> | undefined
}

function IdentityStep({ draft, onDraftChange, readOnly, errors }: IdentityStepProps) {
  const { name, description } = draft.values
  const updateValues = (change: { name?: string; description?: string }) =>
    onDraftChange({ ...draft, values: { ...draft.values, ...change } })
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
