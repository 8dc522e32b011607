import { TextField } from '#web/ui/text-field.tsx'

interface TitleFieldProps {
  value: string
  /** What was wrong with it when it was sent. */
  error: string | undefined
  onChange: (title: string) => void
}

/** The title of a journey, of one of its paths or of a waypoint. */
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
