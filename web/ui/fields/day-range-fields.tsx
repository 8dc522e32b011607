import { TextField } from './text-field.tsx'

export interface DayRangeFieldsProps {
  /** `2026-12-24`, or '' for none. */
  from: string
  to: string
  onChange: (change: { from?: string; to?: string }) => void
  /** After the labels, such as ` (UTC)`. */
  labelSuffix?: string
  /** Class of each field. */
  className: string
}

/** The label beside the field, for a row of controls. */
export const inlineFieldClasses =
  'grid! grid-cols-[auto_minmax(0,1fr)] items-center gap-x-2 gap-y-0! text-muted-foreground [&>:last-child]:col-span-2 phone:w-full phone:grid-cols-[5rem_minmax(0,1fr)]'

export function DayRangeFields({ from, to, onChange, labelSuffix = '', className }: DayRangeFieldsProps) {
  return (
    <>
      <TextField
        type={getInputType(from)}
        label={`From${labelSuffix}`}
        value={from}
        max={to || undefined}
        error={isDay(from) && isDay(to) && from > to ? 'From must be on or before To.' : undefined}
        onChange={(event) => onChange({ from: event.currentTarget.value })}
        className={className}
      />
      <TextField
        type={getInputType(to)}
        label={`To${labelSuffix}`}
        value={to}
        min={from || undefined}
        onChange={(event) => onChange({ to: event.currentTarget.value })}
        className={className}
      />
    </>
  )
}

const isDay = (value: string) => /^\d{4}-\d{2}-\d{2}$/.test(value)

/** A date input can't show an invalid value from the address. */
const getInputType = (value: string) => (value === '' || isDay(value) ? 'date' : 'text')
