import { Plus } from 'lucide-react'
import { useRef } from 'react'
import type { EngagementTemplate } from '#contract/keepers/engagement-templates.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { moveItem } from '#web/ui/move-item.ts'
import { NumberField } from '#web/ui/number-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useReorder } from '#web/ui/use-reorder.ts'
import { RowHead } from './field-list.tsx'
import { createStep, type DraftStep } from './template-values.ts'

interface StepListProps {
  steps: DraftStep[]
  onChange: (steps: DraftStep[]) => void
  forms: readonly EngagementTemplate[]
  /** Errors by path, such as `steps.2.agentSlug`. */
  errors: Record<string, string>
}

export function StepList({ steps, onChange, forms, errors }: StepListProps) {
  const list = useRef<HTMLOListElement>(null)
  const move = (from: number, to: number) => onChange(moveItem(steps, from, to))
  const arrange = useReorder(steps.length, move)
  const set = (at: number, change: Partial<DraftStep>) =>
    onChange(steps.map((step, index) => (index === at ? { ...step, ...change } : step)))

  function add() {
    onChange([...steps, createStep()])
    requestAnimationFrame(() => list.current?.querySelector<HTMLInputElement>(':scope > li:last-child input')?.focus())
  }

  return (
    <div className="flex flex-col gap-3">
      <ol ref={list} aria-label="Steps" className="flex flex-col gap-3">
        {steps.map((step, at) => (
          <li
            key={step.row}
            {...arrange.row(at)}
            className={classNames(
              'flex flex-col gap-3 rounded-md border border-border bg-card p-3',
              arrange.isOver(at) && 'outline-2 outline-dashed outline-ribbon',
            )}
          >
            <RowHead
              name={step.title.trim() || `Step ${at + 1}`}
              at={at}
              last={steps.length - 1}
              handle={arrange.handle(at)}
              onMove={(to) => move(at, to)}
              onRemove={() => onChange(steps.filter((_, index) => index !== at))}
            />
            <TextField
              label="Title"
              required
              maxLength={80}
              value={step.title}
              error={errors[`steps.${at}.title`]}
              onChange={(event) => set(at, { title: event.currentTarget.value })}
            />
            <TextArea
              label="Prompt"
              maxLength={2000}
              value={step.prompt}
              error={errors[`steps.${at}.prompt`]}
              onChange={(event) => set(at, { prompt: event.currentTarget.value })}
            />
            <div className="grid grid-cols-2 gap-3 phone:grid-cols-1">
              <SelectField
                label="Form"
                value={step.contentTypeId ?? ''}
                error={errors[`steps.${at}.contentTypeId`]}
                options={[
                  { value: '', label: 'One long answer' },
                  ...(step.contentTypeId !== null && !forms.some(({ id }) => id === step.contentTypeId)
                    ? [{ value: step.contentTypeId, label: 'Current form' }]
                    : []),
                  ...forms.map(({ id, label }) => ({ value: id, label })),
                ]}
                onChange={(event) => set(at, { contentTypeId: event.currentTarget.value || null })}
              />
              <TextField
                label="Agent to ask"
                mono
                maxLength={63}
                placeholder="slug"
                help="An agent you can run. The step links to its chat."
                value={step.agentSlug ?? ''}
                error={errors[`steps.${at}.agentSlug`]}
                onChange={(event) => set(at, { agentSlug: event.currentTarget.value.trim() || null })}
              />
            </div>
            {at < steps.length - 1 && (
              <NumberField
                label="Wait before the next step"
                unit={step.waitHours === 1 ? 'hour' : 'hours'}
                min={0}
                max={8760}
                value={step.waitHours ?? ''}
                error={errors[`steps.${at}.waitHours`]}
                onNumberChange={(waitHours) => set(at, { waitHours })}
              />
            )}
          </li>
        ))}
      </ol>
      <div>
        <Button onClick={add} disabled={steps.length >= 30} icon={<Plus aria-hidden size={15} />}>
          Add step
        </Button>
      </div>
    </div>
  )
}
