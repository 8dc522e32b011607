import { TextField } from '#web/ui/text-field.tsx'

interface TitleFieldProps {
  value: string
  error: string | undefined
  onChange: (title: string) => void
}

export function TitleField({ value, error, onChange }: TitleFieldProps) {
  return (
    <TextField
      label="Title"
      required
      maxLength={120}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
