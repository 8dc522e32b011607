import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import type { StepProps } from './type-wizard.tsx'

interface IdentityStepProps extends StepProps {
  errors: Record<string, string> | undefined
}

export function IdentityStep({ draft, onDraft, readOnly, errors }: IdentityStepProps) {
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
