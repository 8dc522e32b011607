import { useId } from 'react'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useCustomPatterns } from '../use-custom-patterns.ts'
import type { TypeValues } from './type-values.ts'

interface TypeFieldsProps {
  values: TypeValues
  onChange: (values: TypeValues) => void
  errors: Record<string, string> | undefined
}

/** Suggestions; custom pattern names are allowed too. */
const suggestedPatterns = ['SOLE', 'CRMTimeline', 'journal', 'tracker', 'palace']

export function TypeFields({ values, onChange, errors }: TypeFieldsProps) {
  const listId = useId()
  const customPatterns = useCustomPatterns()
  const set = (change: Partial<TypeValues>) => onChange({ ...values, ...change })
  return (
    <div className="flex flex-col gap-4">
      <TextField
        label="Name"
        required
        maxLength={80}
        value={values.name}
        error={errors?.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <TextArea
        label="Description"
        maxLength={1000}
        value={values.description}
        error={errors?.description}
        onChange={(event) => set({ description: event.currentTarget.value })}
      />
      <TextField
        label="Memory pattern"
        required
        maxLength={80}
        list={listId}
        value={values.memoryPattern}
        error={errors?.memoryPattern}
        help="New keepers of this type start with this pattern."
        onChange={(event) => set({ memoryPattern: event.currentTarget.value })}
      />
      <datalist id={listId}>
        {suggestedPatterns.map((pattern) => (
          <option key={pattern} value={pattern} />
        ))}
        {customPatterns.map(({ value, label }) => (
          <option key={value} value={value} label={label} />
        ))}
      </datalist>
    </div>
  )
}
