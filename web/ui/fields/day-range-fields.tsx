import { TextField } from './text-field.tsx'

interface DayRangeFieldsProps {
  /** `2026-12-24`, or '' for none. */
  from: string
  to: string
  onChange: (change: { from: string } | { to: string }) => void
  /** Of each field. */
  className: string
}

export function DayRangeFields({ from, to, onChange, className }: DayRangeFieldsProps) {
  return (
    <>
      <TextField
        type="date"
        label="From"
        value={from}
        max={to || undefined}
        onChange={(event) => onChange({ from: event.currentTarget.value })}
        className={className}
      />
      <TextField
        type="date"
        label="To"
        value={to}
        min={from || undefined}
        onChange={(event) => onChange({ to: event.currentTarget.value })}
        className={className}
      />
    </>
  )
}
