import type { ComponentProps } from 'react'
import { Field, type FieldProps, splitFieldProps } from './field.tsx'

export interface RangeFieldProps
  extends Omit<ComponentProps<'input'>, 'className' | 'required' | 'type' | 'value'>,
    FieldProps {
  value: number
  onNumberChange?: (value: number) => void
  /** Formats the value for display and screen readers; defaults to the decimals of the value and step. */
  format?: (value: number) => string
}

export function RangeField({
  value,
  min = 0,
  max = 100,
  step = 1,
  format = (number) => number.toFixed(Math.max(countDecimals(number), countDecimals(step))),
  onNumberChange,
  onChange,
  ...props
}: RangeFieldProps) {
  const { field, control: controlProps } = splitFieldProps(props)
  const share = ((value - Number(min)) / (Number(max) - Number(min) || 1)) * 100
  return (
    <Field {...field} aside={<output className="tabular-nums text-foreground">{format(value)}</output>}>
      {({ 'aria-required': _, ...control }) => (
        <input
          {...controlProps}
          {...control}
          type="range"
          min={min}
          max={max}
          step={step}
          value={value}
          aria-valuetext={format(value)}
          onChange={(event) => {
            onChange?.(event)
            onNumberChange?.(event.currentTarget.valueAsNumber)
          }}
          style={{
            background: `linear-gradient(to right, var(--k-primary) ${share}%, var(--k-secondary) ${share}%)`,
          }}
          className="my-2 h-1 w-full forced-colors:appearance-auto cursor-pointer appearance-none rounded-full [&::-moz-range-thumb]:size-3 [&::-moz-range-thumb]:rounded-full [&::-moz-range-thumb]:border-2 [&::-moz-range-thumb]:border-primary [&::-moz-range-thumb]:bg-card [&::-webkit-slider-thumb]:size-4 [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-full [&::-webkit-slider-thumb]:border-2 [&::-webkit-slider-thumb]:border-primary [&::-webkit-slider-thumb]:bg-card"
        />
      )}
    </Field>
  )
}

const countDecimals = (number: number | string) => String(number).split('.')[1]?.length ?? 0
