import { type FieldType, fieldTypes, getScaleMax } from '#contract/keepers/engagement-templates.ts'
import { Checkbox } from '#web/ui/controls/checkbox.tsx'
import { ChipInput } from '#web/ui/fields/chip-input.tsx'
import { NumberField } from '#web/ui/fields/number-field.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { RowList } from './row-list.tsx'
import { createField, type DraftField, fieldTypeNames } from './template-values.ts'

interface FieldListProps {
  fields: DraftField[]
  onChange: (fields: DraftField[]) => void
  /** Errors by path, such as `fields.2.key`. */
  errors: Record<string, string>
}

/** The questions of a form. */
export function FieldList({ fields, onChange, errors }: FieldListProps) {
  return (
    <RowList
      label="Fields"
      rows={fields}
      maxRows={40}
      addLabel="Add field"
      createRow={createField}
      getName={({ label }, index) => label.trim() || `Field ${index + 1}`}
      onChange={onChange}
    >
      {(field, index, update) => (
        <>
          <div className="grid grid-cols-[minmax(0,1fr)_190px] gap-3 phone:grid-cols-1">
            <TextField
              label="Question"
              required
              maxLength={80}
              value={field.label}
              error={errors[`fields.${index}.label`] ?? errors[`fields.${index}.key`]}
              onChange={(event) => update({ label: event.currentTarget.value })}
            />
            <SelectField
              label="Answer"
              value={field.type}
              options={fieldTypes.map((type) => ({ value: type, label: fieldTypeNames[type] }))}
              onChange={(event) => update({ type: event.currentTarget.value as FieldType })}
            />
          </div>
          {field.type === 'choice' && (
            <ChipInput
              label="Choices"
              required
              placeholder="Type a choice and press Enter"
              value={field.options}
              error={errors[`fields.${index}.options`]}
              onValueChange={(options) => update({ options })}
            />
          )}
          {field.type === 'scale' && (
            <NumberField
              label="From 1 to"
              min={2}
              max={10}
              value={getScaleMax(field)}
              error={errors[`fields.${index}.most`]}
              onNumberChange={(maxValue) => {
                if (maxValue !== null) update({ most: maxValue })
              }}
            />
          )}
          <TextField
            label="Help text"
            maxLength={300}
            value={field.help ?? ''}
            onChange={(event) => update({ help: event.currentTarget.value })}
          />
          <Checkbox label="Required" checked={field.required} onCheckedChange={(required) => update({ required })} />
        </>
      )}
    </RowList>
  )
}
