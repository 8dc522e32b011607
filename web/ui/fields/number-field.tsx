import type { ChangeEvent } from 'react'
import { TextField, type TextFieldProps } from './text-field.tsx'

export interface NumberFieldProps extends Omit<TextFieldProps, 'type' | 'mono' | 'end' | 'icon'> {
  /** null while the box is empty or isn't a number. */
  onNumberChange?: (value: number | null) => void
  unit?: string
}

export function NumberField({ onNumberChange, onChange, unit, ...rest }: NumberFieldProps) {
  function change(event: ChangeEvent<HTMLInputElement>) {
    onChange?.(event)
    const value = event.currentTarget.valueAsNumber
    onNumberChange?.(Number.isNaN(value) ? null : value)
  }
  return (
    <TextField
      inputMode="decimal"
      {...rest}
      type="number"
      onChange={change}
      end={unit && <span className="pe-2 text-small">{unit}</span>}
    />
  )
}
