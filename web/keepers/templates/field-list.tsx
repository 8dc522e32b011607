import { ArrowDown, ArrowUp, GripVertical, Plus, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import { type FieldType, fieldTypes } from '#contract/keepers/engagement-templates.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Checkbox } from '#web/ui/controls/checkbox.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { ChipInput } from '#web/ui/fields/chip-input.tsx'
import { moveItem } from '#web/ui/fields/move-item.ts'
import { NumberField } from '#web/ui/fields/number-field.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { useReorder } from '#web/ui/fields/use-reorder.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { createField, type DraftField, fieldTypeNames } from './template-values.ts'

interface FieldListProps {
  fields: DraftField[]
  onChange: (fields: DraftField[]) => void
  /** Errors by path, such as `fields.2.key`. */
  errors: Record<string, string>
}

/** The questions of a form. Rows are moved by handle, by button, or with Alt and an arrow key. */
export function FieldList({ fields, onChange, errors }: FieldListProps) {
  const listRef = useRef<HTMLOListElement>(null)
  const move = (from: number, to: number) => onChange(moveItem(fields, from, to))
  const reorder = useReorder(fields.length, move)
  const updateField = (fieldIndex: number, change: Partial<DraftField>) =>
    onChange(fields.map((field, index) => (index === fieldIndex ? { ...field, ...change } : field)))

  function addField() {
    onChange([...fields, createField()])
    requestAnimationFrame(() =>
      listRef.current?.querySelector<HTMLInputElement>(':scope > li:last-child input')?.focus(),
    )
  }

  return (
    <div className="flex flex-col gap-3">
      <ol ref={listRef} aria-label="Fields" className="flex flex-col gap-3">
        {fields.map((field, fieldIndex) => (
          <li
            key={field.row}
            {...reorder.getRowProps(fieldIndex)}
            className={classNames(
              'flex flex-col gap-3 rounded-md border border-border bg-card p-3',
              reorder.isOver(fieldIndex) && 'outline-2 outline-dashed outline-ribbon',
            )}
          >
            <RowHeader
              name={field.label.trim() || `Field ${fieldIndex + 1}`}
              index={fieldIndex}
              lastIndex={fields.length - 1}
              handle={reorder.getHandleProps(fieldIndex)}
              onMove={(to) => move(fieldIndex, to)}
              onRemove={() => onChange(fields.filter((_, index) => index !== fieldIndex))}
            />
            <div className="grid grid-cols-[minmax(0,1fr)_190px] gap-3 phone:grid-cols-1">
              <TextField
                label="Question"
                required
                maxLength={80}
                value={field.label}
                error={errors[`fields.${fieldIndex}.label`] ?? errors[`fields.${fieldIndex}.key`]}
                onChange={(event) => updateField(fieldIndex, { label: event.currentTarget.value })}
              />
              <SelectField
                label="Answer"
                value={field.type}
                options={fieldTypes.map((type) => ({ value: type, label: fieldTypeNames[type] }))}
                onChange={(event) => updateField(fieldIndex, { type: event.currentTarget.value as FieldType })}
              />
            </div>
            {field.type === 'choice' && (
              <ChipInput
                label="Choices"
                required
                placeholder="Type a choice and press Enter"
                value={field.options}
                error={errors[`fields.${fieldIndex}.options`]}
                onValueChange={(options) => updateField(fieldIndex, { options })}
              />
            )}
            {field.type === 'scale' && (
              <NumberField
                label="From 1 to"
                min={2}
                max={10}
                value={field.most ?? 5}
                error={errors[`fields.${fieldIndex}.most`]}
                onNumberChange={(maxValue) => maxValue !== null && updateField(fieldIndex, { most: maxValue })}
              />
            )}
            <TextField
              label="Help text"
              maxLength={300}
              value={field.help ?? ''}
              onChange={(event) => updateField(fieldIndex, { help: event.currentTarget.value })}
            />
            <Checkbox
              label="Required"
              checked={field.required}
              onCheckedChange={(required) => updateField(fieldIndex, { required })}
            />
          </li>
        ))}
      </ol>
      <div>
        <Button onClick={addField} disabled={fields.length >= 40} icon={<Plus aria-hidden size={15} />}>
          Add field
        </Button>
      </div>
    </div>
  )
}

interface RowHeaderProps {
  name: string
  index: number
  lastIndex: number
  handle: ReturnType<ReturnType<typeof useReorder>['getHandleProps']>
  onMove: (to: number) => void
  onRemove: () => void
}

export function RowHeader({ name, index, lastIndex, handle, onMove, onRemove }: RowHeaderProps) {
  return (
    <div className="flex items-center gap-1">
      <span {...handle} aria-hidden className="cursor-grab p-1 text-muted-foreground">
        <GripVertical size={16} />
      </span>
      <span className="min-w-0 flex-1 truncate text-small text-muted-foreground">
        {index + 1}. {name}
      </span>
      <IconButton size="small" label={`Move ${name} up`} disabled={index === 0} onClick={() => onMove(index - 1)}>
        <ArrowUp aria-hidden size={15} />
      </IconButton>
      <IconButton
        size="small"
        label={`Move ${name} down`}
        disabled={index === lastIndex}
        onClick={() => onMove(index + 1)}
      >
        <ArrowDown aria-hidden size={15} />
      </IconButton>
      <IconButton size="small" label={`Remove ${name}`} onClick={onRemove}>
        <Trash2 aria-hidden size={15} />
      </IconButton>
    </div>
  )
}
