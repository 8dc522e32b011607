import { ArrowDown, ArrowUp, GripVertical, Plus, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import { type FieldType, fieldTypes } from '#contract/keepers/engagement-templates.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { ChipInput } from '#web/ui/chip-input.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { moveItem } from '#web/ui/move-item.ts'
import { NumberField } from '#web/ui/number-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useReorder } from '#web/ui/use-reorder.ts'
import { createField, type DraftField, fieldTypeNames } from './template-values.ts'

interface FieldListProps {
  fields: DraftField[]
  onChange: (fields: DraftField[]) => void
  /** Errors by path, such as `fields.2.key`. */
  errors: Record<string, string>
}

/** The questions of a form. Rows are moved by handle, by button, or with Alt and an arrow key. */
export function FieldList({ fields, onChange, errors }: FieldListProps) {
  const list = useRef<HTMLOListElement>(null)
  const move = (from: number, to: number) => onChange(moveItem(fields, from, to))
  const arrange = useReorder(fields.length, move)
  const set = (at: number, change: Partial<DraftField>) =>
    onChange(fields.map((field, index) => (index === at ? { ...field, ...change } : field)))

  function add() {
    onChange([...fields, createField()])
    requestAnimationFrame(() => list.current?.querySelector<HTMLInputElement>(':scope > li:last-child input')?.focus())
  }

  return (
    <div className="flex flex-col gap-3">
      <ol ref={list} aria-label="Fields" className="flex flex-col gap-3">
        {fields.map((field, at) => (
          <li
            key={field.row}
            {...arrange.row(at)}
            className={classNames(
              'flex flex-col gap-3 rounded-md border border-border bg-card p-3',
              arrange.isOver(at) && 'outline-2 outline-dashed outline-ribbon',
            )}
          >
            <RowHead
              name={field.label.trim() || `Field ${at + 1}`}
              at={at}
              last={fields.length - 1}
              handle={arrange.handle(at)}
              onMove={(to) => move(at, to)}
              onRemove={() => onChange(fields.filter((_, index) => index !== at))}
            />
            <div className="grid grid-cols-[minmax(0,1fr)_190px] gap-3 phone:grid-cols-1">
              <TextField
                label="Question"
                required
                maxLength={80}
                value={field.label}
                error={errors[`fields.${at}.label`] ?? errors[`fields.${at}.key`]}
                onChange={(event) => set(at, { label: event.currentTarget.value })}
              />
              <SelectField
                label="Answer"
                value={field.type}
                options={fieldTypes.map((type) => ({ value: type, label: fieldTypeNames[type] }))}
                onChange={(event) => set(at, { type: event.currentTarget.value as FieldType })}
              />
            </div>
            {field.type === 'choice' && (
              <ChipInput
                label="Choices"
                required
                placeholder="Type a choice and press Enter"
                value={field.options}
                error={errors[`fields.${at}.options`]}
                onValueChange={(options) => set(at, { options })}
              />
            )}
            {field.type === 'scale' && (
              <NumberField
                label="From 1 to"
                min={2}
                max={10}
                value={field.most ?? 5}
                error={errors[`fields.${at}.most`]}
                onNumberChange={(maxValue) => maxValue !== null && set(at, { most: maxValue })}
              />
            )}
            <TextField
              label="Help text"
              maxLength={300}
              value={field.help ?? ''}
              onChange={(event) => set(at, { help: event.currentTarget.value })}
            />
            <Checkbox label="Required" checked={field.required} onCheckedChange={(required) => set(at, { required })} />
          </li>
        ))}
      </ol>
      <div>
        <Button onClick={add} disabled={fields.length >= 40} icon={<Plus aria-hidden size={15} />}>
          Add field
        </Button>
      </div>
    </div>
  )
}

interface RowHeadProps {
  name: string
  at: number
  last: number
  handle: ReturnType<ReturnType<typeof useReorder>['handle']>
  onMove: (to: number) => void
  onRemove: () => void
}

export function RowHead({ name, at, last, handle, onMove, onRemove }: RowHeadProps) {
  return (
    <div className="flex items-center gap-1">
      <span {...handle} aria-hidden className="cursor-grab p-1 text-muted-foreground">
        <GripVertical size={16} />
      </span>
      <span className="min-w-0 flex-1 truncate text-small text-muted-foreground">
        {at + 1}. {name}
      </span>
      <IconButton size="small" label={`Move ${name} up`} disabled={at === 0} onClick={() => onMove(at - 1)}>
        <ArrowUp aria-hidden size={15} />
      </IconButton>
      <IconButton size="small" label={`Move ${name} down`} disabled={at === last} onClick={() => onMove(at + 1)}>
        <ArrowDown aria-hidden size={15} />
      </IconButton>
      <IconButton size="small" label={`Remove ${name}`} onClick={onRemove}>
        <Trash2 aria-hidden size={15} />
      </IconButton>
    </div>
  )
}
