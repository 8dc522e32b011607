import { useId } from 'react'
import type { EntityForm } from '#web/offline/use-entity-form.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { useCustomPatterns } from '../memory-pattern-queries.ts'

/** Suggestions; custom pattern names are allowed too. */
const suggestedPatterns = ['SOLE', 'CRMTimeline', 'journal', 'tracker', 'palace']

export function TypeFields({ form: { field } }: { form: EntityForm<TypeValues> }) {
  const listId = useId()
  const customPatterns = useCustomPatterns()
  return (
    <div className="flex flex-col gap-4">
      <TextField label="Name" required maxLength={80} {...field('name')} />
      <TextArea label="Description" maxLength={1000} {...field('description')} />
      <TextField
        label="Memory pattern"
        required
        maxLength={80}
        list={listId}
        help="New keepers of this type start with this pattern."
        {...field('memoryPattern')}
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

export interface TypeValues {
  name: string
  description: string
  memoryPattern: string
}

export const emptyTypeValues: TypeValues = { name: '', description: '', memoryPattern: 'SOLE' }

export const toTypeValues = ({ name, description, memoryPattern }: TypeValues): TypeValues => ({
  name,
  description,
  memoryPattern,
})

export const getReadOnlyReason = ({ system }: { system: boolean }): string =>
  system
    ? 'This is a system-reserved Keeper Type. Editing is disabled.'
    : 'Someone you share a domain with created this keeper type. Only they can change it.'
