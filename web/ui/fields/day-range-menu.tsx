import { useEffect, useRef, useState } from 'react'
import { addDays, toLocalDay } from '../text/days.ts'
import { DayRangeFields, type DayRangeFieldsProps } from './day-range-fields.tsx'
import { SelectField } from './select-field.tsx'

interface DayRangeMenuProps extends Omit<DayRangeFieldsProps, 'className' | 'labelSuffix'> {
  labelHidden?: boolean
  /** The server counts days in UTC. */
  isUtc?: boolean
  /** Class of the menu itself. */
  className: string
  fieldClassName: string
}

const options = [
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
  const value = isChoosing ? 'choose' : findPreset(from, to, isUtc)
  const isEmpty = from === '' && to === ''

  // Cleared from outside; a date being typed is empty too.
  useEffect(() => {
    if (isEmpty && !box.current?.contains(document.activeElement)) setChoosing(false)
  }, [isEmpty])

  function choose(option: string) {
    setChoosing(option === 'choose')
    if (option !== 'choose') onChange({ from: option && getFirstDay(Number(option), isUtc), to: '' })
  }

  return (
    <div ref={box} className="contents">
      <SelectField
        label="When"
        labelHidden={labelHidden}
        value={value}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
        options={options}
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

export function findPreset(from: string, to: string, isUtc: boolean): string {
  if (from === '' && to === '') return ''
  const preset = options.find(
    ({ value }) => to === '' && Number(value) > 0 && from === getFirstDay(Number(value), isUtc),
  )
  return preset?.value ?? 'choose'
}

/** The first day of a span that ends today. In UTC it can be a day early, never late. */
export function getFirstDay(days: number, isUtc: boolean, now = new Date()): string {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate())
  return addDays(isUtc ? midnight.toISOString().slice(0, 10) : toLocalDay(midnight), 1 - days)
}
