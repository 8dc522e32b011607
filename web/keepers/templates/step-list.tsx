import { Plus } from 'lucide-react'
import { useRef } from 'react'
import type { EngagementTemplate } from '#contract/keepers/engagement-templates.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { moveItem } from '#web/ui/fields/move-item.ts'
import { NumberField } from '#web/ui/fields/number-field.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { useReorder } from '#web/ui/fields/use-reorder.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { RowHeader } from './field-list.tsx'
import { createStep, type DraftStep } from './template-values.ts'

interface StepListProps {
  steps: DraftStep[]
  onChange: (steps: DraftStep[]) => void
  forms: readonly EngagementTemplate[]
  /** Errors by path, such as `steps.2.agentSlug`. */
  errors: Record<string, string>
}

export function StepList({ steps, onChange, forms, errors }: StepListProps) {
  const listRef = useRef<HTMLOListElement>(null)
  const move = (from: number, to: number) => onChange(moveItem(steps, from, to))
  const reorder = useReorder(steps.length, move)
  const updateStep = (stepIndex: number, change: Partial<DraftStep>) =>
    onChange(steps.map((step, index) => (index === stepIndex ? { ...step, ...change } : step)))

  function addStep() {
    onChange([...steps, createStep()])
    requestAnimationFrame(() =>
      listRef.current?.querySelector<HTMLInputElement>(':scope > li:last-child input')?.focus(),
    )
  }

  return (
    <div className="flex flex-col gap-3">
      <ol ref={listRef} aria-label="Steps" className="flex flex-col gap-3">
        {steps.map((step, stepIndex) => (
          <li
            key={step.row}
            {...reorder.getRowProps(stepIndex)}
            className={classNames(
              'flex flex-col gap-3 rounded-md border border-border bg-card p-3',
              reorder.isOver(stepIndex) && 'outline-2 outline-dashed outline-ribbon',
            )}
          >
            <RowHeader
              name={step.title.trim() || `Step ${stepIndex + 1}`}
              index={stepIndex}
              lastIndex={steps.length - 1}
              handle={reorder.getHandleProps(stepIndex)}
              onMove={(to) => move(stepIndex, to)}
              onRemove={() => onChange(steps.filter((_, index) => index !== stepIndex))}
            />
            <TextField
              label="Title"
              required
              maxLength={80}
              value={step.title}
              error={errors[`steps.${stepIndex}.title`]}
              onChange={(event) => updateStep(stepIndex, { title: event.currentTarget.value })}
            />
            <TextArea
              label="Prompt"
              maxLength={2000}
              value={step.prompt}
              error={errors[`steps.${stepIndex}.prompt`]}
              onChange={(event) => updateStep(stepIndex, { prompt: event.currentTarget.value })}
            />
            <div className="grid grid-cols-2 gap-3 phone:grid-cols-1">
              <SelectField
                label="Form"
                value={step.contentTypeId ?? ''}
                error={errors[`steps.${stepIndex}.contentTypeId`]}
                options={[
                  { value: '', label: 'One long answer' },
                  ...(step.contentTypeId !== null && !forms.some(({ id }) => id === step.contentTypeId)
                    ? [{ value: step.contentTypeId, label: 'Current form' }]
                    : []),
                  ...forms.map(({ id, label }) => ({ value: id, label })),
                ]}
                onChange={(event) => updateStep(stepIndex, { contentTypeId: event.currentTarget.value || null })}
              />
              <TextField
                label="Agent to ask"
                mono
                maxLength={63}
                placeholder="slug"
                help="An agent you can run. The step links to its chat."
                value={step.agentSlug ?? ''}
                error={errors[`steps.${stepIndex}.agentSlug`]}
                onChange={(event) => updateStep(stepIndex, { agentSlug: event.currentTarget.value.trim() || null })}
              />
            </div>
            {stepIndex < steps.length - 1 && (
              <NumberField
                label="Wait before the next step"
                unit={step.waitHours === 1 ? 'hour' : 'hours'}
                min={0}
                max={8760}
                value={step.waitHours ?? ''}
                error={errors[`steps.${stepIndex}.waitHours`]}
                onNumberChange={(waitHours) => updateStep(stepIndex, { waitHours })}
              />
            )}
          </li>
        ))}
      </ol>
      <div>
        <Button onClick={addStep} disabled={steps.length >= 30} icon={<Plus aria-hidden size={15} />}>
          Add step
        </Button>
      </div>
    </div>
  )
}
