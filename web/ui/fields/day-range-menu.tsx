import { useEffect, useRef, useState } from 'react'
import { addDays, toLocalDay } from '../text/days.ts'
import { SelectField } from './select-field.tsx'
import { TextField } from './text-field.tsx'

interface DayRangeMenuProps extends Omit<DayRangeFieldsProps, 'className' | 'labelSuffix'> {
  labelHidden?: boolean
  /** The server counts days in UTC. */
  isUtc?: boolean
  /** Class of the menu itself. */
  className: string
  fieldClassName: string
}

const rangeOptions = [
  { value: '', label: 'Any time' },
  { value: '1', label: 'Today' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: 'choose', label: 'Choose…' },
]

/** A span of days that ends today, or two day fields. */
export function DayRangeMenu(props: DayRangeMenuProps) {
  const { from, to, onChange, labelHidden, isUtc = false, className, fieldClassName } = props
  const box = useRef<HTMLDivElement>(null)
  const [isChoosing, setChoosing] = useState(false)
  const value = isChoosing ? 'choose' : findPreset({ from, to, isUtc })
  const isEmpty = from === '' && to === ''

  // Cleared from outside; a date being typed is empty too.
  useEffect(() => {
    if (isEmpty && !box.current?.contains(document.activeElement)) setChoosing(false)
  }, [isEmpty])

  function choose(option: string) {
    setChoosing(option === 'choose')
    if (option !== 'choose') onChange({ from: option && getFirstDay(Number(option), { isUtc }), to: '' })
  }

  return (
    <div ref={box} className="contents">
      <SelectField
        label="When"
        labelHidden={labelHidden}
        value={value}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
        options={rangeOptions}
        className={className}
      />
      {value === 'choose' && (
        <DayRangeFields
          from={from}
          to={to}
          onChange={onChange}
          labelSuffix={isUtc ? ' (UTC)' : ''}
          className={fieldClassName}
        />
      )}
    </div>
  )
}

interface DayRange {
  from: string
  to: string
  isUtc: boolean
}

export function findPreset({ from, to, isUtc }: DayRange): string {
  if (from === '' && to === '') return ''
  const preset = rangeOptions.find(
    ({ value }) => to === '' && Number(value) > 0 && from === getFirstDay(Number(value), { isUtc }),
  )
  return preset?.value ?? 'choose'
}

/** The first day of a span that ends today. In UTC it can be a day early, never late. */
export function getFirstDay(dayCount: number, { isUtc }: { isUtc: boolean }, now = new Date()): string {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate())
  return addDays(isUtc ? midnight.toISOString().slice(0, 10) : toLocalDay(midnight), 1 - dayCount)
}

interface DayRangeFieldsProps {
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

const dayPattern = /^\d{4}-\d{2}-\d{2}$/
const isDay = (value: string) => dayPattern.test(value)

/** A date input can't show an invalid value from the address. */
const getInputType = (value: string) => (value === '' || isDay(value) ? 'date' : 'text')
